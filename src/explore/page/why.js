// Near the point that was clicked: why an action is illegal, what is missing, or which of several
// actions is meant. In the column beside the board: what the last action captured.

import { linked } from "./clause.js";
import { button, el, fill, say } from "./dom.js";
import { actionText, endOf, withCapitals, withDirections } from "./notation.js";
import { choose, here, play, shownAction, start } from "./shown.js";

const news = document.getElementById("news");
const bubble = el("div", { id: "why", role: "group", "aria-label": "Why", hidden: true });

function illegal({ action, illegal: { clause, title, why, sentence } }) {
  const said = withDirections(withCapitals(why));
  const short = said.startsWith(`${action} is illegal`) ? said.slice(said.indexOf(":") + 1).trim() : said;
  return [
    `${said}. ${clause}: ${sentence}`,
    el("h2", {}, shownAction(action), " is not allowed"),
    el("p", { class: "blamed" }, linked(short)),
    el("p", { class: "quiet" }, linked(`${clause}: ${title}`), "."),
  ];
}

function menu(actions, { to_move: side }) {
  const pick = (action) => el("button", { type: "button", "data-key": action, "aria-label": actionText(action, side), onclick: () => play(action) }, shownAction(action));
  return ["more than one action is possible there: choose one", el("h2", {}, "Which action?"), el("div", { class: "bar" }, actions.map(pick), button("Cancel", () => choose(null)))];
}

// A bubble above or below its point, where there is more room, and never beside the board.
function stand(place) {
  if (!place) return;
  bubble.style.setProperty("--x", `${100 * place.x}cqw`);
  bubble.style.setProperty("--y", `${100 * place.y}%`);
  bubble.classList.toggle("below", place.y < 0.5);
}

let spoken = ""; // what was said last of what stands in the bubble

function drawBubble(shown, placeOf) {
  const { chosen, hint, menu: actions, tried } = here();
  let [at, parts] = [null, []];
  if (actions) [at, parts] = [endOf(actions[0]), menu(actions, shown)];
  else if (tried) [at, parts] = [endOf(tried.action), illegal(tried)];
  else if (hint?.at) [at, parts] = [hint.at, [hint.text, el("p", {}, hint.text)]];
  const [text = "", ...rest] = parts;
  bubble.hidden = rest.length === 0;
  const isNew = text !== spoken;
  spoken = text;
  if (bubble.hidden) return;
  if (isNew) say(text);
  fill(bubble, button("×", () => start({ chosen }), { class: "close", "aria-label": "Close" }), rest);
  stand(placeOf(at));
  if (actions && isNew) bubble.querySelector(".bar button")?.focus();
}

export function drawWhy(shown, placeOf) {
  drawBubble(shown, placeOf);
  const said = shown.last?.blocked ?? [];
  news.hidden = said.length === 0;
  fill(news, el("h2", {}, "Blocked by the last action"), el("ul", {}, said.map((text) => el("li", {}, linked(withCapitals(text))))));
}

export function startWhy(stage) {
  stage.append(bubble);
}
