// My board: three steps, and what is missing in each; the editors; what is said of board and pods
// together.

import * as state from "./state.js";
import { answer } from "./answers.js";
import { button, el, fill } from "./dom.js";
import { canUndo, foundText, undoLast } from "./files.js";
import { drawEditBoard, startEditBoard } from "./editboard.js";
import { drawEditPods, startEditPods } from "./editpods.js";
import { see } from "./seen.js";

const place = document.getElementById("edit-check");
const steps = document.getElementById("edit-steps");
// What keeps board and pods from being played.
function missing(board, pods, wrong, lines, bare) {
  if (!board || !pods) return "";
  if (lines === 0) return "Draw some lines first.";
  if (bare > 0) return `Give every pod a leg first: ${bare} ${bare === 1 ? "has" : "have"} none.`;
  if (wrong > 0) return "Mend the legs that are marked first.";
  return "Mend what is said below the pods first.";
}

const isBuiltIn = (kind) => !state.get()[kind].includes("\n");

// What is done and what is missing, and the way on.
function showSteps(board, pods, wrong, held) {
  const lines = board ? board.lines.filter((one) => one.is_line).length : 0;
  const points = board ? board.places.filter((one) => one.is_point).length : 0;
  const bare = pods ? pods.pods.filter((pod) => !pod.svg).length : 0;
  const ready = board && pods && lines > 0 && bare === 0 && !pods.fault && wrong === 0;
  // On a narrow screen there is room for the short text alone.
  const step = (number, title, done, text, short, id) =>
    el("li", { class: done ? "done" : "" }, button(`${done ? "✓" : number} ${title}`, () => document.getElementById(id).scrollIntoView({ block: "start" }), { class: "link", "data-key": title }), el("span", { class: "quiet long-text" }, text), short ? el("span", { class: "quiet short-text", "aria-hidden": "true" }, short) : null);
  const go = (tab) => () => state.restart({ tab });
  fill(
    steps,
    el(
      "ol",
      {},
      step("1", "Board", lines > 0, board ? `${points} ${points === 1 ? "point" : "points"}, ${lines} ${lines === 1 ? "line" : "lines"}` : "", board ? `${lines} ${lines === 1 ? "line" : "lines"}` : "", "edit-board"),
      step("2", "Pods", pods && bare === 0 && wrong === 0 && (!isBuiltIn("pods") || isBuiltIn("board")), pods ? (wrong > 0 ? `wrong legs on ${wrong} ${wrong === 1 ? "card" : "cards"}` : bare > 0 ? `${bare} of ${pods.pods.length} still need legs` : `${pods.pods.length} kinds, all with legs${isBuiltIn("pods") && !isBuiltIn("board") ? "; the program’s, not yours" : ""}`) : "", pods && bare > 0 ? `${bare} left` : "", "edit-pods"),
      // That all fit proves nothing, so it is no step that is done.
      step("3", "Compare", false, held ? `${held.holds} of ${held.all} captions fit${held.holds === held.all ? " (proves little)" : ""}` : ready ? "…" : "when both are whole", held ? `${held.holds}/${held.all} fit` : "", "edit-check"),
    ),
    el("div", { class: "bar" }, button("Undo", undoLast, { disabled: !canUndo(), "data-key": "undo last", class: "short-text", "aria-label": "Undo the last change of board or pods" }), button("Is it fair?", go("fair"), { class: "main", disabled: !ready }), button("Play on it", go("play"), { disabled: !ready }), el("span", { class: "quiet", role: "status" }, ready ? "" : missing(board, pods, wrong, lines, bare))),
  );
}

const HEADING = "3. Compare with the printed game";

// Says which captions fit; returns their numbers, { holds, all }.
let drawn = { of: null, held: null };

function drawCaptions(board, pods, { value, error }) {
  if (value !== drawn.of) drawn = { of: null, held: null };
  if (board && !board.lines.some((one) => one.is_line)) {
    fill(place, el("h2", {}, HEADING), el("p", { class: "quiet" }, "This can be compared once the board has lines."));
    return null;
  }
  if (error) fill(place, el("h2", {}, HEADING), el("p", { class: "quiet" }, pods?.fault ? "This can be checked once every pod has legs." : `Once board and pods are whole: ${error.message}`));
  if (!value) return null;
  const { check, captions } = value;
  if (drawn.of === value) return drawn.held;
  const held = { holds: captions.filter((caption) => caption.holds).length, all: captions.length };
  const one = (caption) =>
    el(
      "li",
      { class: caption.holds ? "holds" : "fails" },
      el("strong", {}, caption.holds ? "✓ fits " : "✗ does not fit "),
      `${caption.says} (${caption.source}) `,
      el("span", { class: "quiet" }, `${caption.holds ? "found" : "why not"}: ${caption.found} `),
      caption.position ? button("See it", () => see(caption), { "data-key": `see ${caption.name}` }) : null,
    );
  fill(
    place,
    el("h2", {}, HEADING),
    el("p", {}, `This is for those who copy the printed game; of a board or pods of your own it says nothing. The rules texts have captions to pictures that were lost: ${held.holds} of ${held.all} fit. One that does not says that these are not the printed board and pods; that all fit proves nothing. The numbers name the texts: 000 is French, 001 Dutch, 002 English, 003 the author’s own leaflet, 004 English again.`),
    el("ul", { class: "captions" }, captions.map(one)),
    el("details", {}, el("summary", {}, "What the program finds in both"), el("pre", { class: "check", tabindex: 0, role: "region", "aria-label": "What pods check says of both" }, foundText(check))),
  );
  drawn = { of: value, held };
  return held;
}

// Searching for the captions takes longer than a click: they are asked for once board and pods have
// stood for a while.
const PAUSE = 400;
let due = { of: "", timer: 0, has: false };

function captions(redraw) {
  const { board, pods } = state.get();
  const of = JSON.stringify([board, pods]);
  if (due.of !== of) {
    clearTimeout(due.timer);
    due = { of, has: false, timer: setTimeout(() => {
      due.has = true;
      redraw();
    }, PAUSE) };
  }
  return due.has ? answer("captions", { board, pods }) : {};
}

export function drawEdit(library, redraw) {
  const board = drawEditBoard();
  const [pods, wrong] = drawEditPods();
  showSteps(board, pods, wrong, drawCaptions(board, pods, captions(redraw)));
}

export function startEdit(library, redraw) {
  startEditBoard(library, redraw);
  startEditPods(library, redraw);
  // Headings that are jumped to stop below the bar, however high it is.
  new ResizeObserver(() => document.body.style.setProperty("--steps", `${steps.offsetHeight}px`)).observe(steps);
}
