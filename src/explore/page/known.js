// What is proven, and what is guessed, of positions: by setup and position, wherever on the page it
// was found. What is proven of an action and of the position that it leads to is the same thing. A
// value that says more takes the place of one that says less, never the other way round.

const positions = new Map();

// The key of a position. The rules are named in full, as the program names them.
function keyOf({ board, pods, turn, rules, position }) {
  return JSON.stringify([board, pods, Number(turn), rules, position]);
}

// `legal` are all actions, `next` the positions after some of them, `from` those before, each with
// its action.
function nothing() {
  return { worth: null, line: null, guess: null, stubborn: null, actions: new Map(), legal: null, next: new Map(), from: [] };
}

function at(key) {
  if (!positions.has(key)) positions.set(key, nothing());
  return positions.get(key);
}

// What is known of a position: `worth` is { value, plies, method, certificate } for who is to move,
// `actions` has the same by action.
export function known(setting) {
  return positions.get(keyOf(setting)) ?? nothing();
}

// The key of a start, whose position another rule set may write otherwise.
function startKey(setting, turn, rules, first) {
  return JSON.stringify([keyOf({ ...setting, turn, rules, position: "start" }), setting.white, setting.black, first]);
}

// What is proven of a start; `position` is its text, where that is known.
export function knownStart(setting, turn, rules, first, position) {
  const [start, of] = [at(startKey(setting, turn, rules, first)).worth, position && known({ ...setting, turn, rules, position }).worth];
  return of && (!start || saysMore(of, start)) ? of : start;
}

const OTHER = { win: "loss", loss: "win", draw: "draw" };

// A value as it was, or will be, for the other side.
function across({ value, plies, method }, step) {
  const exact = plies !== null && plies !== undefined;
  return { value: OTHER[value], plies: exact ? plies + step : null, method };
}

// True if a value is new, or has what the one that is known lacks.
function saysMore(now, before) {
  if (!before) return true;
  if (before.value !== now.value) {
    // Never seen; both cannot be true, so neither takes the other's place.
    console.error(`a fault of the program: ${JSON.stringify(before)} and ${JSON.stringify(now)} of one position`);
    return false;
  }
  const exact = (worth) => (worth.plies ?? null) !== null;
  return (exact(now) && !exact(before)) || (Boolean(now.certificate) && !before.certificate && exact(now) === exact(before));
}

function isWorth(key, worth) {
  const here = at(key);
  if (!saysMore(worth, here.worth)) return;
  here.worth = worth;
  for (const [before, action] of here.from) isWorthOf(before, action, across(worth, 1));
}

function isWorthOf(key, action, worth) {
  const here = at(key);
  if (!saysMore(worth, here.actions.get(action))) return;
  here.actions.set(action, worth);
  if (here.next.has(action)) isWorth(here.next.get(action), across(worth, -1));
  const all = here.legal?.every((one) => here.actions.has(one)) ? [...here.actions.values()] : [];
  if (worth.value === "win" && !here.worth) isWorth(key, { ...worth, plies: null });
  if (all.length === 0) return;
  const best = ["win", "draw", "loss"].find((value) => all.some((one) => one.value === value));
  const plies = all.filter((one) => one.value === best).map((one) => one.plies ?? null);
  const exact = best !== "draw" && all.every((one) => one.value === "draw" || (one.plies ?? null) !== null);
  isWorth(key, { value: best, plies: exact ? (best === "win" ? Math.min(...plies) : Math.max(...plies)) : null, method: worth.method });
}

// Notes which actions there are, and how the positions of a game follow from each other.
export function connect(setting, view) {
  let key = keyOf({ ...setting, rules: view.rules, position: view.base });
  for (const { action, position } of view.played) {
    const next = keyOf({ ...setting, rules: view.rules, position });
    if (!at(key).next.has(action)) {
      at(key).next.set(action, next);
      at(next).from.push([key, action]);
      const [above, below] = [at(key).actions.get(action), at(next).worth];
      if (above) isWorth(next, across(above, -1));
      if (below) isWorthOf(key, action, across(below, 1));
    }
    key = next;
  }
  at(key).legal ??= view.legal;
}

// Takes what an event of a heavy question says; `isFixed` if its effort is always the same.
export function learn(setting, event, data, isFixed) {
  const key = keyOf(setting);
  if (event === "root") isWorth(key, data);
  else if (event === "action") isWorthOf(key, data.action, data.worth);
  else if (event === "line") at(key).line = data.actions;
  else if (event === "exact") {
    const { turn, rules, position, first } = data;
    const start = startKey(setting, turn, rules, first);
    for (const one of [start, keyOf({ ...setting, turn, rules, position })]) isWorth(one, data);
  }
  else if (event === "move" || event === "guess") {
    if (data.proven) {
      isWorth(key, data.proven);
      isWorthOf(key, data.action, data.proven);
    } else if (!at(key).guess || data.guess.depth >= at(key).guess.guess.depth) at(key).guess = data;
    for (const action of data.losing) isWorthOf(key, action, { value: "loss", plies: null, method: null });
    if (isFixed) at(key).stubborn = data;
  }
}
