// Setting a position up by hand.

import * as state from "./state.js";
import { ask } from "./answers.js";
import { linked } from "./clause.js";
import { button, choice, el, fill, labelled, trouble } from "./dom.js";
import { podMark, sideName } from "./notation.js";
import { arrange, choose, here, isArranging, podsOf, view } from "./shown.js";

const place = document.getElementById("arrange");

async function change(what) {
  const of = state.here();
  try {
    const { position } = await ask("arrange", { setting: state.setting(), change: what });
    if (of !== state.here()) return;
    trouble(null);
    choose(null);
    if (position !== view()?.position) state.set({ position, actions: "", at: "" }, { entry: true });
  } catch (error) {
    if (of === state.here()) trouble(error);
  }
}

// A point was chosen: what was chosen before goes there, or what stands there is chosen.
export function arrangeAt(at) {
  const { chosen } = here();
  if (chosen?.pod) change({ put: { pod: chosen.pod, side: chosen.side, at } });
  else if (chosen?.at && chosen.at !== at) change({ carry: { from: chosen.at, to: at } });
  else if (chosen?.at === at) change({ lift: { at } });
  else if (view().standing[at]) choose({ at });
}

// The pods of a side that are out of the game, to be taken back.
function outOf(side, shown) {
  const hand = shown.hands[side === "white" ? 0 : 1];
  const standing = Object.values(shown.standing).filter((one) => one.side === side).map((one) => one.id);
  return [...podsOf().keys()].filter((id) => !(id in hand) && !standing.includes(id));
}

export function drawArrange(shown) {
  const parts = [button(isArranging() ? "Play from here" : "Set up", () => arrange(!isArranging()), { "aria-pressed": String(isArranging()) })];
  if (isArranging()) {
    const sides = [["white", "White"], ["black", "Black"]];
    const { chosen } = here();
    parts.push(
      el("p", { class: "quiet" }, "Any pod may go to any point: choose it, then the point. A point chosen twice gives its pod back to the hand."),
      el(
        "div",
        { class: "bar" },
        labelled("To move", choice(sides, shown.to_move, (side) => change({ mover: { side } }), { "data-key": "mover" })),
        el("label", {}, el("input", { type: "checkbox", checked: shown.open, "data-key": "open", onchange: (event) => change({ open: { on: event.target.checked } }) }), linked(" must open with a bipod (R9)")),
        button("All back to hand", () => change({ clear: {} })),
        chosen?.at ? button("Out of the game", () => change({ out: { at: chosen.at } })) : null,
        chosen?.pod ? button("Out of the game", () => change({ drop: { pod: chosen.pod, side: chosen.side } })) : null,
      ),
      ["white", "black"].map((side) => {
        const out = outOf(side, shown);
        if (out.length === 0) return null;
        const take = (id) => el("button", { type: "button", onclick: () => change({ take: { pod: id, side } }), "data-key": `take ${side} ${id}` }, podMark(id, side));
        return el("p", {}, `${sideName(side)}’s pods out of the game, to be taken back: `, out.map(take));
      }),
    );
  }
  fill(place, parts);
}

export function startArrange() {
  // Folding it up ends it.
  document.getElementById("fold-arrange").addEventListener("toggle", (event) => {
    if (!event.target.open && isArranging()) arrange(false);
  });
}
