// Clauses such as R9: wherever one is named, a click shows its text and picture in place.

import * as state from "./state.js";
import { ask } from "./answers.js";
import { button, el, fill, picture, trouble } from "./dom.js";

const place = document.getElementById("clause");

// All rules and words.
export const rules = () => ask("help", {});

// A text in which clauses are links. Marks of code become code.
export function linked(text) {
  return text.split(/(\bR\d+\b|`[^`]+`)/).map((part) => {
    if (/^R\d+$/.test(part)) return el("button", { type: "button", class: "clause-link", "data-clause": part, "aria-haspopup": "dialog" }, part);
    if (/^`.+`$/.test(part)) return el("code", {}, part.slice(1, -1));
    return part;
  });
}

// Paragraphs and lists of a text.
export function paragraphs(text) {
  return text.trim().split(/\n\n+/).map((part) => {
    if (!part.startsWith("- ")) return el("p", {}, linked(part.replaceAll("\n", " ")));
    const items = part.slice(2).split(/\n- /);
    return el("ul", {}, items.map((item) => el("li", {}, linked(item.replaceAll("\n", " ")))));
  });
}

// The pictures of a clause and what they show.
export function pictures({ id, pictures: drawn, caption }) {
  if (drawn.length === 0) return null;
  const one = (svg, i) => picture(svg, `${id}${drawn.length > 1 ? [", before", ", after"][i] : ""}: ${caption}`);
  const row = drawn.map(one).flatMap((svg, i) => (i === 0 ? [svg] : [el("span", { class: "then", "aria-hidden": "true" }, "→"), svg]));
  return el("figure", { class: drawn.length > 1 ? "two" : "one" }, el("div", {}, row), el("figcaption", {}, linked(caption)));
}

async function show(id, from) {
  const { clauses } = await rules();
  const clause = clauses.find((one) => one.id === id);
  if (!clause) return;
  const go = (text, to) =>
    button(text, () => {
      place.hidePopover();
      state.set({ tab: "help", clause: to });
    });
  fill(
    place,
    button("×", () => place.hidePopover(), { class: "close", "aria-label": "Close" }),
    el("h2", {}, `${id}: ${clause.title}`),
    pictures(clause),
    paragraphs(clause.text),
    el("div", { class: "bar" }, go("Read it among the rules", id), go("What the words mean", "words")),
  );
  if (!place.matches(":popover-open")) place.showPopover();
  place.scrollTop = 0;
  const near = from.getBoundingClientRect();
  const { width, height } = place.getBoundingClientRect();
  const left = Math.max(8, Math.min(near.left, innerWidth - width - 8));
  const under = near.bottom + 6;
  const top = under + height < innerHeight ? under : Math.max(8, near.top - height - 6);
  place.style.left = `${left}px`;
  place.style.top = `${top}px`;
}

export function startClauses() {
  addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-clause]");
    if (link) show(link.dataset.clause, link).catch(trouble);
  });
}
