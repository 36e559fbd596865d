// Sharing: files that others can open come first, the link for this computer last. A file that this
// page has saved is read back by dropping it here, or by opening it.

import * as state from "./state.js";
import { ask } from "./answers.js";
import { button, copy, el, fileName, fill, picker, save, stamped, trouble } from "./dom.js";
import { MOST } from "./files.js";
import { words } from "./notation.js";
import { view } from "./shown.js";

const place = document.getElementById("share");

// Makes the files of what is shown, and does something with them.
function made(use) {
  return async () => {
    try {
      use(await ask("share", { setting: state.setting() }), fileName(`pods-${view()?.board_name ?? ""}`, ""));
      place.hidePopover();
    } catch (error) {
      trouble(error);
    }
  };
}

function open() {
  fill(
    place,
    button("×", () => place.hidePopover(), { class: "close", "aria-label": "Close" }),
    el("h2", {}, "For anybody, without the program"),
    el(
      "div",
      { class: "bar" },
      button("This game as a page", made(({ page }, name) => save(`${name}.html`, stamped(page), "text/html")), { class: "main" }),
      button("The board as a picture", made(({ picture }, name) => save(`${name}.svg`, stamped(picture), "image/svg+xml"))),
      button("Copy board and pods as text", made(({ files }) => copy(files.join("\n"), "Copied: the files of board and pods."))),
    ),
    el("p", { class: "quiet" }, "Page and picture are each one file; board and pods are copied as text, to be pasted. Reports of games are saved under Is it fair?. A page or a picture that is dropped here shows its game again."),
    el("h2", {}, "Here"),
    el(
      "div",
      { class: "bar" },
      picker("Open a saved file…", ".html,.svg,.toml,.txt", read),
      button("Link for this computer", () => copy(location.href, "Copied. It opens in this browser only, while the program runs.")),
    ),
  );
  place.showPopover();
  place.querySelector(".main").focus();
}

// The address that a saved page or picture is about.
function addressIn(text) {
  const [, found] = /"pods-address" content="#?([^"]*)"/.exec(text) ?? [];
  return found?.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

// What a file of ours is that shows no game, in a sentence.
function told(name, text) {
  const [first] = text.split("\n", 1);
  if (/^board,orientation,pods,/.test(first)) return `${name} is a table of results, for a spreadsheet. The page that was saved beside it shows its setup when it is dropped here; pods report makes both again.`;
  if (!first.startsWith('{"format":"pods-certificate"')) return `${name} has no game that could be shown: drop a page or a picture that was saved here, or a file of a board or of pods`;
  const { position, value, plies, board, pods, rules } = JSON.parse(first);
  return `${name} is a certificate: on ${board.name} turned by ${board.orientation}°, with ${pods.name} and the rules ${rules.name}, who moves in ${position} ${words({ value, plies })}. pods check-proof ${name} checks it.`;
}

// Shows what a file is about.
async function read(file) {
  if (place.matches(":popover-open")) place.hidePopover();
  try {
    if (file.size > 16 * MOST) throw new Error(`${file.name} is larger than any file of this page`);
    const text = await file.text();
    const address = addressIn(text);
    if (address !== undefined) {
      const given = Object.fromEntries([...new URLSearchParams(address)].filter(([name]) => name in state.DEFAULTS));
      state.set({ ...state.DEFAULTS, ...given }, { entry: true });
      return;
    }
    if (/^\s*(<|\{|P|board,)/.test(text) || text.length > MOST) throw new Error(told(file.name, text));
    const { kind, text: material } = await ask("material", { name: file.name, text });
    state.restart({ [kind]: material, ...(kind === "pods" ? { white: "", black: "" } : {}), tab: state.get().tab });
  } catch (error) {
    trouble(error);
  }
}

export function startShare() {
  document.getElementById("share-open").addEventListener("click", open);
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    read(file);
  });
}
