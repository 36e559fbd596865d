// What lies on the table: the view of the position, what is chosen, what is known. Other parts
// listen to it.

import * as api from "./api.js";
import * as state from "./state.js";
import { say, trouble } from "./dom.js";
import { actionMark, actionText, otherSide, podName, sideName } from "./notation.js";

export const table = {
  view: null, // what the server says of the position
  chosen: null, // { pod } in the mover's hand, or { at } on the board
  worth: new Map(), // by action: { value, plies, method }; nothing for what is not known
  guess: null, // { action, score, depth }
  arranging: false, // whether the position is being set up by hand
  illegal: null, // why the last action that was tried is illegal
  captures: null, // what the last action captured, until it has been shown
  blocked: [], // what stands blocked after it, in sentences
  menu: null, // actions to choose from
  fault: null, // why there is no view of the state
  seen: [], // points that the caption which is looked at names
  unfinished: null, // { text, why }: what board or pods lack to be played
  blame: [], // points that make the last action illegal
  hint: null, // { at, text }: what is missing for a click to do something; in the head line without a point
  svgs: new Map(), // drawings of pods: by id, [White's, Black's]
};

const listeners = new Map();

export function on(event, listener) {
  listeners.set(event, [...(listeners.get(event) ?? []), listener]);
}

export function tell(event) {
  for (const listener of listeners.get(event) ?? []) listener();
}

let asked = 0;
let drawn = "";

export function marks() {
  const chosen = state.get().marks;
  if (chosen === "pod") return table.chosen?.at ? { pod: table.chosen.at } : "none";
  return ["attacks", "liberties"].includes(chosen) ? chosen : "none";
}

function take(view) {
  const before = table.view;
  table.view = view;
  if (view.kinds[0]?.svg) table.svgs = new Map(view.kinds.map((kind) => [kind.id, kind.svg]));
  const same = before && before.position === view.position && before.rules === view.rules;
  if (!same) {
    table.worth = new Map();
    table.guess = null;
    tell("moved");
  }
  tell("view");
}

// Asks for the view of the state as it is now; what is answered too late is dropped.
export async function refresh() {
  const number = ++asked;
  const setting = state.setting();
  const pods = drawn !== setting.pods;
  try {
    const view = await api.ask("view", { setting, marks: marks(), pods });
    if (number !== asked) return;
    if (pods) drawn = setting.pods;
    trouble(null);
    take(view);
  } catch (error) {
    if (number !== asked) return;
    table.fault = error;
    tell("refused");
  }
}

// Nothing is chosen, explained or hinted at any more.
function forget() {
  table.chosen = null;
  table.blame = [];
  table.illegal = null;
  table.hint = null;
}

export function choose(chosen) {
  forget();
  table.chosen = chosen;
  tell("chosen");
  if (state.get().marks === "pod") refresh();
}

function words(step, side) {
  const [own, other] = [sideName(side), sideName(otherSide(side))];
  const named = (ids, of) => ids.map((id) => podName(id, of)).join(" ");
  const parts = [`${own}: ${actionText(step.action, side)}`];
  if (step.returned.length > 0) parts.push(`${named(step.returned, side)} back in ${own}’s hand`);
  if (step.removed.length > 0) parts.push(`${other}’s ${named(step.removed, otherSide(side))} out of the game`);
  return parts.join("; ");
}

// Plays an action, if the rules allow it; else shows why not. Returns whether it was played.
export async function act(action, { byProgram = false, fail = trouble } = {}) {
  const number = ++asked;
  let answer;
  try {
    answer = await api.ask("act", { setting: state.setting(), action, marks: marks() });
  } catch (error) {
    if (number === asked) fail(error);
    return false;
  }
  if (number !== asked) return false;
  trouble(null);
  if (answer.illegal) {
    table.blame = answer.illegal.blame;
    table.illegal = answer.illegal;
    table.hint = null;
    tell("chosen");
    return false;
  }
  const { step, captured, between, blocked, view } = answer.played;
  forget();
  table.captures = captured.length > 0 ? { captured, between, step } : null;
  table.blocked = blocked;
  const { now } = state.actions();
  // Told here, so that the view that came with the answer is not asked for again.
  ownChange = true;
  state.set({ actions: [...now, step.action].join(","), at: "" });
  ownChange = false;
  say([words(step, step.side), view.won].filter(Boolean).join(". "));
  take(view);
  tell(byProgram ? "answered" : "played");
  return true;
}

let ownChange = false;
// While a board is being edited, nobody looks at the table.
let stale = state.get().tab === "edit";

const OF_VIEW = ["board", "pods", "turn", "rules", "white", "black", "position", "actions", "at", "marks"];

state.listen((changed) => {
  if (ownChange || !OF_VIEW.some((name) => changed.has(name))) return;
  if (!(changed.size === 1 && changed.has("marks"))) {
    forget();
    table.captures = null;
    table.blocked = [];
  }
  if (state.get().tab === "edit") stale = true;
  else refresh();
});

on("back", () => {
  if (!stale) refresh();
});

state.listen((changed) => {
  if (!stale || !changed.has("tab") || state.get().tab === "edit") return;
  stale = false;
  refresh();
});

export function undo() {
  const { at } = state.actions();
  if (at > 0) state.set({ at: String(at - 1) });
}

export function redo() {
  const { all, at } = state.actions();
  if (at < all.length) state.set({ at: at + 1 === all.length ? "" : String(at + 1) });
}

// An action of the side to move, and the pod that stands on a point, as they are shown.
export function shown(action) {
  return actionMark(action, table.view.to_move, (at) => table.view.standing[at]?.id);
}

// A pod in words.
export function kind(id) {
  return table.view?.kinds.find((one) => one.id === id);
}

// The actions that the pod which is chosen could be asked to do at a point, with what the rules say
// of each.
export function options(at) {
  const { view, chosen } = table;
  if (!view || !chosen) return [];
  if (chosen.pod) {
    const clauses = view.placements[chosen.pod];
    return clauses && at in clauses ? [{ action: `${chosen.pod}@${at}`, clause: clauses[at] }] : [];
  }
  return (view.moves[chosen.at] ?? []).filter((target) => target.to === at);
}
