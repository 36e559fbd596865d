// The key to the board: the marks that are on it now, each as it is drawn there.

import * as state from "./state.js";
import { answer } from "./answers.js";
import { drawing, el, fill } from "./dom.js";

const place = document.getElementById("key");
const SVG = "http://www.w3.org/2000/svg";

// A part of a drawing by itself, at the size that it has on a board of moderate size. `within` are
// the classes of groups that it takes its colours from.
function sample(part, within = "") {
  const copy = part.cloneNode(true);
  copy.removeAttribute("transform");
  for (const title of copy.querySelectorAll("title")) title.remove();
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", within);
  group.append(copy);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "pods-drawing");
  svg.setAttribute("viewBox", part.matches(".pods-chosen") ? "-34 -34 68 68" : "-24 -24 48 48");
  svg.append(group);
  return svg;
}

// The marks that the server draws, by the selector of one of them.
const DRAWN = [
  [".pods-attacked.pods-white", "attacked by White"],
  [".pods-attacked.pods-black", "attacked by Black"],
  [".pods-attacked.pods-both", "attacked by both"],
  [".pods-ray", "attacks along this line"],
  [".pods-liberty", "liberty: empty, next to a leg"],
  [".pods-blocked", "blocked: no liberty"],
  [".pods-chosen", "the pod in question"],
];

// Marks of the page's own, by the selector of one of them on the board.
const OWN = [
  [".point.may", "point may", "may go here"],
  [".point.seen", "point seen", "named in the caption"],
  [".point.blame", "point blame", "is in the way"],
];

const VALUES = [
  [".badge.win", "wins for who moves"],
  [".badge.draw", "draws"],
  [".badge.loss", "loses for who moves"],
  [".badge.guess", "looks best: a guess"],
];

// Pods of both sides and the two kinds of legs, as the pods of this set are drawn.
let pods = { of: null, samples: [] };

function podSamples() {
  const of = answer("pods", { pods: state.get().pods }).value;
  if (pods.of === of) return pods.samples;
  const drawn = of.map((pod) => pod.svg.map((text) => drawing(text)));
  const samples = [];
  const add = (part, side, words) => part && samples.push([sample(part, `pods-${side}`), words]);
  const [white, black] = drawn[0] ?? [];
  const find = (selector) => drawn.map(([one]) => one.querySelector(selector)).find(Boolean);
  add(white?.querySelector(".pods-body"), "white", "White’s pod: round");
  add(black?.querySelector(".pods-body"), "black", "Black’s pod: square");
  add(find(".pods-short"), "white", "short leg: one point");
  add(find(".pods-long"), "white", "long leg: along the line");
  // Legs are drawn from the middle upwards.
  for (const [svg] of samples.slice(2)) svg.setAttribute("viewBox", "-24 -40 48 48");
  pods = { of, samples };
  return samples;
}

export function drawKey() {
  const board = document.querySelector("#board svg");
  const on = (selector) => document.querySelector(`#board ${selector}`);
  const entries = podSamples().map(([svg, words]) => [svg.cloneNode(true), words]);
  const stuck = document.querySelector("#play .hand .stuck svg");
  if (stuck) entries.push([el("span", { class: "stuck" }, stuck.cloneNode(true)), "faint: can go nowhere now"]);
  for (const [selector, kind, words] of OWN) if (on(selector)) entries.push([el("span", { class: kind }), words]);
  if (on(".may-not .clause")) {
    const clause = on(".may-not .clause").textContent;
    entries.push([el("span", { class: "clause" }, clause), "the rule that forbids it"]);
  }
  for (const [selector, words] of VALUES) {
    const sign = on(selector)?.cloneNode(true);
    if (sign) entries.push([sign, /\d/.test(sign.textContent) ? `${words}, in so many plies` : words]);
  }
  fill(place.querySelector("ul"), [...entries, ...drawnOn(board)].map(item));
}

function item([mark, words]) {
  return el("li", { "data-key": words }, el("span", { class: "mark", "aria-hidden": "true" }, mark), words);
}

// The server's marks on some drawings.
function drawnOn(...drawings) {
  const first = (selector) => drawings.map((one) => one.querySelector(selector)).find(Boolean);
  const found = DRAWN.map(([selector, words]) => [first(selector), words]).filter(([part]) => part);
  return found.map(([part, words]) => [part.localName === "line" ? ray(part) : sample(part), words]);
}

// The key to some pictures.
export function keyTo(pictures) {
  return el("ul", { class: "key-to", "aria-label": "Key to the pictures" }, drawnOn(...pictures).map(item));
}

// A line of the board goes from point to point: in the key it is one of its own.
function ray(part) {
  const line = part.cloneNode();
  for (const [name, value] of Object.entries({ x1: -20, x2: 20, y1: 0, y2: 0 })) line.setAttribute(name, String(value));
  return sample(line);
}

// Where there is room beside the board, the key is open.
const ROOM = "(min-width: 75rem) and (min-aspect-ratio: 3/2)";

export function startKey() {
  const room = matchMedia(ROOM);
  const follow = () => { place.open = room.matches; };
  room.addEventListener("change", follow);
  follow();
}
