// The page: one drawing of everything that the address and what the program has answered give, made
// again whenever one of the two changes.

import * as state from "./state.js";
import { onBack } from "./api.js";
import { answer, ask, askAgain, isBusy, onAnswer, stopUnwanted } from "./answers.js";
import { drawBroken, isUnfinished } from "./broken.js";
import { atNextFrame, leaveRefusal, say, trouble } from "./dom.js";
import { startClauses } from "./clause.js";
import { drawPlay, startPlay } from "./play.js";
import { actionText, sideName } from "./notation.js";
import { onChange, settingOf, view } from "./shown.js";
import { startShare } from "./share.js";
import { onOthers } from "./tabs.js";
import { todo } from "./todo.js";

const TABS = ["play", "edit", "fair", "help"];
let library = null;
let others = null; // the scripts of the other tabs, once they are there

function drawTabs(now) {
  document.body.dataset.tab = now;
  for (const name of TABS) {
    const tab = document.getElementById(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === now));
    tab.tabIndex = name === now ? 0 : -1;
    document.getElementById(name).hidden = name !== now;
  }
}

// The title names the position, so that the browser's history can be read.
function title(tab, shown) {
  if (tab === "help") return `${state.get().clause ? `${state.get().clause.replace(/^words$/, "Words")} – Help` : "Help"} – PODS`;
  if (tab === "edit") return `My board: ${answer("edit", { board: { text: state.get().board, change: null } }).value?.name ?? ""} – PODS`;
  if (!shown) return "PODS";
  const last = shown.played.at(-1);
  const played = last ? `${shown.played.length}. ${sideName(last.side)} ${actionText(last.action, last.side)} – ` : "";
  return `${tab === "fair" ? "Is it fair? " : `${played}${todo(shown)} – `}${shown.board_name} – PODS`;
}

function certify() {
  others.fair.certifyHere();
}

// Draws everything. Whatever of the position has not come yet leaves the page as it was drawn last:
// all of it is about one position, and nothing on it can be used until the new one is there.
function draw() {
  const tab = TABS.includes(state.get().tab) ? state.get().tab : "play";
  drawTabs(tab);
  const isGame = tab === "play" || tab === "fair";
  if (isGame) drawBroken();
  const shown = isGame && !isUnfinished() ? view() : null;
  document.body.toggleAttribute("data-waiting", tab === "play" && !shown);
  if (tab === "play" && shown) drawPlay(shown, library, certify);
  if (tab === "edit") others?.edit.drawEdit(library, redraw);
  if (tab === "fair") others?.fair.drawFair(shown, library, redraw);
  if (tab === "help") others?.help.drawHelp(library);
  if (shown || !isGame) document.title = title(tab, shown);
  if (others && (shown || !isGame || isUnfinished())) document.body.dataset.ready = "yes";
  others?.tour.markAgain();
  stopUnwanted();
}

let isDrawing = false;

// To be called when the reader has done something.
function redraw() {
  if (isDrawing || !library) return;
  isDrawing = true;
  try {
    draw();
  } finally {
    isDrawing = false;
  }
}

// A part that is unfolded is brought into view.
function startFolds() {
  addEventListener("toggle", ({ target }) => {
    if (document.body.dataset.ready && target.open && target.matches?.("details.fold") && target.querySelector(":scope > summary") === document.activeElement) target.scrollIntoView({ block: "nearest" });
  }, { capture: true });
}

function startTabs() {
  for (const [i, name] of TABS.entries()) {
    const tab = document.getElementById(`tab-${name}`);
    tab.addEventListener("click", () => state.set({ tab: name }));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = TABS[(i + step + TABS.length) % TABS.length];
      state.set({ tab: next });
      document.getElementById(`tab-${next}`).focus();
    });
  }
}

// What makes another position of it: what was wrong before is not said of it.
const OF_POSITION = ["board", "pods", "turn", "rules", "white", "black", "position", "actions", "at"];

state.listen((changed) => {
  if (OF_POSITION.some((name) => changed.has(name))) trouble(null);
  if (changed.has("tab")) leaveRefusal();
  redraw();
  if (changed.has("tab")) scrollTo(0, 0);
});
onChange(redraw);
const soon = atNextFrame(redraw);
onAnswer(soon);
onOthers(soon);
setInterval(() => {
  if (isBusy()) soon();
}, 1000);
startTabs();
startFolds();
startClauses();
startShare();
startPlay(redraw);
drawTabs(TABS.includes(state.get().tab) ? state.get().tab : "play");
// Asked together: neither needs the other.
if (!["edit", "help"].includes(state.get().tab)) view();
try {
  library = await ask("library", {});
  redraw();
  // The other tabs come when the board is there, so that it is there sooner.
  const [edit, fair, help, tour] = await Promise.all([import("./edit.js"), import("./fair.js"), import("./help.js"), import("./tour.js")]);
  others = { edit, fair, help, tour };
  edit.startEdit(library, redraw);
  help.startHelp(redraw);
  tour.startTour();
  redraw();
  onBack(() => {
    trouble(null);
    say("The program is there again: this page goes on.", { shown: true });
    askAgain();
  });
} catch (error) {
  trouble(error);
}
