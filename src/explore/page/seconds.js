// Fields for a number of seconds. One that cannot be used is marked, and nothing else changes.

import * as state from "./state.js";
import { el, labelled, say } from "./dom.js";

const WANTED = "Enter 0.1 to 3600 seconds.";

// What was typed and cannot be used, by the key of the field.
const bad = new Map();

function read(text) {
  const seconds = Number(text);
  return text.trim() !== "" && seconds >= 0.1 && seconds <= 3600 ? seconds : null;
}

// The seconds of the state, which a link may have made unusable: those of searches, or those of
// the program's moves.
export function ofState(name = "seconds") {
  return read(state.get()[name]) ?? Number(state.DEFAULTS[name]);
}

// Takes what stands in a field. Returns the seconds, or nothing if the field is to be mended.
export function take(key, show) {
  const field = document.querySelector(`[data-key="${key}"]`);
  const seconds = field ? read(field.value) : ofState();
  if (seconds !== null) {
    bad.delete(key);
    state.set({ seconds: String(seconds) });
    return seconds;
  }
  bad.set(key, field.value);
  say(WANTED);
  show();
  field.focus();
  return null;
}

// A field with its label, its unit, and what is wrong with it.
export function secondsField(key, label, unit, show, name = "seconds") {
  const wrong = bad.has(key);
  const id = `wrong-${key.replace(/ /g, "-")}`;
  const change = (event) => {
    const seconds = read(event.target.value);
    if (seconds === null) bad.set(key, event.target.value);
    else bad.delete(key);
    if (seconds !== null) state.set({ [name]: String(seconds) });
    show();
  };
  const value = bad.get(key) ?? String(ofState(name));
  const field = el("input", { type: "number", min: "0.1", max: "3600", step: "any", value, size: 5, "data-key": key, "aria-invalid": wrong ? "true" : null, "aria-describedby": wrong ? id : null, onchange: change });
  return [labelled(label, field), unit, wrong ? el("span", { class: "wrong", id, role: "alert" }, WANTED) : null];
}
