// Pods and actions as they are shown: each pod with the letter and the shape that it has on the
// board, a capital in a circle for White, a small letter in a square for Black.

import { el } from "./dom.js";

export function sideName(side) {
  return side === "white" ? "White" : "Black";
}

export function otherSide(side) {
  return side === "white" ? "black" : "white";
}

// The letter of a pod as it is drawn.
export function podName(id, side) {
  return side === "white" ? id.toUpperCase() : id;
}

// A pod in a line of text. Without a letter the shape alone says whose it is.
export function podMark(id, side) {
  return el("span", { class: `token ${side}` }, id ? podName(id, side) : "");
}

// An action in letters alone, for titles and for speech.
export function actionText(action, side) {
  return action.replace(/^[a-z](?=@)/, (id) => podName(id, side));
}

// An action with its pod. `mover(point)` gives the letter of the pod that stands on a point, which
// a move does not name.
export function actionMark(action, side, mover = () => "") {
  const [, id, rest] = /^([a-z](?=@))?(.*)$/.exec(action);
  const from = /^[a-z]+\d+/.exec(rest)?.[0];
  const mark = podMark(id ?? mover(from), side);
  return el("span", { class: "action" }, mark, id ? rest : ` ${rest}`);
}

// Whose pod a sentence of the program speaks of is said by the letter too: "White's pod b".
export function withCapitals(text) {
  return text.replace(/\b(White['’]s (?:pod )?)([a-z])\b/g, (_, before, id) => before + id.toUpperCase());
}
