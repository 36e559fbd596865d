// Choosing board, pods, orientation and rules.

import * as state from "./state.js";
import { linked } from "./clause.js";
import { button, choice, el, fill, labelled } from "./dom.js";
import { can, go, view as shownView } from "./shown.js";

const place = document.getElementById("setup");

// A built-in name, or what stands for an own file.
export function named(list, chosen, own) {
  const options = list.map(({ name, about }) => [name, `${name} – ${about}`]);
  if (!list.some(({ name }) => name === chosen)) options.push([chosen, `${own || "own"} – edited`]);
  return options;
}

function setups(library) {
  const options = library.suite.map((one, i) => [String(i), `${one.board}, ${one.pods} ${one.hand}, ${one.rules}`]);
  const take = (value) => {
    const one = library.suite[Number(value)];
    if (!one) return;
    go({ board: one.board, pods: one.pods, white: one.hand, black: one.hand, rules: one.rules, turn: "0" });
  };
  return choice([["", "a small game…"], ...options], "", take, { "data-key": "suite" });
}

// A rule set in words: what pods may do, and what sets it apart from the others.
export function ruleWords(options) {
  const { moves, shoves, captures, "empty-hand": empty, "placement-liberty": liberty } = options;
  const may = moves === "off" ? "Pods are placed and never move." : shoves === "on" ? "Pods on the board may also move, shove and kick." : "Pods on the board may also move.";
  const needs = liberty === "on" ? " A pod needs a liberty where it is placed." : " A pod may be placed without a liberty.";
  const off = { "every-turn": " Blocked pods come off after every turn.", "after-moves": " Blocked pods come off after moves." }[captures] ?? "";
  const end = empty === "wins" ? " Who has placed the last pod wins." : " Who cannot place a pod loses.";
  return may + needs + off + end;
}

// A rule set by its preset and its options; another rule set keeps the position where it can.
export function ruleChoices(library, view, change, key) {
  const preset = choice(
    library.presets.map(({ name }) => [name, name]),
    view.preset,
    (name) => change(name),
    { "data-key": `${key} preset` },
  );
  const of = library.presets.find(({ name }) => name === view.preset);
  const option = ({ name, values, about, clauses }) => {
    const pick = (value) => {
      const all = { ...view.options, [name]: value };
      const changed = Object.entries(all).filter(([one, chosen]) => chosen !== of.options[one]);
      change([view.preset, ...changed.map(([one, chosen]) => `${one}=${chosen}`)].join("+"));
    };
    const own = view.options[name] !== of.options[name];
    return el(
      "div",
      { class: own ? "option own" : "option" },
      labelled(name, choice(values.map((value) => [value, value]), view.options[name], pick, { "data-key": `${key} ${name}` })),
      el("p", { class: "quiet" }, linked(`${about} (${clauses.join(", ")})`)),
    );
  };
  return { preset, options: library.options.map(option) };
}

export function drawSetup(view, library) {
  const now = state.get();
  const { preset, options } = ruleChoices(library, view, changeRules, "rules");
  const hand = (side) =>
    labelled(
      `${side === "white" ? "White" : "Black"} has`,
      el("input", {
        value: now[side],
        size: 14,
        placeholder: view.start_hands[side === "white" ? 0 : 1],
        "data-key": `hand of ${side}`,
        onchange: (event) => go({ [side]: event.target.value.trim() }),
      }),
    );
  const turns = ["0", "90", "180", "270"].map((turn) => [turn, `${turn}°`]);
  const hands = now.white || now.black ? ` · White ${view.start_hands[0]}, Black ${view.start_hands[1]}` : "";
  fill(
    place,
    el(
      "details",
      { class: "setup" },
      el("summary", { title: "Choose board, pods, orientation and rules" }, el("span", {}, `${view.board_name} · ${now.turn}° · ${view.rules}${hands}`)),
      el(
        "div",
        { class: "sheet" },
        el(
          "div",
          { class: "fields" },
          labelled("Board", choice(named(library.boards, now.board, view.board_name), now.board, (board) => go({ board, white: "", black: "" }), { "data-key": "board" })),
          labelled("Turned by", choice(turns, now.turn, (turn) => go({ turn }), { "data-key": "turn" })),
          labelled("Pods", choice(named(library.pods, now.pods, view.pods_name), now.pods, (pods) => go({ pods, white: "", black: "" }), { "data-key": "pods" })),
          labelled("Rules", preset),
          labelled("Ready-made", setups(library)),
        ),
        el("p", { class: "quiet" }, `Rules ${view.rules}: ${ruleWords(view.options)}`),
        el("p", { class: "quiet" }, "A board and pods of your own: ", button("My board", () => state.set({ tab: "edit" }), { class: "link" }), "."),
        el(
          "details",
          { class: "more" },
          el("summary", {}, "Options and hands"),
          el("p", {}, `Rules: ${view.rules}`),
          el("div", { class: "fields" }, hand("white"), hand("black")),
          options,
        ),
        // What the template says until somebody says where they come from is no source.
        [["Board", view.board_name, view.board_source], ["Pods", view.pods_name, view.pods_source]].map(([what, name, source]) =>
          el("p", { class: "quiet" }, /^where .* comes? from$/.test(source) ? `${what} ${name}: your own` : `${what} ${name}: ${source}`),
        ),
      ),
    ),
  );
}

// The position stays under other rules, as it is now; the opening clause goes where they have none.
// The start is another one where rules open differently.
async function changeRules(rules) {
  const { position } = shownView() ?? {};
  const isStart = state.actions().now.length === 0 && state.get().position === "start";
  if (isStart || !position) go({ rules });
  else if (!(await can({ rules, position })) && (await can({ rules, position: position.replace(/ open$/, " -") }))) go({ rules, position: position.replace(/ open$/, " -") });
  else go({ rules, position });
}

export function startSetup() {
  // A click elsewhere, or Escape, closes the sheet.
  const close = () => {
    const sheet = place.querySelector("details.setup");
    if (sheet) sheet.open = false;
  };
  addEventListener("pointerdown", (event) => {
    if (!place.contains(event.target) && !event.target.closest?.("#clause")) close();
  });
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    place.querySelector("summary").focus();
  });
}
