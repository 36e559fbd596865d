// Who wins: what is known at once, a longer search by one button, values of every action as they
// are found. What is proven and what is guessed are told apart.

import * as api from "./api.js";
import * as state from "./state.js";
import { linked } from "./clause.js";
import { atNextFrame, button, el, fill, say } from "./dom.js";
import { actionMark, actionText, otherSide, podMark, sideName } from "./notation.js";
import { ofState, secondsField, take } from "./seconds.js";
import { act, on, shown, table, tell } from "./table.js";
import { busyWith, stopOthers, waitingFor } from "./tabs.js";

const place = document.getElementById("values");

// The seconds of the look that is taken at each position without being asked.
const LOOK = 0.06;

// How long a position stands before it is looked at.
const PAUSE = 120;

// Each value has a shape and a word, never a colour alone.
const SIGNS = { win: "+", draw: "=", loss: "−" };

// How a value was found.
export const METHODS = {
  rules: "by the rules: the game is over",
  exhaustive: "every line of play was tried",
  retrograde: "every position that can follow was solved",
  sweeps: "every position with these pods was solved",
  mirror: "by symmetry",
  search: "by a search that leaves out only what cannot change who wins",
  table: "looked up in a table",
  library: "by a certificate that was checked",
  "alpha-beta": "every line of play was tried to the end",
  forced: "a forced win was found",
  tree: "a forced win was found",
};

export function words({ value, plies }) {
  const verb = { win: "wins", draw: "draws", loss: "loses" }[value];
  return plies === null || plies === undefined ? verb : `${verb} in ${plies} ${plies === 1 ? "ply" : "plies"}`;
}

// What is proven of the position that is shown, if anything is.
export function proven() {
  return root;
}

// The sign of what is proven of an action.
export function badge(worth) {
  const text = `${SIGNS[worth.value]}${worth.plies ?? ""}`;
  return el("span", { class: `badge ${worth.value}`, role: "img", "aria-label": words(worth) }, text);
}

// A number as it is said.
export function many(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} billion`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} million`;
  return number.toLocaleString("en");
}

// Of two proven values of the same thing, the one that says more.
function better(before, now) {
  return before && (before.plies ?? null) !== null && (now.plies ?? null) === null ? before : now;
}

let running = null; // { abort, begun, seconds, quiet }
let asked = null; // the search that has ended without an answer: { seconds, done }
let root = null;
let line = null;
let guess = null;
let far = null; // { phase, done, total, losing, actions }
let waits = false;
let unknown = null;
let fault = null;
let busy = () => false;

function clear({ keep = false } = {}) {
  running?.abort.abort();
  running = null;
  if (keep) return;
  [asked, root, line, guess, far, unknown, fault] = [null, null, null, null, null, null, null];
}

export function stop() {
  running?.abort.abort();
  running = null;
  show();
}

// What the program does meanwhile.
export function phaseWords(phase) {
  const words = {
    search: "searching",
    enumerate: "listing positions",
    propagate: "spreading values backwards",
    unpack: "reading values",
    verify: "checking the values",
    prove: "writing the proof",
    check: "checking the proof",
  };
  return words[phase] ?? phase;
}

// How far a search is, in words.
function progress() {
  const { begun, seconds } = running;
  const left = Math.max(0, Math.round(seconds - (performance.now() - begun) / 1000));
  if (waits) return waitingFor();
  const parts = [];
  if (far?.done) parts.push(`${many(far.done)} positions${far.total ? ` of ${many(far.total)}` : ""}`);
  if (far?.actions) parts.push(`${far.losing} of ${far.actions} ${table.view.played.length === 0 ? "openings" : "actions"} lost`);
  if (far && !/^search/.test(far.phase)) parts.unshift(phaseWords(far.phase));
  parts.push(`${left === 0 ? "nearly done" : `at most ${left} s left`}`);
  return parts.join(", ");
}

const soon = atNextFrame(() => {
  show();
  tell("worth");
});

// Asks for values until they are known, the time is up, or the position changes. A quiet look shows
// nothing but its results.
export async function start(seconds, quiet = false) {
  // What is proven of the position stays, whatever comes of the new search.
  const proven = { root, line };
  clear();
  ({ root, line } = proven);
  table.guess = null;
  const abort = new AbortController();
  const mine = { abort, begun: performance.now(), seconds, quiet };
  [running, waits] = [mine, false];
  show();
  const on = (event, data) => {
    if (running !== mine) return;
    if (event === "waiting") waits = data.before > 0;
    else if (event === "begun") [waits, mine.begun] = [false, performance.now()];
    else if (event === "action") table.worth.set(data.action, better(table.worth.get(data.action), data.worth));
    else if (event === "root") root = better(root, data);
    else if (event === "line") line = data.actions;
    else if (event === "guess") [guess, table.guess] = [data, data];
    else if (event === "progress") far = { ...far, ...data };
    else if (event === "unknown") unknown = data;
    else if (event === "error") fault = data.error;
    soon();
  };
  try {
    await api.job({ values: { setting: state.setting(), seconds } }, on, abort.signal);
  } catch (error) {
    if (running === mine && !quiet) fault = error.message;
  }
  if (running !== mine) return;
  running = null;
  if (!root && !quiet && !fault) asked = { seconds, done: far?.done ?? 0 };
  if (!quiet || root) say(summary());
  show();
  tell("worth");
}

function summary() {
  const side = sideName(table.view.to_move);
  if (root) return `${side} ${words(root)}: proven`;
  return `Who wins is not known yet; values of ${table.worth.size} of ${table.view.legal.length} actions are.`;
}

const ORDER = { win: 0, draw: 1, loss: 3 };

// Wins first, the shortest in front; then draws, what is not known, losses, the longest in front.
function sorted() {
  const rank = (action) => {
    const worth = table.worth.get(action);
    if (!worth) return [2, action === table.guess?.action ? 0 : 1];
    const plies = worth.plies ?? (action === table.guess?.action ? 2000 : 1000);
    return [ORDER[worth.value], worth.value === "loss" ? -plies : plies];
  };
  const ranked = table.view.legal.map((action) => [rank(action), action]);
  ranked.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]);
  return ranked.map(([, action]) => action);
}

function row(action) {
  const worth = table.worth.get(action);
  const guessed = action === table.guess?.action;
  const sign = worth ? badge(worth) : el("span", { class: guessed ? "badge guess" : "badge unknown", "aria-hidden": "true" }, guessed ? "≈" : "?");
  const text = worth ? `${words(worth)}${guessed && worth.value === "loss" ? "; holds out longest, as far as the program sees" : ""}` : guessed ? "guess: looks best, not proven" : "not known";
  const play = el("button", { type: "button", "data-key": `value ${action}`, onclick: () => act(action), "aria-label": `Play ${actionText(action, table.view.to_move)}: ${text}` }, shown(action));
  return el("li", { "data-key": `row ${action}` }, sign, play, el("span", {}, text));
}

// A line of actions, each of which can be gone to.
function steps(actions, title) {
  const { now } = state.actions();
  const go = (n) => () => state.set({ actions: [...now, ...actions].join(","), at: String(now.length + n) });
  const side = (i) => (i % 2 === 0 ? table.view.to_move : otherSide(table.view.to_move));
  // Who stands where is known of the first action; later ones that move a pod show whose it is.
  const mark = (action, i) => (i === 0 ? shown(action) : actionMark(action, side(i)));
  const label = (action, i) => `${sideName(side(i))}: ${actionText(action, side(i))}`;
  const parts = actions.map((action, i) => el("button", { type: "button", "data-key": `line ${i}`, "aria-label": label(action, i), onclick: go(i + 1) }, mark(action, i)));
  return el("p", { class: "line" }, el("span", {}, title), parts);
}

// Says who is better off without a sign, which would be read as that of who is to move.
function winnerMark(value) {
  const { to_move: side } = table.view;
  return value === "draw" ? badge({ value }) : podMark("", value === "win" ? side : otherSide(side));
}

// The action by which a lost position is held longest, as far as the program sees: asked for by a
// button, since all others lose as well.
async function stubborn() {
  clear({ keep: true });
  const abort = new AbortController();
  const mine = { abort, begun: performance.now(), seconds: ofState("pace"), quiet: false };
  running = mine;
  show();
  try {
    const on = (event, data) => {
      if (running !== mine) return;
      if (event === "move") [guess, table.guess] = [data, data];
      else if (event === "waiting") waits = data.before > 0;
      else if (event === "begun") waits = false;
      else if (event === "error") fault = data.error;
    };
    await api.job({ move: { setting: state.setting(), seconds: mine.seconds } }, on, abort.signal);
  } catch (error) {
    if (running === mine) fault = error.message;
  }
  if (running !== mine) return;
  running = null;
  show();
  tell("worth");
}

const FEW_ROWS = 8;
let all = false;

// Where the proof of a value of the built-in list is, in words.
export function whereKept(certificate) {
  const file = /results\/solved\/[^\s,]+/.exec(certificate)?.[0];
  if (file) return `The proof is the file ${file} of the program’s sources, which the program does not hold; pods check-proof ${file} checks it.`;
  return "The proof was checked; its file was too large to be kept.";
}

function isBuiltIn() {
  return !state.get().board.includes("\n");
}

// The answer in one sentence.
function headline(view) {
  const side = sideName(view.to_move);
  if (view.won) return el("p", { class: "answer" }, linked(view.won));
  if (root) {
    const winner = root.value === "draw" ? "A draw with best play" : `${root.value === "win" ? side : sideName(otherSide(view.to_move))} wins${root.plies ? ` in ${root.plies} ${root.plies === 1 ? "ply" : "plies"}` : ""} with best play`;
    return [el("p", { class: "answer proven" }, winnerMark(root.value), ` ${winner}`), el("p", { class: "quiet sum" }, `Proven: ${METHODS[root.method] ?? root.method}.${root.plies ? " A ply is one action of one player." : ""}${isBuiltIn() ? ` This is about the board ${view.board_name} that comes with the program, not about the board of the printed game, whose lines are not in the rules texts.` : ""}`), root.certificate ? el("details", { class: "fold" }, el("summary", {}, "Where the proof is"), el("p", { class: "quiet sum" }, whereKept(root.certificate)), el("p", { class: "quiet sum" }, `For programmers: ${root.certificate}`)) : el("p", { class: "quiet" }, button("Make a certificate", () => tell("certify"), { class: "link", title: "A file that proves it to anyone" }))];
  }
  if (running && !running.quiet) return el("p", { class: "answer" }, "Searching…");
  return el("p", { class: "answer" }, "Not known yet");
}

// A guess in words. Its score has no unit that anybody could use, so only its sign is told.
function guessed(view) {
  const { score, depth } = guess.guess ?? {};
  const side = sideName(view.to_move);
  if (guess.proven) return [`${side} ${words(guess.proven)}; `, shown(guess.action), guess.proven.value === "loss" ? " is played, as every action loses" : ` ${guess.proven.value === "win" ? "wins" : "draws"}`];
  const other = sideName(otherSide(view.to_move));
  const ahead = score > 0 ? `${side} seems better off` : score < 0 ? `${other} seems better off` : "both seem equally well off";
  return [`A guess, not a proof: ${ahead}, looking ${depth} plies ahead; `, shown(guess.action), " looks best."];
}

function controls(view) {
  if (view.status !== "ongoing" || (root && root.plies !== null && table.worth.size === view.legal.length)) return null;
  if (running && !running.quiet) return el("div", { class: "bar" }, button("Stop", stop), el("span", { class: "quiet", role: "status" }, progress()), waits && busyWith() ? button("Stop those", stopOthers) : null);
  const text = root ? "Find more values" : "Search longer";
  const go = () => {
    const seconds = take("seconds", show);
    if (seconds !== null) start(seconds);
  };
  return el("div", { class: "bar" }, button(text, go, { class: asked ? "" : "main", "data-key": "search" }), secondsField("seconds", "for", "seconds", show));
}

// What can be done where a search has ended without an answer.
function next() {
  const longer = Math.min(3600, Math.round(asked.seconds * 5));
  const lost = far?.actions ? ` ${far.losing} of ${far.actions} actions are shown to lose.` : "";
  const looked = asked.done ? `, and ${many(asked.done)} positions,` : "";
  const again = () => {
    state.set({ seconds: String(longer) });
    start(longer);
  };
  return el(
    "div",
    { class: "next" },
    el("p", {}, `${asked.seconds} seconds${looked} were not enough.${lost} What next?`),
    el(
      "div",
      { class: "bar" },
      button(`Search for ${longer >= 120 ? `${Math.round(longer / 60)} minutes` : `${longer} seconds`}`, again, { class: "main", "data-key": "longer" }),
      button("See who tends to win", () => state.set({ tab: "fair" })),
      button("Play on against the program", () => {
        document.getElementById("fold-program").open = true;
        document.querySelector("#program select").focus();
      }),
    ),
  );
}

// What each action leads to.
function listOf(view, unknowns) {
  const actions = sorted();
  // What is not known is shown only where all actions are asked for; where all lose and nobody
  // knows which holds out longest, the list in the order of the alphabet tells nothing.
  const allLose = unknowns === 0 && actions.every((action) => table.worth.get(action).value === "loss");
  const isFlat = allLose && actions.length > FEW_ROWS && !actions.some((action) => table.worth.get(action).plies);
  const told = actions.filter((action) => (table.worth.has(action) && !isFlat) || action === table.guess?.action);
  const listed = all ? actions : told.slice(0, FEW_ROWS);
  const known = [...table.worth.values()].some((worth) => worth.plies);
  const parts = [
    el("h3", {}, `What each action leads to${unknowns > 0 ? ` (${unknowns} not known)` : ""}`),
    allLose
      ? el("p", {}, `All ${actions.length} actions lose.${known ? " Those that hold out longest stand first." : ""}`)
      : el("p", { class: "quiet" }, `For ${sideName(view.to_move)}, who is to move: + wins, − loses, = draws${known ? "; a number is the plies to the end" : ""}.`),
    listed.length > 0 ? el("ol", { class: "worths" }, listed.map(row)) : null,
  ];
  const ways = [];
  if (isFlat && !table.guess && !(running && !running.quiet)) ways.push(button("Most stubborn", stubborn, { title: "Looks for the action that holds out longest" }));
  if (all || actions.length > listed.length) {
    const toggle = () => {
      all = !all;
      show();
    };
    ways.push(button(all ? "Fewer" : `All ${actions.length} actions`, toggle, { "data-key": "all actions" }));
  }
  if (ways.length > 0) parts.push(el("div", { class: "bar" }, ways));
  return parts;
}

function show() {
  const { view } = table;
  if (!view) return;
  const parts = [el("h2", {}, "Who wins?"), headline(view), controls(view)];
  if (!root && guess) parts.push(el("p", { class: "guessed" }, guessed(view)));
  const wins = [...table.worth.values()].some((worth) => worth.value === "win");
  if (root?.value === "win" && !wins && !running) parts.push(el("p", { class: "quiet" }, "The proof holds a winning reply, which is not listed here. “Find more values” looks for one."));
  if (line) parts.push(steps(line, "Best play: "));
  // The replies that looking ahead expects are no proof, even where the winner is proven.
  else if (guess?.line?.length > 0) parts.push(steps(guess.line, guess.proven?.plies === guess.line.length ? "Best play: " : "One likely continuation (a guess): "));
  if (asked && !root && !running) parts.push(next());
  if (fault) parts.push(el("p", { class: "fault" }, fault));
  const unknowns = view.legal.length - table.worth.size;
  if (view.status === "ongoing" && (table.worth.size > 0 || guess)) {
    parts.push(listOf(view, unknowns));
  }
  fill(place, parts);
}

// Looks at the position that is shown, once it has stood for a moment.
let pause = 0;
function look() {
  clearTimeout(pause);
  const { view } = table;
  if (!view || view.status !== "ongoing" || running || root || state.get().tab !== "play") return;
  pause = setTimeout(() => {
    if (!running && !root && !busy() && table.view === view) start(LOOK, true);
  }, PAUSE);
}

// `isBusy()` tells whether the program is to move itself.
export function startValues(isBusy) {
  busy = isBusy;
  on("moved", () => clear());
  on("back", () => {
    fault = null;
    show();
    look();
  });
  on("view", () => {
    show();
    look();
  });
  state.listen((changed) => {
    if (!changed.has("tab")) return;
    if (state.get().tab === "play") look();
    else if (running) stop();
  });
  setInterval(() => {
    if (running && !running.quiet) show();
  }, 1000);
  addEventListener("pagehide", () => clear());
}
