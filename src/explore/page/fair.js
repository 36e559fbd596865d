// Is it fair? One sentence about all four ways the board can lie, by games that the program plays
// against itself while one looks; exact values take their place as they come. Then a card for each
// way, reports to keep, other readings of the rules.

import * as state from "./state.js";
import { answer, begin, isRunning, job, look, stop } from "./answers.js";
import { isUnfinished, unfinished } from "./broken.js";
import { certificatePart, certify, startCertificate } from "./certificate.js";
import { button, el, fill, fileName, picture, save, say, stamped } from "./dom.js";
import { knownStart } from "./known.js";
import { count, otherReadings, percent, ruleSets, withInterval } from "./readings.js";
import { ofState, secondsField, take } from "./seconds.js";
import { settingOf, view } from "./shown.js";
import { busyWith, stopOthers, waitingFor } from "./tabs.js";
import { FEW, fate, verdict } from "./verdict.js";

const place = document.getElementById("fair");
const TURNS = ["0", "90", "180", "270"];

// Positions that each player looks at before each action.
const STRENGTHS = { quick: 200, strong: 1000, "very strong": 4000 };

// Games go on until half the interval of each share is so narrow, but never beyond this number:
// with shares about even some 1070 are needed, and draws do not count.
const WITHIN = 0.03;
const MAX_GAMES = 2000;

// The setting of a start, and the question about all of them.
const startOf = (shown, turn) => settingOf(shown, { turn: Number(turn), position: "start" });
const strength = () => (state.get().strength in STRENGTHS ? state.get().strength : state.DEFAULTS.strength);
const keyOf = (shown) => `fair ${JSON.stringify([startOf(shown, 0), strength()])}`;

// Plays and searches. Without time for each start, nothing is searched for.
async function run(shown, seconds) {
  const key = keyOf(shown);
  await begin(key, { fair: { setting: startOf(shown, 0), nodes: STRENGTHS[strength()], games: MAX_GAMES, within: WITHIN, seconds } });
  if (state.get().tab === "fair" && view() && keyOf(view()) === key) say(look(key).fault ?? verdict(ways(view(), look(key)), false));
}

// All ways the board can lie, with what is known of each.
function ways(shown, { seen }) {
  return TURNS.map((turn) => {
    const setting = startOf(shown, turn);
    const map = answer("view", { setting, marks: "none" }).value;
    const [white, black] = ["white", "black"].map((first, i) => knownStart(setting, setting.turn, shown.rules, first, map?.starts[i]));
    return { turn, map, white, black, game: played(seen.games ?? [], turn) };
  });
}

// Games of White's start, for the board as it lies.
function played(games, turn) {
  return games.find((one) => String(one.turn) === turn && one.first === "white") ?? null;
}

// The widest half of the intervals of all shares; nothing while one has none.
function widest(games) {
  if (games.length === 0 || games.some((one) => !one.share)) return null;
  return Math.max(...games.map(({ share: [, low, high] }) => (high - low) / 2));
}

// Why no more games are played, once it has come to that.
function ended({ status, seen: { games = [] } }) {
  const half = widest(games);
  if (status !== "done" || half === null) return null;
  const many = Math.min(...games.map(count));
  if (half <= WITHIN) return `Enough games: with ${many} from each start, every share is known to ± ${percent(WITHIN)} % or better.`;
  return `${many} games from each start were played: as many as there are different openings to play from.`;
}

// A time in words that promise no more than it can.
function span(seconds) {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}

// How fast games are played, by the count at which a series of them was seen first.
let pace = { key: "", done: 0, at: 0 };
function perSecond(key, { of, done }) {
  const series = `${key} ${of}`;
  if (pace.key !== series || done < pace.done) pace = { key: series, done, at: performance.now() };
  const seconds = (performance.now() - pace.at) / 1000;
  return seconds > 1 && done > pace.done ? (done - pace.done) / seconds : null;
}

const SERIES = { games: "playing games", readings: "playing games under other readings of the rules", "rule-sets": "playing games under the other rule sets" };

// What is being done, how far it is, and how long it may take.
function doing({ key, waits, seen: { doing: now } }) {
  if (waits) return waitingFor();
  if (!now) return "getting ready";
  if (now.event === "solving") return `looking for the exact answer, board at ${now.data.degrees}°: at most ${Math.max(0, Math.ceil(2 * now.data.seconds - (performance.now() - now.at) / 1000))} s left; more games come after it`;
  const { of, done, total } = now.data;
  const rate = perSecond(key, now.data);
  const left = rate && total > done ? `, some ${span((total - done) / rate)} left` : "";
  return `${SERIES[of]}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}${left}`;
}

// How many games there are so far, how well they tell, and how many more may be needed.
function soFar(shown, one) {
  const { games = [], doing: now } = one.seen;
  const half = widest(games);
  if (!isRunning(one) || half === null || half <= WITHIN) return null;
  const many = Math.min(...games.map(count));
  if (many < FEW) return null;
  const more = Math.max(50, Math.min(MAX_GAMES, Math.ceil((many * (half / WITHIN) ** 2) / 50) * 50) - many);
  const rate = now?.event === "count" && now.data.of === "games" ? perSecond(one.key, now.data) : null;
  const time = rate ? `, some ${span((more * games.length) / rate)} of play` : "";
  return el("p", { class: "quiet", id: "so-far" }, `${many} games from each start so far (± ${Math.ceil(100 * half)}); about ${more} more make it ± ${percent(WITHIN)}${time}. `, now?.event === "solving" ? button("Play those games now", () => run(shown, null), { "data-key": "games now" }) : null);
}

// Games that somebody won, of which alone a share is told, and the draws beside them.
function decided({ wins, losses, draws }) {
  const many = wins + losses;
  return `${many} ${many === 1 ? "game" : "games"}${draws > 0 ? ` (and ${draws} ${draws === 1 ? "draw" : "draws"}, not counted)` : ""}`;
}

const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes) {
  const part = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, String(value));
  return part;
}

// A bar from 0 to 100 % with the share and its 95 % interval.
function chance([share, low, high]) {
  const svg = shape("svg", { class: "chance", viewBox: "0 0 200 30", preserveAspectRatio: "none", role: "img", "aria-label": `${percent(share)} %, 95 % interval from ${percent(low)} to ${percent(high)} %` });
  svg.append(
    shape("rect", { class: "ground", x: 0.5, y: 8, width: 199, height: 14 }),
    shape("rect", { class: "part", x: 1, y: 8.5, width: 198 * share, height: 13 }),
    shape("line", { class: "half", x1: 100, x2: 100, y1: 3, y2: 27 }),
    shape("line", { class: "range", x1: 200 * low, x2: 200 * high, y1: 15, y2: 15 }),
    shape("rect", { class: "dot", x: 200 * share - 2, y: 9, width: 4, height: 12 }),
  );
  return svg;
}

// How the games of one way the board can lie went.
function results(game, plan) {
  if (!game?.share) return el("p", { class: "quiet" }, plan?.games === 0 ? "no games" : "no games yet");
  if (count(game) < FEW) return el("p", {}, el("strong", {}, `White has won ${game.wins}`), ` of ${decided(game)} so far`);
  return [
    el("p", {}, el("strong", {}, `White wins ${withInterval(game.share)}`), ` of ${decided(game)}`),
    chance(game.share),
    el("p", { class: "ends", "aria-hidden": "true" }, el("span", {}, "0 %: Black"), el("span", {}, "even"), el("span", {}, "White: 100 %")),
  ];
}

// A value for the side that starts, as who wins.
function wins({ value, plies }, starter) {
  if (value === "draw") return "nobody wins with best play: a draw";
  const side = (value === "win") === (starter === "White") ? "White" : "Black";
  return `${side} wins with best play${plies ? ` in ${plies} plies` : ""}`;
}

// One way the board can lie: what is proven, its picture, how often White wins, the exact values.
function card(way, shown, seen, redraw) {
  const { turn, map, game } = way;
  const starts = ["White", "Black"].map((starter) => [starter, way[starter.toLowerCase()]]).filter(([, worth]) => worth);
  const part = ([starter, worth]) => [
    el("p", { class: "proven" }, `If ${starter} starts, ${wins(worth, starter)}. `),
    startCertificate(startOf(shown, turn), starter, worth.certificate, named(shown), redraw),
  ];
  const nothing = seen.solved?.degrees.includes(Number(turn)) ? "Exact answer: not found within the time." : "Exact answer: not known yet.";
  return el(
    "article",
    { "aria-label": `Board turned by ${turn}°`, "data-turn": turn, "data-key": `turn ${turn}` },
    el("h3", {}, `${turn}°${fate(way) ? `: ${fate(way)}` : ""}`),
    state.get().turn === turn ? el("p", { class: "quiet" }, "as it lies under Play") : null,
    el("div", { class: "map" }, map ? picture(map.svg) : null),
    results(game, seen.plan),
    starts.length > 0 ? starts.map(part) : el("p", { class: "quiet" }, nothing),
  );
}

// The names of board and pods, for files.
function named({ board_name: board, pods_name: pods }) {
  return `${board}-${pods}`;
}

function keep(shown, reports) {
  if (!reports) return null;
  const files = [
    ["Games, as a page", reports.games_page, "-games.html", "text/html"],
    ["Games, as a table (CSV)", reports.games_csv, "-games.csv", "text/csv"],
    ["Exact values, as a page", reports.page, ".html", "text/html"],
    ["Exact values, as a table (CSV)", reports.csv, ".csv", "text/csv"],
  ];
  // Reports of exact values are empty until there are some.
  const some = reports.exact > 0;
  const one = ([text, content, end, type]) => (text.startsWith("Exact") && !some ? button(text, null, { disabled: true, "data-key": text, "aria-describedby": "no-exact" }) : content ? button(text, () => save(fileName(named(shown), end), type === "text/html" ? stamped(content) : content, type), { "data-key": text }) : null);
  return el("section", { "aria-label": "Reports to keep" }, el("h3", {}, "Save a report"), el("p", { class: "quiet" }, "Each is one file, which anybody can open; dropped on this page, a page shows its setup again."), el("div", { class: "bar" }, files.map(one)), some ? null : el("p", { class: "quiet", id: "no-exact" }, "Reports of exact values can be saved when the search for them has ended."));
}

// What board and pods are not the reader's own, where the other is; with the way to draw them.
function foreign(shown) {
  const [board, pods] = ["board", "pods"].map((name) => state.get()[name].includes("\n"));
  if (board === pods) return null;
  const words = board ? `This is your board with the program’s own pods, ${shown.pods_name}. ` : `These are your pods on the program’s own board, ${shown.board_name}. `;
  return el("span", { class: "foreign" }, ` ${words}`, button(board ? "Draw your pods" : "Draw your board", () => state.set({ tab: "edit" }), { class: "link" }));
}

// The names as they are told: one that a built-in thing has too is marked.
function titles(shown, library) {
  return [["board", shown.board_name, library.boards], ["pods", shown.pods_name, library.pods]].map(([kind, name, all]) => `${name}${state.get()[kind].includes("\n") && all.some((one) => one.name === name) ? ", edited" : ""}`);
}

function controls(shown, one, all, redraw) {
  if (isRunning(one)) return [button("Stop", () => stop(one), { "data-key": "stop fair" }), el("span", { class: "quiet", role: "status" }, `${doing(one)}…`), one.waits && busyWith() ? button("Stop those", stopOthers) : null];
  const go = () => {
    const seconds = take("fair seconds", redraw);
    if (seconds !== null) run(shown, seconds);
  };
  const isDone = one.status === "done";
  const allExact = all.every(({ white, black }) => white && black);
  return [
    isDone ? null : button("Go on playing games", () => run(shown, null), { class: "main", "data-key": "go on" }),
    allExact && isDone ? null : [button("Search longer for the exact answer", go, { class: isDone ? "main" : "", "data-key": "go" }), secondsField("fair seconds", "for", "seconds a start", redraw)],
  ];
}

export function drawFair(shown, library, redraw) {
  if (isUnfinished()) fill(place, unfinished());
  if (!shown) return;
  const key = keyOf(shown);
  // What is not known of the setup is asked for while somebody looks.
  if (!look(key) || look(key).status === "stopped") run(shown, ofState());
  const one = job(key);
  const { seen } = one;
  const all = ways(shown, one);
  const { turn } = state.get();
  const plan = seen["no-games"] ? { games: 0 } : seen.plan;
  // No pod can go anywhere on a board without lines.
  const none = seen["no-games"] && (shown.points.every((point) => point.bare) ? "No games: this board has no lines, so the game ends at once. Draw some under My board." : seen["no-games"].why);
  const opened = seen.plan?.opening > 0 ? `, after ${seen.plan.opening} random placements` : "";
  fill(
    place,
    el("p", { class: "quiet" }, `${titles(shown, library).join("; ")}; rules ${shown.rules}`),
    el("p", { class: "verdict", id: "verdict" }, verdict(all, isRunning(one)), foreign(shown)),
    el("p", { class: "quiet" }, `White opens. Shares are of games between two equally strong computer players, which make mistakes${opened}; draws are not counted, and ± is the 95 % interval.`),
    el("div", { class: "bar" }, controls(shown, one, all, redraw)),
    soFar(shown, one),
    one.fault ? el("p", { class: "fault" }, one.fault) : null,
    none ? el("p", { class: "quiet" }, none) : null,
    ended(one) ? el("p", { class: "quiet", id: "ended" }, ended(one)) : null,
    el("div", { class: "turns" }, all.map((way) => card(way, shown, { ...seen, plan }, redraw))),
    keep(shown, seen.reports),
    otherReadings(seen.readings ?? [], turn, played(seen.games ?? [], turn)),
    ruleSets({ presets: library.presets, rules: shown.rules, options: shown.options, games: [...(seen.games ?? []), ...(seen["rule-sets"] ?? [])], exact: (rules, at) => winner(shown, rules, at), turns: TURNS }),
    el(
      "details",
      { class: "fold" },
      el("summary", {}, "How this is found, and how strong the players are"),
      el("p", {}, `Both players are this program. Each looks at ${STRENGTHS[strength()]} positions before an action, after ${seen.plan?.opening ?? 2} random placements that differ from game to game. “± 3” is half of the interval that holds the true share in 95 of 100 such tries; 100 games are played from each start, then exact answers are searched for, then more games until it is ± 3 for each way the board can lie, which takes about 1,000 from each. Such games say who does better at this strength; only an exact answer says who wins with best play.`),
      el("div", { class: "bar", role: "group", "aria-label": "Strength" }, Object.keys(STRENGTHS).map((name) => button(name, () => state.set({ strength: name }), { "aria-pressed": String(name === strength()) }))),
    ),
    el("details", { class: "fold", id: "certificates" }, el("summary", {}, "Certificates: files that prove a value"), certificatePart(shown, named(shown), redraw)),
  );
}

// Who wins under some rules with best play if White starts, where that is known.
function winner(shown, rules, turn) {
  const worth = knownStart(startOf(shown, turn), Number(turn), rules, "white", null);
  return worth && { win: "White", loss: "Black", draw: "nobody" }[worth.value];
}

// Makes the certificate of the position under Play. Games would be in its way.
export function certifyHere() {
  const shown = view();
  if (!shown) return;
  state.set({ tab: "fair" });
  stop(look(keyOf(shown)));
  const part = document.getElementById("certificates");
  part.open = true;
  part.scrollIntoView({ block: "start" });
  certify(shown, named(shown));
}
