// The pod editor: legs go from none to short to long by a click.

import * as state from "./state.js";
import { answer } from "./answers.js";
import { button, choice, el, fill, fileName, labelled, podDrawing, save, say, taken, trouble } from "./dom.js";
import { Past, foundText, opener, paster, sourceField } from "./files.js";
import { podName } from "./notation.js";
import { named } from "./setup.js";

const place = document.getElementById("edit-pods");
const REAL = 14; // pods of a player in the printed game (R3)
let past;
let library;
let shown = null;
let redraw = () => {};
let drawn = []; // what the cards were drawn from
let fresh = String(REAL); // pods that a new set gets, as typed
let wrong = { of: "", legs: new Map() }; // what was typed as legs and is none: { text, why }, by pod

// What was typed as legs of the pods that are there and is none.
function mistakes() {
  return wrong.of === state.get().pods ? wrong.legs : new Map();
}

const change = (what, fail) => past.change(what, fail);

// Where each direction stands in a square of three by three.
const CELLS = ["nw", "n", "ne", "w", null, "e", "sw", "s", "se"];
const KEYS = { ArrowUp: -3, ArrowDown: 3, ArrowLeft: -1, ArrowRight: 1 };

function legs(pod) {
  const reach = new Map(pod.legs);
  const one = (direction, i) => {
    if (!direction) return el("span", { class: "body", "aria-hidden": "true" }, podName(pod.id, "white"));
    const state = reach.get(direction) ?? "none";
    const click = () =>
      change({ leg: { pod: pod.id, direction } }).then(() => {
        const now = new Map(shown.pods.find((other) => other.id === pod.id)?.legs ?? []).get(direction);
        say(`leg ${direction} of ${pod.id}: ${now ?? "none"}`);
      });
    return el("button", { type: "button", class: `leg ${state} ${direction}`, "data-key": `${pod.id} ${direction}`, "data-leg": direction, tabindex: i === 1 ? 0 : -1, "aria-label": `leg ${direction}: ${state}`, onclick: click }, el("span", { class: "shape" }));
  };
  const move = (event) => {
    const cells = [...event.currentTarget.children];
    const now = cells.indexOf(document.activeElement);
    const step = KEYS[event.key];
    if (!step || now < 0) return;
    event.preventDefault();
    let next = now + step;
    if (next === 4) next += step;
    const sameRow = Math.abs(step) === 3 || Math.floor(next / 3) === Math.floor(now / 3);
    if (next < 0 || next > 8 || !sameRow) return;
    cells[next].focus();
  };
  return el("div", { class: "legs", role: "group", "aria-label": `legs of ${pod.id}`, onkeydown: move }, CELLS.map(one));
}

// Legs as a pod file writes them: n, ne, … short, N, NE, … long.
function setLegs(pod, field) {
  const legs = field.value;
  taken(field);
  const others = new Map(mistakes());
  others.delete(pod);
  wrong = { of: state.get().pods, legs: others };
  const fail = (error) => {
    const why = /^"(.*)" is no leg/.exec(error.message) ? `${/^"(.*)" is no leg/.exec(error.message)[1]} is no direction: write n ne e se s sw w nw, or N NE E SE S SW W NW for long legs` : error.message.replace(/ \(R\d+\)$/, "");
    wrong = { of: state.get().pods, legs: new Map([...mistakes(), [pod, { text: legs, why: `Pod ${podName(pod, "white")}: ${why}.` }]]) };
    say(mistakes().get(pod).why);
    redraw();
  };
  // Mistakes on other cards stay while their pods do.
  change({ legs: { pod, legs } }, fail).then(() => {
    if (others.size > 0) wrong = { of: state.get().pods, legs: mistakes().size > 0 ? mistakes() : others };
    redraw();
  });
}

// A whole number of pods that a set may have.
function isNumber(text) {
  return /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 26;
}

function card(pod) {
  const tool = (text, label, what) => button(text, () => change(what), { "aria-label": `${label} ${pod.id}`, title: label, "data-key": `${label} ${pod.id}` });
  const count = el("input", { type: "number", min: 1, max: 64, value: pod.count, size: 2, "data-key": `count ${pod.id}`, "aria-label": `how many of ${pod.id}`, onchange: (event) => change({ count: { pod: pod.id, count: Math.min(64, Math.max(1, Number(event.target.value) || 1)) } }) });
  const name = el("input", { value: pod.name, size: 12, placeholder: "name", "data-key": `name ${pod.id}`, "aria-label": `name of ${pod.id}`, onchange: (event) => change({ called: { pod: pod.id, name: event.target.value } }) });
  const legsField = el("input", { value: mistakes().get(pod.id)?.text ?? (pod.svg ? pod.words : ""), size: 12, placeholder: "no legs yet", "aria-invalid": mistakes().has(pod.id) ? "true" : null, "aria-describedby": mistakes().has(pod.id) ? `wrong-legs-${pod.id}` : null, spellcheck: "false", autocomplete: "off", "data-key": `legs ${pod.id}`, "aria-label": `legs of ${pod.id} as text`, onchange: (event) => setLegs(pod.id, event.target) });
  const typed = (event) => event.preventDefault();
  const art = pod.svg ? podDrawing(pod.svg) : null;
  return el(
    "div",
    { class: pod.svg ? "card" : "card bare", "data-key": `card ${pod.id}`, role: "group", "aria-label": `pod ${pod.id}: ${pod.words}`, "data-card": pod.id },
    el("div", { class: "pair" }, legs(pod), el("div", { class: "art" }, art)),
    el("form", { class: "words", onsubmit: typed }, legsField, mistakes().has(pod.id) ? el("p", { class: "wrong", id: `wrong-legs-${pod.id}`, role: "alert" }, mistakes().get(pod.id).why) : null),
    el(
      "details",
      {},
      el("summary", {}, "More"),
      el("div", { class: "bar" }, tool("↻", "turn", { turn: { pod: pod.id } }), tool("⇋", "mirror", { mirror: { pod: pod.id } }), tool("✕", "remove", { drop: { pod: pod.id } })),
      labelled("legs of", choice([["", "…"], ...shown.pods.filter((other) => other.id !== pod.id && other.svg).map((other) => [other.id, `${other.id}: ${other.words}`])], "", (from) => from && change({ copy: { pod: pod.id, from } }), { "data-key": `copy ${pod.id}`, "aria-label": `copy to ${pod.id} the legs of` })),
      labelled("how many", count),
      name,
    ),
  );
}

// Draws the pods of the address, and returns them with the number of cards that are wrong; nothing
// while they have not come.
export function drawEditPods() {
  const { value, error } = answer("edit", { pods: { text: state.get().pods, change: null } });
  if (error) trouble(error);
  if (!value) return [null, 0];
  // Lines are drawn fast: cards on which nothing is new are left alone.
  const is = [value, wrong, fresh, past.before.length, past.after.length];
  if (is.every((part, i) => part === drawn[i])) return [shown, mistakes().size];
  [drawn, shown] = [is, value];
  const now = state.get();
  const text = (name, value) => labelled(name, el("input", { value, "data-key": `pods ${name}`, onchange: (event) => change({ [name]: { [name]: event.target.value } }) }));
  const bare = shown.pods.filter((pod) => !pod.svg).length;
  const many = shown.pods.reduce((sum, pod) => sum + pod.count, 0);
  fill(
    place,
    el("h2", {}, "2. Give the pods their legs"),
    el("p", { class: "lead-in" }, "As the owner sees the pod: a click makes a leg short (round), then long (arrow), then none. Or type: n e short, N E long."),
    el("p", { class: bare > 0 ? "missing" : "quiet", role: "status" }, bare > 0 ? `${bare} of ${shown.pods.length} pods still need legs: their cards are dashed.` : `All ${many} pods have legs.`),
    el(
      "div",
      { class: "bar", role: "group", "aria-label": "Pod tools" },
      el(
        "span",
        { class: "group" },
        el("input", { type: "number", min: 1, max: 26, value: fresh, size: 3, "data-key": "new pods", "aria-label": "how many new pods", "aria-invalid": isNumber(fresh) ? null : "true", "aria-describedby": isNumber(fresh) ? null : "wrong-pods", oninput: (event) => { fresh = event.target.value; redraw(); } }),
        button(isNumber(fresh) ? `Make ${Number(fresh)} new pods without legs` : "Make new pods without legs", () => change({ new: { pods: Number(fresh) } }), { disabled: !isNumber(fresh), "data-key": "make pods", title: "In place of the pods below; Undo brings them back" }),
        isNumber(fresh) ? null : el("span", { class: "wrong", id: "wrong-pods", role: "alert" }, "Enter a whole number from 1 to 26."),
      ),
      button("Undo", () => past.undo(), { disabled: past.before.length === 0, "data-key": "undo pods" }),
      button("Redo", () => past.redo(), { disabled: past.after.length === 0, "data-key": "redo pods" }),
      button("One more pod", () => change({ add: {} })),
    ),
    el(
      "details",
      {},
      el("summary", {}, "Begin with other pods, open a file"),
      el("div", { class: "bar" }, labelled("Begin with", choice(named(library.pods, now.pods, shown.name), now.pods, (name) => past.put(name), { "data-key": "edit pods" })), opener("pods", (file) => past.put(file))),
    ),
    el("div", { class: "cards" }, shown.pods.map(card)),
    el("div", { class: "bar" }, text("name", shown.name), sourceField(shown.source, "pods source", (source) => change({ source: { source } })), button("Save pod file", () => save(fileName(shown.name, ".toml"), shown.text), { disabled: bare > 0, "aria-describedby": bare > 0 ? "no-file" : null }), bare > 0 ? el("span", { class: "quiet", id: "no-file" }, "It can be saved when each pod has a leg.") : null),
    shown.fault && bare === 0 ? el("pre", { class: "fault" }, shown.fault) : null,
    paster("pods", (text) => past.put(text)),
    shown.check ? el("details", {}, el("summary", {}, "What the program finds in them"), el("pre", { class: "check", tabindex: 0, role: "region", "aria-label": "What pods check says" }, foundText(shown.check))) : null,
    el("details", {}, el("summary", {}, "The file"), el("pre", {}, shown.text)),
  );
  return [shown, mistakes().size];
}

export function startEditPods(all, draw) {
  [library, redraw] = [all, draw];
  past = new Past("pods");
}
