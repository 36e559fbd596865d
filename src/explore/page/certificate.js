// Certificates: a file that proves a value to anyone, made for a start of the report or for the
// position under Play.

import * as api from "./api.js";
import * as state from "./state.js";
import { button, el, fileName, save, say } from "./dom.js";

let running = null;
let doing = "";
let fault = null;
let about = ""; // which position, in words
let name = ""; // of the file
let made = null; // { claim, position, lines, bytes, sha256, text, hex }: text is null where the file is none
let exact = true;
let changed = () => {};

function hangUp() {
  running?.abort();
  running = null;
  doing = "";
}

// What was made is about another setup now.
export function forgetCertificate() {
  hangUp();
  [made, fault, about] = [null, null, ""];
}

async function make(setting, starts, words, file) {
  hangUp();
  [made, fault, about, name, doing] = [null, null, words, file, "asking"];
  const abort = new AbortController();
  running = abort;
  changed();
  const on = (event, data) => {
    if (running !== abort) return;
    if (event === "waiting" && data.before > 0) doing = "waiting: something else is being computed";
    else if (event === "begun") doing = "solving";
    else if (event === "certificate") made = data;
    else if (event === "error") fault = data.error;
    else if (event === "progress") doing = `${data.phase} ${data.done.toLocaleString("en")}`;
    changed();
  };
  try {
    await api.job({ certificate: { setting, starts, exact, seconds: Number(state.get().seconds) } }, on, abort.signal);
  } catch (error) {
    fault = error.message;
  }
  if (running !== abort) return;
  hangUp();
  say(fault ?? `there is a certificate: ${made.claim}`);
  changed();
}

// A button for one start of the report.
export function startCertificate(degrees, side, boardAndPods) {
  const starts = side === "white" ? "White" : "Black";
  const words = `board turned by ${degrees}°, ${starts} starts`;
  const setting = { ...state.setting({ turn: degrees }), position: "start", actions: [] };
  const file = fileName(`${boardAndPods}-${degrees}-${setting.rules}-${side}-first`, ".jsonl");
  return button("Certificate", () => make(setting, side, words, file), { "aria-label": `Certificate: ${words}`, "data-key": `certificate ${degrees} ${side}`, class: "small" });
}

function size(bytes) {
  return bytes < 10_000 ? `${bytes} bytes` : bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}

// Saves the file that was made.
function saveMade() {
  if (made.text !== null) save(name, made.text, "application/jsonl");
  else save(name.replace(/jsonl$/, "proof"), Uint8Array.from(made.hex.match(/../g), (byte) => parseInt(byte, 16)), "application/octet-stream");
}

// What stands below the report.
export function certificatePart(view, boardAndPods) {
  if (!view) return [];
  const file = fileName(`${boardAndPods}-${view.rules}-position`, ".jsonl");
  const parts = [
    el("h3", {}, "Certificates"),
    el("p", {}, "A file that proves a value to anyone who has the rules; ", el("code", {}, "pods check-proof FILE"), " checks it without a solver."),
    el(
      "div",
      { class: "bar" },
      el("label", {}, el("input", { type: "checkbox", checked: exact, "data-key": "exact", onchange: (event) => { exact = event.target.checked; } }), " prove the number of plies too"),
      button("Certificate of the position under Play", () => make(state.setting(), null, `position ${view.position}`, file)),
      running ? button("Stop the certificate", () => { hangUp(); changed(); }) : null,
      made ? button("Save certificate", saveMade) : null,
    ),
  ];
  if (doing) parts.push(el("p", { class: "quiet", role: "status" }, `${about}: ${doing}`));
  if (fault) parts.push(el("p", { class: "fault" }, `${about}: ${fault}`));
  if (made) {
    parts.push(
      el("p", { class: "proven" }, `${about}: ${made.claim} – proven in ${made.lines.toLocaleString("en")} lines, ${size(made.bytes)}, checked with the reference engine`),
      el("p", { class: "quiet sum" }, `sha256 ${made.sha256}`),
    );
  }
  return parts;
}

export function startCertificates(listener) {
  changed = listener;
  addEventListener("pagehide", hangUp);
}
