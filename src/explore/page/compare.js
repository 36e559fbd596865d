// The same position under another rule set, side by side.

import * as state from "./state.js";
import { answer, begin, job, look, stop } from "./answers.js";
import { linked } from "./clause.js";
import { button, drawing, el, fill, labelled } from "./dom.js";
import { known } from "./known.js";
import { badge, words } from "./notation.js";
import { ruleChoices, ruleWords } from "./setup.js";
import { ofState } from "./seconds.js";
import { settingOf, shownAction } from "./shown.js";
import { searchKey } from "./values.js";

const place = document.getElementById("compare");
let both = ""; // the comparison for which values are searched for, under one rule set and the other

// Searches under both rule sets, one after the other.
async function search(settings, redraw) {
  const of = JSON.stringify(settings);
  both = of;
  for (const setting of settings) {
    const key = searchKey(setting);
    await begin(key, { values: { setting, seconds: ofState() } });
    if (both !== of || look(key).status === "stopped") break;
  }
  if (both === of) both = "";
  redraw();
}

function said({ worth, actions }, isOn) {
  if (worth) return [badge(worth), ` ${words(worth)}`];
  if (isOn && actions.size === 0) return ["searching…"];
  return [actions.size > 0 ? `${actions.size} values known` : "press “Values under both” to look for values"];
}

function list(title, actions, { actions: worths }) {
  const one = (action) => el("li", {}, worths.has(action) ? badge(worths.get(action)) : null, " ", shownAction(action));
  return [el("h3", {}, `${title}: ${actions.length}`), el("ul", { class: "actions" }, actions.map(one))];
}

// Actions that both allow and that are worth something else.
function changed([here, there]) {
  const both = [...here.actions].filter(([action, worth]) => there.actions.has(action) && there.actions.get(action).value !== worth.value);
  if (both.length === 0) return null;
  const one = ([action, worth]) => el("li", {}, shownAction(action), ": ", badge(worth), " → ", badge(there.actions.get(action)));
  return [el("h3", {}, `Worth something else: ${both.length}`), el("ul", { class: "actions" }, both.map(one))];
}

export function drawCompare(view, library, redraw) {
  const { other } = state.get();
  if (!other) {
    const first = view.preset === "standard" ? "advanced" : "standard";
    fill(place, button("Compare with another rule set", () => state.set({ other: first })));
    return;
  }
  const { value: answered, error } = answer("compare", { setting: settingOf(view), other });
  const rules = answered ? answered.view : { preset: other.split("+")[0], options: view.options };
  const { preset, options } = ruleChoices(library, rules, (name) => state.set({ other: name }), "other");
  const settings = answered ? [settingOf(view), settingOf(answered.view)] : [];
  const found = settings.map(known);
  const isOn = both !== "" && both === JSON.stringify(settings);
  if (isOn) for (const setting of settings) job(searchKey(setting));
  const rest = () => {
    both = "";
    for (const setting of settings) stop(look(searchKey(setting)));
    redraw();
  };
  const column = (i, seen, actions) =>
    el("div", {}, el("h3", {}, seen.rules), drawing(seen.svg, `the position under ${seen.rules}`), el("p", {}, seen.won ? linked(seen.won) : [`${seen.legal.length} legal actions; `, ...said(found[i], isOn)]), list("Only here", actions, found[i]));
  fill(
    place,
    el("div", { class: "bar" }, labelled("Rules", preset), isOn ? button("Stop comparing", rest) : button("Values under both", () => search(settings, redraw), { disabled: !answered }), button("Close", () => state.set({ other: "" }))),
    el("p", { class: "quiet" }, answered ? `${answered.view.rules}: ${ruleWords(answered.view.options)}` : ""),
    el("details", {}, el("summary", {}, "Options"), options),
    error ? el("p", { class: "fault" }, error.message) : null,
    settings.map((setting) => look(searchKey(setting))?.fault).filter(Boolean).map((fault) => el("p", { class: "fault" }, fault)),
    answered
      ? [
          answered.note ? el("p", { class: "quiet" }, answered.note) : null,
          el("div", { class: "pair" }, column(0, view, answered.only_here), column(1, answered.view, answered.only_there)),
          changed(found),
        ]
      : null,
  );
}

export function startCompare() {
  document.getElementById("fold-compare").open = state.get().other !== "";
}
