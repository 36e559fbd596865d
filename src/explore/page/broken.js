// What is shown where the address gives no game: board or pods that are not finished yet, a link
// that is wrong.

import * as api from "./api.js";
import * as state from "./state.js";
import { button, el, fill, trouble } from "./dom.js";
import { on, refresh, table, tell } from "./table.js";

const place = document.getElementById("unfinished");

// The parts of the state that can each be wrong by themselves, and what stands in their place then.
const { board, pods, turn, rules } = state.DEFAULTS;
const PARTS = [{ position: "start", actions: "", at: "" }, { white: "", black: "" }, { rules }, { turn }, { pods }, { board }];

// What was played last and could be.
let playable = {};

async function is(changes) {
  try {
    await api.ask("view", { setting: state.setting(changes), marks: "none", pods: false });
    return true;
  } catch {
    return false;
  }
}

// Returns what makes the state one that can be played: the one part that is wrong, else several.
async function mended() {
  const only = { actions: [], position: "start" };
  for (const part of PARTS) if (await is({ ...only, ...part, actions: [] })) return part;
  let all = {};
  for (const part of PARTS) {
    all = { ...all, ...part };
    if (await is({ ...all, actions: [] })) return all;
  }
  return { ...state.DEFAULTS, tab: state.get().tab };
}

// How many of the actions can be played, one after the other.
async function played() {
  const { now } = state.actions();
  let [can, cannot] = [0, now.length];
  while (cannot - can > 1) {
    const middle = Math.floor((can + cannot) / 2);
    if (await is({ actions: now.slice(0, middle) })) can = middle;
    else cannot = middle;
  }
  return now.slice(0, can);
}

// What the pods lack, in a sentence.
async function lacking() {
  try {
    const { pods: all } = await api.ask("edit", { pods: { text: state.get().pods, change: null } });
    const bare = all.filter((pod) => !pod.svg).length;
    if (bare > 0) return `Your pods are not finished: ${bare} of ${all.length} ${bare === 1 ? "has" : "have"} no legs.`;
  } catch {
    // They cannot even be read: the message says why.
  }
  return null;
}

const isOwn = (text) => text.includes("\n");
const anew = (changes) =>
  button("Start anew", () => {
    trouble(null);
    state.restart(changes ?? {});
  });

let tried = ""; // the state that was mended last

async function refused() {
  const { fault } = table;
  if (fault.gone || (tried === JSON.stringify(state.get()) && !table.view)) {
    trouble(fault);
    return;
  }
  const asked = JSON.stringify(state.get());
  const { now } = state.actions();
  const games = now.length > 0 && (await is({ actions: [] }));
  const changes = games ? null : await mended();
  const text = !games && ("pods" in changes || "board" in changes) && (isOwn(state.get().pods) || isOwn(state.get().board)) ? ((await lacking()) ?? "Your board and pods cannot be played yet.") : null;
  if (asked !== JSON.stringify(state.get())) return;
  if (text) {
    table.unfinished = { text, why: /^Your pods/.test(text) ? null : fault.message };
    show();
    tell("unfinished");
    return;
  }
  // The board that is there stays; on a page that has none, the game is shown as far as it goes.
  if (!table.view) {
    tried = asked;
    if (games) state.set({ actions: (await played()).join(","), at: "" }, { entry: false });
    else state.set({ ...changes, position: "position" in changes || "pods" in changes || "board" in changes ? "start" : state.get().position, actions: "", at: "" }, { entry: false });
    await refresh();
  }
  const left = tried === asked ? ` ${games ? "The game is shown up to there." : "What is wrong in the address was left out."}` : "";
  trouble(`${fault.message}${left && !/[.!?]$/.test(fault.message) ? "." : ""}${left}`, anew(changes));
}

// What is said in place of the game, under Play and under Is it fair?.
export function unfinished() {
  const { text, why } = table.unfinished;
  const back = () => state.set({ ...playable, tab: "play" }, { entry: true });
  const name = isOwn(playable.board ?? board) ? "the last board that could be played" : `the board ${playable.board ?? board}`;
  return [
    el("h2", {}, text),
    why ? el("p", { class: "quiet" }, why) : null,
    el("div", { class: "bar" }, button("Go on under My board", () => state.set({ tab: "edit" }), { class: "main" }), button(`Play on ${name} instead`, back, { title: "The browser’s Back brings your pods back" })),
  ];
}

function show() {
  document.body.toggleAttribute("data-unfinished", Boolean(table.unfinished));
  place.hidden = !table.unfinished;
  fill(place, table.unfinished ? unfinished() : []);
}

export function startBroken() {
  playable = { board, pods, turn, rules, white: "", black: "", position: "start", actions: "", at: "" };
  const shown = () => {
    table.unfinished = null;
    playable = Object.fromEntries(Object.keys(playable).map((name) => [name, state.get()[name]]));
    show();
  };
  on("view", shown);
  on("refused", refused);
  if (table.view) shown();
}
