// Who wins: what is known at once, a longer search by one button, values of every action as they
// are found. What is proven and what is guessed are told apart.

import * as state from "./state.js";
import { begin, isRunning, job, stop } from "./answers.js";
import { linked } from "./clause.js";
import { button, el, fill, say } from "./dom.js";
import { known } from "./known.js";
import { METHODS, actionMark, actionText, badge, endOf, otherSide, podMark, sideName, words } from "./notation.js";
import { isToMove } from "./program.js";
import { secondsField, take } from "./seconds.js";
import { play, settingOf, shownAction, view } from "./shown.js";
import { busyWith, stopOthers, waitingFor } from "./tabs.js";

const place = document.getElementById("values");

// The seconds of the look that is taken at each position without being asked.
const LOOK = 0.06;

// How long a position stands before it is looked at.
const PAUSE = 120;

// A number as it is said.
export function many(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} billion`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} million`;
  return number.toLocaleString("en");
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

// The keys of the heavy questions about a position: the look without being asked, the search, the
// one for the action that holds out longest.
const keyOf = (kind, setting) => `${kind} ${JSON.stringify(setting)}`;
export const searchKey = (setting) => keyOf("values", setting);

// Positions that are looked at for the action that holds out longest: a number, so that it is the
// same action each time.
const STUBBORN = 20_000;

// How far a search is, in words.
function progress({ begun, waits, question, seen: { progress: far } }, shown) {
  if (waits) return waitingFor();
  const { seconds } = Object.values(question)[0];
  const parts = [];
  if (far?.done) parts.push(`${many(far.done)} positions${far.total ? ` of ${many(far.total)}` : ""}`);
  if (far?.actions) parts.push(`${far.losing} of ${far.actions} ${shown.played.length === 0 ? "openings" : "actions"} lost`);
  if (far && !/^search/.test(far.phase)) parts.unshift(phaseWords(far.phase));
  const left = Math.max(0, Math.round(seconds - (performance.now() - begun) / 1000));
  if (seconds) parts.push(`${left === 0 ? "nearly done" : `at most ${left} s left`}`);
  return parts.join(", ");
}

// Searches for the values of the position that is shown.
export async function search(seconds) {
  if (!view()) return;
  const of = settingOf(view());
  await begin(searchKey(of), { values: { setting: of, seconds } });
  if (!view() || JSON.stringify(settingOf(view())) !== JSON.stringify(of)) return;
  const { worth, actions } = known(of);
  say(worth ? `${sideName(view().to_move)} ${words(worth)}: proven` : `Who wins is not known yet; values of ${actions.size} of ${view().legal.length} actions are.`);
}

const ORDER = { win: 0, draw: 1, loss: 3 };

// Wins first, the shortest in front; then draws, what is not known, losses, the longest in front.
function sorted(shown, { actions, guess, stubborn }) {
  const first = (stubborn ?? guess)?.action;
  const rank = (action) => {
    const worth = actions.get(action);
    if (!worth) return [2, action === first ? 0 : 1];
    const plies = worth.plies ?? (action === first ? 2000 : worth.value === "loss" ? 0 : 1000);
    return [ORDER[worth.value], worth.value === "loss" ? -plies : plies];
  };
  const ranked = shown.legal.map((action) => [rank(action), action]);
  ranked.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]);
  return ranked.map(([, action]) => action);
}

function row(action, shown, { actions, guess, stubborn }) {
  const worth = actions.get(action);
  const guessed = !stubborn && action === guess?.action;
  const isMeasured = [...actions.values()].some((one) => one.plies);
  const holds = action === stubborn?.action && worth?.value === "loss" && !isMeasured;
  const sign = worth ? badge(worth) : el("span", { class: guessed ? "badge guess" : "badge unknown", "aria-hidden": "true" }, guessed ? "≈" : "?");
  const text = worth ? `${words(worth)}${holds ? "; holds out longest, as far as the program sees" : ""}` : guessed ? "guess: looks best, not proven" : "not known";
  const go = el("button", { type: "button", "data-key": `value ${action}`, onclick: () => play(action), "aria-label": `Play ${actionText(action, shown.to_move)}: ${text}` }, shownAction(action));
  return el("li", { "data-key": `row ${action}` }, sign, go, el("span", {}, text));
}

// A line of actions, each of which can be gone to.
function steps(actions, title, shown) {
  const { now } = state.actions();
  const go = (n) => () => view() && state.set({ actions: [...now, ...actions].join(","), at: String(now.length + n) });
  const side = (i) => (i % 2 === 0 ? shown.to_move : otherSide(shown.to_move));
  // Who stands where is followed; whatever does more than place or move one pod ends that.
  const standing = new Map(Object.entries(shown.standing).map(([at, { id }]) => [at, id]));
  const ids = actions.map((action) => {
    const from = /^[a-z]+\d+/.exec(action)?.[0];
    const id = from ? standing.get(from) : action[0];
    if (!/^([a-z]@|[a-z]+\d+-)[a-z]+\d+$/.test(action)) standing.clear();
    else {
      standing.delete(from);
      standing.set(endOf(action), id);
    }
    return id;
  });
  const mark = (action, i) => actionMark(action, side(i), () => ids[i]);
  const label = (action, i) => `${sideName(side(i))}: ${actionText(action, side(i))}`;
  const parts = actions.map((action, i) => el("button", { type: "button", "data-key": `line ${i}`, "aria-label": label(action, i), onclick: go(i + 1) }, mark(action, i)));
  return el("p", { class: "line" }, el("span", {}, title), parts);
}

// Says who is better off without a sign, which would be read as that of who is to move.
function winnerMark(value, { to_move: side }) {
  return value === "draw" ? badge({ value }) : podMark("", value === "win" ? side : otherSide(side));
}

const FEW_ROWS = 8;
let all = false;

// Where the proof of a value of the built-in list is, in words.
export function whereKept(certificate) {
  const file = /results\/solved\/[^\s,]+/.exec(certificate)?.[0];
  if (file) return `The proof is the file ${file} of the program’s sources, which the program does not hold; pods check-proof ${file} checks it.`;
  return "The proof was checked; its file was too large to be kept.";
}

// What is proven, in words, and of which board.
function proof(worth, shown) {
  const isBuiltIn = !state.get().board.includes("\n");
  const how = METHODS[worth.method] ? `Proven: ${METHODS[worth.method]}.` : "Proven.";
  return `${how}${worth.plies ? " A ply is one action of one player." : ""}${isBuiltIn ? ` This is about the board ${shown.board_name} that comes with the program, not about the board of the printed game, whose lines are not in the rules texts.` : ""}`;
}

// The answer in one sentence.
function headline(shown, worth, searching, certify) {
  if (shown.won) return el("p", { class: "answer" }, linked(shown.won));
  if (!worth) return el("p", { class: "answer" }, searching ? "Searching…" : "Not known yet");
  const side = sideName(worth.value === "win" ? shown.to_move : otherSide(shown.to_move));
  const winner = worth.value === "draw" ? "A draw with best play" : `${side} wins${worth.plies ? ` in ${worth.plies} ${worth.plies === 1 ? "ply" : "plies"}` : ""} with best play`;
  const kept = worth.certificate
    ? el("details", { class: "fold" }, el("summary", {}, "Where the proof is"), el("p", { class: "quiet sum" }, whereKept(worth.certificate)), el("p", { class: "quiet sum" }, `For programmers: ${worth.certificate}`))
    : el("p", { class: "quiet" }, button("Make a certificate", certify, { class: "link", title: "A file that proves it to anyone" }));
  return [el("p", { class: "answer proven" }, winnerMark(worth.value, shown), ` ${winner}`), el("p", { class: "quiet sum" }, proof(worth, shown)), kept];
}

// A guess in words. Its score has no unit that anybody could use, so only its sign is told.
function guessed({ action, guess: { score, depth } }, shown) {
  const [side, other] = [sideName(shown.to_move), sideName(otherSide(shown.to_move))];
  const ahead = score > 0 ? `${side} seems better off` : score < 0 ? `${other} seems better off` : "both seem equally well off";
  return [`A guess, not a proof: ${ahead}, looking ${depth} ${depth === 1 ? "ply" : "plies"} ahead; `, shownAction(action), " looks best."];
}

function controls(shown, { worth, actions }, job, redraw) {
  if (shown.status !== "ongoing" || (worth && (worth.plies ?? null) !== null && actions.size === shown.legal.length)) return null;
  if (isRunning(job)) return el("div", { class: "bar" }, button("Stop", () => stop(job)), el("span", { class: "quiet", role: "status" }, progress(job, shown)), job.waits && busyWith() ? button("Stop those", stopOthers) : null);
  const go = () => {
    const seconds = take("seconds", redraw);
    if (seconds !== null) search(seconds);
  };
  return el("div", { class: "bar" }, button(worth ? "Find more values" : "Search longer", go, { class: job?.status === "done" && !worth ? "" : "main", "data-key": "search" }), secondsField("seconds", "for", "seconds", redraw));
}

// What can be done where a search has ended without an answer.
function next({ question, seen: { progress: far } }) {
  const { seconds } = question.values;
  const longer = Math.min(3600, Math.round(seconds * 5));
  const lost = far?.actions ? ` ${far.losing} of ${far.actions} actions are shown to lose.` : "";
  const looked = far?.done ? `, and ${many(far.done)} positions,` : "";
  const again = () => {
    state.set({ seconds: String(longer) });
    search(longer);
  };
  return el(
    "div",
    { class: "next" },
    el("p", {}, `${seconds} seconds${looked} were not enough.${lost} What next?`),
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
function listOf(shown, found, redraw) {
  const { actions: worths, stubborn } = found;
  const actions = sorted(shown, found);
  const unknowns = shown.legal.length - worths.size;
  // What is not known is shown only where all actions are asked for; where all lose and nobody
  // knows which holds out longest, the list in the order of the alphabet tells nothing.
  const allLose = unknowns === 0 && actions.every((action) => worths.get(action).value === "loss");
  const isFlat = allLose && actions.length > FEW_ROWS && !actions.some((action) => worths.get(action).plies);
  const told = actions.filter((action) => (worths.has(action) && !isFlat) || action === (stubborn ?? (isFlat ? null : found.guess))?.action);
  const listed = all ? actions : told.slice(0, FEW_ROWS);
  const plies = [...worths.values()].filter((worth) => worth.plies).length;
  const parts = [
    el("h3", {}, `What each action leads to${unknowns > 0 ? ` (${unknowns} not known)` : ""}`),
    allLose
      ? el("p", {}, `All ${actions.length} actions lose.${plies === actions.length ? " Those that hold out longest stand first." : plies > 0 ? " Of some it is known in how many plies." : ""}`)
      : el("p", { class: "quiet" }, `For ${sideName(shown.to_move)}, who is to move: + wins, − loses, = draws${plies ? "; a number is the plies to the end" : ""}.`),
    listed.length > 0 ? el("ol", { class: "worths" }, listed.map((action) => row(action, shown, found))) : null,
  ];
  const setting = settingOf(shown);
  const key = keyOf("stubborn", setting);
  const looking = job(key);
  const ways = [];
  if (isRunning(looking)) ways.push(button("Stop", () => stop(looking), { "data-key": "stop stubborn" }), el("span", { class: "quiet", role: "status" }, looking.waits ? waitingFor() : "looking for the action that holds out longest…"));
  else if (isFlat && !stubborn) ways.push(button("Most stubborn", () => begin(key, { move: { setting, nodes: STUBBORN } }), { title: "Looks for the action that holds out longest" }));
  if (all || actions.length > listed.length) {
    const toggle = () => {
      all = !all;
      redraw();
    };
    ways.push(button(all ? "Fewer" : `All ${actions.length} actions`, toggle, { "data-key": "all actions" }));
  }
  if (ways.length > 0) parts.push(el("div", { class: "bar" }, ways));
  return parts;
}

// Looks at the position that is shown, once it has stood for a moment. The program, which is to
// move, would wait for it.
let due = { key: "", timer: 0 };
function lookSoon(shown, setting, redraw) {
  const key = keyOf("look", setting);
  const before = job(key);
  const isDue = shown.status === "ongoing" && (!before || before.status === "stopped") && !isRunning(job(searchKey(setting))) && !isToMove();
  if (due.key === (isDue ? key : "")) return;
  clearTimeout(due.timer);
  due = { key: isDue ? key : "", timer: 0 };
  const go = () => {
    due = { key: "", timer: 0 };
    if (view() && JSON.stringify(settingOf(view())) === JSON.stringify(setting) && state.get().tab === "play") begin(key, { values: { setting, seconds: LOOK } });
  };
  if (isDue) due.timer = setTimeout(go, PAUSE);
}

export function drawValues(shown, redraw, certify) {
  const setting = settingOf(shown);
  const found = known(setting);
  const { worth, line, guess, actions } = found;
  const searching = job(searchKey(setting));
  const isOn = isRunning(searching);
  lookSoon(shown, setting, redraw);
  const parts = [el("h2", {}, "Who wins?"), headline(shown, worth, isOn, certify), controls(shown, found, searching, redraw)];
  if (!worth && guess) parts.push(el("p", { class: "guessed" }, guessed(guess, shown)));
  const wins = [...actions.values()].some((one) => one.value === "win");
  if (worth?.value === "win" && !wins && !isOn) parts.push(el("p", { class: "quiet" }, "The proof holds a winning reply, which is not listed here. “Find more values” looks for one."));
  if (line) parts.push(steps(line, "Best play: ", shown));
  // The replies that looking ahead expects are no proof, even where the winner is proven.
  else if (guess?.line?.length > 0) parts.push(steps(guess.line, "One likely continuation (a guess): ", shown));
  if (searching?.status === "done" && !worth) parts.push(next(searching));
  if (searching?.fault) parts.push(el("p", { class: "fault" }, searching.fault));
  if (shown.status === "ongoing" && (actions.size > 0 || guess)) parts.push(listOf(shown, found, redraw));
  fill(place, parts);
}
