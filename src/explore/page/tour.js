// A tour of the page in six steps, which can be left at any of them.

import * as state from "./state.js";
import { button, el, fill } from "./dom.js";
import { choose, here, view } from "./shown.js";

const place = document.getElementById("tour");

const STEPS = [
  ["play", "#todo", "What to do now", "This line always says it. White opens with a pod of two legs."],
  ["play", ".hand.mover", "Choose a pod", "Click one in the hand that is to move, or drag it. Faint pods cannot go anywhere now."],
  ["play", "#board", "Then a point", "Rings show where the pod may go. Elsewhere stands the rule that forbids it; click to read why. The key names every mark."],
  ["play", "#values", "Who wins?", "What is proven of the position stands here. A longer search takes one click; nothing is guessed in silence."],
  ["edit", "#edit-steps", "Your own board", "Draw lines from point to point, give the pods their legs, and check them against the texts."],
  ["fair", "#verdict", "Is it fair?", "The program plays itself while you look, and searches for the exact answer, for each way the board can lie."],
];

let step = -1;
let from = "play"; // the tab on which it was begun, and to which it leads back

function mark(selector) {
  for (const one of document.querySelectorAll(".toured")) one.classList.remove("toured");
  const shown = selector && document.querySelector(selector);
  shown?.classList.add("toured");
  shown?.scrollIntoView({ block: "nearest" });
}

// What is toured may be drawn late, or anew.
export function markAgain() {
  const shown = step >= 0 && document.querySelector(STEPS[step][1]);
  if (shown && !shown.classList.contains("toured")) mark(STEPS[step][1]);
}

function end() {
  go(-1);
  state.set({ tab: from });
}

function go(to) {
  step = to;
  if (step < 0 || step >= STEPS.length) {
    step = -1;
    mark(null);
    place.hidden = true;
    return;
  }
  const [tab, selector, title, text] = STEPS[step];
  if (state.get().tab !== tab) state.set({ tab });
  // Rings are shown for a pod that is chosen.
  if (selector === "#board" && !here().chosen) {
    const pod = Object.entries(view()?.placements ?? {}).find(([, points]) => Object.values(points).includes(null))?.[0];
    if (pod) choose({ pod, side: view().to_move });
  }
  const last = step === STEPS.length - 1;
  place.hidden = false;
  fill(
    place,
    el("h2", {}, `${title} (${step + 1} of ${STEPS.length})`),
    el("p", {}, text),
    el(
      "div",
      { class: "bar" },
      button(last ? "Done" : "Next", () => (last ? end() : go(step + 1)), { class: "main", "data-key": "next" }),
      button("Back", () => go(step - 1), { disabled: step === 0, "data-key": "back" }),
      button("Leave the tour", end, { "data-key": "leave" }),
    ),
  );
  mark(null);
  markAgain();
  place.querySelector("button").focus();
}

export function startAgain() {
  from = state.get().tab;
  go(0);
}

// A line for who is here for the first time; it can be sent away.
const SEEN = "pods-seen";

function welcome() {
  const line = document.getElementById("welcome");
  const seen = () => {
    line.hidden = true;
    try {
      localStorage.setItem(SEEN, "yes");
    } catch {
      // A browser that keeps nothing shows the line again.
    }
  };
  try {
    line.hidden = localStorage.getItem(SEEN) !== null;
  } catch {
    line.hidden = false;
  }
  fill(line, "New to PODS?", button("How it is played", () => state.set({ tab: "help" }), { class: "link" }), button("Tour", startAgain, { class: "link" }), button("×", seen, { class: "small", "aria-label": "Do not show this line again" }));
}

export function startTour() {
  welcome();
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && step >= 0) end();
  });
}
