// A caption of the rules texts, seen on the board for a while: the setup comes back afterwards.

import * as state from "./state.js";
import { linked } from "./clause.js";
import { button, el, fill } from "./dom.js";

const place = document.getElementById("seen");

// Shows a caption's position.
export function see({ says, source, found, orientation, rules, position }) {
  const now = state.get();
  const back = Object.fromEntries(state.REPLACED.map((name) => [name, now[name]]));
  const seen = JSON.stringify({ says, source, found, back });
  state.set({ seen, tab: "play", turn: String(orientation), rules, position, white: "", black: "", actions: "", at: "" }, { entry: true });
}

function read() {
  try {
    const { says, source, found } = JSON.parse(state.get().seen);
    return { says: String(says), source: String(source), found: String(found) };
  } catch {
    return null;
  }
}

function back() {
  state.set({ tab: "edit" }, { entry: true });
  document.getElementById("edit-check").scrollIntoView({ block: "start" });
}

// The points that the caption names.
export function seenPoints() {
  return state.get().seen ? (read()?.found.match(/\b[a-z]\d{1,2}\b/g) ?? []) : [];
}

export function drawSeen() {
  const caption = state.get().seen ? read() : null;
  place.hidden = !caption;
  if (!caption) return;
  fill(
    place,
    el("p", {}, `A caption of the rules texts (${caption.source}): ${caption.says}`),
    el("p", { class: "quiet" }, "Here: ", linked(caption.found), ". You are looking at it alone: your rules and your game are as they were."),
    button("Back to the comparison", back, { class: "main" }),
  );
}
