// The board editor: lines come and go by a click, points too.

import * as api from "./api.js";
import * as state from "./state.js";
import { Board, put } from "./board.js";
import { button, choice, el, fill, fileName, labelled, save, say, trouble } from "./dom.js";
import { Past, opener } from "./files.js";
import { named } from "./setup.js";

const place = document.getElementById("edit-board");
let past;
let library;
let shown = null;
let points = false;
let size = { columns: 6, rows: 6, lines: false };
let board;
let lineLayer;
let bar;
let foot;
const lines = new Map();
let waiting = Promise.resolve();

async function change(what) {
  // One after the other, each from what the one before has made.
  waiting = waiting.then(async () => {
    try {
      const answer = await api.ask("edit", { board: { text: state.get().board, change: what } });
      trouble(null);
      take(answer);
      past.put(answer.text);
    } catch (error) {
      trouble(error);
    }
  });
  return waiting;
}

function take(answer) {
  shown = answer;
  draw();
}

async function read() {
  if (shown?.text === state.get().board) return;
  try {
    take(await api.ask("edit", { board: { text: state.get().board, change: null } }));
  } catch (error) {
    trouble(error);
  }
}

const TURNS = { "|": 90, "/": -45, "-": 0, "\\": 45 };

// The button of a line lies between its ends; the diagonals of a square share its middle, so they are pressed beside it.
function showLines() {
  const kept = new Set();
  for (const { from, to, stroke, is_line: isLine } of shown.lines) {
    const key = `${from}-${to}`;
    kept.add(key);
    const ends = [board.places.get(from), board.places.get(to)];
    if (!ends[0] || !ends[1]) continue;
    let one = lines.get(key);
    if (!one) {
      one = el("button", { type: "button", class: `stroke ${stroke === "/" || stroke === "\\" ? "slant" : ""}`, "data-line": key, tabindex: -1 });
      one.addEventListener("click", () => change({ line: { from, to } }));
      lines.set(key, one);
      lineLayer.append(one);
    }
    put(one, { x: (ends[0].x + ends[1].x) / 2, y: (ends[0].y + ends[1].y) / 2 });
    one.style.rotate = `${TURNS[stroke]}deg`;
    one.setAttribute("aria-label", `line ${from} ${to}`);
    one.setAttribute("aria-pressed", String(isLine));
  }
  for (const [key, one] of lines) {
    if (!kept.has(key)) {
      one.remove();
      lines.delete(key);
    }
  }
}

// Holes have no part in the drawing; their places follow from the points'.
function holes() {
  const some = shown.places.filter((one) => one.is_point);
  const [first] = some;
  const across = some.find((one) => one.column !== first.column);
  const up = some.find((one) => one.row !== first.row);
  const at = (one) => board.places.get(one.name);
  const stepX = across ? (at(across).x - at(first).x) / (across.column - first.column) : 0;
  const stepY = up ? (at(up).y - at(first).y) / (up.row - first.row) : 0;
  for (const one of shown.places.filter((other) => !other.is_point)) {
    put(board.buttons.get(one.name), { x: at(first).x + stepX * (one.column - first.column), y: at(first).y + stepY * (one.row - first.row) });
  }
}

function linesAt(name) {
  return shown.lines.filter((line) => line.is_line && (line.from === name || line.to === name)).length;
}

function told(one) {
  const place = shown.places.find((other) => other.name === one.name);
  if (!place.is_point) return { label: `${one.name}, hole`, kind: "hole" };
  return { label: `${one.name}, ${linesAt(one.name)} lines`, kind: points ? "removable" : "" };
}

function draw() {
  board.show(shown.svg, shown.places, told);
  holes();
  showLines();
  board.stage.classList.toggle("points", points);
  showBar();
}

// As the digits lie on a number pad.
const PAD = { 7: [-1, 1], 8: [0, 1], 9: [1, 1], 4: [-1, 0], 6: [1, 0], 1: [-1, -1], 2: [0, -1], 3: [1, -1] };

function key(name, event) {
  const step = PAD[event.key];
  if (!step) return;
  const here = shown.places.find((one) => one.name === name);
  const next = shown.places.find((one) => one.column === here.column + step[0] && one.row === here.row + step[1] && one.is_point);
  if (!next || !here.is_point) return;
  event.preventDefault();
  change({ line: { from: name, to: next.name } }).then(() => {
    const line = shown.lines.find((one) => [one.from, one.to].sort().join() === [name, next.name].sort().join());
    if (line) say(`line ${name} ${next.name} ${line.is_line ? "drawn" : "gone"}`);
  });
}

function pick(name) {
  const isHole = !shown.places.find((one) => one.name === name).is_point;
  if (points || isHole) change({ point: { at: name } });
}

function showBar() {
  const number = (name) => el("input", { type: "number", min: 1, max: 26, value: size[name], size: 3, "data-key": name, onchange: (event) => { size = { ...size, [name]: Number(event.target.value) }; } });
  const begin = choice([["none", "no lines"], ["all", "all lines"]], size.lines ? "all" : "none", (value) => { size = { ...size, lines: value === "all" }; }, { "data-key": "lines" });
  const fresh = () => change({ new: { columns: Math.min(255, Math.max(1, size.columns || 1)), rows: Math.min(255, Math.max(1, size.rows || 1)), lines: size.lines } });
  const now = state.get();
  const mode = () => {
    points = !points;
    draw();
  };
  fill(
    bar,
    labelled("Begin with", choice(named(library.boards, now.board, shown.name), now.board, (name) => past.put(name), { "data-key": "edit board" })),
    opener("board", (text) => past.put(text)),
    el("span", { class: "group" }, labelled("columns", number("columns")), labelled("rows", number("rows")), labelled("with", begin), button("New board", fresh)),
    button("Undo", () => past.undo(), { disabled: past.before.length === 0 }),
    button("Redo", () => past.redo(), { disabled: past.after.length === 0 }),
    button("Turn", () => change({ turn: {} })),
    button("Mirror", () => change({ mirror: {} })),
    button("Points and holes", mode, { "aria-pressed": String(points) }),
    el("span", { class: "group", role: "group", "aria-label": "one more row or column" }, ["n", "e", "s", "w"].map((side) => button(`+${side}`, () => change({ grow: { side } }), { "aria-label": `one more at ${side}` }))),
  );
  const text = (name, value) => labelled(name, el("input", { value, "data-key": `board ${name}`, onchange: (event) => change({ [name]: { [name]: event.target.value } }) }));
  fill(
    foot,
    el("div", { class: "bar" }, text("name", shown.name), text("source", shown.source), button("Save board file", () => save(fileName(shown.name, ".toml"), shown.text))),
    el("p", { class: "quiet" }, "With the keyboard: arrow keys go from point to point; 7 8 9 4 6 1 2 3, as they lie on a number pad, draw or take away the line in that direction; Enter makes a hole while Points and holes is on."),
    el("h3", {}, "What pods check says"),
    el("pre", { class: "check", tabindex: 0, role: "region", "aria-label": "What pods check says" }, shown.check),
    el("details", {}, el("summary", {}, "The file"), el("pre", {}, shown.text)),
  );
}

export function startEditBoard(all) {
  library = all;
  past = new Past("board");
  bar = el("div", { class: "bar", role: "group", "aria-label": "Board tools" });
  foot = el("div", {});
  const stage = el("div", { class: "stage" });
  board = new Board(stage, "Points of the board", { pick, key });
  lineLayer = el("div", { class: "layer strokes", role: "group", "aria-label": "Lines" });
  board.layer.before(lineLayer);
  place.append(el("h2", {}, "Board"), bar, stage, foot);
  state.listen((changed) => {
    if (state.get().tab === "edit" && (changed.has("board") || changed.has("tab"))) read();
  });
  if (state.get().tab === "edit") read();
}
