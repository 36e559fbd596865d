// One line that says what to do now.

import { podName, sideName } from "./notation.js";
import { isToMove } from "./program.js";
import { here, isArranging } from "./shown.js";

const place = document.getElementById("todo");

function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

// What is to be done, in a sentence without its end.
export function todo(shown) {
  const { chosen, hint, menu } = here();
  const side = sideName(shown.to_move);
  const named = (ids) => listed(ids.map((id) => podName(id, shown.to_move)));
  // Pods in the mover's hand that some point is free for.
  const may = Object.keys(shown.placements).filter((id) => Object.values(shown.placements[id]).includes(null));
  if (isArranging()) return chosen ? "Set up: now choose a point" : "Set up: choose any pod, then any point";
  if (shown.won) return shown.won;
  if (isToMove()) return `The program is thinking for ${side}…`;
  if (hint && !hint.at) return hint.text;
  if (menu) return "Several actions end there: choose one";
  if (chosen?.pod && chosen.side === shown.to_move) {
    const clauses = Object.values(shown.placements[chosen.pod] ?? {});
    const free = clauses.filter((clause) => clause === null).length;
    const name = podName(chosen.pod, chosen.side);
    if (free > 0) return `Place ${name} on a ringed point (${free} of ${clauses.length})`;
    if (shown.open && clauses.every((clause) => clause === "R9")) return `${name} may not open the game: ${side} begins with a pod of two legs, ${named(may)} (R9)`;
    return `${name} cannot go anywhere now: choose another pod`;
  }
  if (chosen?.at) {
    const targets = (shown.moves[chosen.at] ?? []).filter((target) => target.clause === null);
    if (targets.length > 0) return `Move to a ringed point (${targets.length} possible)`;
  }
  if (shown.open && may.length > 0 && may.length < 5) return `${side} opens: choose ${named(may)}`;
  if (may.length === 0) return `${side} to move: choose a pod on the board`;
  return `${side} to move: choose a pod${shown.legal.some((action) => !action.includes("@")) ? ", here or in hand" : ""}`;
}

export function drawTodo(shown) {
  const text = todo(shown);
  if (place.textContent !== text) place.textContent = text;
  place.className = `${shown.won ? "won" : ""} ${shown.to_move}`;
}
