// The board editor: lines are drawn from point to point; points come and go by a click.

import * as state from "./state.js";
import { answer } from "./answers.js";
import { Board, spot } from "./board.js";
import { button, choice, dropClick, el, fill, fileName, labelled, save, say, trouble } from "./dom.js";
import { Past, foundText, opener, paster, sourceField } from "./files.js";
import { named } from "./setup.js";
import { Strokes, SYMMETRIES } from "./strokes.js";

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
let symmetry = "no symmetry";
let strokes;
let redraw = () => {};

// Pairs of neighbours and their images under the symmetry that is kept.
function images(pairs) {
  const { columns, rows } = shown;
  const at = new Map(shown.places.map((one) => [one.name, [one.column, one.row]]));
  const names = new Map(shown.places.map((one) => [`${one.column} ${one.row}`, one.name]));
  const all = new Map();
  for (const [from, to] of pairs) {
    for (const image of [(place) => place, ...SYMMETRIES[symmetry]]) {
      const ends = [from, to].map((name) => names.get(image(at.get(name), columns, rows).join(" ")));
      if (ends.every(Boolean) && strokes.find(...ends)) all.set([...ends].sort().join(), ends);
    }
  }
  return [...all.values()];
}

function drawLines(pairs, on) {
  const all = images(pairs);
  // Shown at once; the server's answer says the same.
  markLines(pairs, on);
  if (all.length === 0) return Promise.resolve();
  const [[from, to]] = pairs;
  return change({ lines: { lines: all, on } }).then(() => {
    const more = all.length > 1 ? ` and ${all.length - 1} more` : "";
    say(`line ${from} ${to}${more} ${on ? "drawn" : "gone"}`);
  });
}

function markLines(pairs, on) {
  for (const one of lineLayer.children) one.classList.remove("drawn", "gone");
  for (const [from, to] of images(pairs)) lineLayer.querySelector(`[data-line="${from}-${to}"], [data-line="${to}-${from}"]`)?.classList.add(on ? "drawn" : "gone");
}

const change = (what) => past.change(what);

const TURNS = { "|": 90, "/": -45, "-": 0, "\\": 45 };

// The button of a line lies between its ends; the diagonals of a square share its middle, so they
// are pressed beside it.
function showLines() {
  const one = ({ from, to, stroke, is_line: isLine }) => {
    const [start, end] = [board.places.get(from), board.places.get(to)];
    return el("button", {
      type: "button",
      class: `stroke ${stroke === "/" || stroke === "\\" ? "slant" : ""}`,
      style: { ...spot({ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }), rotate: `${TURNS[stroke]}deg` },
      tabindex: -1,
      "data-line": `${from}-${to}`,
      "data-key": `${from}-${to}`,
      "aria-label": `line ${from} ${to}`,
      "aria-pressed": String(isLine),
      onclick: () => drawLines([[from, to]], !strokes.find(from, to).is_line),
    });
  };
  fill(lineLayer, shown.lines.map(one));
}

function linesAt(name) {
  return shown.lines.filter((line) => line.is_line && (line.from === name || line.to === name)).length;
}

function told(one) {
  const place = shown.places.find((other) => other.name === one.name);
  if (!place.is_point) return { label: `${one.name}, hole`, kind: "hole" };
  const begun = strokes.start === one.name;
  return { label: `${one.name}, ${linesAt(one.name)} lines${begun ? ", chosen: choose a neighbour" : ""}`, kind: `${points ? "removable" : ""} ${begun ? "chosen" : ""}` };
}

// Draws the board of the address, and returns it; nothing while it has not come.
export function drawEditBoard() {
  const { value, error } = answer("edit", { board: { text: state.get().board, change: null } });
  if (error) trouble(error);
  if (!value) return null;
  shown = value;
  board.show(shown.svg, shown.places, told);
  showLines();
  board.stage.classList.toggle("points", points);
  showBar();
  return shown;
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
  drawLines([[name, next.name]], !strokes.find(name, next.name)?.is_line);
}

function pick(name) {
  const isHole = !shown.places.find((one) => one.name === name).is_point;
  if (points || isHole) change({ point: { at: name } });
  else strokes.tap(name);
}

// Points that no way along lines joins with the most others, in a sentence.
function apart() {
  const beside = new Map(shown.places.filter((one) => one.is_point).map((one) => [one.name, []]));
  for (const { from, to } of shown.lines.filter((line) => line.is_line)) {
    beside.get(from).push(to);
    beside.get(to).push(from);
  }
  const parts = [];
  const seen = new Set();
  for (const name of beside.keys()) {
    if (seen.has(name)) continue;
    const part = [name];
    seen.add(name);
    for (const at of part) for (const next of beside.get(at)) if (!seen.has(next) && seen.add(next)) part.push(next);
    parts.push(part);
  }
  const off = parts.sort((a, b) => b.length - a.length).slice(1).flat();
  // A board without lines is only begun.
  if (off.length === 0 || parts[0].length === 1) return "";
  if (off.length > FEW_POINTS) return `${off.length} points are cut off from the others.`;
  return `${off.length === 1 ? off[0] : `${off.slice(0, -1).join(", ")} and ${off.at(-1)}`} ${off.length === 1 ? "is" : "are"} cut off from the others.`;
}

const FEW_POINTS = 6;
const SIDES = { n: "+ row above", s: "+ row below", w: "+ column left", e: "+ column right" };

function fits(number) {
  return Number.isInteger(number) && number >= 1 && number <= 26;
}

function showBar() {
  const number = (name) => el("input", { type: "number", min: 1, max: 26, value: size[name], size: 3, "data-key": name, "aria-invalid": fits(size[name]) ? null : "true", "aria-describedby": fits(size[name]) ? null : "wrong-size", oninput: (event) => { size = { ...size, [name]: Number(event.target.value) }; showBar(); } });
  const isSize = fits(size.columns) && fits(size.rows);
  const begin = choice([["none", "no lines"], ["all", "all lines"]], size.lines ? "all" : "none", (value) => { size = { ...size, lines: value === "all" }; }, { "data-key": "lines" });
  const fresh = () => change({ new: size });
  const now = state.get();
  const mode = () => {
    points = !points;
    redraw();
  };
  const keep = choice(Object.keys(SYMMETRIES).map((name) => [name, name]), symmetry, (name) => { symmetry = name; }, { "data-key": "symmetry" });
  fill(
    bar,
    el("div", { class: "bar" }, el("span", { class: "group" }, labelled("columns", number("columns")), labelled("rows", number("rows")), labelled("with", begin), button(isSize ? `Make a ${size.columns} × ${size.rows} board` : "Make a board", fresh, { disabled: !isSize, "data-key": "make board", title: "In place of the board below; Undo brings it back", class: library.boards.some(({ name }) => name === now.board) ? "main" : "" }), isSize ? null : el("span", { class: "wrong", id: "wrong-size", role: "alert" }, "Enter whole numbers from 1 to 26."))),
    el(
      "div",
      { class: "bar" },
      button("Undo", () => past.undo(), { disabled: past.before.length === 0 }),
      button("Redo", () => past.redo(), { disabled: past.after.length === 0 }),
      labelled("Draw with", keep),
    ),
    el(
      "details",
      {},
      el("summary", {}, "Begin with another board, open a file, make holes, add rows, turn"),
      el(
        "div",
        { class: "bar" },
        labelled("Begin with", choice(named(library.boards, now.board, shown.name), now.board, (name) => past.put(name), { "data-key": "edit board" })),
        opener("board", (text) => past.put(text)),
        button("Points and holes", mode, { "aria-pressed": String(points) }),
        el("span", { class: "group", role: "group", "aria-label": "one more row or column" }, Object.entries(SIDES).map(([side, text]) => button(text, () => change({ grow: { side } }), { "aria-label": `one more at ${side}` }))),
        button("Turn", () => change({ turn: {} })),
        button("Mirror", () => change({ mirror: {} })),
      ),
    ),
  );
  const text = (name, value) => labelled(name, el("input", { value, "data-key": `board ${name}`, onchange: (event) => change({ [name]: { [name]: event.target.value } }) }));
  fill(
    foot,
    el("p", { class: "apart", id: "apart", role: "status" }, apart()),
    el("div", { class: "bar" }, text("name", shown.name), sourceField(shown.source, "board source", (source) => change({ source: { source } })), button("Save board file", () => save(fileName(shown.name, ".toml"), shown.text))),
    el("p", { class: "quiet" }, "With the keyboard: arrow keys go from point to point; 7 8 9 4 6 1 2 3, as they lie on a number pad, draw or take away the line in that direction; Enter makes a hole while Points and holes is on."),
    el("details", {}, el("summary", {}, "What the program finds in it"), el("pre", { class: "check", tabindex: 0, role: "region", "aria-label": "What pods check says" }, foundText(shown.check))),
    paster("board", (text) => past.put(text)),
    el("details", {}, el("summary", {}, "The file"), el("pre", {}, shown.text)),
  );
}

export function startEditBoard(all, draw) {
  [library, redraw] = [all, draw];
  past = new Past("board");
  bar = el("div", { role: "group", "aria-label": "Board tools" });
  foot = el("div", {});
  const stage = el("div", { class: "stage" });
  const under = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.matches?.("#edit-board button[data-at]"))?.dataset.at;
  strokes = new Strokes({
    lines: () => shown.lines,
    draw: drawLines,
    mark: markLines,
    at: under,
    begin: () => board.tell(told),
    apart: (from, to) => say(`${from} and ${to} are not neighbours: no line joins them`, { shown: true }),
  });
  board = new Board(stage, "Points of the board", { pick, key, press: (name, event) => { if (!points) strokes.down(name, event); } });
  addEventListener("pointermove", (event) => strokes.move(event), { passive: false });
  addEventListener("pointerup", (event) => {
    if (strokes.up(event)) dropClick();
  });
  addEventListener("pointercancel", () => {
    if (strokes.drag) strokes.cancel();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (strokes.drag || strokes.start)) strokes.cancel();
  });
  lineLayer = el("div", { class: "layer strokes", role: "group", "aria-label": "Lines" });
  board.layer.before(lineLayer);
  place.append(el("h2", {}, "1. Draw the board"), el("p", { class: "lead-in" }, "Drag from point to point to draw lines, over lines to take them away; or tap two neighbours."), bar, stage, foot);
}
