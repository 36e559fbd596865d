// Certificates: a file that proves a value to anyone, made for a start of the report or for the
// position under Play.

import * as api from "./api.js";
import * as state from "./state.js";
import { button, el, fileName, save, say } from "./dom.js";
import { ofState } from "./seconds.js";
import { many, phaseWords, whereKept } from "./values.js";

let running = null;
let doing = "";
let fault = null;
let about = ""; // which position, in words
let name = ""; // of the file
let made = null; // { claim, position, lines, bytes, sha256, text, hex }: text is null where the file is none
let exact = false;
let kept = null; // what the library says of a certificate that it has
let pressed = null; // the button whose certificate this is about: degrees and side
let changed = () => {};

function hangUp() {
  running?.abort();
  running = null;
  doing = "";
}

// What was made is about another setup now.
export function forgetCertificate() {
  hangUp();
  [made, fault, about, kept, pressed] = [null, null, "", null, null];
}

// Asks whether the list of proven positions has one: a short look, which the list answers at once.
const LOOK = 0.1;

async function listed(setting, signal) {
  let found = null;
  await api.job({ values: { setting, seconds: LOOK } }, (event, data) => {
    if (event === "waiting" && data.before > 0) doing = "waiting: something else is being computed";
    if (event === "root") found = data.certificate ?? found;
    changed();
  }, signal);
  return found;
}

async function make(setting, starts, words, file, of = null) {
  hangUp();
  [made, fault, kept, about, name, pressed, doing] = [null, null, null, words, file, of, "asking"];
  const abort = new AbortController();
  running = abort;
  changed();
  const on = (event, data) => {
    if (running !== abort) return;
    if (event === "waiting" && data.before > 0) doing = "waiting: something else is being computed";
    else if (event === "begun") doing = "solving";
    else if (event === "certificate") made = data;
    else if (event === "error") fault = data.error;
    else if (event === "progress") doing = `${phaseWords(data.phase)}, ${many(data.done)} so far`;
    changed();
  };
  try {
    if (!exact && !starts) kept = await listed(setting, abort.signal);
    if (running !== abort) return;
    if (kept) {
      hangUp();
      say(keptText());
      changed();
      return;
    }
    await api.job({ certificate: { setting, starts, exact, seconds: ofState() } }, on, abort.signal);
  } catch (error) {
    fault = error.message;
  }
  if (running !== abort) return;
  hangUp();
  say(fault ?? `${about}: there is a certificate: ${made.claim}`);
  changed();
}

function tell(certificate, words, of) {
  hangUp();
  [made, fault, kept, about, pressed] = [null, null, certificate, words, of];
  say(keptText());
  changed();
}

// What is said of a certificate that exists already.
function keptText() {
  return `${about}. ${whereKept(kept)}`;
}

// What is said beside the button that was pressed, and at the end of the page.
function result() {
  const parts = [];
  if (doing) parts.push(el("p", { class: "quiet", role: "status" }, `${about}: ${doing}`));
  if (fault) parts.push(el("p", { class: "fault" }, `${about}: ${fault}`));
  if (kept) parts.push(el("p", { class: "proven" }, keptText()), forProgrammers(kept));
  if (made) {
    parts.push(
      el("p", { class: "proven" }, `${about}: ${made.claim} – proven in ${made.lines.toLocaleString("en")} lines, ${size(made.bytes)}, checked with a second engine, written apart from the one that searched`),
      forProgrammers(`sha256 ${made.sha256}`),
    );
  }
  return parts;
}

// What nobody needs to read who does not check files by programs of their own.
function forProgrammers(text) {
  return el("details", {}, el("summary", { class: "quiet" }, "For programmers"), el("p", { class: "quiet sum" }, text));
}

// Makes that of the position under Play.
export function certify(view, boardAndPods) {
  make(state.setting(), null, "the position under Play", fileName(`${boardAndPods}-${view.rules}-position`, ".jsonl"));
}

// What has come of the certificate of a start, for its card; nothing if it was not asked for.
export function startResult(degrees, side) {
  if (pressed !== `${degrees} ${side}`) return null;
  const stop = running ? button("Stop the certificate", () => { hangUp(); changed(); }, { class: "small", "data-key": "stop card" }) : null;
  return el("div", { class: "of-certificate" }, result(), stop, made ? button("Save certificate", saveMade, { class: "small" }) : null);
}

// A button for one start of the report.
// `listed` is what the list of proven positions says of its certificate, if it has one: nothing is
// searched for then.
export function startCertificate(degrees, side, boardAndPods, listed = null) {
  const starts = side === "white" ? "White" : "Black";
  const words = `board turned by ${degrees}°, ${starts} starts`;
  const setting = { ...state.setting({ turn: degrees }), position: "start", actions: [] };
  const file = fileName(`${boardAndPods}-${degrees}-${setting.rules}-${side}-first`, ".jsonl");
  return button(listed && !exact ? "Where the proof is" : "Certificate", () => (listed && !exact ? tell(listed, words, `${degrees} ${side}`) : make(setting, side, words, file, `${degrees} ${side}`)), { "aria-label": `${listed && !exact ? "Where the proof is" : "Certificate"}: ${words}`, "data-key": `certificate ${degrees} ${side}`, class: "small" });
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
  const parts = [
    el("h3", {}, "Certificates"),
    el("p", {}, "A file that proves a value to anyone who has the rules; ", el("code", {}, "pods check-proof FILE"), " checks it without a solver."),
    el(
      "div",
      { class: "bar" },
      el("label", {}, el("input", { type: "checkbox", checked: exact, "data-key": "exact", onchange: (event) => { exact = event.target.checked; } }), " prove the number of plies too"),
      button("Certificate of the position under Play", () => certify(view, boardAndPods)),
      running && !pressed ? button("Stop the certificate", () => { hangUp(); changed(); }) : null,
      made && !pressed ? button("Save certificate", saveMade) : null,
    ),
  ];
  if (!pressed) parts.push(result());
  return parts;
}

export function startCertificates(listener) {
  changed = listener;
  addEventListener("pagehide", hangUp);
}
