// The position that the address names, as the program sees it, and what the reader has begun there:
// a pod that is chosen, an action that was tried. Both are of that position alone.

import * as state from "./state.js";
import { answer, ask } from "./answers.js";
import { trouble } from "./dom.js";
import { known } from "./known.js";
import { actionMark } from "./notation.js";

let redraw = () => {};

// `listener` draws everything.
export function onChange(listener) {
  redraw = listener;
}

const NOTHING = { chosen: null, hint: null, menu: null, tried: null };
let begun = { of: "", ...NOTHING };
let arranging = false;

// What the reader has begun: `chosen` is { pod, side } in a hand or { at } on the board, `hint`
// { at, text } says what a click lacked, `menu` are actions to choose from, `tried` the one that
// was tried last.
export function here() {
  // Gone with its position: who comes back to that begins anew.
  if (begun.of !== state.here()) begun = { of: "", ...NOTHING };
  return begun.of ? begun : { ...NOTHING, chosen: captionPod() };
}

// The pod that the caption which is looked at speaks of: it is chosen, so that the rule stands on
// its point.
function captionPod() {
  const pod = /"found":"([a-z])@/.exec(state.get().seen)?.[1];
  const shown = pod && asked().value;
  return shown && pod in shown.placements ? { pod, side: shown.to_move } : null;
}

// All else that was begun is forgotten.
export function start(what) {
  begun = { of: state.here(), ...NOTHING, ...what };
  redraw();
}

export function choose(chosen) {
  start({ chosen });
}

// True while the position is set up by hand.
export function isArranging() {
  return arranging;
}

export function arrange(on) {
  arranging = on;
  choose(null);
}

function marks() {
  const { marks: chosen } = state.get();
  if (chosen === "pod") return begun.of === state.here() && begun.chosen?.at ? { pod: begun.chosen.at } : "none";
  return ["attacks", "liberties"].includes(chosen) ? chosen : "none";
}

const PLAIN = "none";

// What the program says of the address: { value, error }; neither while it has not come.
export function asked() {
  const setting = state.setting();
  const marked = answer("view", { setting, marks: marks() });
  return marks() === PLAIN || marked.value || marked.error ? marked : answer("view", { setting, marks: PLAIN });
}

// The position, if there is one to be shown by now.
export function view() {
  // Asked together: neither waits for the other.
  const [pods, { value }] = [podsOf(), asked()];
  return pods && value ? value : null;
}

// The pods of the set by id: { words, svg: [White's, Black's] }.
export function podsOf() {
  const { value } = answer("pods", { pods: state.get().pods });
  return value ? new Map(value.map((pod) => [pod.id, pod])) : null;
}

// The setting of a position by itself: what heavy questions are about.
export function settingOf(shown, changes = {}) {
  return { ...state.setting(), rules: shown.rules, position: shown.position, actions: [], ...changes };
}

// What is known of the position that is shown.
export function knownHere() {
  return known(settingOf(view()));
}

let fresh = null; // the position that was just played to, until it has been told of

// True if the position came about by an action that was played just now.
export function isFresh() {
  return fresh === state.here();
}

export function told() {
  fresh = null;
}

// Plays an action that is legal. The program's own needs no entry in the browser's history: going
// back leads to where the reader chose.
export function play(action, { entry } = {}) {
  // While the position has not come, what is seen is about another one.
  if (view()) played(action, entry);
}

function played(action, entry) {
  trouble(null);
  state.set({ actions: [...state.actions().now, action].join(","), at: "" }, { entry });
  fresh = state.here();
  redraw();
}

// Plays an action as somebody typed or meant it, or shows why it is illegal. `fail` is told what is
// wrong with one that is none. Returns true if it was played.
export async function attempt(text, fail = trouble) {
  const of = state.here();
  let judged;
  try {
    judged = await ask("why", { setting: state.setting(), action: text });
  } catch (error) {
    if (of === state.here()) fail(error);
    return false;
  }
  if (of !== state.here()) return false;
  if (judged.illegal) start({ ...here(), hint: null, menu: null, tried: judged });
  else played(judged.action);
  return !judged.illegal;
}

function another(changes) {
  return ask("view", { setting: state.setting({ ...state.another(changes), actions: [] }), marks: PLAIN });
}

// True if another setup or position can be played.
export function can(changes) {
  return another(changes).then(() => true, () => false);
}

// Goes to another setup or position, if it can be played; else says why not, and nothing changes.
export async function go(changes) {
  const of = JSON.stringify(state.get());
  try {
    await another(changes);
  } catch (error) {
    if (of === JSON.stringify(state.get())) trouble(error);
    redraw();
    return false;
  }
  if (of !== JSON.stringify(state.get())) return false;
  trouble(null);
  state.restart(changes);
  return true;
}

export function undo() {
  const { at } = state.actions();
  if (at > 0) state.set({ at: String(at - 1) });
}

export function redo() {
  const { all, at } = state.actions();
  if (at < all.length) state.set({ at: at + 1 === all.length ? "" : String(at + 1) });
}

// An action of the side to move, with the pod that it moves.
export function shownAction(action) {
  const { to_move: side, standing } = view();
  return actionMark(action, side, (at) => standing[at]?.id);
}

// The actions that the pod which is chosen could be asked to do at a point, with what the rules say
// of each.
export function options(at) {
  const { chosen } = here();
  if (!chosen) return [];
  if (chosen.pod) {
    const clauses = view().placements[chosen.pod];
    return clauses && at in clauses ? [{ action: `${chosen.pod}@${at}`, clause: clauses[at] }] : [];
  }
  return (view().moves[chosen.at] ?? []).filter((target) => target.to === at);
}
