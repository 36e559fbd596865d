// Is it fair? One sentence first, by games that the program plays against itself while one looks;
// exact values take its place as they come. The four ways the board can lie, other readings of the
// rules, reports to keep.

import * as api from "./api.js";
import * as state from "./state.js";
import { unfinished } from "./broken.js";
import { certificatePart, certify, forgetCertificate, startCertificate, startCertificates, startResult } from "./certificate.js";
import { atNextFrame, button, el, fill, fileName, picture, save, say } from "./dom.js";
import { otherReadings, percent, ruleSets, withInterval } from "./readings.js";
import { ofState, secondsField, take } from "./seconds.js";
import { on as onTable, table } from "./table.js";
import { busyWith, onOthers, stopOthers, waitingFor } from "./tabs.js";

const place = document.getElementById("fair");
const TURNS = ["0", "90", "180", "270"];

// Positions that each player looks at before each action.
const STRENGTHS = { quick: 200, strong: 1000, "very strong": 4000 };

// Games go on until half the interval of each share is so narrow, but never beyond this number:
// with shares about even some 1070 are needed, and draws do not count.
const WITHIN = 0.03;
const MOST_GAMES = 2000;

// The least seconds that may be asked for.
const LEAST = 0.01;

// Of fewer games no share is told.
const FEW = 8;

let columns = [];
let rows = new Map(); // exact values, by degrees
let looks = new Map(); // exact values that a short look has found, by rules, degrees and side
let games = []; // by start
let readings = [];
let sets = []; // games under the other named rule sets
let reports = null;
let plan = null;
let running = null;
let doing = "";
let waits = false;
let through = false; // whether all that was asked for has been done
let fault = null;
let of = "";
let known = ""; // the setup that all this is about
let strength = "strong";
let maps = {};
let library = null;

function hangUp() {
  running?.abort();
  running = null;
  doing = "";
}

// The names of the board and of the pods that are asked about, also while there is no position to
// show.
function names() {
  const own = (text) => /^\s*name\s*=\s*["'](.*)["']\s*$/m.exec(text)?.[1] ?? "own";
  return ["board", "pods"].map((name) => state.get()[name]).map((text) => (text.includes("\n") ? own(text) : text));
}

// The names as they are told: one that a built-in thing has too is marked.
function titles() {
  return ["board", "pods"].map((kind, i) => {
    const own = state.get()[kind].includes("\n") && library?.[kind === "board" ? "boards" : "pods"].some(({ name }) => name === names()[i]);
    return own ? `${names()[i]}, edited` : names()[i];
  });
}

function named() {
  return names().join("-");
}

const OF = ["board", "pods", "rules", "white", "black"];

function setup() {
  return JSON.stringify([...OF.map((name) => state.get()[name]), strength]);
}

function forget() {
  hangUp();
  [columns, rows, looks, games, readings, sets, reports, plan, fault, known, maps] = [[], new Map(), new Map(), [], [], [], null, null, null, "", {}];
}

// The board as it lies each way.
async function draw() {
  const mine = setup();
  for (const turn of TURNS) {
    try {
      const view = await api.ask("view", { setting: { ...state.setting({ turn }), position: "start", actions: [] }, marks: "none", pods: false });
      if (mine !== setup()) return;
      maps = { ...maps, [turn]: view.svg };
    } catch {
      return;
    }
  }
  show();
}

// With `games`, nothing is searched for meanwhile: the time for exact values is the least that
// there is, and what it does not find is not told.
async function run({ games: onlyGames = false } = {}) {
  hangUp();
  if (known !== setup()) forget();
  [known, of, fault, through, waits] = [setup(), named(), null, false, false];
  const abort = new AbortController();
  running = abort;
  doing = "getting ready";
  show();
  const on = (event, data) => {
    if (running !== abort) return;
    if (event === "waiting") waits = data.before > 0;
    else if (event === "begun") waits = false;
    else if (event === "columns") columns = data;
    else if (event === "plan") plan = data;
    else if (event === "row" && onlyGames && !data[columns.indexOf("white_first")] && !data[columns.indexOf("black_first")]) return;
    else if (event === "row") rows.set(data[columns.indexOf("orientation")], data);
    else if (event === "exact") looks.set(`${data.rules} ${data.turn} ${data.first}`, data);
    else if (event === "games") [games, doing] = [data, `playing games until each share is known to ± ${percent(WITHIN)} %`];
    else if (event === "readings") [readings, doing] = [data, "playing games under other readings of the rules"];
    else if (event === "rule-sets") [sets, doing] = [data, "playing games under the other rule sets"];
    else if (event === "solving" && !onlyGames) doing = `looking for the exact answer, board at ${data.degrees}° (at most ${Math.ceil(data.seconds)} s for each side to start); more games come after it`;
    else if (event === "reports") reports = { ...data, exact: rows.size };
    else if (event === "no-games") plan = { games: 0, why: isBare() ? "No games: this board has no lines, so the game ends at once. Draw some under My board." : data.why };
    else if (event === "error") fault = data.error;
    else if (event === "done") through = true;
    soon();
  };
  try {
    const setting = { ...state.setting(), position: "start", actions: [] };
    await api.job({ fair: { setting, nodes: STRENGTHS[strength], games: MOST_GAMES, within: WITHIN, seconds: onlyGames ? LEAST : ofState() } }, on, abort.signal);
  } catch (error) {
    fault = error.message;
  }
  if (running !== abort) return;
  hangUp();
  if (state.get().tab === "fair") say(fault ?? sentence(state.get().turn).text);
  show();
}

const soon = atNextFrame(show);

function looked(turn, first, rules = table.view.rules) {
  return looks.get(`${rules} ${turn} ${first}`) ?? null;
}

// The exact value of a start for the side that starts: { value, plies }, or nothing.
function exactly(turn, first) {
  const row = rows.get(String(turn));
  const cell = (name) => row?.[columns.indexOf(name)] ?? "";
  const value = cell(`${first}_first`);
  if (value) return { value, plies: cell(`${first}_first_plies`) };
  const look = looked(turn, first);
  return look ? { value: look.value, plies: look.plies ?? "" } : null;
}

// Games of White's start, and the exact value of it, for the board as it lies.
function played(turn, first = "white") {
  return games.find((one) => String(one.turn) === String(turn) && one.first === first) ?? null;
}

function other(side) {
  return side === "White" ? "Black" : "White";
}

// A value for the side that starts, as who wins.
function wins(value, starter) {
  if (value === "draw") return "nobody wins with best play: a draw";
  return `${value === "win" ? starter : other(starter)} wins with best play`;
}

// The widest half of the intervals of all shares; nothing while one has none.
function widest() {
  if (games.length === 0 || games.some((one) => !one.share)) return null;
  return Math.max(...games.map(({ share: [, low, high] }) => (high - low) / 2));
}

// Why no more games are played, once it has come to that.
function ended() {
  const half = widest();
  if (running || !through || known !== setup() || half === null) return null;
  const many = Math.min(...games.map((one) => one.wins + one.losses + one.draws));
  if (half <= WITHIN) return `Enough games: with ${many} from each start, every share is known to ± ${percent(WITHIN)} % or better.`;
  return `${many} games from each start were played: as many as there are different openings to play from.`;
}

// How many games there are so far, how well they tell, and how many more may be needed.
function soFar() {
  const half = widest();
  if (!running || half === null || half <= WITHIN) return null;
  const many = Math.min(...games.map((one) => one.wins + one.losses + one.draws));
  if (many < FEW) return null;
  const needed = Math.min(MOST_GAMES, Math.ceil((many * (half / WITHIN) ** 2) / 50) * 50);
  const text = `${many} games from each start so far (± ${Math.ceil(100 * half)}); about ${Math.max(50, needed - many)} more make it ± ${percent(WITHIN)}, after the search for exact answers. `;
  return el("p", { class: "quiet", id: "so-far" }, text, /exact answer/.test(doing) ? button("Play those games now", () => run({ games: true }), { "data-key": "games now" }) : null);
}

// True if nothing is left to be searched for.
function allExact() {
  return TURNS.every((turn) => exactly(turn, "white") && exactly(turn, "black"));
}

// Games that somebody won, of which alone a share is told, and the draws beside them.
function decided({ wins, losses, draws }) {
  const many = wins + losses;
  return `${many} ${many === 1 ? "game" : "games"}${draws > 0 ? ` (and ${draws} ${draws === 1 ? "draw" : "draws"}, not counted)` : ""}`;
}

// What comes before the players choose for themselves.
function openings() {
  const many = plan?.opening ?? 0;
  return many > 0 ? `, after ${many} random placements` : "";
}

// A share this near to one half, with all of its interval, is as good as even.
const EVEN = 0.1;

// What games alone say of a share: never more than "probably".
function judgement([share, low, high]) {
  const side = low > 0.5 ? "White" : high < 0.5 ? "Black" : null;
  if (side) {
    const tenths = Math.round(10 * (side === "White" ? share : 1 - share));
    return `Probably not fair: ${side} wins about ${tenths === 10 ? "all games" : `${tenths} games in 10`}.`;
  }
  if (low >= 0.5 - EVEN && high <= 0.5 + EVEN) return "Probably fair, as far as games tell: neither side wins clearly more.";
  return "Too few games to say yet.";
}

// Who wins under some rules with best play if White starts, where that is known.
function winner(rules, turn) {
  const found = rules === table.view.rules ? exactly(turn, "white") : looked(turn, "white", rules);
  return found && { win: "White", loss: "Black", draw: "nobody" }[found.value];
}

// The answer for one way the board can lie.
function sentence(turn) {
  const found = exactly(turn, "white");
  const game = played(turn);
  const share = game?.share;
  const count = game ? game.wins + game.losses + game.draws : 0;
  if (found) {
    const { value, plies } = found;
    const exact = wins(value, "White");
    const text = `${value === "draw" ? "Fair" : "Not fair"}: ${exact}${plies ? `, ${plies} plies from the start` : ""}.`;
    return { text, exact: true, more: share && count >= FEW ? `Between equal computer players, which make mistakes, White, who opens, wins ${withInterval(share)} of ${decided(game)}${openings()}.` : "" };
  }
  if (!share) return { text: running ? "The first games are being played…" : "Not known yet.", exact: false, more: "" };
  if (count < FEW) return { text: `Too few games to say yet: White, who opens, has won ${game.wins} of ${decided(game)} so far.`, exact: false, more: "More games are being played; the exact answer is not known yet." };
  const told = `White, who opens, wins ${percent(share[0])} % (likely ${percent(share[1])} to ${percent(share[2])} %) of ${decided(game)} between two equally strong computer players${openings()}. Nobody has proved who wins.`;
  return { text: judgement(share), exact: false, more: told };
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
function results(game) {
  const many = game ? game.wins + game.losses + game.draws : 0;
  if (many === 0 || !game.share) return el("p", { class: "quiet" }, plan?.games === 0 ? "no games" : "no games yet");
  if (many < FEW) return el("p", {}, el("strong", {}, `White has won ${game.wins}`), ` of ${decided(game)} so far`);
  return [
    el("p", {}, el("strong", {}, `White wins ${withInterval(game.share)}`), ` of ${decided(game)}`),
    chance(game.share),
    el("p", { class: "ends", "aria-hidden": "true" }, el("span", {}, "0 %: Black"), el("span", {}, "even"), el("span", {}, "White: 100 %")),
  ];
}

// One way the board can lie: its picture, how often White wins, the exact values.
function card(turn) {
  const exact = ["white", "black"].map((side) => {
    const found = exactly(turn, side);
    const starter = side === "white" ? "White" : "Black";
    if (!found) return null;
    const { value, plies } = found;
    return el("p", { class: "proven" }, `If ${starter} starts, ${wins(value, starter)}${plies ? ` in ${plies} plies` : ""}. `, startCertificate(Number(turn), side, of, looked(turn, side)?.certificate));
  });
  const here = state.get().turn === turn;
  return el(
    "article",
    { "aria-label": `Board turned by ${turn}°`, "data-turn": turn, "data-key": `turn ${turn}` },
    el("h3", {}, `${turn}°${here ? ", as it lies under Play" : ""}`),
    el("div", { class: "map" }, maps[turn] ? picture(maps[turn]) : null),
    results(played(turn)),
    exact.some(Boolean) ? [exact, ["white", "black"].map((side) => startResult(Number(turn), side))] : el("p", { class: "quiet" }, rows.has(turn) ? "Exact answer: not found within the time." : "Exact answer: not known yet."),
  );
}

function keep() {
  if (!reports) return null;
  const files = [
    ["Games, as a page", reports.games_page, "-games.html", "text/html"],
    ["Games, as a table (CSV)", reports.games_csv, "-games.csv", "text/csv"],
    ["Exact values, as a page", reports.page, ".html", "text/html"],
    ["Exact values, as a table (CSV)", reports.csv, ".csv", "text/csv"],
  ];
  // Reports of exact values are empty until there are some.
  const some = reports.exact > 0;
  const one = ([text, content, end, type]) => (text.startsWith("Exact") && !some ? button(text, null, { disabled: true, "data-key": text, "aria-describedby": "no-exact" }) : content ? button(text, () => save(fileName(of, end), content, type), { "data-key": text }) : null);
  return el("section", { "aria-label": "Reports to keep" }, el("h3", {}, "Save a report"), el("div", { class: "bar" }, files.map(one)), some ? null : el("p", { class: "quiet", id: "no-exact" }, "Reports of exact values can be saved when the search for them has ended."));
}

// No pod can go anywhere on a board without lines.
function isBare() {
  return table.view?.points.every((point) => point.lines.length === 0);
}

function show() {
  if (state.get().tab !== "fair") return;
  const { view } = table;
  if (!view || table.unfinished) {
    fill(place, table.unfinished ? unfinished() : el("p", {}, "Choose a board and pods first."));
    return;
  }
  const { turn } = state.get();
  const is = sentence(turn);
  const go = () => {
    if (take("fair seconds", show) !== null) run();
  };
  const pick = (name) => () => {
    strength = name;
    run();
  };
  const done = !running && known === setup();
  fill(
    place,
    el("p", { class: "quiet" }, `${titles()[0]}, turned by ${turn}°; ${titles()[1]}; rules ${state.get().rules}`),
    el("p", { class: "verdict", id: "verdict" }, is.text),
    el("p", {}, is.more || "\u00a0"),
    el(
      "div",
      { class: "bar" },
      running
        ? [
            button("Stop", () => { hangUp(); show(); }, { "data-key": "stop fair" }),
            el("span", { class: "quiet", role: "status" }, `${waits ? waitingFor() : doing}…`),
            waits && busyWith() ? button("Stop those", stopOthers) : null,
          ]
        : [
            through && done ? null : button("Go on playing games", () => run({ games: true }), { class: "main", "data-key": "go on" }),
            allExact() && done ? null : [button("Search longer for the exact answer", go, { class: through && done ? "main" : "", "data-key": "go" }), secondsField("fair seconds", "for", "seconds a start", show)],
          ],
    ),
    soFar(),
    fault ? el("p", { class: "fault" }, fault) : null,
    plan?.why ? el("p", { class: "quiet" }, plan.why) : null,
    ended() ? el("p", { class: "quiet", id: "ended" }, ended()) : null,
    el("div", { class: "turns" }, TURNS.map(card)),
    otherReadings(readings, turn, played(turn)),
    ruleSets({ presets: library.presets, rules: view.rules, options: view.options, games: [...games, ...sets], exact: winner, turns: TURNS }),
    keep(),
    el(
      "details",
      { class: "fold" },
      el("summary", {}, "How this is found, and how strong the players are"),
      el("p", {}, `Both players are this program. Each looks at ${STRENGTHS[strength]} positions before an action, after ${plan?.opening ?? 2} random placements that differ from game to game. “± 3” is half of the interval that holds the true share in 95 of 100 such tries; 100 games are played from each start, then exact answers are searched for, then more games until it is ± 3 for each way the board can lie, which takes about 1,000 from each. Such games say who does better at this strength; only an exact answer says who wins with best play.`),
      el("div", { class: "bar", role: "group", "aria-label": "Strength" }, Object.keys(STRENGTHS).map((name) => button(name, pick(name), { "aria-pressed": String(name === strength) }))),
    ),
    el("details", { class: "fold", id: "certificates" }, el("summary", {}, "Certificates: files that prove a value"), certificatePart(view, of || named())),
  );
}

// What a certificate is about.
const OF_CERTIFICATE = [...OF, "turn", "position", "actions", "at"];

// What is not known of the setup is asked for when the tab is opened.
function opened() {
  if (state.get().tab !== "fair") return;
  if (!table.view || table.unfinished) {
    hangUp();
    show();
    return;
  }
  if (known !== setup()) forget();
  show();
  if (Object.keys(maps).length === 0) draw();
  if (!running && known !== setup()) run();
}

export function startFair(all) {
  library = all;
  startCertificates(() => {
    show();
  });
  onTable("view", opened);
  onTable("unfinished", opened);
  onTable("back", () => {
    fault = null;
    show();
  });
  onTable("certify", () => {
    state.set({ tab: "fair" });
    // Games would be in its way.
    hangUp();
    show();
    const part = document.getElementById("certificates");
    part.open = true;
    part.scrollIntoView({ block: "start" });
    certify(table.view, named());
  });
  onOthers(soon);
  state.listen((changed) => {
    if (OF_CERTIFICATE.some((name) => changed.has(name))) forgetCertificate();
    if (OF.some((name) => changed.has(name))) forget();
    // Games are played while one looks; they go on where they stopped.
    if (changed.has("tab") && state.get().tab !== "fair" && running) {
      hangUp();
      known = "";
    }
    if (changed.has("tab")) opened();
    else show();
  });
  opened();
  addEventListener("pagehide", hangUp);
}
