// A search field for what a part of the page says. Entries are marked by `data-find`, which names
// their kind; parts of the page, by `data-part`, which go with all that is in them; what is not
// searched and only in the way, by `data-unsought`.

import { el } from "./dom.js";

// Opens a fold in which something is found, and closes it again.
function unfold(fold, has) {
  if (has && !fold.open) [fold.open, fold.dataset.unfolded] = [true, ""];
  else if (!has && "unfolded" in fold.dataset) {
    fold.open = false;
    delete fold.dataset.unfolded;
  }
}

export class Finder {
  // `kinds` gives each kind of entry in the plural.
  constructor(place, kinds) {
    this.place = place;
    this.kinds = kinds;
    this.query = "";
  }

  parts() {
    const field = el("input", { type: "search", id: "find", value: this.query, placeholder: "Search: liberty, bipod, R9 …", autocomplete: "off", spellcheck: "false", "aria-label": "Search help", "aria-keyshortcuts": "/", oninput: (event) => this.ask(event.target.value) });
    return el("div", { class: "finder", role: "search", "data-key": "finder" }, field, el("span", { class: "quiet", role: "status", "data-key": "found" }, this.said ?? ""));
  }

  ask(query) {
    this.query = query;
    this.find();
  }

  focus() {
    this.place.querySelector("#find").select();
  }

  clear() {
    const field = this.place.querySelector("#find");
    if (field) field.value = "";
    this.ask("");
  }

  // Shows what has all the words that are asked for.
  find() {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    // R1 is not meant by who asks for R12, nor the other way round.
    const whole = new Map(words.filter((word) => /^r\d+$/.test(word)).map((word) => [word, new RegExp(`\\b${word}\\b`)]));
    const counts = new Map();
    for (const entry of this.place.querySelectorAll("[data-find]")) {
      const text = entry.textContent.toLowerCase();
      const has = words.every((word) => whole.get(word)?.test(text) ?? text.includes(word));
      entry.hidden = !has;
      if (has) counts.set(entry.dataset.find, (counts.get(entry.dataset.find) ?? 0) + 1);
      // A fold is open while a word is found in it alone.
      for (const fold of entry.querySelectorAll("details")) unfold(fold, words.some((word) => word.length > 1 && fold.textContent.toLowerCase().includes(word)));
    }
    for (const fold of this.place.querySelectorAll("details:has([data-find])")) {
      const has = words.length > 0 && fold.querySelector("[data-find]:not([hidden])");
      unfold(fold, has);
      fold.hidden = words.length > 0 && !has;
    }
    for (const part of this.place.querySelectorAll("[data-part]")) part.hidden = words.length > 0 && !part.querySelector("[data-find]:not([hidden])");
    for (const part of this.place.querySelectorAll("[data-unsought]")) part.hidden = words.length > 0;
    this.mark(words);
    const told = Object.entries(this.kinds).filter(([kind]) => counts.has(kind)).map(([kind, many]) => `${counts.get(kind)} ${counts.get(kind) === 1 ? kind : many}`);
    this.said = words.length === 0 ? "" : told.length === 0 ? "Nothing has these words." : told.join(", ");
    const place = this.place.querySelector('[data-key="found"]');
    if (place && place.textContent !== this.said) place.textContent = this.said;
  }

  // Marks the words where they stand, in browsers that can.
  mark(words) {
    if (!CSS.highlights) return;
    const ranges = [];
    const walker = document.createTreeWalker(this.place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && words.length > 0; node = walker.nextNode()) {
      if (!node.parentElement.closest("[data-find]:not([hidden])") || node.parentElement.closest("svg")) continue;
      const text = node.data.toLowerCase();
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
      }
    }
    if (ranges.length > 0) CSS.highlights.set("found", new Highlight(...ranges));
    else CSS.highlights.delete("found");
  }
}
