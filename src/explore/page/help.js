// Help: the game in six pictures, all clauses with what they look like, the words, the keys; a
// search through all of it.

import * as state from "./state.js";
import { linked, paragraphs, pictures, rules } from "./clause.js";
import { button, el, fill, trouble } from "./dom.js";
import { Finder } from "./finder.js";
import { keyTo } from "./key.js";
import { startAgain } from "./tour.js";

const place = document.getElementById("help");
let library;
let finder;

// The game in short: a sentence, and the clause whose picture shows it.
const BASICS = [
  ["R1", "The board is a set of points, some of them joined by lines. Before the game it is turned one of four ways."],
  ["R4", "Both players hold the same pods. A pod has legs and always faces its owner."],
  ["R5", "A short leg reaches the next point along a line; a long leg the whole straight line, up to the first pod."],
  ["R12", "In turn, place a pod from your hand on an empty point: neither where it attacks an opposing pod nor where one attacks it."],
  ["R7", "A pod needs a liberty: an empty point next to it, along a line, in the direction of one of its legs."],
  ["R18", "Standard game: nothing moves, and who cannot place loses. Advanced game: pods also move, and pods without a liberty come off."],
];

const KEYS = [
  [["Tab"], "from part to part; arrow keys go from pod to pod and from point to point"],
  [["Enter", "Space"], "choose a pod, place it on a point"],
  [["Ctrl+Z", "Ctrl+Y"], "undo, redo"],
  [["Alt+←", "Alt+→"], "the browser’s Back and Forward: through the game, tabs and setups"],
  [["Esc"], "let go of a pod, close what is open"],
  [["/"], "under Help: search"],
  [["7 8 9", "4 6", "1 2 3"], "under My board: draw or remove the line in that direction, as on a number pad"],
];

function clause(one) {
  const rest = one.text.startsWith(one.sentence) ? null : paragraphs(one.text);
  const more = one.text.replaceAll("\n", " ").startsWith(one.sentence) ? paragraphs(one.text.split(/\n\n/).slice(1).join("\n\n") || "") : rest;
  const open = state.get().clause === one.id;
  return el(
    "li",
    { id: `clause-${one.id}`, class: open ? "here" : "", "data-find": "rule" },
    el("div", {}, el("h3", {}, `${one.id} ${one.title}`), el("p", {}, linked(one.sentence))),
    pictures(one),
    more && one.text.includes("\n\n") ? el("details", { open }, el("summary", {}, "More"), more) : null,
  );
}

// Words of those who write programs or tables, which nobody needs who plays.
const TECHNICAL = new Set(["certificate", "cover", "essence", "exhaustive", "library", "mirror theorem", "node", "oracle set", "perft", "reference engine", "retrograde analysis", "sweeps", "table", "tier", "verified"]);

async function show() {
  const { clauses, words } = await rules();
  const sections = [...new Set(clauses.map((one) => one.section))];
  const find = (id) => clauses.find((one) => one.id === id);
  const own = ["cave36", "pods14"].map((name) => [...library.boards, ...library.pods].find((one) => one.name === name)).filter(Boolean);
  const to = (title, id) => button(title, () => document.getElementById(id)?.scrollIntoView(), { class: "link" });
  const basics = BASICS.map(([id, text]) => el("li", { "data-find": "picture" }, el("p", {}, `${text} `, linked(id)), pictures(find(id))));
  const part = (id, title, ...children) => el("section", { id, "data-part": title, "aria-label": title }, el("h2", {}, title), children);
  const entry = (kind, term, meaning) => el("div", { "data-find": kind }, el("dt", {}, term), el("dd", {}, meaning));
  const said = ({ word, meaning }) => entry("word", word, linked(meaning));
  fill(
    place,
    finder.parts(),
    el("p", { class: "contents", "data-unsought": true, "aria-label": "On this page" }, to("In six pictures", "basics"), to("Boards and pods", "built-in"), sections.map((name) => to(name, `section-${name}`)), to(`Words (${words.length})`, "words"), to("Keys", "keys")),
    part(
      "basics",
      "The game in six pictures",
      el("ol", { class: "basics" }, basics),
      keyTo(basics),
      el("div", { class: "bar", "data-unsought": true }, button("Take the tour of this page (6 steps)", startAgain, { class: "main" })),
    ),
    part(
      "built-in",
      "The built-in boards and pods",
      el("div", { "data-find": "note" },
        el("p", {}, "The rules texts lost their pictures, and nobody who worked on this program has seen the printed board. cave36 and pods14 are a reconstruction: drawn so that every caption of the texts holds on them. The other boards and pods are made for tests. If you own the game, draw its board under ", button("My board", () => state.set({ tab: "edit" }), { class: "link" }), "; results are then about your board."),
        el("ul", {}, own.map((one) => el("li", { class: "quiet" }, `${one.name}: ${one.source}`))),
      ),
    ),
    part(
      "rules",
      "All rules",
      el("p", { class: "quiet", "data-unsought": true }, "Numbers such as 000 name the texts that the rules come from: 000 is French, 001 Dutch, 002 English, 003 the author’s own leaflet, 004 English again."),
      sections.map((name) => el("section", { "data-part": name, "aria-label": name }, el("h3", { id: `section-${name}` }, name), el("ol", { class: "clauses" }, clauses.filter((one) => one.section === name).map(clause)))),
    ),
    part("words", "Words", el("dl", { class: "words" }, words.filter(({ word }) => !TECHNICAL.has(word)).map(said)), el("details", { "data-key": "for programmers" }, el("summary", {}, "For programmers"), el("dl", { class: "words" }, words.filter(({ word }) => TECHNICAL.has(word)).map(said)))),
    part("keys", "Keys", el("dl", { class: "words" }, KEYS.map(([keys, what]) => entry("key", keys.map((key) => [el("kbd", {}, key), " "]), what)))),
  );
  finder.find();
}

let drawn = ""; // what was gone to last: the tab and the clause that the address names

export async function drawHelp(all) {
  library = all;
  const { clause: id } = state.get();
  if (drawn === `at ${id}`) return;
  drawn = `at ${id}`;
  try {
    await show();
  } catch (error) {
    drawn = "";
    trouble(error);
    return;
  }
  if (!id) return;
  finder.clear();
  if (id === "words") document.getElementById("words").scrollIntoView();
  else document.getElementById(`clause-${id}`)?.scrollIntoView({ block: "center" });
}

export function startHelp(redraw) {
  finder = new Finder(place, { picture: "pictures", note: "notes", rule: "rules", word: "words", key: "keys" });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || state.get().tab !== "help" || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    event.preventDefault();
    finder.focus();
  });
  state.listen((changed) => {
    if (!changed.has("tab") || state.get().tab === "help") return;
    drawn = "";
    if (state.get().clause) state.set({ clause: "" }, { entry: false });
  });
  redraw();
}
