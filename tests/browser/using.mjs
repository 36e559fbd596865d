// What a newcomer meets: the first screen, clicks that come to something, help, history, an owner's
// board, "Is it fair?".

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { close, hand, open, pictures, pods, point, position, saved, SMALL, state, TINY } from "./harness.mjs";

const SCREENS = { laptop: { width: 1280, height: 800 }, desk: { width: 1920, height: 1080 }, phone: { width: 390, height: 844 } };

// Types into a field and uses a control without leaving the field first: by the mouse, by keys, by
// a finger.
async function typeThenUse(page, field, text, control, how) {
  await field.click();
  await field.fill(text);
  if (how === "mouse") {
    const { x, y, width, height } = await control.boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
  } else if (how === "keys") {
    await control.focus();
    await page.keyboard.press("Enter");
  } else {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
    const { x, y, width, height } = await control.boundingBox();
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }
}

const WAYS = ["mouse", "keys", "finger"];

export async function no_click_is_lost_after_typing() {
  // Play: the seconds of a search, then the search.
  const page = await open(state({ position: "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -" }));
  for (const [i, how] of WAYS.entries()) {
    await typeThenUse(page, page.locator('[data-key="seconds"]'), String(600 + i), page.locator('[data-key="search"]'), how);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("seconds"), String(600 + i), how);
  }
  // Is it fair?: the seconds, then going on, with a setup that keeps the program busy until it is stopped.
  await page.locator("#tab-fair").click();
  for (const [i, how] of WAYS.entries()) {
    await page.locator('[data-key="stop fair"]').click();
    await typeThenUse(page, page.locator('[data-key="fair seconds"]'), String(7 + i), page.locator('[data-key="go"]'), how);
  }
  await page.locator('[data-key="stop fair"]').waitFor();
  await close(page);
  // My board: the legs of a pod as text, then another tool.
  const edit = await open(state({ tab: "edit", ...SMALL }));
  await edit.locator('[data-card="b"]').waitFor();
  for (const [leg, how] of [["n", "mouse"], ["e", "keys"], ["s", "finger"]]) {
    const cards = await edit.locator("[data-card]").count();
    await typeThenUse(edit, edit.locator('[data-key="legs b"]'), `${leg.toUpperCase()} nw`, edit.getByRole("button", { name: "One more pod" }), how);
    await edit.waitForFunction(([many, one]) => document.querySelectorAll("[data-card]").length > many && document.querySelector(`[data-card="b"] [data-leg="${one}"]`).classList.contains("long"), [cards, leg]);
  }
  await close(edit);
  // The sheet of the setup: a hand, then another choice in it.
  const setup = await open(state(SMALL));
  await setup.locator("#setup summary").first().click();
  for (const [hand, how] of [["bdt", "mouse"], ["bdq", "keys"], ["bd", "finger"]]) {
    await setup.locator("#setup .more summary").click();
    await typeThenUse(setup, setup.locator('[data-key="hand of white"]'), hand, setup.locator("#setup .more summary"), how);
    await setup.waitForFunction((own) => document.getElementById("position").value.endsWith(` w ${own} bdqt open`) && !document.querySelector("#setup .more").open, hand);
  }
  await close(setup);
}

export async function the_first_screen_needs_no_scrolling() {
  const sizes = [];
  const page = await open("");
  for (const [name, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    const parts = { board: "#board svg", hand: "#hand-white .pods", turn: "#todo", undo: '#moves [data-key="Undo"]', setup: "#setup summary", answer: "#values .answer" };
    for (const [what, selector] of Object.entries(parts)) {
      const box = await page.locator(selector).first().boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height, `${what} on a ${name}: ${JSON.stringify(box)}`);
      if (what === "board") sizes.push(`${name} ${box.width.toFixed(0)}×${box.height.toFixed(0)}`);
    }
    assert.equal(await page.locator("#todo").innerText(), "White opens: choose B or D");
  }
  await close(page);
  return `the board is ${sizes.join(", ")} pixels`;
}

export async function a_click_that_lacks_something_says_what() {
  const page = await open();
  const [board, undo] = [await page.locator("#board").boundingBox(), await page.locator('[data-key="Undo"]').boundingBox()];
  const still = async (what) => {
    assert.deepEqual([await page.locator("#board").boundingBox(), await page.locator('[data-key="Undo"]').boundingBox()], [board, undo], what);
  };
  await point(page, "c3").click();
  assert.match(await page.locator("#why").innerText(), /First choose a pod in White’s hand/);
  assert.equal(await page.locator("#hand-white.lit").count(), 1);
  await still("a hint moves nothing");
  await hand(page, "white", "b").click();
  assert.equal(await page.locator("#why").isVisible(), false);
  assert.equal(await page.locator(".lit").count(), 0);
  await point(page, "c3").click();
  await page.waitForFunction(() => document.title.startsWith("1. White B@c3"));
  await hand(page, "black", "q").click();
  await point(page, "c3").click();
  const bubble = page.locator("#why h2");
  await bubble.waitFor();
  await still("a refusal moves nothing");
  // It is said once, and near the point.
  const told = await page.evaluate(() => {
    const tells = (part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.includes("White's pod B stands on c3"));
    return [...document.body.querySelectorAll("*")].filter((part) => !part.closest("#said") && part.checkVisibility() && tells(part)).length;
  });
  assert.equal(told, 1);
  const [at, near] = [await point(page, "c3").boundingBox(), await page.locator("#why").boundingBox()];
  assert.ok(Math.abs(near.y + near.height - at.y) < at.height || Math.abs(near.y - (at.y + at.height)) < at.height, "near the point");
  await close(page);
}

export async function what_is_known_is_shown_without_asking() {
  const page = await open(state({ ...TINY, position: "3/1B1/2q w dt bt -" }));
  const begun = performance.now();
  await page.locator("#values .proven").waitFor();
  const took = performance.now() - begun;
  const solved = JSON.parse(pods("solve", "3/1B1/2q w dt bt -", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--format", "json"));
  const winner = solved.value === "win" ? "White" : "Black";
  assert.match(await page.locator("#values .answer").innerText(), new RegExp(`${winner} wins in ${solved.plies} plies with best play`));
  await close(page);
  return `${took.toFixed(0)} ms after the page`;
}

export async function back_and_forward_go_through_the_game() {
  const page = await open(state(SMALL));
  const titles = [await page.title()];
  await hand(page, "white", "b").click();
  await point(page, "b2").click();
  await page.waitForFunction(() => /^1\. White B@b2 – Black to move.* – nook9 – PODS$/.test(document.title));
  const played = await position(page);
  await page.locator("#tab-help").click();
  await page.waitForFunction(() => document.title.startsWith("Help"));
  await page.goBack();
  await page.waitForFunction(() => document.title.startsWith("1. White B@b2"));
  await page.goBack();
  await page.waitForFunction((title) => document.title === title, titles[0]);
  assert.equal(await position(page), "3/3/3 w bdqt bdqt open");
  await page.goForward();
  await page.waitForFunction((text) => document.getElementById("position").value === text, played);
  // A link restores all of it.
  const other = await open(new URL(page.url()).hash.slice(1));
  assert.equal(await position(other), played);
  await close(other);
  await close(page);
}

export async function clauses_open_in_place() {
  const page = await open(state({ actions: "b@c3" }));
  await hand(page, "black", "q").click();
  await point(page, "c3").click();
  const link = page.locator('#why [data-clause="R10"]');
  await link.click();
  await page.locator("#clause svg").waitFor();
  assert.match(await page.locator("#clause").innerText(), /R10: a placement goes from hand to an empty point/);
  await page.keyboard.press("Escape");
  await page.locator("#clause").waitFor({ state: "hidden" });
  // From there to its place among the rules, and back.
  await point(page, "c3").click();
  await link.click();
  await page.getByRole("button", { name: "Read it among the rules" }).click();
  await page.locator("#clause-R10.here").waitFor();
  await page.goBack();
  await page.locator("#play").waitFor();
  await close(page);
}

export async function help_has_pictures_words_and_a_tour() {
  const page = await open(state({ tab: "help" }));
  await page.locator(".clauses li").first().waitFor();
  assert.equal(await page.locator(".clauses > li").count(), 34);
  assert.ok((await page.locator(".clauses figure svg").count()) >= 15);
  assert.ok((await page.locator("dl.words dt").count()) > 20);
  assert.match(await page.locator("#help").innerText(), /reconstruction/);
  await page.getByRole("button", { name: /Take the tour/ }).click();
  for (let step = 1; step < 6; step += 1) {
    await page.locator("#tour h2").filter({ hasText: `(${step} of 6)` }).waitFor();
    await page.locator(".toured").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
  }
  await page.getByRole("button", { name: "Done" }).click();
  await page.locator("#tour").waitFor({ state: "hidden" });
  // It leads back to where it was begun.
  assert.equal(await page.locator("#help").isVisible(), true);
  await page.getByRole("button", { name: /Take the tour/ }).click();
  await page.getByRole("button", { name: "Leave the tour" }).click();
  assert.equal(await page.locator("#tour, .toured").filter({ visible: true }).count(), 0);
  await close(page);
}

// Lines as runs that can be drawn in one stroke: straight on as long as there are lines.
function strokesOf(lines) {
  const steps = { n: [0, 1], ne: [1, 1], e: [1, 0], se: [1, -1] };
  const name = ([x, y]) => String.fromCharCode(97 + x) + (y + 1);
  const left = new Map();
  for (const [from, directions] of Object.entries(lines)) {
    const at = [from.charCodeAt(0) - 97, Number(from.slice(1)) - 1];
    for (const direction of directions.filter((one) => one in steps)) left.set(`${name(at)} ${direction}`, [at, direction]);
  }
  const runs = [];
  // From the ends of runs first, so that they are as long as they can be.
  const before = ([x, y], direction) => `${name([x - steps[direction][0], y - steps[direction][1]])} ${direction}`;
  const order = [...left].sort(([, a], [, b]) => Number(left.has(before(...a))) - Number(left.has(before(...b))));
  for (const [key, [at, direction]] of order) {
    if (!left.has(key)) continue;
    const run = [name(at)];
    let here = at;
    while (left.delete(`${name(here)} ${direction}`)) {
      here = [here[0] + steps[direction][0], here[1] + steps[direction][1]];
      run.push(name(here));
    }
    runs.push(run);
  }
  return runs;
}

// What a hand needs, as the keystroke-level model has it: to point at something and press, to go on
// to each further place of a stroke, to type a letter; and a look at the board beside the screen
// for each stroke and each pod.
const SECONDS = { press: 1.3, further: 0.6, letter: 0.28, look: 1.2 };

export async function an_owner_enters_a_board_and_pods_and_asks_whether_they_are_fair() {
  const files = ["board", "pods"].map((kind) => {
    const path = join(pictures, `owner-${kind}.toml`);
    writeFileSync(path, pods("new", kind, ...(kind === "board" ? ["6x6"] : []), "--random", "--seed", "5"));
    return path;
  });
  const [wanted, legs] = files.map((file) => JSON.parse(pods("check", file, "--format", "json")));
  const page = await open(state({ tab: "edit" }), SCREENS.laptop);
  const begun = performance.now();
  let [presses, further, letters, looks] = [0, 0, 0, 0];
  await page.locator('[data-key="make board"]').click();
  presses += 1;
  await page.waitForFunction(() => document.querySelectorAll('#edit-board [data-line][aria-pressed="true"]').length === 0);
  await page.locator("#edit-board .stage").scrollIntoViewIfNeeded();
  const middle = async (name) => {
    const { x, y, width, height } = await page.locator(`#edit-board button[data-at="${name}"]`).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  for (const run of strokesOf(wanted.lines_by_point)) {
    await page.mouse.move(...(await middle(run[0])));
    await page.mouse.down();
    for (const name of run.slice(1)) await page.mouse.move(...(await middle(name)), { steps: 4 });
    await page.mouse.up();
    [presses, further, looks] = [presses + 1, further + run.length - 1, looks + 1];
  }
  const drawn = page.waitForFunction((many) => document.querySelectorAll('#edit-board [data-line][aria-pressed="true"]').length === many, wanted.lines);
  await drawn.catch(async (error) => {
    throw new Error(`${error.message}: ${await page.locator('#edit-board [data-line][aria-pressed="true"]').count()} of ${wanted.lines} lines; ${await page.locator("#said").textContent()}; ${await page.locator("#trouble").textContent()}`);
  });
  await page.locator('[data-key="make pods"]').click();
  presses += 1;
  await page.locator(".missing").waitFor();
  assert.match(await page.locator(".missing").innerText(), /14 of 14 pods still need legs/);
  const ids = "abcdefghjkmnpq";
  for (const [i, { short, long }] of legs.legs_by_pod.entries()) {
    const text = [...short, ...long.map((leg) => leg.toUpperCase())].join(" ");
    await page.locator(`[data-key="legs ${ids[i]}"]`).fill(text);
    [presses, letters, looks] = [presses + 1, letters + text.length, looks + 1];
  }
  await page.locator('[data-key="legs q"]').press("Tab");
  await page.waitForFunction(() => document.querySelectorAll(".card.bare").length === 0);
  await page.locator("#edit-steps .main:not([disabled])").click();
  presses += 1;
  await page.locator("#verdict").filter({ hasText: /Probably|Too few games|best play/ }).waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - begun) / 1000;
  const hash = new URLSearchParams(new URL(page.url()).hash.slice(1));
  writeFileSync(files[0], hash.get("board"));
  const made = JSON.parse(pods("check", files[0], "--format", "json"));
  assert.deepEqual(made.lines_by_point, wanted.lines_by_point);
  // The menus of the setup show the board and pods that are in play.
  await page.locator("#tab-play").click();
  await page.locator('#setup select[data-key="board"]').waitFor({ state: "attached" });
  const menu = (name) => page.locator(`#setup select[data-key="${name}"]`).evaluate((select) => select.selectedOptions[0].textContent);
  assert.match(`${await menu("board")}, ${await menu("pods")}`, /– edited, .*– edited/);
  await close(page);
  const byHand = presses * SECONDS.press + further * SECONDS.further + letters * SECONDS.letter + looks * SECONDS.look;
  return `${wanted.lines} lines and 14 pods: ${presses} presses, ${further} further points of strokes, ${letters} letters; ${seconds.toFixed(0)} s by the script, ${(byHand / 60).toFixed(1)} minutes by hand as the keystroke-level model has it`;
}

export async function lines_are_drawn_by_dragging_tapping_and_with_symmetry() {
  const page = await open(state({ tab: "edit", board: "nook9" }), SCREENS.laptop);
  const board = page.locator("#edit-board");
  await board.locator('[data-key="columns"]').fill("4");
  await board.locator('[data-key="rows"]').fill("4");
  await board.locator('[data-key="make board"]').click();
  await board.locator('button[data-at="d4"]').waitFor();
  const drawn = () => page.locator('#edit-board [data-line][aria-pressed="true"]').evaluateAll((all) => all.map((one) => one.dataset.line).sort());
  const become = (many) => page.waitForFunction((wanted) => document.querySelectorAll('#edit-board [data-line][aria-pressed="true"]').length === wanted, many);
  await board.locator('button[data-at="a1"]').click();
  await board.locator('button[data-at="b2"]').click();
  await become(1);
  await board.locator('button[data-at="b3"]').click();
  await become(2);
  assert.deepEqual(await drawn(), ["a1-b2", "b2-b3"]);
  await page.keyboard.press("Escape");
  await board.locator('[data-key="symmetry"]').selectOption("quarter turns");
  await board.locator('button[data-at="a2"]').click();
  await board.locator('button[data-at="a3"]').click();
  await become(6);
  assert.deepEqual(await drawn(), ["a1-b2", "a2-a3", "b1-c1", "b2-b3", "b4-c4", "d2-d3"]);
  await board.getByRole("button", { name: "Undo" }).click();
  await become(2);
  await close(page);
}

export async function pods_are_written_as_they_stand_on_the_board() {
  const page = await open(state({ ...SMALL, rules: "advanced", actions: "b@b2,q@a3" }));
  const tokens = (selector) => page.locator(`${selector} .token`).evaluateAll((all) => all.map((one) => [one.textContent, one.classList.contains("white") ? "white" : "black", getComputedStyle(one).borderRadius]));
  const [white, black] = await tokens("#game .steps");
  assert.deepEqual([white.slice(0, 2), black.slice(0, 2)], [["B", "white"], ["q", "black"]]);
  assert.notEqual(white[2], black[2], "a circle and a square");
  assert.deepEqual(await page.locator("#game .steps [data-action]").evaluateAll((all) => all.map((one) => one.ariaLabel)), ["1. White: B@b2", "2. Black: q@a3"]);
  assert.match(await page.title(), /^2\. Black q@a3 – /);
  // Moves name no pod: the one that moves is shown. What is typed may have the board's capitals.
  const legal = (await page.locator("#game .actions").textContent()).trim().split(" ");
  const move = legal.find((action) => action.startsWith("b2-"));
  await page.locator("#action").fill(move);
  await page.locator("#action").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#game .steps .token").length === 3);
  assert.deepEqual((await tokens("#game .steps")).at(-1).slice(0, 2), ["B", "white"]);
  await page.locator('[data-key="Undo"]').click();
  const placed = legal.find((action) => action.startsWith("d@"));
  await page.locator("#action").fill(placed.replace("d", "D"));
  await page.locator("#action").press("Enter");
  await page.waitForFunction((action) => new URLSearchParams(location.hash.slice(1)).get("actions").endsWith(action), placed);
  // Who is refused what is told the same way.
  await hand(page, "black", "t").click();
  await point(page, "b2").click();
  await page.locator("#why h2").waitFor();
  assert.deepEqual((await tokens("#why h2")).map((one) => one.slice(0, 2)), [["t", "black"]]);
  assert.match(await page.locator("#why").innerText(), /White's pod B stands on b2/);
  // No rule is written over a pod.
  assert.ok((await page.locator("#board .may-not .clause").count()) > 0);
  for (const at of ["b2", "a3"]) assert.equal(await point(page, at).locator(".clause").count(), 0, at);
  await close(page);
  const known = await open(state({ ...TINY, position: "3/1B1/2q w dt bt -" }));
  await known.locator("#values .proven").waitFor();
  assert.ok((await known.locator("#values .worths .token.white").count()) > 0);
  assert.equal(await known.locator("#values .worths .token.black").count(), 0);
  await close(known);
}

export async function pods_keep_their_places_in_the_hands() {
  for (const [name, size] of Object.entries(SCREENS)) {
    const page = await open("", size);
    const places = () => page.locator("#play .hand button.pod").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.key, [one.getBoundingClientRect().x, one.getBoundingClientRect().width].map(Math.round)])));
    const board = await page.locator("#board").boundingBox();
    const before = await places();
    await hand(page, "white", "b").click();
    await point(page, "c3").click();
    await page.locator('#hand-white [data-key="gap b"]').waitFor();
    const now = await page.locator("#board").boundingBox();
    for (const [side, where] of Object.entries(now)) assert.ok(Math.abs(where - board[side]) < 0.5, `${side} of the board on a ${name}: ${where}`);
    const after = await places();
    assert.equal(Object.keys(after).length, 27);
    // On a phone the hand that moves is the large one.
    if (name !== "phone") for (const [pod, place] of Object.entries(after)) assert.deepEqual(place, before[pod], `${pod} on a ${name}`);
    await hand(page, "black", "o").click();
    await point(page, "f5").click();
    await page.locator('#hand-black [data-key="gap o"]').waitFor();
    const white = Object.entries(await places()).filter(([pod]) => pod.startsWith("white"));
    for (const [pod, place] of white) assert.deepEqual(place, before[pod], `${pod} on a ${name}`);
    await page.locator('[data-key="Undo"]').click();
    await page.locator('#hand-black button[data-pod="o"]').waitFor();
    assert.deepEqual(await places(), after, name);
    await close(page);
  }
}

export async function the_key_shows_the_marks_that_are_on_the_board() {
  const page = await open(state({ ...SMALL, rules: "advanced", actions: "b@b2,q@a3", marks: "attacks" }), SCREENS.laptop);
  const words = () => page.locator("#key li").evaluateAll((all) => all.map((one) => one.textContent.trim()));
  const has = (wanted) => page.waitForFunction((text) => [...document.querySelectorAll("#key li")].some((one) => one.textContent.includes(text)), wanted);
  await has("attacked by White");
  assert.ok((await words()).join().includes("White’s pod: round,Black’s pod: square,short leg"), (await words()).join());
  // Each is drawn as on the board.
  const drawn = (place) => page.locator(`${place} .pods-attacked.pods-white`).first().getAttribute("d");
  assert.equal(await drawn("#key"), await drawn("#board"));
  // Beside the board, and over nothing.
  const [board, key] = [await page.locator("#board").boundingBox(), await page.locator("#key").boundingBox()];
  assert.ok(key.x >= board.x + board.width && key.y + key.height <= SCREENS.laptop.height, JSON.stringify([board, key]));
  assert.equal((await words()).some((text) => text === "may go here"), false);
  await hand(page, "white", "d").click();
  await has("may go here");
  await has("forbids it");
  await page.locator('[data-key="marks"]').selectOption("liberties");
  await has("liberty");
  assert.equal((await words()).some((text) => text.includes("attacked by")), false);
  assert.deepEqual(await page.locator("#board").boundingBox(), board, "the key moves nothing");
  await close(page);
  const phone = await open("", SCREENS.phone);
  assert.equal(await phone.locator("#key ul").isVisible(), false);
  await phone.locator("#key summary").click();
  assert.ok((await phone.locator("#key li").count()) >= 4);
  await close(phone);
}

export async function help_is_searched() {
  const page = await open(state({ tab: "help" }));
  await page.locator(".clauses li").first().waitFor();
  const shown = (kind) => page.locator(`#help [data-find="${kind}"]`).filter({ visible: true });
  const all = await shown("rule").count();
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "find");
  await page.keyboard.type("liberty blocked");
  await page.waitForFunction(() => /rules?, \d+ words?/.test(document.querySelector('#help [role="status"]').textContent));
  const found = await shown("rule").count();
  assert.ok(found > 0 && found < all, `${found} of ${all}`);
  for (const text of await shown("word").evaluateAll((some) => some.map((one) => one.textContent.toLowerCase()))) assert.ok(text.includes("liberty") && text.includes("blocked"), text);
  assert.equal(await page.locator("#keys").isVisible(), false, "a part without anything found goes");
  await page.locator("#find").fill("R12");
  const said = await page.locator("#help [role=status]").innerText();
  assert.equal(await page.locator("#clause-R12").isVisible(), true, said);
  assert.equal(await page.locator("#clause-R28").isVisible(), false, said);
  await page.locator("#find").fill("no such word");
  assert.equal(await page.locator("#help [role=status]").innerText(), "Nothing has these words.");
  await page.locator("#find").fill("");
  assert.equal(await shown("rule").count(), all);
  // The glossary is one click away, here and from a clause that is read in place.
  await page.getByRole("button", { name: /^Words/ }).click();
  const inView = async () => {
    const box = await page.locator("#words").boundingBox();
    assert.ok(box.y >= 0 && box.y < 300, `the words are at ${box.y}`);
  };
  await inView();
  await page.locator("#find").fill("R9");
  await page.locator('#help [data-clause="R9"]').filter({ visible: true }).first().click();
  await page.getByRole("button", { name: "What the words mean" }).click();
  await page.waitForFunction(() => document.title.startsWith("Words – Help"));
  await inView();
  await close(page);
}

export async function a_link_is_copied_on_every_screen() {
  const page = await open(state({ ...SMALL, actions: "b@b2" }));
  for (const size of [...Object.values(SCREENS), { width: 360, height: 740 }]) {
    await page.setViewportSize(size);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(() => navigator.clipboard.writeText(""));
    const share = page.getByRole("button", { name: "Share" });
    const { x, width } = await share.boundingBox();
    assert.ok(x >= 0 && x + width <= size.width, `at ${x} of ${size.width}`);
    await share.click();
    const box = await page.locator("#share").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= size.width, JSON.stringify(box));
    // What others can open comes first.
    assert.match(await page.locator("#share").innerText(), /This game as a page[^]*Link for this computer/);
    await page.getByRole("button", { name: "Link for this computer" }).click();
    await page.locator("#said.shown").waitFor({ state: "attached" });
    assert.equal(await page.locator("#said").textContent(), "Copied. It opens in this browser only, while the program runs.");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  }
  await close(page);
}

export async function a_bad_field_is_marked_and_keeps_what_is_proven() {
  const page = await open(state({ actions: "d@d3" }));
  const answer = page.locator("#values .answer");
  await answer.filter({ hasText: "Black wins" }).waitFor();
  for (const typed of ["-5", "1000000000", "0", ""]) {
    await page.locator('[data-key="seconds"]').fill(typed);
    await page.locator('[data-key="search"]').click();
    await page.locator("#wrong-seconds").filter({ hasText: "Enter 0.1 to 3600 seconds" }).waitFor();
    assert.equal(await page.locator('[data-key="seconds"]').getAttribute("aria-invalid"), "true");
    assert.match(await answer.innerText(), /Black wins/, typed);
  }
  // So does a search that finds no more.
  await page.locator('[data-key="seconds"]').fill("0.3");
  await page.locator('[data-key="search"]').click();
  await page.locator('[data-key="search"]').waitFor({ timeout: 60_000 });
  assert.match(await answer.innerText(), /Black wins/);
  assert.equal(await page.getByText("Best play:").count(), 0);
  // What is no action is told at its field, and a capital is read.
  await page.locator("#action").fill("zzz");
  await page.locator("#action").press("Enter");
  await page.locator("#bad-action").waitFor();
  assert.doesNotMatch(await page.locator("#bad-action").innerText(), /shove|kick/);
  assert.equal(await page.locator("#trouble").isVisible(), false);
  await page.locator("#action").fill("O@b5");
  await page.locator("#action").press("Enter");
  await page.locator('#board [data-at="b5"].last').waitFor();
  assert.equal(await page.locator("#board .last").count(), 1);
  await close(page);
}
