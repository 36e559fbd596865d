// Certificates: files that prove a value to anyone, made for a start of the report or for the
// position under Play.

import { begin, isRunning, job, look, stop } from "./answers.js";
import { button, el, fileName, save, say } from "./dom.js";
import { known } from "./known.js";
import { ofState } from "./seconds.js";
import { settingOf } from "./shown.js";
import { many, phaseWords, whereKept } from "./values.js";

let exact = false; // whether numbers of plies are to be proven too

const keyOf = (setting, starts) => `certificate ${JSON.stringify([setting, starts, exact])}`;

async function make(setting, starts, about) {
  const key = keyOf(setting, starts);
  await begin(key, { certificate: { setting, starts, exact, seconds: ofState() } });
  const { fault, seen, status } = look(key);
  if (status !== "halted" && status !== "stopped") say(fault ?? `${about}: there is a certificate: ${seen.certificate.claim}`);
}

// The seconds of a look whether the list of proven positions has a certificate.
const LOOK = 0.1;

// Makes that of the position under Play, if there is none.
export async function certify(shown) {
  const setting = settingOf(shown);
  if (!exact && !known(setting).worth) await begin(`look ${JSON.stringify(setting)}`, { values: { setting, seconds: LOOK } });
  if (exact || !known(setting).worth?.certificate) make(setting, null, "the position under Play");
}

// What nobody needs to read who does not check files by programs of their own.
function forProgrammers(text) {
  return el("details", {}, el("summary", { class: "quiet" }, "For programmers"), el("p", { class: "quiet sum" }, text));
}

function size(bytes) {
  return bytes < 10_000 ? `${bytes} bytes` : bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}

function saveMade({ text, hex }, file) {
  if (text !== null) save(fileName(file, ".jsonl"), text, "application/jsonl");
  else save(fileName(file, ".proof"), Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16)), "application/octet-stream");
}

// What has come of a certificate that was asked for, with its file and the way to stop it.
function result(key, about, file, properties) {
  const one = job(key);
  if (!one) return null;
  const { progress, certificate: made } = one.seen;
  const doing = one.waits ? "waiting: something else is being computed" : progress ? `${phaseWords(progress.phase)}, ${many(progress.done)} so far` : "solving";
  return el(
    "div",
    { class: "of-certificate" },
    isRunning(one) ? [el("p", { class: "quiet", role: "status" }, `${about}: ${doing}`), button("Stop the certificate", () => stop(one), properties)] : null,
    one.fault ? el("p", { class: "fault" }, `${about}: ${one.fault}`) : null,
    made
      ? [
          el("p", { class: "proven" }, `${about}: ${made.claim} – proven in ${made.lines.toLocaleString("en")} lines, ${size(made.bytes)}, checked with a second engine, written apart from the one that searched`),
          forProgrammers(`sha256 ${made.sha256}`),
          button("Save certificate", () => saveMade(made, file), properties),
        ]
      : null,
  );
}

// The certificate of a start for its card: where the one of the list of proven positions is, or a
// button that makes one, and what has come of it.
export function startCertificate(setting, starter, listed, boardAndPods) {
  const side = starter.toLowerCase();
  const about = `board turned by ${setting.turn}°, ${starter} starts`;
  const key = `certificate ${setting.turn} ${side}`;
  if (listed && !exact) return el("details", { class: "of-certificate", "data-key": key }, el("summary", { "aria-label": `Where the proof is: ${about}` }, "Where the proof is"), el("p", { class: "sum" }, whereKept(listed)), forProgrammers(listed));
  const file = `${boardAndPods}-${setting.turn}-${setting.rules}-${side}-first`;
  return [button("Certificate", () => make(setting, side, about), { "aria-label": `Certificate: ${about}`, "data-key": key, class: "small" }), result(keyOf(setting, side), about, file, { class: "small" })];
}

// What stands below the report.
export function certificatePart(shown, boardAndPods, redraw) {
  const setting = settingOf(shown);
  const kept = exact ? null : known(setting).worth?.certificate;
  const change = (event) => {
    exact = event.target.checked;
    redraw();
  };
  return [
    el("h3", {}, "Certificates"),
    el("p", {}, "A file that proves a value to anyone who has the rules; ", el("code", {}, "pods check-proof FILE"), " checks it without a solver."),
    el(
      "div",
      { class: "bar" },
      el("label", {}, el("input", { type: "checkbox", checked: exact, "data-key": "exact", onchange: change }), " prove the number of plies too"),
      button("Certificate of the position under Play", () => certify(shown)),
    ),
    kept ? [el("p", { class: "proven" }, `the position under Play. ${whereKept(kept)}`), forProgrammers(kept)] : result(keyOf(setting, null), "the position under Play", `${boardAndPods}-${shown.rules}-position`),
  ];
}
