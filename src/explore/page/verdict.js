// Is it fair, and which way round? One sentence about all four ways the board can lie: what is
// proven, else what games say and how sure that is.

import { count, percent, withInterval } from "./readings.js";

// Of fewer games no share is told.
export const FEW = 8;

// A share this near to one half, with all of its interval, is as good as even.
const EVEN = 0.1;

const other = (side) => (side === "White" ? "Black" : "White");

function winner(worth, starter) {
  return worth ? { win: starter, loss: other(starter), draw: "nobody" }[worth.value] : null;
}

// Games that tell a share: nothing of a few.
export function isTold(game) {
  return Boolean(game?.share) && count(game) >= FEW;
}

// What is proven of one way the board can lie, in words; `white` and `black` are the values if they
// start, each for who starts.
export function fate({ white, black }) {
  const [w, b] = [winner(white, "White"), winner(black, "Black")];
  if (!w && !b) return "";
  if (w && w === b) return `${w} wins, whoever starts`;
  if (w === "White" && b === "Black") return "whoever starts wins";
  if (w === "Black" && b === "White") return "whoever starts loses";
  return [w && `${w} wins if White starts`, b && `${b} wins if Black starts`].filter(Boolean).join(" and ");
}

function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

const places = (ways) => listed(ways.map(({ turn }) => `${turn}°`));

// Ways the board can lie of which the same is proven, by what it is.
function groups(ways) {
  const found = new Map();
  for (const way of ways) found.set(fate(way), [...(found.get(fate(way)) ?? []), way]);
  return [...found].map(([words, some]) => `at ${places(some)} ${words}`);
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function proven(ways) {
  const said = groups(ways);
  if (said.length > 1) return `It matters which way the board lies: ${said.join("; ")} (all proven).`;
  const [{ white, black }, words] = [ways[0], fate(ways[0])];
  const isFair = [white, black].every((worth) => worth?.value === "draw");
  return `${isFair ? "Fair" : "Not fair"}, whichever way the board lies: ${words} (all proven).`;
}

const distance = ({ game }) => Math.abs(game.share[0] - 0.5);

// What games say of ways the board can lie of which nothing is proven.
function likely(ways) {
  const shares = ways.map(({ game }) => game.share);
  const nearest = [...ways].sort((a, b) => distance(a) - distance(b))[0];
  const isSame = Math.max(...shares.map(([, low]) => low)) <= Math.min(...shares.map(([, , high]) => high));
  const isEven = ([, low, high]) => low >= 0.5 - EVEN && high <= 0.5 + EVEN;
  if (shares.every(isEven)) return `Probably fair, ${ways.length === 4 ? "whichever way the board lies" : `at ${places(ways)}`}: White wins ${ways.map(({ turn, game }) => `${withInterval(game.share)} at ${turn}°`).join(", ")} of games.`;
  const isClear = shares.every(([, low]) => low > 0.5) || shares.every(([, , high]) => high < 0.5);
  const side = shares[0][0] >= 0.5 ? "White" : "Black";
  const of = (share) => withInterval(side === "White" ? share : [1 - share[0], 1 - share[2], 1 - share[1]]);
  const near = `${nearest.turn}° is nearest to fair, ${of(nearest.game.share)}`;
  if (isSame && ways.length > 1) {
    const all = shares.reduce((sum, [share]) => sum + share, 0) / shares.length;
    const where = ways.length === 4 ? "at every orientation" : `at ${places(ways)}`;
    const lead = isClear ? "Probably not fair" : "Too few games to say for sure";
    if (shares.every((share) => of(share) === of(shares[0]))) return `${lead}: ${side} wins ${of(shares[0])} of games ${where}.`;
    return `${lead}: ${side} wins some ${percent(side === "White" ? all : 1 - all)} % of games ${where}; ${near}.`;
  }
  const each = ways.map(({ turn, game }) => `${of(game.share)} of games at ${turn}°`);
  if (ways.length === 1) return `${isClear ? "Probably not fair" : "Too few games to say for sure"} at ${places(ways)}: ${side} wins ${of(shares[0])} of games.`;
  return `It seems to matter which way the board lies: ${side} wins ${listed(each)}; ${near}.`;
}

// The sentence. `ways` are all ways the board can lie: { turn, white, black, game }, where `game`
// are the games that White opened.
export function verdict(ways, isRunning) {
  const sure = ways.filter((way) => fate(way));
  const rest = ways.filter((way) => !fate(way));
  const told = rest.filter(({ game }) => isTold(game));
  if (rest.length === 0) return proven(ways);
  if (sure.length === 0 && told.length < rest.length) return isRunning ? "Too few games to say yet: the first are being played…" : "Not known yet.";
  const open = told.length > 0 ? likely(told) : `At ${places(rest)} it is not known yet.`;
  return sure.length === 0 ? open : `${capital(groups(sure).join("; "))} (proven). ${open}`;
}
