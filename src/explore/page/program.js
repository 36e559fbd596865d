// The program as opponent.

import * as state from "./state.js";
import { begin, isRunning, job, look, stop } from "./answers.js";
import { button, choice, el, fill, labelled } from "./dom.js";
import { ofState, secondsField } from "./seconds.js";
import { METHODS, actionText, words } from "./notation.js";
import { play, settingOf, view } from "./shown.js";

const place = document.getElementById("program");
let once = ""; // the position in which the program is to move though it has no side there

const keyOf = (setting) => `move ${JSON.stringify(setting)}`;

// What the program thinks of its own move, proven or guessed.
function judged({ action: played, proven, guess }, side) {
  const action = actionText(played, side);
  if (proven) return `${action}: it ${words(proven)}, proven${METHODS[proven.method] ? `: ${METHODS[proven.method]}` : ""}`;
  return `${action}: a guess, after looking ${guess.depth} ${guess.depth === 1 ? "ply" : "plies"} ahead`;
}

// True if the program is to move: at the end of the game only, so that going back leads back.
export function isToMove() {
  const [{ program }, { at, all }, shown] = [state.get(), state.actions(), view()];
  const its = at === all.length && (program === "both" || program === shown.to_move);
  return shown.status === "ongoing" && (its || once === state.here());
}

// Lets the program think, and plays what it has chosen.
function follow() {
  const [of, setting] = [state.here(), settingOf(view())];
  const key = keyOf(setting);
  const thinking = job(key);
  if (thinking?.seen.move && !isRunning(thinking)) {
    setTimeout(() => {
      if (state.here() === of && view() && isToMove()) play(thinking.seen.move.action, { entry: false });
    });
  } else if (!thinking || thinking.status === "stopped") begin(key, { move: { setting, seconds: ofState("pace") } });
  return thinking;
}

// What it said of the action that was played last, if it was its own.
function said(shown) {
  const last = shown.played.at(-1);
  const before = settingOf(shown, { position: shown.played.at(-2)?.position ?? shown.base });
  const move = look(keyOf(before))?.seen.move;
  return last && move?.action === last.action ? judged(move, last.side) : null;
}

export function drawProgram(shown, redraw) {
  const thinking = isToMove() ? follow() : null;
  const isThinking = isToMove() && thinking?.status !== "failed";
  const sides = [["", "nobody"], ["white", "White"], ["black", "Black"], ["both", "both sides"]];
  const rest = () => {
    once = "";
    stop(thinking);
    state.set({ program: "" });
    redraw();
  };
  const move = () => {
    once = state.here();
    if (thinking?.status === "failed") thinking.status = "stopped";
    redraw();
  };
  fill(
    place,
    el(
      "div",
      { class: "bar" },
      labelled("The program plays", choice(sides, state.get().program, (program) => state.set({ program }), { "data-key": "program" })),
      secondsField("program seconds", "thinks for", "seconds a move", redraw, "pace"),
      isThinking ? button("Stop thinking", rest) : button("Let it move", move, { disabled: shown.status !== "ongoing" }),
    ),
    isThinking ? el("p", { class: "quiet" }, "The program is thinking…") : null,
    thinking?.fault ? el("p", { class: "fault" }, thinking.fault) : said(shown) && el("p", { class: "said" }, said(shown)),
  );
}

export function startProgram() {
  document.getElementById("fold-program").open = state.get().program !== "";
}
