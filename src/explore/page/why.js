// Near the point that was clicked: why an action is illegal, what is missing, or which of several
// actions is meant. In the column beside the board: what the last action captured.

import { linked } from "./clause.js";
import { button, el, fill, say } from "./dom.js";
import { actionText, withCapitals, withDirections } from "./notation.js";
import { act, choose, on, shown, table, tell } from "./table.js";

const news = document.getElementById("news");
const bubble = el("div", { id: "why", role: "group", "aria-label": "Why", hidden: true });
let places = () => null; // where the points lie

function close() {
  [table.illegal, table.hint, table.menu] = [null, null, null];
  table.blame = [];
  tell("chosen");
}

// Where an action ends.
function target(action) {
  return /([a-z]+\d+)(?:\+\d+)?$/.exec(action)?.[1];
}

function illegal({ action, clause, title, why, sentence }) {
  const said = withDirections(withCapitals(why));
  say(`${said}. ${clause}: ${sentence}`);
  const short = said.startsWith(`${action} is illegal`) ? said.slice(said.indexOf(":") + 1).trim() : said;
  return [
    el("h2", {}, shown(action), " is not allowed"),
    el("p", { class: "blamed" }, linked(short)),
    el("p", { class: "quiet" }, linked(`${clause}: ${title}`), "."),
  ];
}

function menu(actions) {
  say("more than one action is possible there: choose one");
  const pick = (action) =>
    el("button", { type: "button", "data-key": action, "aria-label": actionText(action, table.view.to_move), onclick: () => {
      table.menu = null;
      act(action);
    } }, shown(action));
  const cancel = button("Cancel", () => {
    table.menu = null;
    choose(null);
  });
  return [el("h2", {}, "Which action?"), el("div", { class: "bar" }, actions.map(pick), cancel)];
}

// A bubble above or below its point, where there is more room, and never beside the board.
function stand(at) {
  const place = places(at);
  if (!place) return;
  bubble.style.setProperty("--x", `${100 * place.x}cqw`);
  bubble.style.setProperty("--y", `${100 * place.y}%`);
  bubble.classList.toggle("below", place.y < 0.5);
}

function showBubble() {
  let [at, parts] = [null, []];
  if (table.menu) [at, parts] = [target(table.menu[0]), menu(table.menu)];
  else if (table.illegal) [at, parts] = [target(table.illegal.action), illegal(table.illegal)];
  else if (table.hint?.at) {
    [at, parts] = [table.hint.at, [el("p", {}, table.hint.text)]];
    say(table.hint.text);
  }
  bubble.hidden = parts.length === 0;
  if (bubble.hidden) return;
  fill(bubble, button("×", close, { class: "close", "aria-label": "Close" }), parts);
  stand(at);
  if (table.menu) bubble.querySelector(".bar button")?.focus();
}

function showNews() {
  const said = table.blocked ?? [];
  news.hidden = said.length === 0;
  fill(news, el("h2", {}, "Blocked by the last action"), el("ul", {}, said.map((text) => el("li", {}, linked(withCapitals(text))))));
}

export function startWhy(stage, placeOf) {
  places = placeOf;
  stage.append(bubble);
  on("menu", showBubble);
  on("chosen", showBubble);
  on("view", () => {
    showBubble();
    showNews();
  });
}
