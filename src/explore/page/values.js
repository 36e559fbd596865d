// What is known of the position: values of every action as they are found, proven and guessed told apart.

import * as api from "./api.js";
import * as state from "./state.js";
import { button, el, fill, labelled, say } from "./dom.js";
import { act, on, table, tell } from "./table.js";

const place = document.getElementById("values");

// Each value has a shape and a word, never a colour alone.
const SIGNS = { win: "+", draw: "=", loss: "−" };

export function words({ value, plies }) {
  const verb = { win: "wins", draw: "draws", loss: "loses" }[value];
  return plies === null || plies === undefined ? verb : `${verb} in ${plies}`;
}

// The sign of what is proven of an action.
export function badge(worth) {
  const text = `${SIGNS[worth.value]}${worth.plies ?? ""}`;
  return el("span", { class: `badge ${worth.value}`, role: "img", "aria-label": words(worth) }, text);
}

let running = null; // { abort, started }
let root = null;
let line = null;
let guess = null;
let far = "";
let unknown = null;
let fault = null;

function clear() {
  running?.abort.abort();
  running = null;
  [root, line, guess, unknown, fault] = [null, null, null, null, null];
  far = "";
}

export function stop() {
  running?.abort.abort();
  running = null;
  far = "";
  show();
}

function progress({ phase, done, total, losing, actions }) {
  const of = total ? ` of ${total.toLocaleString("en")}` : "";
  const lost = actions ? `; ${losing} of ${actions} actions lose` : "";
  return `${phase}: ${done.toLocaleString("en")}${of}${lost}`;
}

let due = 0;
function soon() {
  if (due) return;
  due = requestAnimationFrame(() => {
    due = 0;
    show();
    tell("worth");
  });
}

// Asks for values until they are known, the time is up, or the position changes.
export async function start(seconds) {
  clear();
  table.worth = new Map();
  table.guess = null;
  const abort = new AbortController();
  const mine = { abort };
  running = mine;
  show();
  const on = (event, data) => {
    if (running !== mine) return;
    if (event === "waiting" && data.before > 0) far = "waiting: something else is being computed";
    else if (event === "begun") far = "begun";
    else if (event === "action") table.worth.set(data.action, data.worth);
    else if (event === "root") root = data;
    else if (event === "line") line = data.actions;
    else if (event === "guess") [guess, table.guess] = [data, data];
    else if (event === "progress") far = progress(data);
    else if (event === "unknown") unknown = data;
    else if (event === "error") fault = data.error;
    soon();
  };
  try {
    await api.job({ values: { setting: state.setting(), seconds } }, on, abort.signal);
  } catch (error) {
    if (running === mine) fault = error.message;
  }
  if (running !== mine) return;
  running = null;
  far = "";
  say(summary());
  show();
  tell("worth");
}

function summary() {
  const side = table.view.to_move === "white" ? "White" : "Black";
  if (root) return `${side} ${words(root)}: proven (${root.method})`;
  const known = table.worth.size;
  return `who wins is not known; ${known} of ${table.view.legal.length} actions are`;
}

const ORDER = { win: 0, draw: 1, loss: 3 };

// Wins first, the shortest in front; then draws, what is not known, losses, the longest in front.
function sorted() {
  const rank = (action) => {
    const worth = table.worth.get(action);
    if (!worth) return [2, action === table.guess?.action ? 0 : 1];
    const plies = worth.plies ?? 1000;
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
  const text = worth ? `${words(worth)} (${worth.method})` : guessed ? "guess: looks best, not proven" : "not known";
  const play = el("button", { type: "button", "data-key": `value ${action}`, onclick: () => act(action) }, action);
  return el("li", {}, sign, play, el("span", {}, text));
}

// A line of actions, each of which can be gone to.
function steps(actions, title) {
  const { now } = state.actions();
  const go = (n) => () => state.set({ actions: [...now, ...actions].join(","), at: String(now.length + n) });
  const parts = actions.map((action, i) => el("button", { type: "button", "data-key": `line ${i}`, onclick: go(i + 1) }, action));
  return el("p", { class: "line" }, el("span", {}, title), parts);
}

const MOST_ROWS = 40;
let all = false;

function show() {
  const { view } = table;
  if (!view) return;
  const seconds = el("input", { type: "number", min: "0.1", max: "3600", step: "any", value: state.get().seconds, size: 5, "data-key": "seconds", onchange: (event) => state.set({ seconds: event.target.value }) });
  const controls = running
    ? [button("Stop", stop), el("span", { class: "quiet" }, far)]
    : [button("Who wins?", () => start(Number(state.get().seconds)), { disabled: view.status !== "ongoing" }), labelled("seconds", seconds)];
  const parts = [el("h2", {}, "Values"), el("div", { class: "bar" }, controls)];
  const side = view.to_move === "white" ? "White" : "Black";
  if (root) parts.push(el("p", { class: "proven" }, badge(root), ` ${side} ${words(root)} – proven (${root.method})`));
  if (!root && guess) {
    const { score, depth } = guess.guess ?? {};
    const text = guess.proven ? words(guess.proven) : `${side} ${score > 0 ? "seems better off" : score < 0 ? "seems worse off" : "seems even"}: score ${score} from ${depth} plies of looking ahead`;
    parts.push(el("p", { class: "guessed" }, el("span", { class: "badge guess", "aria-hidden": "true" }, "≈"), ` Guess, no value – ${text}; ${guess.action} looks best`));
  }
  if (line) parts.push(steps(line, "Best play "));
  else if (guess?.line?.length > 0) parts.push(steps(guess.line, guess.proven ? "Best play " : "May go on "));
  if (unknown?.why) parts.push(el("p", { class: "quiet" }, `${unknown.actions} actions are not known: ${unknown.why}`));
  if (fault) parts.push(el("p", { class: "fault" }, fault));
  if (running || table.worth.size > 0 || guess) {
    const actions = sorted();
    const shown = all ? actions : actions.slice(0, MOST_ROWS);
    parts.push(el("ol", { class: "worths" }, shown.map(row)));
    if (actions.length > MOST_ROWS) {
      const toggle = () => {
        all = !all;
        show();
      };
      parts.push(button(all ? "Fewer" : `All ${actions.length} actions`, toggle));
    }
  }
  fill(place, parts);
}

export function startValues() {
  on("moved", clear);
  on("view", show);
  addEventListener("pagehide", clear);
}
