// Setting a position up by hand.

import * as api from "./api.js";
import * as state from "./state.js";
import { linked } from "./clause.js";
import { button, choice, el, fill, labelled, trouble } from "./dom.js";
import { podMark, sideName } from "./notation.js";
import { choose, on, refresh, table } from "./table.js";

const place = document.getElementById("arrange");

async function change(what) {
  try {
    const { position } = await api.ask("arrange", { setting: state.setting(), change: what });
    trouble(null);
    table.chosen = null;
    if (position === table.view.position) await refresh();
    else state.set({ position, actions: "", at: "" }, { entry: true });
  } catch (error) {
    trouble(error);
  }
}

// A point was chosen: what was chosen before goes there, or what stands there is chosen.
export function arrangeAt(at) {
  const { chosen, view } = table;
  if (chosen?.pod) change({ put: { pod: chosen.pod, side: chosen.side, at } });
  else if (chosen?.at && chosen.at !== at) change({ carry: { from: chosen.at, to: at } });
  else if (chosen?.at === at) change({ lift: { at } });
  else if (view.standing[at]) choose({ at });
}

// The pods of a side that are out of the game, to be taken back.
function outOf(side) {
  const { view } = table;
  const hand = view.hands[side === "white" ? 0 : 1];
  const standing = Object.values(view.standing).filter((one) => one.side === side).map((one) => one.id);
  return view.kinds.map((kind) => kind.id).filter((id) => !(id in hand) && !standing.includes(id));
}

function show() {
  const { view } = table;
  const toggle = () => {
    table.arranging = !table.arranging;
    choose(null);
    show();
  };
  const parts = [
    button(table.arranging ? "Play from here" : "Set up", toggle, { "aria-pressed": String(table.arranging) }),
  ];
  if (table.arranging) {
    const sides = [["white", "White"], ["black", "Black"]];
    const chosen = table.chosen;
    parts.push(
      el("p", { class: "quiet" }, "Any pod may go to any point: choose it, then the point. A point chosen twice gives its pod back to the hand."),
      el(
        "div",
        { class: "bar" },
        labelled("To move", choice(sides, view.to_move, (side) => change({ mover: { side } }), { "data-key": "mover" })),
        el("label", {}, el("input", { type: "checkbox", checked: view.open, "data-key": "open", onchange: (event) => change({ open: { on: event.target.checked } }) }), linked(" must open with a bipod (R9)")),
        button("All back to hand", () => change({ clear: {} })),
        chosen?.at ? button("Out of the game", () => change({ out: { at: chosen.at } })) : null,
        chosen?.pod ? button("Out of the game", () => change({ drop: { pod: chosen.pod, side: chosen.side } })) : null,
      ),
      ["white", "black"].map((side) => {
        const out = outOf(side);
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
    if (event.target.open || !table.arranging) return;
    table.arranging = false;
    choose(null);
    show();
  });
  on("view", show);
  on("chosen", show);
}
