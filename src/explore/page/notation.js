// Pods, actions and values as they are shown: each pod with the letter and the shape that it has on the
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

// The point where an action ends.
export function endOf(action) {
  return /([a-z]+\d+)(?:\+\d+)?$/.exec(action)?.[1];
}

// An action with its pod. `mover(point)` gives the letter of the pod that stands on a point, which
// a move does not name.
export function actionMark(action, side, mover = () => "") {
  const [, id, rest] = /^([a-z](?=@))?(.*)$/.exec(action);
  const from = /^[a-z]+\d+/.exec(rest)?.[0];
  const mark = podMark(id ?? mover(from), side);
  return el("span", { class: "action" }, mark, id ? rest : ` ${rest}`);
}

// Directions on the board, as the reader sees it.
const TOWARDS = {
  n: "up",
  ne: "up and right",
  e: "to the right",
  se: "down and right",
  s: "down",
  sw: "down and left",
  w: "to the left",
  nw: "up and left",
};

const TURNED = { n: "s", ne: "sw", e: "w", se: "nw", s: "n", sw: "ne", w: "e", nw: "se" };

// Legs in words, as they lie on the board: Black's pods face the other way (R4).
export function legsAsSeen(words, side) {
  return side === "white" ? words : words.replace(/\b(n|ne|e|se|s|sw|w|nw)\b/g, (leg) => TURNED[leg]);
}

// Legs that a sentence of the program names by points of the compass: "its leg E" is its leg to the
// right.
export function withDirections(text) {
  const [before, legs] = text.split("it would have no liberty:");
  const named = (part) => part.replace(/\b((?:its|the pod has no) leg|no line leads) (n|ne|e|se|s|sw|w|nw)\b/gi, (_, what, leg) => `${what} ${TOWARDS[leg.toLowerCase()]}`);
  if (legs === undefined) return named(text);
  return `${named(before)}it would have no liberty:${legs.replace(/(^|,) (n|ne|e|se|s|sw|w|nw) (?=meets|has)/gi, (_, comma, leg) => `${comma} its leg ${TOWARDS[leg.toLowerCase()]} `)}`;
}

// Whose pod a sentence of the program speaks of is said by the letter too: "White's pod b".
export function withCapitals(text) {
  return text.replace(/\b(White['’]s (?:pod )?)([a-z])\b/g, (_, before, id) => before + id.toUpperCase());
}

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

// The sign of what is proven of an action.
export function badge(worth) {
  const text = `${SIGNS[worth.value]}${worth.plies ?? ""}`;
  return el("span", { class: `badge ${worth.value}`, role: "img", "aria-label": words(worth) }, text);
}
