// What other rules would do, by games from the same openings: single clauses read otherwise, and
// the other named rule sets side by side.

import { linked } from "./clause.js";
import { el } from "./dom.js";
import { ruleWords } from "./setup.js";

// Of fewer games nothing is told.
const LEAST = 10;

export function percent(share) {
  return Math.round(100 * share);
}

// Half the interval, as it is said behind a share.
export function about([, low, high]) {
  return Math.max(1, Math.round((100 * (high - low)) / 2));
}

// A share with its interval: with half of it, or with both ends where that would leave 0 to 100 %.
export function withInterval(share) {
  const half = about(share);
  if (percent(share[0]) - half >= 0 && percent(share[0]) + half <= 100) return `${percent(share[0])} % ± ${half}`;
  return `${percent(share[0])} % (${percent(share[1])} to ${percent(share[2])})`;
}

// Number of games.
export function count({ wins, losses, draws }) {
  return wins + losses + draws;
}

function isTold(game) {
  return game?.first === "white" && game.share && count(game) >= LEAST;
}

function scrolling(label, ...parts) {
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, el("table", {}, parts));
}

function heads(texts) {
  return el("thead", {}, el("tr", {}, texts.map((text) => el("th", { scope: "col" }, text))));
}

// Single clauses read otherwise, with the board as it lies under Play; `now` are the games under
// the rules as they are.
export function otherReadings(readings, turn, now) {
  const here = readings.filter((one) => String(one.turn) === turn && isTold(one));
  if (here.length === 0) return null;
  const line = (one) =>
    el(
      "tr",
      { "data-key": `${one.option} ${one.value}` },
      el("th", { scope: "row", title: `${one.option} = ${one.value}` }, `${one.words} `, linked(`(${one.clause})`)),
      el("td", {}, withInterval(one.share)),
      el("td", {}, one.base ? `${percent(one.base[0])} %` : ""),
      el("td", {}, one.difference ? `${one.difference[0] > 0 ? "+" : one.difference[0] < 0 ? "−" : ""}${Math.abs(percent(one.difference[0]))} ± ${about(one.difference)} points` : "not known"),
      el("td", {}, String(count(one))),
    );
  const as = isTold(now) ? el("tr", { "data-key": "as now" }, el("th", { scope: "row" }, "as the rules are now, all games"), el("td", {}, withInterval(now.share)), el("td", {}, ""), el("td", {}, ""), el("td", {}, String(count(now)))) : null;
  return el(
    "details",
    { open: true, class: "fold", "data-key": "readings" },
    el("summary", {}, "What other readings of the rules would do"),
    el("p", { class: "quiet" }, `Where the rules texts leave a choice, with the board at ${turn}°. Each is played from the first openings of all; a change compares only the games from those that somebody won both times, so “now” is not the share of all games. A change whose ± is larger than itself may be chance.`),
    scrolling("Other readings", heads(["If the rules meant", "White wins", "Now, same openings", "Change", "Games"]), el("tbody", {}, as, here.map(line))),
  );
}

// What is known of White's start under some rules: who wins with best play, else how often White
// wins.
function cell(game, exact) {
  if (exact) return [el("strong", {}, exact), " (proven)", isTold(game) ? `; White ${withInterval(game.share)} in games` : ""];
  if (isTold(game)) return [withInterval(game.share), game.draws > 0 ? `, ${game.draws} of ${count(game)} games drawn` : ""];
  return game && game.draws >= LEAST ? `all ${game.draws} games drawn` : "not known yet";
}

// All named rule sets, those of the setup first. `games` are of all of them, `exact(rules, turn)`
// says who wins with best play if White starts, where that is known.
export function ruleSets({ presets, rules, options, games, exact, turns }) {
  const told = games.some((one) => one.rules !== rules && isTold(one));
  if (!told) return null;
  const all = [[rules, options], ...presets.map((one) => [one.name, one.options]).filter(([name]) => name !== rules && games.some((one) => one.rules === name))];
  const line = ([name, of]) =>
    el(
      "tr",
      { "data-key": `rules ${name}` },
      el("th", { scope: "row" }, name, name === rules ? " (these)" : "", el("p", { class: "quiet of-rules" }, ruleWords(of))),
      turns.map((turn) => el("td", { "data-label": `${turn}°` }, el("span", {}, cell(games.find((one) => one.rules === name && String(one.turn) === turn && one.first === "white"), exact(name, turn))))),
    );
  return el(
    "details",
    { open: true, class: "fold", id: "rule-sets", "data-key": "rule sets" },
    el("summary", {}, "The rule sets side by side"),
    el("p", { class: "quiet" }, "How often White, who opens, wins on this board with these pods, by games between the same players from the same openings. Draws do not count in it. Where it is proven, who wins with best play."),
    scrolling("Rule sets", heads(["Rules", ...turns.map((turn) => `${turn}°`)]), el("tbody", {}, all.map(line))),
  );
}
