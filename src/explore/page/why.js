// Why something is illegal, was captured, or ended: the clause, what is to blame, what the rules say.

import { button, el, fill, say } from "./dom.js";
import { act, choose, on, table } from "./table.js";

const place = document.getElementById("why");

function illegal({ action, clause, title, why, sentence, text }) {
  say(`${why}. ${clause}: ${sentence}`);
  return [
    el("h2", {}, `${action} is not possible: ${clause}, ${title}`),
    el("p", { class: "blamed" }, why),
    el("blockquote", {}, sentence),
    text.trim() === sentence.trim() ? null : el("details", {}, el("summary", {}, `All of ${clause}`), el("pre", {}, text)),
  ];
}

function menu(actions) {
  say("more than one action is possible there: choose one");
  const pick = (action) =>
    button(action, () => {
      table.menu = null;
      act(action);
    });
  const cancel = button("Cancel", () => {
    table.menu = null;
    choose(null);
    show();
  });
  return [el("h2", {}, "Which action?"), el("div", { class: "bar" }, actions.map(pick), cancel)];
}

function show() {
  const { view } = table;
  const parts = [];
  if (table.menu) parts.push(...menu(table.menu));
  if (table.illegal) parts.push(...illegal(table.illegal));
  if (view?.won) parts.push(el("h2", {}, view.won));
  if (table.blocked?.length > 0) {
    parts.push(el("h2", {}, "Blocked after the last action"), el("ul", {}, table.blocked.map((text) => el("li", {}, text))));
  }
  place.hidden = parts.length === 0;
  fill(place, parts);
  if (table.menu) place.querySelector("button")?.focus();
}

export function startWhy() {
  on("menu", show);
  on("view", show);
  on("chosen", show);
}
