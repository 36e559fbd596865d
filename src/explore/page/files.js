// What the editors share: going back, and opening files.

import * as state from "./state.js";
import { ask, keep } from "./answers.js";
import { button, el, labelled, picker, trouble } from "./dom.js";

// The files that were changed, in the order of their changes.
const order = [];

// Takes back the last change of any file.
export function undoLast() {
  order.at(-1)?.undo();
}

export function canUndo() {
  return order.length > 0;
}

// The source that a template gives, which says nothing yet.
const NO_SOURCE = /^where .* comes? from$/;

// A field for where a board or pods come from.
export function sourceField(source, key, change) {
  const none = key === "board source" ? "where this board comes from" : "where these pods come from";
  return labelled("source", el("input", { value: NO_SOURCE.test(source) ? "" : source, placeholder: none, "data-key": key, onchange: (event) => change(event.target.value.trim() || none) }));
}

// What the program finds, as the page tells it: pods that were drawn here are nobody's template.
export function foundText(check) {
  return check.split("\n").filter((line) => !/made-up legs of `pods new pods`/.test(line)).join("\n");
}

// One change after the other, each of what the one before has made: a file of the address is never
// changed into something that comes of another one.
let waiting = Promise.resolve();

// The texts that a file had before, to go back to.
export class Past {
  constructor(name) {
    this.name = name;
    this.before = [];
    this.after = [];
  }

  // Changes the file as the program does, or says why not.
  change(what, fail = trouble) {
    waiting = waiting.then(async () => {
      const text = state.get()[this.name];
      try {
        const made = await ask("edit", { [this.name]: { text, change: what } });
        if (state.get()[this.name] !== text) return;
        trouble(null);
        keep("edit", { [this.name]: { text: made.text, change: null } }, made);
        this.put(made.text);
      } catch (error) {
        fail(error);
      }
    });
    return waiting;
  }

  // The file is now this text.
  put(text) {
    if (text === state.get()[this.name]) return;
    this.before.push(state.get()[this.name]);
    this.after = [];
    order.push(this);
    this.show(text);
  }

  show(text) {
    const hands = this.name === "pods" ? { white: "", black: "" } : {};
    state.set({ [this.name]: text, ...hands, position: "start", actions: "", at: "" });
  }

  undo() {
    if (this.before.length === 0) return;
    this.after.push(state.get()[this.name]);
    order.splice(order.lastIndexOf(this), 1);
    this.show(this.before.pop());
  }

  redo() {
    if (this.after.length === 0) return;
    this.before.push(state.get()[this.name]);
    order.push(this);
    this.show(this.after.pop());
  }
}

// The most bytes of a board or pod file.
export const MOST = 1 << 20;

// Opens a file that the reader chooses. What is wrong with it is told as `pods check` does; what
// was there stays.
export function opener(kind, take) {
  const read = async (file) => {
    if (file.size > MOST) trouble(new Error(`${file.name} is larger than 1 MiB: no board or pod file is`));
    else await use(file.name, await file.text(), kind, take);
  };
  return picker("Open…", ".toml,.txt,text/plain", read, { "data-key": `open ${kind}` });
}

// A file that the reader pastes as text.
export function paster(kind, take) {
  const field = el("textarea", { rows: 6, spellcheck: "false", "aria-label": `A ${kind} file as text`, "data-key": `pasted ${kind}` });
  const go = (event) => {
    event.preventDefault();
    const text = event.target.querySelector("textarea").value;
    use("pasted text", text.includes("\n") ? text : `${text}\n`, kind, take);
  };
  return el("details", {}, el("summary", {}, "Paste a file as text"), el("form", { class: "paste", onsubmit: go }, field, button("Use this text", null, { type: "submit" })));
}

async function use(name, text, kind, take) {
  try {
    const opened = await ask("material", { name, text });
    if (opened.kind !== kind) {
      throw new Error(`${name}: ${kind === "board" ? "these are pods, not a board" : "this is a board, not pods"}`);
    }
    trouble(null);
    take(opened.text);
  } catch (error) {
    trouble(error);
  }
}
