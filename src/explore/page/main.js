// The page: its tabs, and what is asked again when the state changes.

import * as api from "./api.js";
import * as state from "./state.js";
import { copy, trouble } from "./dom.js";
import { startBalance } from "./balance.js";
import { startEdit } from "./edit.js";
import { startPlay } from "./play.js";
import { refresh } from "./table.js";

const TABS = ["play", "edit", "balance"];

function showTab() {
  const now = TABS.includes(state.get().tab) ? state.get().tab : "play";
  for (const name of TABS) {
    const tab = document.getElementById(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === now));
    tab.tabIndex = name === now ? 0 : -1;
    document.getElementById(name).hidden = name !== now;
  }
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
  document.getElementById("link").addEventListener("click", () => copy(location.href));
  state.listen((changed) => {
    if (changed.has("tab")) showTab();
  });
  showTab();
}

startTabs();
try {
  // Asked together: neither needs the other.
  const [library] = await Promise.all([api.library(), refresh()]);
  startPlay(library);
  startEdit(library);
  startBalance(library);
  document.body.dataset.ready = "yes";
} catch (error) {
  trouble(error);
}
