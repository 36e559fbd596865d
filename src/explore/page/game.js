// The game so far, and positions as text.

import * as state from "./state.js";
import { button, copy, el, fill, taken } from "./dom.js";
import { actionMark, actionText, otherSide, podName, sideName } from "./notation.js";
import { go, view as shownView } from "./shown.js";

const place = document.getElementById("game");

// The text of a position that was refused, to be mended where it was typed.
let refused = { of: "" };

// The text of a position, with whatever blanks and dashes another program has put in it.
function plain(text) {
  return text.replace(/[\s\u200b\u2060\ufeff]+/g, " ").replace(/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, "-").trim();
}

// Goes to a step, if the steps that are seen are those of the address.
function to(at) {
  if (shownView()) state.set({ at });
}

function show(view) {
  const { all, at } = state.actions();
  const step = (action, i) => {
    const played = view.played[i];
    // What was undone has been played by the sides in turn.
    const side = played?.side ?? ((i - at) % 2 === 0 ? view.to_move : otherSide(view.to_move));
    const [back, out] = [played?.returned ?? [], played?.removed ?? []];
    const notes = [...back.map((id) => `↩${podName(id, side)}`), ...out.map((id) => `✕${podName(id, otherSide(side))}`)].join(" ");
    const here = i + 1 === at;
    const step = () => to(i + 1 === all.length ? "" : String(i + 1));
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", "data-key": `step ${i}`, "data-action": action, "aria-current": here ? "step" : null, "aria-label": `${i + 1}. ${sideName(side)}: ${actionText(action, side)}`, onclick: step },
        actionMark(action, side, () => played?.pod),
      ),
      notes ? ` ${notes}` : null,
    );
  };
  const start = el(
    "button",
    { type: "button", "data-key": "step start", "aria-current": at === 0 ? "step" : null, onclick: () => to("0") },
    "beginning",
  );
  const field = el("input", { id: "position", value: refused.of === state.here() ? refused.text : view.position, spellcheck: "false", autocomplete: "off", "aria-label": "Position" });
  const typed = async (event) => {
    event.preventDefault();
    const field = document.getElementById("position");
    const position = plain(field.value);
    refused = position === view.position ? { of: "" } : { of: state.here(), text: field.value };
    taken(field);
    if (refused.of && (await go({ position }))) refused = { of: "" };
  };
  fill(
    place,
    el("h2", {}, "Game"),
    el("ol", { class: "steps" }, el("li", {}, start), all.map(step)),
    el("p", { class: "quiet" }, view.won ?? `${sideName(view.to_move)} is to move; ${view.legal.length} legal actions`),
    el("div", { class: "bar" }, button("Start anew", () => state.restart({})), button("Copy position", () => copy(view.position))),
    el(
      "details",
      {},
      el("summary", {}, "Position as text, all legal actions"),
      el("form", { class: "bar", onsubmit: typed }, field, button("Go", null, { type: "submit" })),
      el("p", { class: "quiet" }, "Pods of both sides are typed in small letters."),
      el("p", { class: "actions" }, view.legal.join(" ") || "none"),
    ),
  );
}

// The step that is shown is in view in its list, which scrolls by itself.
function bringStep() {
  const list = place.querySelector(".steps");
  const step = list?.querySelector('[aria-current="step"]');
  if (!step) return;
  const [box, at] = [list.getBoundingClientRect(), step.getBoundingClientRect()];
  if (at.top < box.top) list.scrollTop -= box.top - at.top + 2;
  else if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom + 2;
}

export function drawGame(view) {
  show(view);
  bringStep();
}
