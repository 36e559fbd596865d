// A balance report on the board and the pods as they are, growing row by row.

import * as api from "./api.js";
import * as state from "./state.js";
import { certificatePart, forgetCertificate, startCertificate, startCertificates } from "./certificate.js";
import { button, el, fill, fileName, labelled, save, say } from "./dom.js";
import { on as onTable, table } from "./table.js";

const place = document.getElementById("balance");
let columns = [];
let rows = [];
let csv = null;
let page = null;
let running = null;
let doing = "";
let fault = null;
let of = "";

function hangUp() {
  running?.abort();
  running = null;
  doing = "";
}

function named() {
  return `${table.view?.board_name ?? ""}-${table.view?.pods_name ?? ""}`;
}

async function run(seconds) {
  hangUp();
  [columns, rows, csv, page, fault] = [[], [], null, null, null];
  const abort = new AbortController();
  running = abort;
  of = named();
  let turn = "";
  show();
  const on = (event, data) => {
    if (running !== abort) return;
    if (event === "waiting" && data.before > 0) doing = "waiting: something else is being computed";
    else if (event === "columns") columns = data;
    else if (event === "turn") turn = doing = `board turned by ${data.degrees}°`;
    else if (event === "row") rows.push(data);
    else if (event === "csv") csv = data;
    else if (event === "page") page = data;
    else if (event === "error") fault = data.error;
    else if (event === "progress") doing = `${turn}: ${data.phase} ${data.done.toLocaleString("en")}`;
    show();
  };
  try {
    await api.job({ report: { setting: { ...state.setting(), position: "start", actions: [] }, seconds } }, on, abort.signal);
  } catch (error) {
    fault = error.message;
  }
  if (running !== abort) return;
  hangUp();
  say(fault ?? `the report has ${rows.length} rows`);
  show();
}

// What the outcome classes mean.
const CLASSES = {
  first: "who starts wins",
  second: "who starts loses",
  white: "White wins, whoever starts",
  black: "Black wins, whoever starts",
  drawn: "drawn, whoever starts",
  "drawn-if-white-starts": "drawn if White starts",
  "drawn-if-black-starts": "drawn if Black starts",
};

function cell(row, name) {
  return row[columns.indexOf(name)] ?? "";
}

function start(row, side) {
  const value = cell(row, `${side}_first`);
  const plies = cell(row, `${side}_first_plies`);
  return value ? (plies ? `${value} in ${plies}` : value) : "not known";
}

// The value of a start; where it is known, it can be proven.
function settled(row, side) {
  const text = start(row, side);
  return cell(row, `${side}_first`) ? [`${text} `, startCertificate(cell(row, "orientation"), side, of)] : text;
}

function summary() {
  const head = ["Turned", "White starts", "Black starts", "Who wins", "First actions that win, draw, lose", "Random play", "Method", "Verified"];
  const body = rows.map((row) => {
    const outcome = cell(row, "outcome_class");
    const openings = ["winning", "drawing", "losing"].map((one) => cell(row, `${one}_openings`));
    const all = openings.every((one) => one !== "") ? openings.join(", ") : `${cell(row, "unknown_openings")} not known`;
    const cells = [
      `${cell(row, "orientation")}°`,
      settled(row, "white"),
      settled(row, "black"),
      outcome ? `${outcome}: ${CLASSES[outcome] ?? ""}` : `not known: ${cell(row, "stopped")}`,
      all,
      cell(row, "random_play_score") || "not known",
      cell(row, "method"),
      cell(row, "verified") || "no",
    ];
    return el("tr", {}, cells.map((text, i) => el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, text)));
  });
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Balance" },
    el("table", {}, el("caption", {}, el("span", {}, "Value for the player who starts, for each way the board can lie (R34)")), el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, body)),
  );
}

function show() {
  const { view } = table;
  const seconds = el("input", { type: "number", min: "0.1", max: "3600", step: "any", value: state.get().seconds, size: 5, "data-key": "report seconds", onchange: (event) => state.set({ seconds: event.target.value }) });
  const { white, black } = state.get();
  const hand = (side, text) => labelled(side, el("input", { value: text, size: 14, placeholder: "the whole set", "data-key": `report ${side}`, onchange: (event) => state.restart({ [side === "White has" ? "white" : "black"]: event.target.value.trim() }) }));
  fill(
    place,
    el("h2", {}, "Is it fair?"),
    el("p", {}, view ? `Board ${view.board_name}, pods ${view.pods_name}, rules ${view.rules}; choose them under the other tabs.` : "Choose board and pods first."),
    el(
      "div",
      { class: "bar" },
      hand("White has", white),
      hand("Black has", black),
      labelled("seconds for each start", seconds),
      running ? button("Stop the report", () => { hangUp(); show(); }) : button("Report", () => run(Number(state.get().seconds))),
      csv ? button("Save CSV", () => save(fileName(of, ".csv"), csv, "text/csv")) : null,
      page ? button("Save HTML", () => save(fileName(of, ".html"), page, "text/html")) : null,
    ),
    doing ? el("p", { class: "quiet", role: "status" }, doing) : null,
    fault ? el("p", { class: "fault" }, fault) : null,
    rows.length > 0 ? summary() : null,
    certificatePart(view, of || named()),
  );
}

// What a certificate is about.
const OF_CERTIFICATE = ["board", "pods", "rules", "white", "black", "turn", "position", "actions", "at"];

export function startBalance() {
  startCertificates(show);
  show();
  onTable("view", show);
  state.listen((changed) => {
    if (changed.has("tab")) show();
    if (OF_CERTIFICATE.some((name) => changed.has(name))) forgetCertificate();
    if (["board", "pods", "rules", "white", "black"].some((name) => changed.has(name)) && (rows.length > 0 || running)) {
      hangUp();
      [rows, csv, page] = [[], null, null];
    }
    if (changed.size > 0 && state.get().tab === "balance") show();
  });
  addEventListener("pagehide", hangUp);
}
