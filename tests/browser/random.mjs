// Random steps through the page, with answers that come late and out of order: whenever it has come to rest, all that it shows is what
// the command line says of the position in its address, also of boards and pods that were changed under My board and of saved files that
// were dropped. RANDOM_SEED=N makes the same steps again, RANDOM_SECONDS=N sets how long they go on, RANDOM_LATE=N how late answers may be.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { close, folder, open, pods, state } from "./harness.mjs";

const SECONDS = Number(process.env.RANDOM_SECONDS ?? 55);
const SEED = Number(process.env.RANDOM_SEED ?? Date.now() % 1_000_000);
// The most milliseconds by which an answer is late.
const LATE = Number(process.env.RANDOM_LATE ?? 500);

// A generator of numbers (mulberry32).
function numbers(seed) {
  let at = seed >>> 0;
  const next = () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(at ^ (at >>> 15), at | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most) => Math.floor(next() * most);
  return { below, one: (list) => list[below(list.length)] };
}

// Small enough that every position is solved at once.
const STARTS = [
  { board: "nook9", pods: "four", white: "bdt", black: "bdt" },
  { board: "nook9", pods: "four", white: "bdt", black: "bdt", actions: "d@a1,b@b2,b@a3,d@b1" },
  { board: "nook9", pods: "four", white: "bdt", black: "bdt", turn: "90", actions: "b@b2", program: "black", pace: "0.2" },
  { board: "ring8", pods: "four", white: "bd", black: "bd", rules: "advanced" },
  { board: "ring8", pods: "duo", rules: "advanced", turn: "180" },
];

const kept = new Map();
function said(...args) {
  const key = args.join(" ");
  if (!kept.has(key)) kept.set(key, pods(...args));
  const text = kept.get(key).replace(/^pods: note: .*\n/gm, "");
  return text.startsWith("{") ? JSON.parse(text) : { refusal: text };
}

// A board or pods as the command line takes them: a built-in name, or a file.
const files = new Map();
function fileOf(material) {
  if (!material.includes("\n")) return material;
  if (!files.has(material)) {
    files.set(material, join(folder, `own-${files.size}.toml`));
    writeFileSync(files.get(material), material);
  }
  return files.get(material);
}

// The seconds of a search, after which a value is not known.
const PATIENCE = "3";

function asked(command, position, of) {
  const args = [command, position, "--board", fileOf(of.board), "--pods", fileOf(of.pods), "--orientation", of.turn, "--rules", of.rules, "--format", "json"];
  if (of.white || of.black) args.push("--hands", `${of.white ?? ""}:${of.black ?? ""}`);
  if (command === "solve") args.push("--time", PATIENCE);
  return said(...args);
}

// What the command line says of an address.
function truth(hash) {
  const given = Object.fromEntries(new URLSearchParams(hash));
  const of = { board: "cave36", pods: "pods14", turn: "0", rules: "standard", white: "", black: "", ...given };
  const tab = given.tab ?? "play";
  const all = given.actions ? given.actions.split(",") : [];
  const at = given.at ? Number(given.at) : all.length;
  if (tab === "edit" || asked("moves", given.position ?? "start", of).refusal) return { of, tab, refusal: asked("moves", given.position ?? "start", of).refusal };
  let position = given.position ?? "start";
  for (const action of all.slice(0, at)) {
    const played = asked("moves", position, of).actions.find((one) => one.action === action);
    assert.ok(played, `the address has ${action}, which is illegal in ${position}`);
    position = played.position;
  }
  return { of, all, at, tab, moves: asked("moves", position, of) };
}

const OTHER = { win: "loss", loss: "win", draw: "draw" };
const words = { win: "wins", loss: "loses", draw: "draws" };

// Who stands where, by the text of a position.
function standing(text) {
  const rows = text.split(" ")[0].split("/");
  const found = {};
  rows.forEach((row, down) => {
    let column = 0;
    for (const sign of row.match(/\d+|[A-Za-z.]/g) ?? []) {
      if (/\d/.test(sign)) column += Number(sign);
      else {
        if (sign !== ".") found[String.fromCharCode(97 + column) + (rows.length - down)] = sign;
        column += 1;
      }
    }
  });
  return found;
}

// Compares what is shown under Play; returns whether the value was shown.
function comparePlay(seen, { of, all, at, moves }) {
  const { position } = moves;
  assert.equal(seen.position, position);
  const legal = moves.actions.map((one) => one.action);
  assert.deepEqual(seen.legal, legal.length > 0 ? legal : ["none"]);
  const mover = position.split(" ")[1] === "w" ? "White" : "Black";
  const isOver = moves.status !== "ongoing";
  if (!isOver) {
    assert.match(seen.game, new RegExp(`^${mover} is to move; ${legal.length} legal actions`));
    if (!/^(Place|Move|This|.* (cannot|may not) )|^Several/.test(seen.todo)) assert.ok(seen.todo.includes(mover), seen.todo);
  } else assert.match(seen.todo, /has won/);
  assert.equal(seen.steps, all.length + 1);
  assert.equal(seen.current, at === 0 ? "step start" : `step ${at - 1}`);
  const board = said("check", fileOf(of.board), "--format", "json").name;
  assert.ok(seen.setup.startsWith(`${board} · ${of.turn}° · ${of.rules}`), seen.setup);
  assert.deepEqual(seen.standing, standing(position));
  if (seen.refused) assert.ok(!legal.includes(seen.refused), `${seen.refused} is said to be illegal`);
  if (isOver) {
    assert.match(seen.answer, /has won/);
    return false;
  }
  const solved = asked("solve", position, of);
  if (solved.value === "unknown") return false;
  const known = /^(White|Black|A draw)/.exec(seen.answer);
  if (known) {
    const winner = solved.value === "draw" ? "A draw" : (solved.value === "win") === (mover === "White") ? "White" : "Black";
    assert.equal(known[0], winner, `${seen.answer}; it is ${solved.value} in ${solved.plies} for ${mover}`);
    const plies = /in (\d+) pl/.exec(seen.answer)?.[1];
    if (plies) assert.equal(Number(plies), solved.plies, seen.answer);
  } else assert.match(seen.answer, /Not known yet|Searching/);
  for (const [action, text] of seen.worths) {
    if (/not known|not proven/.test(text)) continue;
    const next = moves.actions.find((one) => one.action === action);
    assert.ok(next, `${action} is listed, and is not legal`);
    const { value, plies } = asked("solve", next.position, of);
    if (value === "unknown") continue;
    if (/holds out/.test(text)) assert.equal(action, said("best", position, "--board", fileOf(of.board), "--pods", fileOf(of.pods), "--orientation", of.turn, "--rules", of.rules, "--max-nodes", "20000", "--format", "json").action);
    assert.ok(text.startsWith(words[OTHER[value]]), `${action}: ${text}; after it ${value}`);
    const told = /in (\d+) pl/.exec(text)?.[1];
    if (told) assert.equal(Number(told), plies + 1, `${action}: ${text}`);
  }
  return Boolean(known);
}

// Compares what the cards under Is it fair? prove.
function compareFair(seen, { of }) {
  for (const [turn, text] of seen.cards) {
    const [, winner, plies] = /^If White starts, (White|Black|nobody) wins with best play(?:.*in (\d+) plies)?/.exec(text) ?? [];
    if (!winner) continue;
    const { value, plies: least } = asked("solve", "start", { ...of, turn });
    if (value === "unknown") continue;
    assert.equal(winner, { win: "White", loss: "Black", draw: "nobody" }[value], `${turn}°: ${text}`);
    if (plies) assert.equal(Number(plies), least, `${turn}°: ${text}`);
  }
}

const STEPS = { n: [0, 1], ne: [1, 1], e: [1, 0], se: [1, -1] };

// Compares the board and the pods that are drawn under My board with what the command line reads in them.
function compareEdit(seen, { of }) {
  const board = said("check", fileOf(of.board), "--format", "json");
  const lines = Object.entries(board.lines_by_point).flatMap(([from, directions]) => directions.filter((one) => one in STEPS).map((one) => {
    const [right, up] = STEPS[one];
    return `${from}-${String.fromCharCode(from.charCodeAt(0) + right)}${Number(from.slice(1)) + up}`;
  }));
  assert.deepEqual(seen.lines.sort(), lines.sort());
  assert.equal(seen.name, board.name);
  const set = said("check", fileOf(of.pods), "--format", "json");
  const legs = seen.legs.map(([id, short, long]) => [id, short.sort(), long.sort()]);
  if (set.refusal) assert.ok(legs.some(([, short, long]) => short.length + long.length === 0), `${set.refusal}; ${JSON.stringify(legs)}`);
  else assert.deepEqual(legs, set.legs_by_pod.map(({ id, short, long }) => [id, short.sort(), long.sort()]));
}

// In the page: what it shows.
function look() {
  const text = (selector) => document.querySelector(selector)?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const points = [...document.querySelectorAll("#board button[data-at]")].map((one) => [one.dataset.at, /(?:White|Black)’s ([A-Za-z])/.exec(one.ariaLabel)?.[1]]);
  const legs = (card, reach) => [...card.querySelectorAll(`.leg.${reach}`)].map((one) => one.dataset.leg);
  const letters = (part) => [...part.querySelectorAll("button")][0]?.dataset.key.replace(/^value /, "");
  return {
    hash: location.hash.slice(1),
    position: document.getElementById("position")?.value,
    legal: text("#game .actions").split(" "),
    game: text("#game > p"),
    todo: text("#todo"),
    steps: document.querySelectorAll("#game .steps li").length,
    current: document.querySelector('#game .steps [aria-current="step"]')?.dataset.key,
    setup: text("#setup summary"),
    answer: text("#values .answer"),
    worths: [...document.querySelectorAll("#values .worths li")].map((one) => [letters(one), one.lastElementChild.textContent]),
    standing: Object.fromEntries(points.filter(([, sign]) => sign)),
    refused: document.getElementById("why").hidden ? null : (/^(\S+) is not allowed/.exec(text("#why h2").replace(/^([a-zA-Z])(?=@)/, (id) => id.toLowerCase()))?.[1] ?? null),
    cards: [...document.querySelectorAll("#fair [data-turn]")].flatMap((card) => [...card.querySelectorAll(".proven")].map((one) => [card.dataset.turn, one.textContent])),
    unfinished: document.getElementById("unfinished").hidden ? "" : text("#unfinished"),
    fair: text("#fair"),
    lines: [...document.querySelectorAll('#edit-board [data-line][aria-pressed="true"]')].map((one) => one.dataset.line),
    name: document.querySelector('[data-key="board name"]')?.value,
    legs: [...document.querySelectorAll("#edit-pods [data-card]")].map((card) => [card.dataset.card, legs(card, "short"), legs(card, "long")]),
  };
}

// In the page, before its scripts: every answer comes late, each by another time.
function delay([seed, late]) {
  let at = seed;
  const next = () => {
    at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
    return (at >>> 8) / 2 ** 24;
  };
  const own = window.fetch.bind(window);
  window.quiet = { waiting: 0, since: performance.now() };
  window.fetch = async (...args) => {
    if (!String(args[0]).startsWith("/api/")) return own(...args);
    window.quiet.waiting += 1;
    const time = next() < 0.3 ? 0 : next() * late;
    try {
      const answer = await own(...args);
      await new Promise((done) => setTimeout(done, time));
      return answer;
    } finally {
      window.quiet.waiting -= 1;
      window.quiet.since = performance.now();
    }
  };
}

// In the page, before its scripts: what it saves is kept, to be dropped on it.
function keepFiles() {
  window.saved = [];
  const own = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    window.saved.push(blob);
    return own(blob);
  };
  HTMLAnchorElement.prototype.click = () => {};
}

// Waits until nothing has been asked or answered for longer than the page itself waits for anything, or a step back has led away from it:
// that is seen some time after the step.
async function rest(page) {
  await page.waitForFunction((least) => location.protocol === "about:" || window.quiet?.waiting === 0 && performance.now() - window.quiet.since > least && document.body.dataset.ready, 400, { polling: 50 });
  // Games of Is it fair? go on; what is proven comes soon.
  if (await page.evaluate(() => document.body.dataset.tab === "fair")) {
    await page.waitForSelector("#fair .proven", { timeout: 2000 }).catch(() => null);
    return;
  }
  let before = "";
  for (let i = 0; i < 100; i += 1) {
    const now = await page.evaluate(() => location.hash + document.querySelector("main")?.innerText);
    if (now === before && !/thinking|Searching/.test(now)) return;
    before = now;
    await page.waitForTimeout(150);
  }
}

// In the page: one step, by the events of the controls; what cannot be done now does nothing.
function act([kind, number]) {
  const pick = (list) => list[number % Math.max(1, list.length)];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const press = (part) => part?.click();
  const change = (selector, values) => {
    const field = document.querySelector(selector);
    if (!field) return;
    field.value = pick(values);
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const send = (id, text) => {
    const field = document.getElementById(id);
    if (!field) return;
    field.value = text;
    field.form?.requestSubmit();
  };
  const legal = () => document.querySelector("#game .actions")?.textContent.trim().split(" ") ?? [];
  const does = {
    step: () => press(pick(all("#game .steps button"))),
    play() {
      const action = pick(legal());
      const [, id, from, to] = /^(?:([a-z])@)?([a-z]\d+)?(?:.*?([a-z]\d+))?/.exec(action ?? "") ?? [];
      if (id) press(all(`#play .hand.mover button[data-pod="${id}"]`)[0]);
      else press(document.querySelector(`#board button[data-at="${from}"]`));
      press(document.querySelector(`#board button[data-at="${id ? from : to}"]`));
    },
    stray() {
      press(pick(all("#play .hand button.pod")));
      press(pick(all("#board button[data-at]")));
    },
    undo: () => press(document.querySelector('[data-key="Undo"]')),
    redo: () => press(document.querySelector('[data-key="Redo"]')),
    type: () => send("action", pick([...legal(), "d@a1", "t@b2", "zzz"])),
    turn: () => change('#setup [data-key="turn"]', ["0", "90", "180", "270"]),
    rules: () => change('#setup [data-key="rules preset"]', ["standard", "basic-author", "advanced"]),
    search: () => press(document.querySelector('#values [data-key="search"]')),
    line: () => press(pick(all("#values .line button"))),
    worth: () => press(pick(all("#values .worths button"))),
    anew: () => press(all("#game button").find((one) => one.textContent === "Start anew")),
    fair: () => press(document.getElementById("tab-fair")),
    table: () => press(document.getElementById("tab-play")),
    program: () => change('#program [data-key="program"]', ["", "white", "black"]),
    marks: () => change('#moves [data-key="marks"]', ["none", "attacks", "liberties", "pod"]),
    edit: () => press(document.getElementById("tab-edit")),
    stroke: () => press(pick(all("#edit-board button[data-line]"))),
    leg: () => press(pick(all("#edit-pods .leg"))),
    unedit: () => press(document.querySelector('#edit-steps [data-key="undo last"]')),
    reedit: () => press(pick(all("#edit button").filter((one) => one.textContent === "Redo"))),
    mirror: () => press(pick(all("#edit-board button").filter((one) => ["Turn", "Mirror"].includes(one.textContent)))),
    save() {
      press(document.getElementById("share-open"));
      press(pick(all('#share .bar button, #fair [aria-label="Reports to keep"] button, #edit button').filter((one) => /a page$|a picture$|CSV|^Save/.test(one.textContent) && one.checkVisibility())));
    },
    drop() {
      const file = pick(window.saved);
      if (!file) return;
      const data = new DataTransfer();
      data.items.add(new File([file], "saved", { type: "text/plain" }));
      dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    back: () => history.back(),
    forward: () => history.forward(),
  };
  does[kind]();
}

const KINDS = ["step", "step", "step", "step", "play", "play", "stray", "undo", "undo", "undo", "redo", "redo", "redo", "type", "turn", "rules", "search", "line", "worth", "anew", "fair", "table", "table", "program", "marks", "edit", "stroke", "stroke", "leg", "leg", "unedit", "reedit", "mirror", "save", "save", "drop", "drop", "back", "back", "forward", "reload"];

// Makes steps one soon after the other; a reload begins a new stretch.
async function make(page, steps) {
  for (let from = 0; from < steps.length; from += 1) {
    const to = steps.findIndex(([kind], i) => i >= from && kind === "reload");
    const some = steps.slice(from, to < 0 ? steps.length : to);
    await page.evaluate(async (all) => {
      for (const [kind, number, wait] of all) {
        window.act([kind, number]);
        await new Promise((done) => setTimeout(done, wait));
      }
    }, some).catch((error) => { if (!/context was destroyed|navigat/.test(error.message)) throw error; });
    if (to < 0) return;
    // The steps may have led away from the page.
    const stays = await page.reload().then(() => true, (error) => { if (!/Not attached|interrupted|ERR_ABORTED/.test(error.message)) throw error; });
    if (!stays) return;
    from = to;
  }
}

export async function random_steps_show_what_the_command_line_says() {
  const random = numbers(SEED);
  const end = performance.now() + SECONDS * 1000;
  const page = await open("tab=help");
  const origin = new URL(page.url()).origin;
  await page.addInitScript({ content: `window.act = ${act}; (${keepFiles})(); (${delay})(${JSON.stringify([random.below(2 ** 31), LATE])});` });
  await page.goto("about:blank");
  let [rounds, steps, values, cards, edits] = [0, 0, 0, 0, 0];
  let start = {};
  let done = [];
  while (performance.now() < end) {
    try {
      if (rounds % 12 === 0 || !page.url().startsWith(origin)) {
        start = { ...random.one(STARTS), seconds: "1" };
        done = [];
        await page.goto(`${origin}/#${state(start)}`);
        await page.waitForSelector("body[data-ready]");
      }
      const some = Array.from({ length: 2 + random.below(7) }, () => [random.one(KINDS), random.below(1000), random.one([0, 0, 20, 60, 90, 110, 130, 250])]);
      done.push(...some.map((step) => step.join(" ")), "|");
      await make(page, some);
      rounds += 1;
      await rest(page);
      if (!page.url().startsWith(origin)) continue;
      steps += some.length;
      const seen = await page.evaluate(look);
      const told = truth(seen.hash);
      if (told.tab === "edit") {
        compareEdit(seen, told);
        edits += 1;
      } else if (told.refusal) assert.match(seen.unfinished || seen.fair, /not finished|cannot be played yet/, told.refusal);
      else if (told.tab === "play") values += comparePlay(seen, told) ? 1 : 0;
      else if (told.tab === "fair") {
        compareFair(seen, told);
        cards += seen.cards.length;
      }
    } catch (error) {
      error.stack = `seed ${SEED}, round ${rounds}: ${error.message}\nfrom ${state(start)}\nat ${page.url()}\n${done.join(", ")}`;
      // What is shown and is wrong is wrong at whatever load.
      error.isFinal = error instanceof assert.AssertionError;
      throw error;
    }
  }
  page.faults = page.faults.filter((fault) => !/ERR_ABORTED|Failed to fetch/.test(fault));
  await close(page);
  assert.ok(values > 0, "no value was ever shown");
  return `seed ${SEED}: ${rounds} rounds of ${steps} steps, ${values} values, ${cards} proven cards and ${edits} edited boards compared`;
}

random_steps_show_what_the_command_line_says.hangs = (SECONDS + 180) * 1000;
