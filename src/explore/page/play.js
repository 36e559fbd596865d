// The table: board and hands, choosing and dropping pods, what the rules say of it.

import * as state from "./state.js";
import { Board } from "./board.js";
import { button, choice, el, fill, labelled, podDrawing, say, taken } from "./dom.js";
import { legsAsSeen, podName, sideName } from "./notation.js";
import { act, choose, kind, on, options, redo, table, tell, undo } from "./table.js";
import { arrangeAt, startArrange } from "./arrange.js";
import { startCompare } from "./compare.js";
import { startDrag } from "./drag.js";
import { startGame } from "./game.js";
import { startKey } from "./key.js";
import { badge, startValues } from "./values.js";
import { isThinking, startProgram } from "./program.js";
import { startSeen } from "./seen.js";
import { startSetup } from "./setup.js";
import { startTodo } from "./todo.js";
import { startWhy } from "./why.js";

const hands = { white: document.getElementById("hand-white"), black: document.getElementById("hand-black") };
let board;

// Where an action ends.
function ends(action) {
  return /([a-z]+\d+)(?:\+\d+)?$/.exec(action)?.[1];
}

// What is on a point, and what the pod that is chosen may do there.
function told(point) {
  const { view, chosen, blame } = table;
  const standing = view.standing[point.name];
  const words = [point.name];
  if (standing) words.push(`${sideName(standing.side)}’s ${podName(standing.id, standing.side)}, ${legsAsSeen(kind(standing.id)?.words ?? "", standing.side)}`);
  else words.push("empty");
  const kinds = [];
  let mark = null;
  const possible = table.arranging ? [] : options(point.name);
  const legal = possible.filter((one) => one.clause === null);
  if (legal.length > 0) {
    kinds.push("may");
    words.push(legal.length > 1 ? `${legal.length} actions possible` : "possible");
    const known = legal.map((one) => table.worth.get(one.action)).find(Boolean);
    if (known) {
      mark = badge(known);
      words.push(mark.getAttribute("aria-label"));
    }
    if (legal.some((one) => one.action === table.guess?.action)) {
      words.push("looks best: a guess");
      mark ??= el("span", { class: "badge guess", "aria-hidden": "true" }, "≈");
    }
  } else if (possible.length > 0) {
    kinds.push("may-not");
    words.push(`not possible by ${possible[0].clause}`);
    // A pod that stands there says it by itself.
    if (!standing) mark = el("span", { class: "clause", "aria-hidden": "true" }, possible[0].clause);
  }
  if (standing && (table.arranging || view.moves[point.name]?.length > 0)) kinds.push("grip");
  const last = view.played.at(-1)?.action;
  if (last && !table.arranging && ends(last) === point.name) {
    kinds.push("last");
    words.push("last action");
  }
  if (table.seen.includes(point.name)) {
    kinds.push("seen");
    words.push("named in the caption");
  }
  if (chosen?.at === point.name) kinds.push("chosen");
  if (blame.includes(point.name)) {
    kinds.push("blame");
    words.push("to blame");
  }
  return { label: words.join(", "), kind: kinds.join(" "), mark, pressed: chosen?.at === point.name ? true : null };
}

async function decide(at) {
  const possible = options(at);
  const legal = possible.filter((one) => one.clause === null);
  if (legal.length > 1) {
    table.menu = legal.map((one) => one.action);
    tell("menu");
    return;
  }
  const { chosen } = table;
  const text = (legal[0] ?? possible[0])?.action ?? (chosen.pod ? `${chosen.pod}@${at}` : `${chosen.at}-${at}`);
  if (await act(text)) board.focus(at);
}

// What a click on a point lacks, shown near it; the hand that is to be used lights up.
function hint(at, text) {
  table.hint = { at, text };
  tell("chosen");
}

// A point was chosen: by itself, or for the pod that was chosen before.
export function pick(at, event) {
  // The second click of a double click means nothing: what the first has chosen stays so.
  if (event?.detail > 1 && !table.arranging) return;
  table.menu = null;
  if (table.arranging) {
    arrangeAt(at);
    return;
  }
  const { view, chosen } = table;
  const standing = view.standing[at];
  if (chosen && chosen.at !== at && !(standing?.side === view.to_move && options(at).length === 0)) {
    decide(at);
    return;
  }
  if (view.status !== "ongoing" || chosen?.at === at) {
    choose(null);
    return;
  }
  const mover = sideName(view.to_move);
  choose(standing ? { at } : null);
  if (!standing) hint(at, `First choose a pod in ${mover}’s hand, then this point.`);
  else if (standing.side === view.to_move && !(view.moves[at]?.length > 0)) hint(at, `This pod stays where it is. Choose one in ${mover}’s hand.`);
  else if (standing.side !== view.to_move) hint(at, notYours(standing.id, standing.side));
}

// A pod in hand was chosen, or let go of by a second click; that of a double click means nothing.
function choosePod({ pod, side }, event) {
  const { view, arranging } = table;
  const pressed = table.chosen?.pod === pod && table.chosen.side === side;
  if (pressed && event.detail > 1) return;
  if (!arranging && (side !== view.to_move || view.status !== "ongoing")) {
    choose(null);
    hint(null, notYours(pod, side));
    say(table.hint.text, { shown: true });
    return;
  }
  choose(pressed ? null : { pod, side });
  // Who uses the keyboard goes on on the board.
  if (event.detail !== 0 || pressed) return;
  board.focus();
  say(`${podName(pod, side)} is chosen. The arrow keys go to a point, Enter places it, Escape lets go.`, { shown: true });
}

// Why a pod cannot be chosen now.
function notYours(pod, side) {
  const { view } = table;
  const mover = sideName(view.to_move);
  return view.status === "ongoing" ? `This is ${sideName(side)}’s pod ${podName(pod, side)}. ${mover} is to move.` : "The game is over: undo, or start anew.";
}

function handButton(side, id, count) {
  const { view } = table;
  const mine = table.arranging || side === view.to_move;
  const pressed = table.chosen?.pod === id && table.chosen.side === side;
  const clauses = mine && !table.arranging ? Object.values(view.placements[id] ?? {}) : [];
  const free = clauses.filter((clause) => clause === null).length;
  const may = clauses.length > 0 ? `, may go to ${free} of ${clauses.length} points` : "";
  const times = count > 1 ? `, ${count} of it` : "";
  const picture = table.svgs.get(id)?.[side === "white" ? 0 : 1];
  const art = picture ? podDrawing(picture) : el("span", { "aria-hidden": "true" }, id);
  return el(
    "button",
    {
      type: "button",
      class: `pod ${mine ? "grip" : ""} ${mine && free === 0 && !table.arranging ? "stuck" : ""}`,
      "data-key": `${side} ${id}`,
      "data-hand": side,
      "data-pod": id,
      "aria-pressed": String(pressed),
      "aria-label": `${sideName(side)}’s ${podName(id, side)}, ${legsAsSeen(kind(id)?.words ?? "", side)}${times}${may}`,
      tabindex: -1,
      onclick: (event) => choosePod({ pod: id, side }, event),
    },
    art,
    count > 1 ? el("span", { class: "count", "aria-hidden": "true" }, `×${count}`) : null,
  );
}

// The place of a pod that is not in hand.
function gap(side, id) {
  return el("span", { class: `gap ${side}`, "data-key": `gap ${id}`, "aria-hidden": "true" });
}

// One pod of a hand is in the order of the Tab key, the arrow keys go to the others.
function showHand(side) {
  const { view } = table;
  const place = hands[side];
  const i = side === "white" ? 0 : 1;
  const counts = view.hands[i];
  const mover = side === view.to_move;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", `${sideName(side)}’s hand${mover ? ", to move" : ""}`);
  // Each pod keeps its place: where one has gone, a gap stays, so that none moves under the
  // pointer.
  const own = view.kinds.map(({ id }) => id).filter((id) => id in counts || view.start_hands[i].includes(id));
  const slots = own.map((id) => (id in counts ? handButton(side, id, counts[id]) : gap(side, id)));
  const pods = slots.filter((one) => one.localName === "button");
  const first = pods.find((one) => one.getAttribute("aria-pressed") === "true") ?? pods[0];
  if (first) first.tabIndex = 0;
  place.className = `hand ${mover ? "mover" : ""} ${mover && table.hint ? "lit" : ""}`;
  const label = el("h2", {}, el("span", {}, sideName(side)), mover && view.status === "ongoing" ? el("span", { class: "turn" }, "to move") : null);
  fill(place, label, el("div", { class: "pods" }, slots, pods.length > 0 ? null : el("p", { class: "quiet" }, "nothing in hand")));
}

function handKeys(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const pods = [...event.currentTarget.querySelectorAll("button.pod")];
  const now = pods.indexOf(document.activeElement);
  if (!step || now < 0) return;
  event.preventDefault();
  const next = pods[(now + step + pods.length) % pods.length];
  pods[now].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function showBoard() {
  board.show(table.view.svg, table.view.points, told);
}

// Captures, shown as one step: what comes back and what goes is marked on the board as it was, then
// it is gone.
let pause = 0;
function showCaptures() {
  clearTimeout(pause);
  const { captures, view } = table;
  if (!captures || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { captured, between, step } = captures;
  pause = setTimeout(() => {
    table.captures = null;
    if (table.view === view) showBoard();
  }, 1200);
  board.show(between, view.points, (point) => {
    const hit = captured.find((one) => one.at === point.name);
    if (!hit) return told(point);
    const back = hit.side === step.side;
    const sign = el("span", { class: "taken", "aria-hidden": "true" }, back ? "↩" : "✕");
    return { label: `${point.name}, ${back ? "back to hand" : "out of the game"}`, kind: back ? "back" : "gone", mark: sign };
  });
}

let badAction = ""; // why what was typed is no action
let typed = ""; // what stays in the field, to be mended

async function playTyped(event) {
  event.preventDefault();
  const field = document.getElementById("action");
  const text = field.value.trim().toLowerCase();
  taken(field);
  [badAction, typed] = ["", field.value];
  const fail = (error) => {
    badAction = plainer(String(error.message ?? error));
    say(badAction);
  };
  if (await act(text, { fail })) {
    typed = "";
    field.value = "";
  }
  taken(field);
  showMoves();
  if (badAction) field.select();
}

// Where pods do not move or shove, nobody need read how that is written.
function plainer(text) {
  const { moves, shoves } = table.view.options;
  if (moves === "off") return text.replace(/, c3-c5 to move.*$/s, "");
  return shoves === "on" ? text : text.replace(/, c3>c5 to shove.*$/s, "");
}

function showMoves() {
  const { at, all } = state.actions();
  const field = el("input", { id: "action", value: typed, size: 6, autocomplete: "off", spellcheck: "false", placeholder: "b@c3", "aria-label": "Action", "aria-invalid": badAction ? "true" : null, "aria-describedby": badAction ? "bad-action" : "small-letters" });
  const marks = [["none", "no marks"], ["attacks", "attacked points"], ["liberties", "liberties"], ["pod", "the chosen pod"]];
  fill(
    document.getElementById("moves"),
    button("Undo", undo, { disabled: at === 0, title: "Ctrl+Z", "aria-label": "Undo", class: "sign" }),
    button("Redo", redo, { disabled: at === all.length, title: "Ctrl+Y", "aria-label": "Redo", class: "sign" }),
    labelled("Mark", choice(marks, state.get().marks, (value) => state.set({ marks: value }), { "data-key": "marks" })),
    el("form", { onsubmit: playTyped }, badAction ? el("p", { class: "wrong", id: "bad-action", role: "alert" }, badAction) : null, field, button("Play", null, { type: "submit", title: "Play the action that you have typed" })),
    el("p", { class: "quiet", id: "small-letters" }, "In moves, letters are always small; a capital is read too."),
  );
}

function keys(event) {
  if (event.key === "Escape" && !document.querySelector("#clause:popover-open") && (table.chosen || table.illegal || table.hint)) {
    const { chosen } = table;
    choose(null);
    if (chosen?.pod && document.activeElement.matches("#board .point")) hands[chosen.side].querySelector(`[data-pod="${chosen.pod}"]`)?.focus();
  }
  if (state.get().tab !== "play" || !(event.ctrlKey || event.metaKey) || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) redo();
  else return;
  event.preventDefault();
}

function showAll() {
  [badAction, typed] = ["", ""];
  showHand("black");
  showHand("white");
  showMoves();
  if (table.captures) showCaptures();
  else showBoard();
  tell("shown");
}

// Dropping what was dragged is the same as choosing it and then the point.
function drop(what, at) {
  table.chosen = what;
  pick(at);
}

// To be called when there is a view, if there can be one.
export function startPlay(library) {
  table.library = library;
  const press = startDrag({ hold: choose, drop, hands: Object.values(hands) });
  board = new Board(document.getElementById("board"), "Board", { pick, press });
  for (const place of Object.values(hands)) place.addEventListener("keydown", handKeys);
  addEventListener("keydown", keys);
  startSeen();
  on("view", showAll);
  on("chosen", () => {
    showHand("black");
    showHand("white");
    if (table.view) board.tell(told);
  });
  on("worth", () => board.tell(told));
  startSetup(library);
  startTodo();
  startKey();
  startWhy(document.getElementById("board"), (at) => board.places?.get(at));
  startValues(isThinking);
  startProgram();
  startGame();
  startArrange();
  startCompare(library);
  if (table.view) tell("view");
}
