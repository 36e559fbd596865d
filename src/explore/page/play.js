// The table: board and hands, choosing and dropping pods, what the rules say of it.

import * as state from "./state.js";
import { Board } from "./board.js";
import { button, choice, el, fill, labelled, podDrawing, say, taken } from "./dom.js";
import { connect } from "./known.js";
import { actionText, badge, endOf, legsAsSeen, otherSide, podName, sideName } from "./notation.js";
import { attempt, choose, here, isArranging, isFresh, knownHere, options, play, podsOf, redo, start, told as wasTold, undo, view } from "./shown.js";
import { arrangeAt, drawArrange, startArrange } from "./arrange.js";
import { drawCompare, startCompare } from "./compare.js";
import { startDrag } from "./drag.js";
import { drawGame } from "./game.js";
import { drawKey, startKey } from "./key.js";
import { drawProgram, startProgram } from "./program.js";
import { drawSeen, seenPoints } from "./seen.js";
import { drawSetup, startSetup } from "./setup.js";
import { drawTodo } from "./todo.js";
import { drawValues } from "./values.js";
import { drawWhy, startWhy } from "./why.js";

const hands = { white: document.getElementById("hand-white"), black: document.getElementById("hand-black") };
let board;
let redraw = () => {};

// What is on a point, and what the pod that is chosen may do there.
function told(point) {
  const [shown, { chosen, tried }, { actions, guess, stubborn }] = [view(), here(), knownHere()];
  const standing = shown.standing[point.name];
  const words = [point.name];
  if (standing) words.push(`${sideName(standing.side)}’s ${podName(standing.id, standing.side)}, ${legsAsSeen(podsOf().get(standing.id)?.words ?? "", standing.side)}`);
  else words.push("empty");
  const kinds = [];
  let mark = null;
  const possible = isArranging() ? [] : options(point.name);
  const legal = possible.filter((one) => one.clause === null);
  if (legal.length > 0) {
    kinds.push("may");
    words.push(legal.length > 1 ? `${legal.length} actions possible` : "possible");
    const known = legal.map((one) => actions.get(one.action)).find(Boolean);
    if (known) {
      mark = badge(known);
      words.push(mark.getAttribute("aria-label"));
    }
    if (legal.some((one) => one.action === guess?.action) && !known && !stubborn) {
      words.push("looks best: a guess");
      mark = el("span", { class: "badge guess", "aria-hidden": "true" }, "≈");
    }
  } else if (possible.length > 0) {
    kinds.push("may-not");
    words.push(`not possible by ${possible[0].clause}`);
    // A pod that stands there says it by itself.
    if (!standing) mark = el("span", { class: "clause", "aria-hidden": "true" }, possible[0].clause);
  }
  if (standing && (isArranging() || shown.moves[point.name]?.length > 0)) kinds.push("grip");
  const last = shown.played.at(-1)?.action;
  if (last && !isArranging() && endOf(last) === point.name) {
    kinds.push("last");
    words.push("last action");
  }
  if (seenPoints().includes(point.name)) {
    kinds.push("seen");
    words.push("named in the caption");
  }
  if (chosen?.at === point.name) kinds.push("chosen");
  if (tried?.illegal.blame.includes(point.name)) {
    kinds.push("blame");
    words.push("to blame");
  }
  return { label: words.join(", "), kind: kinds.join(" "), mark, pressed: chosen?.at === point.name ? true : null };
}

async function decide(at) {
  const possible = options(at);
  const legal = possible.filter((one) => one.clause === null);
  const { chosen } = here();
  if (legal.length > 1) {
    start({ chosen, menu: legal.map((one) => one.action) });
    return;
  }
  if (legal.length === 1) play(legal[0].action);
  else await attempt(possible[0]?.action ?? (chosen.pod ? `${chosen.pod}@${at}` : `${chosen.at}-${at}`));
  board.focus(at);
}

// A point was chosen: by itself, or for the pod that was chosen before. While the position that the
// address names has not come, nothing that is seen can be meant.
export function pick(at, event) {
  const shown = view();
  // The second click of a double click means nothing: what the first has chosen stays so.
  if (!shown || (event?.detail > 1 && !isArranging())) return;
  if (isArranging()) {
    arrangeAt(at);
    return;
  }
  const { chosen } = here();
  const standing = shown.standing[at];
  if (chosen && chosen.at !== at && !(standing?.side === shown.to_move && options(at).length === 0)) {
    decide(at);
    return;
  }
  if (shown.status !== "ongoing" || chosen?.at === at) {
    choose(null);
    return;
  }
  // What a click lacks is shown near the point; the hand that is to be used lights up.
  const mover = sideName(shown.to_move);
  let text = null;
  if (!standing) text = `First choose a pod in ${mover}’s hand, then this point.`;
  else if (standing.side !== shown.to_move) text = notYours(standing.id, standing.side);
  else if (!(shown.moves[at]?.length > 0)) text = `This pod stays where it is. Choose one in ${mover}’s hand.`;
  start({ chosen: standing ? { at } : null, hint: text && { at, text } });
}

// A pod in hand was chosen, or let go of by a second click; that of a double click means nothing.
function choosePod({ pod, side }, event) {
  const [shown, { chosen }] = [view(), here()];
  const pressed = chosen?.pod === pod && chosen.side === side;
  if (!shown || (pressed && event.detail > 1)) return;
  if (!isArranging() && (side !== shown.to_move || shown.status !== "ongoing")) {
    const text = notYours(pod, side);
    start({ hint: { at: null, text } });
    say(text, { shown: true });
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
  const { status, to_move: mover } = view();
  return status === "ongoing" ? `This is ${sideName(side)}’s pod ${podName(pod, side)}. ${sideName(mover)} is to move.` : "The game is over: undo, or start anew.";
}

function handButton(side, id, count) {
  const [{ placements, to_move: mover }, { chosen }] = [view(), here()];
  const mine = isArranging() || side === mover;
  const pressed = chosen?.pod === id && chosen.side === side;
  const clauses = mine && !isArranging() ? Object.values(placements[id] ?? {}) : [];
  const free = clauses.filter((clause) => clause === null).length;
  const may = clauses.length > 0 ? `, may go to ${free} of ${clauses.length} points` : "";
  const times = count > 1 ? `, ${count} of it` : "";
  const { words, svg } = podsOf().get(id);
  return el(
    "button",
    {
      type: "button",
      class: `pod ${mine ? "grip" : ""} ${mine && free === 0 && !isArranging() ? "stuck" : ""}`,
      "data-key": `${side} ${id}`,
      "data-hand": side,
      "data-pod": id,
      "aria-pressed": String(pressed),
      "aria-label": `${sideName(side)}’s ${podName(id, side)}, ${legsAsSeen(words, side)}${times}${may}`,
      tabindex: -1,
      onclick: (event) => choosePod({ pod: id, side }, event),
    },
    podDrawing(svg[side === "white" ? 0 : 1]),
    count > 1 ? el("span", { class: "count", "aria-hidden": "true" }, `×${count}`) : null,
  );
}

// The place of a pod that is not in hand.
function gap(side, id) {
  return el("span", { class: `gap ${side}`, "data-key": `gap ${id}`, "aria-hidden": "true" });
}

// One pod of a hand is in the order of the Tab key, the arrow keys go to the others.
function showHand(side) {
  const shown = view();
  const place = hands[side];
  const i = side === "white" ? 0 : 1;
  const counts = shown.hands[i];
  const mover = side === shown.to_move;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", `${sideName(side)}’s hand${mover ? ", to move" : ""}`);
  // Each pod keeps its place: where one has gone, a gap stays, so that none moves under the
  // pointer.
  const own = [...podsOf().keys()].filter((id) => id in counts || shown.start_hands[i].includes(id));
  const slots = own.map((id) => (id in counts ? handButton(side, id, counts[id]) : gap(side, id)));
  const pods = slots.filter((one) => one.localName === "button");
  const first = pods.find((one) => one.getAttribute("aria-pressed") === "true") ?? pods[0];
  if (first) first.tabIndex = 0;
  place.className = `hand ${mover ? "mover" : ""} ${mover && here().hint ? "lit" : ""}`;
  const label = el("h2", {}, el("span", {}, sideName(side)), mover && shown.status === "ongoing" ? el("span", { class: "turn" }, "to move") : null);
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

// Captures, shown as one step: what comes back and what goes is marked on the board as it was, then
// it is gone.
const LEAVES = 1200; // milliseconds
let leaving = { of: "", timer: 0 };

function showBoard(shown) {
  if (leaving.of !== state.here()) leaving = { of: "", timer: clearTimeout(leaving.timer) };
  if (isFresh() && shown.last.captured.length > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    leaving = { of: state.here(), timer: setTimeout(() => {
      leaving.of = "";
      redraw();
    }, LEAVES) };
  }
  if (!leaving.of) {
    board.show(shown.svg, shown.points, told);
    return;
  }
  board.show(shown.last.between, shown.points, (point) => {
    const hit = shown.last.captured.find((one) => one.at === point.name);
    if (!hit) return told(point);
    const back = hit.side === shown.played.at(-1).side;
    const sign = el("span", { class: "taken", "aria-hidden": "true" }, back ? "↩" : "✕");
    return { label: `${point.name}, ${back ? "back to hand" : "out of the game"}`, kind: back ? "back" : "gone", mark: sign };
  });
}

// What an action did, in words.
function deed({ action, side, returned, removed }) {
  const [own, other] = [sideName(side), sideName(otherSide(side))];
  const named = (ids, of) => ids.map((id) => podName(id, of)).join(" ");
  const parts = [`${own}: ${actionText(action, side)}`];
  if (returned.length > 0) parts.push(`${named(returned, side)} back in ${own}’s hand`);
  if (removed.length > 0) parts.push(`${other}’s ${named(removed, otherSide(side))} out of the game`);
  return parts.join("; ");
}

// What was typed as an action and is none, to be mended there: { of, text, why }.
let typed = { of: "" };

async function playTyped(event) {
  event.preventDefault();
  const field = document.getElementById("action");
  const [of, text] = [state.here(), field.value];
  taken(field);
  typed = { of: "" };
  const fail = (error) => {
    typed = { of, text, why: plainer(String(error.message ?? error)) };
    say(typed.why);
  };
  if (await attempt(text.trim().toLowerCase(), fail)) field.value = "";
  taken(field);
  redraw();
  if (typed.of) field.select();
}

// Where pods do not move or shove, nobody need read how that is written.
function plainer(text) {
  const { moves, shoves } = view()?.options ?? {};
  if (moves === "off") return text.replace(/, c3-c5 to move.*$/s, "");
  return shoves === "on" ? text : text.replace(/, c3>c5 to shove.*$/s, "");
}

function showMoves() {
  const { at, all } = state.actions();
  const { text = "", why: badAction } = typed.of === state.here() ? typed : {};
  const field = el("input", { id: "action", value: text, size: 6, autocomplete: "off", spellcheck: "false", placeholder: "b@c3", "aria-label": "Action", "aria-invalid": badAction ? "true" : null, "aria-describedby": badAction ? "bad-action" : "small-letters" });
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
  if (event.key === "Escape" && !document.querySelector("#clause:popover-open") && Object.values(here()).some(Boolean)) {
    const { chosen } = here();
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

// Dropping what was dragged is the same as choosing it and then the point.
function drop(what, at) {
  if (!view()) return;
  choose(what);
  pick(at);
}

// Draws all that there is to be seen of the position.
export function drawPlay(shown, library, certify) {
  connect(state.setting(), shown);
  drawSeen();
  showHand("black");
  showHand("white");
  showMoves();
  showBoard(shown);
  drawSetup(shown, library);
  drawTodo(shown);
  drawWhy(shown, (at) => board.places?.get(at));
  drawProgram(shown, redraw);
  drawValues(shown, redraw, certify);
  drawGame(shown);
  drawArrange(shown);
  drawCompare(shown, library, redraw);
  drawKey();
  if (isFresh()) {
    say([deed(shown.played.at(-1)), shown.won].filter(Boolean).join(". "));
    wasTold();
  }
}

export function startPlay(draw) {
  redraw = draw;
  const press = startDrag({ hold: choose, drop, hands: Object.values(hands) });
  board = new Board(document.getElementById("board"), "Board", { pick, press });
  for (const place of Object.values(hands)) place.addEventListener("keydown", handKeys);
  addEventListener("keydown", keys);
  startSetup();
  startKey();
  startWhy(document.getElementById("board"));
  startProgram();
  startArrange();
  startCompare();
}
