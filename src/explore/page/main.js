// The page: its tabs, its title, and what is asked again when the state changes.

import * as api from "./api.js";
import * as state from "./state.js";
import { startBroken } from "./broken.js";
import { copy, say, trouble } from "./dom.js";
import { startClauses } from "./clause.js";
import { startPlay } from "./play.js";
import { actionText, sideName } from "./notation.js";
import { on, refresh, table, tell } from "./table.js";
import { todo } from "./todo.js";

const TABS = ["play", "edit", "fair", "help"];

function showTab() {
  const now = TABS.includes(state.get().tab) ? state.get().tab : "play";
  document.body.dataset.tab = now;
  for (const name of TABS) {
    const tab = document.getElementById(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === now));
    tab.tabIndex = name === now ? 0 : -1;
    document.getElementById(name).hidden = name !== now;
  }
}

// The title names the position, so that the browser's history can be read.
function title() {
  const { view } = table;
  const { tab } = state.get();
  if (!view) {
    document.title = tab === "edit" ? "My board – PODS" : "PODS";
    return;
  }
  const last = view.played.at(-1);
  const number = view.played.length;
  const about = {
    play: `${last ? `${number}. ${sideName(last.side)} ${actionText(last.action, last.side)} – ` : ""}${todo()} – ${view.board_name}`,
    edit: `My board: ${view.board_name}`,
    fair: `Is it fair? ${view.board_name}`,
    help: state.get().clause ? `${state.get().clause.replace(/^words$/, "Words")} – Help` : "Help",
  };
  document.title = `${about[tab] ?? about.play} – PODS`;
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
  document.getElementById("link").addEventListener("click", () => copy(location.href, "Copied. It opens in this browser only, while the program runs."));
  state.listen((changed) => {
    if (changed.has("tab")) {
      showTab();
      scrollTo(0, 0);
    }
    title();
  });
  on("view", title);
  showTab();
}

startTabs();
startFolds();
startClauses();
try {
  // Asked together: neither needs the other.
  startBroken();
  const [library] = await Promise.all([api.library(), state.get().tab === "edit" ? null : refresh()]);
  startPlay(library);
  title();
  // The other tabs come when the board is there, so that it is there sooner.
  const [edit, fair, help, tour] = await Promise.all([import("./edit.js"), import("./fair.js"), import("./help.js"), import("./tour.js")]);
  edit.startEdit(library);
  fair.startFair(library);
  help.startHelp(library);
  tour.startTour();
  document.body.dataset.ready = "yes";
  api.onBack(() => {
    trouble(null);
    say("The program is there again: this page goes on.", { shown: true });
    tell("back");
  });
} catch (error) {
  trouble(error);
}
