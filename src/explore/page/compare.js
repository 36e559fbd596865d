// The same position under another rule set, side by side.

import * as api from "./api.js";
import * as state from "./state.js";
import { linked } from "./clause.js";
import { button, drawing, el, fill, labelled } from "./dom.js";
import { on, shown, table } from "./table.js";
import { ruleChoices, ruleWords } from "./setup.js";
import { ofState } from "./seconds.js";
import { badge, proven, words } from "./values.js";

const place = document.getElementById("compare");
let library;
let answer = null;
let fault = null;
let asked = 0;
let known = [new Map(), new Map()];
let roots = [null, null];
let running = null;

function hangUp() {
  running?.abort();
  running = null;
}

async function ask() {
  hangUp();
  const { other } = state.get();
  const number = ++asked;
  known = [new Map(), new Map()];
  roots = [null, null];
  if (!other || !table.view) {
    [answer, fault] = [null, null];
    show();
    return;
  }
  try {
    const found = await api.ask("compare", { setting: state.setting(), other });
    if (number !== asked) return;
    [answer, fault] = [found, null];
  } catch (error) {
    if (number !== asked) return;
    [answer, fault] = [null, error.message];
  }
  show();
}

// Values under both rule sets, one after the other.
async function values() {
  hangUp();
  const abort = new AbortController();
  running = abort;
  show();
  const { other } = state.get();
  const settings = [state.setting(), state.setting({ rules: other, position: answer.view.position, actions: [] })];
  for (const [i, setting] of settings.entries()) {
    try {
      const on = (event, data) => {
        if (running !== abort) return;
        if (event === "action") known[i].set(data.action, data.worth);
        if (event === "root") roots[i] = data;
        if (event === "error") fault = data.error;
      };
      await api.job({ values: { setting, seconds: ofState() } }, on, abort.signal);
    } catch (error) {
      fault = error.message;
    }
    if (running !== abort) return;
    show();
  }
  running = null;
  show();
}

function said(i) {
  // What is proven of the position under Play is known here too.
  const root = roots[i] ?? (i === 0 ? proven() : null);
  if (root) return [badge(root), ` ${words(root)}`];
  if (running && known[i].size === 0) return ["searching…"];
  return [known[i].size > 0 ? `${known[i].size} values known` : "press “Values under both” to look for values"];
}

function list(title, actions, i) {
  const one = (action) => {
    const worth = known[i].get(action);
    return el("li", {}, worth ? badge(worth) : null, " ", shown(action));
  };
  return [el("h3", {}, `${title}: ${actions.length}`), el("ul", { class: "actions" }, actions.map(one))];
}

// Actions that both allow and that are worth something else.
function changed() {
  const both = [...known[0]].filter(([action, worth]) => known[1].has(action) && known[1].get(action).value !== worth.value);
  if (both.length === 0) return null;
  const one = ([action, worth]) => el("li", {}, shown(action), ": ", badge(worth), " → ", badge(known[1].get(action)));
  return [el("h3", {}, `Worth something else: ${both.length}`), el("ul", { class: "actions" }, both.map(one))];
}

function side(view, name) {
  const picture = drawing(view.svg);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `the position under ${name}`);
  return picture;
}

function show() {
  const { view } = table;
  if (!view) return;
  const { other } = state.get();
  const parts = [];
  if (!other) {
    const first = view.preset === "standard" ? "advanced" : "standard";
    parts.push(button("Compare with another rule set", () => state.set({ other: first })));
    fill(place, parts);
    return;
  }
  const rules = answer ? answer.view : { preset: other.split("+")[0], options: view.options };
  const { preset, options } = ruleChoices(library, rules, (name) => state.set({ other: name }), "other");
  parts.push(
    el("div", { class: "bar" }, labelled("Rules", preset), running ? button("Stop comparing", () => { hangUp(); show(); }) : button("Values under both", values, { disabled: !answer }), button("Close", () => state.set({ other: "" }))),
    el("p", { class: "quiet" }, answer ? `${answer.view.rules}: ${ruleWords(answer.view.options)}` : ""),
    el("details", {}, el("summary", {}, "Options"), options),
  );
  if (fault) parts.push(el("p", { class: "fault" }, fault));
  if (answer) {
    const column = (i, seen, name, actions) =>
      el("div", {}, el("h3", {}, name), side(seen, name), el("p", {}, seen.won ? linked(seen.won) : [`${seen.legal.length} legal actions; `, ...said(i)]), list("Only here", actions, i));
    parts.push(
      answer.note ? el("p", { class: "quiet" }, answer.note) : null,
      el("div", { class: "pair" }, column(0, view, view.rules, answer.only_here), column(1, answer.view, answer.view.rules, answer.only_there)),
      changed(),
    );
  }
  fill(place, parts.flat());
}

export function startCompare(all) {
  library = all;
  document.getElementById("fold-compare").open = state.get().other !== "";
  on("view", ask);
  on("worth", () => {
    if (answer) show();
  });
  state.listen((changed) => {
    if (changed.has("other")) ask();
  });
  addEventListener("pagehide", hangUp);
}
