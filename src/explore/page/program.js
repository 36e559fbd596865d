// The program as opponent.

import * as api from "./api.js";
import * as state from "./state.js";
import { button, choice, el, fill, labelled, say } from "./dom.js";
import { ofState, secondsField } from "./seconds.js";
import { actionText } from "./notation.js";
import { act, on, table } from "./table.js";
import { METHODS, stop as stopValues, words } from "./values.js";

const place = document.getElementById("program");
let thinking = null;
let said = "";

function cancel() {
  thinking?.abort();
  thinking = null;
}

// What the program thinks of its own move, proven or guessed.
function judged({ action: played, proven, guess }) {
  const action = actionText(played, table.view.to_move);
  if (proven) return `${action}: it ${words(proven)}, proven: ${METHODS[proven.method] ?? proven.method}`;
  return `${action}: a guess, after looking ${guess.depth} plies ahead`;
}

// Lets the program move for whoever is to move.
async function move() {
  cancel();
  stopValues();
  const abort = new AbortController();
  thinking = abort;
  said = "";
  show();
  let found = null;
  let fault = null;
  try {
    const on = (event, data) => {
      if (event === "move") found = data;
      if (event === "error") fault = data.error;
    };
    await api.job({ move: { setting: state.setting(), seconds: ofState("pace") } }, on, abort.signal);
  } catch (error) {
    fault = error.message;
  }
  if (thinking !== abort) return;
  thinking = null;
  if (found) {
    said = judged(found);
    await act(found.action, { byProgram: true });
  } else if (fault) {
    said = fault;
    say(fault);
  }
  show();
}

function its() {
  const { program } = state.get();
  return table.view?.status === "ongoing" && (program === "both" || program === table.view.to_move);
}

function turn() {
  if (its()) move();
}

function show() {
  const { view } = table;
  if (!view) return;
  const sides = [["", "nobody"], ["white", "White"], ["black", "Black"], ["both", "both sides"]];
  const pick = (program) => {
    state.set({ program });
    turn();
  };
  const ready = view.status === "ongoing";
  fill(
    place,
    el(
      "div",
      { class: "bar" },
      labelled("The program plays", choice(sides, state.get().program, pick, { "data-key": "program" })),
      secondsField("program seconds", "thinks for", "seconds a move", show, "pace"),
      thinking ? button("Stop thinking", () => { cancel(); state.set({ program: "" }); show(); }) : button("Let it move", move, { disabled: !ready }),
    ),
    thinking ? el("p", { class: "quiet" }, "The program is thinking…") : null,
    said ? el("p", { class: "said" }, said) : null,
  );
}

// Whether the program is to move, and so thinks.
export function isThinking() {
  return thinking !== null || its();
}

export function startProgram() {
  document.getElementById("fold-program").open = state.get().program !== "";
  on("moved", cancel);
  on("view", show);
  on("played", turn);
  // After its own move only where it plays both sides.
  on("answered", () => {
    if (state.get().program === "both") setTimeout(turn, 0);
  });
  addEventListener("pagehide", cancel);
}
