// The editors, and what is said of board and pods together.

import * as api from "./api.js";
import * as state from "./state.js";
import { button, el, fill } from "./dom.js";
import { startEditBoard } from "./editboard.js";
import { startEditPods } from "./editpods.js";

const place = document.getElementById("edit-check");

let asked = 0;

async function captions() {
  const number = ++asked;
  const { board, pods } = state.get();
  let parts;
  try {
    const { check, captions } = await api.ask("captions", { board, pods });
    if (number !== asked) return;
    const held = captions.filter((caption) => caption.holds).length;
    const one = (caption) => {
      const see = () => state.restart({ tab: "play", turn: String(caption.orientation), rules: caption.rules, position: caption.position });
      return el(
        "li",
        { class: caption.holds ? "holds" : "fails" },
        el("strong", {}, caption.holds ? "✓ holds " : "✗ FAILS "),
        `${caption.says} (${caption.source}) `,
        el("span", { class: "quiet" }, `${caption.holds ? "found" : "why not"}: ${caption.found} `),
        caption.position ? button("See it", see, { "data-key": `see ${caption.name}` }) : null,
      );
    };
    parts = [
      el("p", {}, `${held} of ${captions.length} hold. One that fails says that these are not the printed board and pods; that all hold proves nothing.`),
      el("pre", { class: "check", tabindex: 0, role: "region", "aria-label": "What pods check says of both" }, check),
      el("ul", { class: "captions" }, captions.map(one)),
    ];
  } catch (error) {
    if (number !== asked) return;
    parts = [el("p", { class: "quiet" }, `Once board and pods are whole: ${error.message}`)];
  }
  fill(place, el("h2", {}, "What the captions of the rules texts say"), parts);
}

export function startEdit(library) {
  startEditBoard(library);
  startEditPods(library);
  let due = 0;
  const soon = () => {
    clearTimeout(due);
    // Searching for the captions takes longer than a click.
    if (state.get().tab === "edit") due = setTimeout(captions, 400);
  };
  state.listen((changed) => {
    if (["tab", "board", "pods"].some((name) => changed.has(name))) soon();
  });
  soon();
}
