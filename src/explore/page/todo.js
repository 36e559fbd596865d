// One line that says what to do now.

import { podName, sideName } from "./notation.js";
import { on, table } from "./table.js";

const place = document.getElementById("todo");

function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

// Pods in the mover's hand that some point is free for.
function usable(view) {
  const may = Object.entries(view.placements).filter(([, points]) => Object.values(points).includes(null));
  return may.map(([id]) => id);
}

// What is to be done, in a sentence without its end.
export function todo() {
  const { view, chosen } = table;
  if (!view) return "";
  const side = sideName(view.to_move);
  if (table.arranging) return chosen ? "Set up: now choose a point" : "Set up: choose any pod, then any point";
  if (view.won) return view.won;
  if (table.hint && !table.hint.at) return table.hint.text;
  if (table.menu) return "Several actions end there: choose one";
  if (chosen?.pod && chosen.side === view.to_move) {
    const clauses = Object.values(view.placements[chosen.pod] ?? {});
    const free = clauses.filter((clause) => clause === null).length;
    const name = podName(chosen.pod, chosen.side);
    if (free === 0) return `${name} cannot go anywhere now: choose another pod`;
    return `Place ${name} on a ringed point (${free} of ${clauses.length})`;
  }
  if (chosen?.at) {
    const targets = (view.moves[chosen.at] ?? []).filter((target) => target.clause === null);
    if (targets.length > 0) return `Move to a ringed point (${targets.length} possible)`;
  }
  const may = usable(view);
  if (view.open && may.length > 0 && may.length < 5) return `${side} opens: choose ${listed(may.map((id) => podName(id, view.to_move)))}`;
  const moves = view.legal.some((action) => !action.includes("@"));
  if (may.length === 0) return `${side} to move: choose a pod on the board`;
  return `${side} to move: choose a pod${moves ? ", here or in hand" : ""}`;
}

function show() {
  const text = todo();
  if (place.textContent !== text) place.textContent = text;
  place.className = `${table.view?.won ? "won" : ""} ${table.view?.to_move ?? ""}`;
}

export function startTodo() {
  for (const event of ["view", "chosen", "menu"]) on(event, show);
}
