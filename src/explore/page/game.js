// The game so far, and positions as text.

import * as state from "./state.js";
import { button, copy, el, fill } from "./dom.js";
import { on, sideName, table } from "./table.js";

const place = document.getElementById("game");

function show() {
  const { view } = table;
  const { all, at } = state.actions();
  const step = (action, i) => {
    const played = view.played[i];
    const notes = played ? [...played.returned.map((id) => `↩${id}`), ...played.removed.map((id) => `✕${id}`)].join(" ") : "";
    const here = i + 1 === at;
    const go = () => state.set({ at: i + 1 === all.length ? "" : String(i + 1) });
    return el(
      "li",
      {},
      el("button", { type: "button", "data-key": `step ${i}`, "aria-current": here ? "step" : null, onclick: go }, action),
      notes ? ` ${notes}` : null,
    );
  };
  const start = el(
    "button",
    { type: "button", "data-key": "step start", "aria-current": at === 0 ? "step" : null, onclick: () => state.set({ at: "0" }) },
    "beginning",
  );
  const field = el("input", { id: "position", value: view.position, spellcheck: "false", autocomplete: "off", "data-key": "position", "aria-label": "Position" });
  const go = (event) => {
    event.preventDefault();
    const text = field.value.trim();
    // It is not being typed any more: what comes of it is to be shown.
    field.dataset.was = field.value;
    if (text !== view.position) state.restart({ position: text });
  };
  fill(
    place,
    el("h2", {}, "Game"),
    el("p", {}, view.won ?? `${sideName(view.to_move)} is to move; ${view.legal.length} legal actions`),
    el("form", { class: "bar", onsubmit: go }, field, button("Go", null, { type: "submit" }), button("Copy", () => copy(view.position)), button("Start anew", () => state.restart({}))),
    el("ol", { class: "steps" }, el("li", {}, start), all.map(step)),
    el(
      "details",
      { open: place.querySelector("details")?.open },
      el("summary", {}, "All legal actions"),
      el("p", { class: "actions" }, view.legal.join(" ") || "none"),
    ),
  );
}

export function startGame() {
  on("view", show);
}
