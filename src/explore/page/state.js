// The state of the page: all of it stands in the address behind `#`, so that a link is a position.
// Nothing else says what is shown; `README.md` has the rest of the picture.

export const DEFAULTS = {
  tab: "play",
  board: "cave36",
  pods: "pods14",
  turn: "0",
  rules: "standard",
  white: "",
  black: "",
  position: "start",
  actions: "",
  at: "",
  marks: "none",
  other: "",
  program: "",
  seconds: "30",
  strength: "strong",
  pace: "2",
  clause: "",
  seen: "",
};

// What the view of a caption stands in place of, and gives back.
export const REPLACED = ["turn", "rules", "position", "white", "black", "actions", "at"];

function before() {
  try {
    const { back } = JSON.parse(state.seen);
    return Object.fromEntries(REPLACED.filter((name) => typeof back[name] === "string").map((name) => [name, back[name]]));
  } catch {
    return {};
  }
}

let state = { ...DEFAULTS };
const listeners = [];

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const next = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS)) {
    if (given.has(name)) next[name] = given.get(name);
  }
  state = next;
}

function address() {
  const kept = Object.entries(state).filter(([name, value]) => value !== DEFAULTS[name]);
  return kept.length === 0 ? location.pathname : `#${new URLSearchParams(kept)}`;
}

export function get() {
  return state;
}

// All actions, and those up to the one that is shown.
export function actions() {
  const all = state.actions ? state.actions.split(",") : [];
  const at = state.at === "" ? all.length : Math.min(Number(state.at) || 0, all.length);
  return { all, now: all.slice(0, at), at };
}

// What the server is told of the state.
export function setting(changes = {}) {
  const { board, pods, turn, rules, white, black, position } = { ...state, ...changes };
  return {
    board,
    pods,
    turn: Number(turn),
    rules,
    white: white || null,
    black: black || null,
    position,
    actions: changes.actions ?? actions().now,
  };
}

// The position that the address names, as a key.
export function here() {
  return JSON.stringify(setting());
}

// What the browser's Back and Forward go through: games, their actions, tabs, and clauses that are
// read.
const STEPS = ["tab", "actions", "at", "position", "clause"];

// Changes the state and tells everybody what has changed.
export function set(changes, { entry = Object.keys(changes).some((name) => STEPS.includes(name)) } = {}) {
  // Who leaves the view of a caption has everything as it was.
  if (state.seen && changes.seen === undefined && (changes.tab ?? "play") !== "play") changes = { ...before(), seen: "", ...changes };
  const changed = Object.keys(changes).filter((name) => state[name] !== changes[name]);
  if (changed.length === 0) return;
  state = { ...state, ...changes };
  if (entry) history.pushState(null, "", address());
  else history.replaceState(null, "", address());
  for (const listener of listeners) listener(new Set(changed));
}

// What is changed by beginning another game: the actions go.
export function another(changes) {
  const kept = state.seen ? before() : {};
  return { ...kept, seen: "", ...changes, position: changes.position ?? "start", actions: "", at: "" };
}

export function restart(changes) {
  set(another(changes), { entry: true });
}

export function listen(listener) {
  listeners.push(listener);
}

function reread() {
  const before = state;
  read();
  const changed = Object.keys(DEFAULTS).filter((name) => before[name] !== state[name]);
  if (changed.length > 0) for (const listener of listeners) listener(new Set(changed));
}

read();
addEventListener("hashchange", reread);
addEventListener("popstate", reread);
