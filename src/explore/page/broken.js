// What is shown where the address gives no game: board or pods that are not finished yet; a link that
// is wrong is mended, and that is said.

import * as state from "./state.js";
import { answer } from "./answers.js";
import { button, el, fill, trouble } from "./dom.js";
import { asked } from "./shown.js";

const place = document.getElementById("unfinished");
const isOwn = (text) => text.includes("\n");

// What was played last and could be.
let playable = { board: state.DEFAULTS.board, pods: state.DEFAULTS.pods };

// The parts of the state that a setting of the server's stands for.
function stateOf({ turn, white, black, actions, ...rest }) {
  return { ...rest, turn: String(turn), white: white ?? "", black: black ?? "", actions: actions.join(","), at: "" };
}

// What the pods lack, in a sentence.
function lacking() {
  const all = answer("edit", { pods: { text: state.get().pods, change: null } }).value?.pods ?? [];
  const bare = all.filter((pod) => !pod.svg).length;
  return bare > 0 ? `Your pods are not finished: ${bare} of ${all.length} ${bare === 1 ? "has" : "have"} no legs.` : null;
}

// A setting that can be played, where that of the address cannot.
function mended() {
  const plain = { ...state.setting(state.DEFAULTS), actions: [] };
  return answer("mend", { setting: state.setting(), default: plain }).value ?? null;
}

// True if it is the reader's own board or pods that cannot be played.
export function isUnfinished() {
  const [{ board, pods }, to] = [state.get(), asked().error?.isRefusal && mended()];
  return Boolean(to) && (isOwn(board) || isOwn(pods)) && (to.board !== board || to.pods !== pods);
}

// What is said in place of the game, under Play and under Is it fair?.
export function unfinished() {
  const text = lacking();
  const back = () => state.set({ ...playable, tab: "play" }, { entry: true });
  const name = isOwn(playable.board) ? "the last board that could be played" : `the board ${playable.board}`;
  return [
    el("h2", {}, text ?? "Your board and pods cannot be played yet."),
    text ? null : el("p", { class: "quiet" }, asked().error.message),
    el("div", { class: "bar" }, button("Go on under My board", () => state.set({ tab: "edit" }), { class: "main" }), button(`Play on ${name} instead`, back, { title: "The browser’s Back brings your pods back" })),
  ];
}

// Shows as much as the address gives, and says what is wrong with it.
function mend() {
  const [of, to, { error }] = [state.here(), mended(), asked()];
  if (!to) return;
  const isGame = to.actions.length > 0 || to.position === state.get().position;
  const anew = () => {
    trouble(null);
    state.restart({});
  };
  setTimeout(() => {
    if (of !== state.here()) return;
    state.set(stateOf(to), { entry: false });
    const end = /[.!?]$/.test(error.message) ? "" : ".";
    const what = isGame && state.setting().actions.length === to.actions.length && JSON.parse(of).actions.length > to.actions.length ? "The game is shown up to there." : "What is wrong in the address was left out.";
    trouble(`${error.message}${end} ${what}`, button("Start anew", anew));
  });
}

export function drawBroken() {
  const { value, error } = asked();
  if (value) {
    const now = state.get();
    playable = Object.fromEntries([...state.REPLACED, "board", "pods"].map((name) => [name, now[name]]));
  }
  const own = isUnfinished();
  document.body.toggleAttribute("data-unfinished", own);
  place.hidden = !own;
  fill(place, own ? unfinished() : []);
  if (error && !own) {
    if (error.isRefusal) mend();
    else trouble(error);
  }
}
