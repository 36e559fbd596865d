// Setting up, playing, knowing.

import assert from "node:assert/strict";
import { becomes, close, hand, open, pods, point, position, server, SMALL, state } from "./harness.mjs";

// A position of the real size that no list of known results has.
const UNSOLVED = "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -";

// As the browser tells it, from the beginning of the navigation: its first paint of anything, and
// the frame that shows the board.
export async function first_paint_is_quick() {
  const page = await open();
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("#board svg g.pods-point")) return;
      observer.disconnect();
      const shown = new MessageChannel();
      shown.port1.onmessage = () => { window.boardShown = performance.now(); };
      requestAnimationFrame(() => shown.port2.postMessage(0));
    }).observe(document, { childList: true, subtree: true });
  });
  const [first, board] = [[], []];
  for (let i = 0; i < 5; i += 1) {
    await page.goto(server.origin);
    await page.waitForFunction(() => window.boardShown && performance.getEntriesByName("first-contentful-paint").length > 0);
    // One file is waited for before anything is painted.
    const blocking = await page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.renderBlockingStatus === "blocking").map((one) => new URL(one.name).pathname));
    assert.deepEqual(blocking, ["/page.css"]);
    first.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    board.push(await page.evaluate(() => window.boardShown));
  }
  assert.equal(await page.locator("#board .point").count(), 36);
  await close(page);
  const sorted = (times) => times.sort((a, b) => a - b).map((time) => time.toFixed(0));
  return `first contentful paint after ${sorted(first)[2]} ms, the board after ${sorted(board)[2]} ms (medians of 5; board: ${sorted(board).join(" ")})`;
}

export async function an_illegal_placement_is_refused_and_explained() {
  const page = await open(state({ actions: "b@c3" }));
  const before = await position(page);
  await hand(page, "black", "o").click();
  assert.equal(await point(page, "c3").getAttribute("aria-pressed"), null);
  const clause = await point(page, "c4").getAttribute("aria-label");
  const begun = performance.now();
  await point(page, "c3").click();
  await page.locator("#why h2").waitFor();
  const took = performance.now() - begun;
  const why = await page.locator("#why").innerText();
  assert.match(why, /o@c3 is not allowed/);
  assert.match(why, /R10: a placement goes from hand to an empty point/);
  assert.match(why, /White's pod B stands on c3/);
  assert.match(await point(page, "c3").getAttribute("aria-label"), /to blame/);
  assert.equal(await position(page), before);
  const said = JSON.parse(pods("explain", before, "--format", "json", "--no-values")).placements;
  const c4 = said.find((one) => one.pod === "o" && one.point === "c4");
  assert.ok(clause.endsWith(c4.legal ? "possible" : `not possible by ${c4.clause}`), clause);
  await close(page);
  return `explained in ${took.toFixed(0)} ms`;
}

export async function pods_are_played_by_clicks_by_dragging_and_by_typing() {
  const page = await open(state(SMALL));
  await hand(page, "white", "b").click();
  await point(page, "b2").click();
  await becomes(page, "3/1B1/3 b dqt bdqt -");
  const legal = (await page.locator("#game .actions").textContent()).trim().split(" ");
  const drag = legal.find((action) => action.startsWith("d@")) ?? legal[0];
  const [id, at] = drag.split("@");
  await hand(page, "black", id).dragTo(point(page, at));
  await page.waitForFunction(() => document.querySelectorAll("#game .steps li").length === 3);
  const dragged = await position(page);
  const [typed] = (await page.locator("#game .actions").textContent()).trim().split(" ");
  await page.locator("#action").fill(typed);
  await page.locator("#action").press("Enter");
  await page.waitForFunction((before) => document.getElementById("position").value !== before, dragged);
  assert.equal(await page.locator("#action").inputValue(), "");
  const game = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("actions");
  assert.equal(game, `b@b2,${drag},${typed}`);
  await close(page);
}

export async function undo_and_redo_go_through_the_game() {
  const page = await open(state({ ...SMALL, actions: "b@b2" }));
  const played = await position(page);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await becomes(page, "3/3/3 w bdqt bdqt open");
  await page.locator("body").press("Control+y");
  await becomes(page, played);
  await page.locator("body").press("Control+z");
  await becomes(page, "3/3/3 w bdqt bdqt open");
  assert.equal(await page.getByRole("button", { name: "Undo" }).first().isDisabled(), true);
  await close(page);
}

export async function a_small_set_is_solved_and_its_line_stepped_through() {
  const page = await open(state({ ...SMALL, white: "bdt", black: "bdt", seconds: "60" }));
  // The look that is taken without being asked finds some or all of it.
  await page.locator('#values .proven, #values [data-key="search"]').first().waitFor();
  const search = page.locator('#values [data-key="search"]');
  // It may end just now: then nothing is left to be asked for.
  if (await search.isVisible()) await search.click({ timeout: 2000 }).catch(() => null);
  await page.waitForFunction(() => document.querySelectorAll("#values .worths .badge:not(.unknown)").length >= 8);
  // While it runs there is a button to stop it, and when it has found all there is none.
  await page.waitForFunction(() => !document.querySelector('#values :is([data-key="search"], [data-key="Stop"])'));
  assert.match(await page.locator("#values .proven").innerText(), /White wins in 5 plies with best play/);
  const every = page.locator('#values [data-key="all actions"]');
  if (await every.isVisible()) await every.click();
  const solved = JSON.parse(pods("solve", "start", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--format", "json"));
  const shown = await page.locator("#values .worths li").allInnerTexts();
  const best = shown.filter((text) => text.includes("wins in 5 plies"));
  assert.equal(best.length, solved.best.length);
  assert.ok(shown.every((text) => /wins|loses|draws/.test(text)), shown.join("; "));
  await page.locator("#values .line button").nth(2).click();
  await page.waitForFunction(() => document.querySelectorAll("#game .steps li").length >= 4);
  await close(page);
}

export async function what_is_not_known_is_said_so_and_can_be_stopped() {
  const page = await open(state({ position: UNSOLVED, seconds: "600" }));
  await page.getByRole("button", { name: "Search longer" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  assert.match(await page.locator("#values").innerText(), /Searching/);
  await page.locator("#values").getByText(/at most \d+ s left/).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Search longer" }).waitFor();
  assert.match(await page.locator("#values").innerText(), /Not known yet/);
  assert.doesNotMatch(await page.locator("#values").innerText(), /draws/);
  await close(page);
}

export async function a_game_against_the_program_goes_to_its_end() {
  const page = await open(state({ ...SMALL, white: "bdt", black: "bdt", pace: "0.3" }));
  await page.locator("#fold-program summary").click();
  await page.locator("#program select").selectOption("black");
  for (let turns = 0; turns < 20; turns += 1) {
    await page.waitForFunction(() => /White is to move|has won/.test(document.querySelector("#game p").textContent));
    if (/has won/.test(await page.locator("#game p").first().innerText())) break;
    const before = await position(page);
    const [first] = (await page.locator("#game .actions").textContent()).trim().split(" ");
    await page.locator("#action").fill(first);
    await page.locator("#action").press("Enter");
    await page.waitForFunction((was) => document.getElementById("position").value !== was, before);
  }
  assert.match(await page.locator("#todo").innerText(), /(White|Black) has won: .*R15/);
  const steps = (await page.locator("#game .steps li").count()) - 1;
  await close(page);
  return `${steps} actions`;
}

export async function a_link_is_a_position() {
  const page = await open(state({ ...SMALL, turn: "90", rules: "advanced+captures=after-moves", white: "bdt", black: "bdt" }));
  const [first] = (await page.locator("#game .actions").textContent()).trim().split(" ");
  await page.locator("#action").fill(first);
  await page.locator("#action").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#game .steps li").length === 2);
  const [text, url] = [await position(page), page.url()];
  const other = await open(new URL(url).hash.slice(1));
  assert.equal(await position(other), text);
  assert.equal(await other.locator("#setup .more p").first().textContent(), "Rules: advanced+captures=after-moves");
  assert.equal(other.url(), url);
  await close(other);
  // The browser's own way back undoes what began another game.
  await page.getByRole("button", { name: "Start anew" }).click();
  await becomes(page, "3/3/3 w bdt bdt open");
  await page.goBack();
  await becomes(page, text);
  await close(page);
}

export async function a_broken_position_leaves_the_board_as_it_was() {
  const page = await open(state({ ...SMALL, actions: "b@b2" }));
  const before = await page.locator("#board svg").innerHTML();
  await page.locator("#game summary").click();
  await page.locator("#position").fill("3/1X1/3 w bdt bdt open");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await page.locator("#trouble").waitFor();
  const said = pods("moves", "3/1X1/3 w bdt bdt open", "--board", "nook9", "--pods", "four");
  assert.ok(said.includes(await page.locator("#trouble .cause").innerText()), said);
  assert.equal(await page.locator("#board svg").innerHTML(), before);
  // It stays to be mended, and what is wrong is said only where it was typed.
  assert.equal(await page.locator("#position").inputValue(), "3/1X1/3 w bdt bdt open");
  await page.locator("#tab-fair").click();
  await page.locator("#trouble").waitFor({ state: "hidden" });
  await page.locator("#tab-play").click();
  // Nothing of it is in the address; what is typed well is read, whatever blanks and dashes it has.
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("actions"), "b@b2");
  await page.locator("#position").fill("\u00a03/1B1/2q\u2009 w dt\u3000bt \u2013\u200b");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await becomes(page, "3/1B1/2q w dt bt -");
  assert.equal(await page.locator("#trouble").isVisible(), false);
  await close(page);
}

export async function captures_are_one_step() {
  const page = await open(state({ ...SMALL, rules: "advanced" }));
  for (const action of (await page.locator("#game .actions").textContent()).trim().split(" ")) {
    await page.locator("#action").fill(action);
    await page.locator("#action").press("Enter");
    // What was undone is a step as well, so only its name tells when this one was played.
    await page.waitForFunction((played) => document.querySelector('#game [aria-current="step"]').dataset.action === played, action);
    if (/↩/.test(await page.locator("#game .steps").innerText())) break;
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.waitForFunction(() => document.querySelector('#game [aria-current="step"]').textContent === "beginning");
  }
  assert.match(await page.locator("#news").innerText(), /has no liberty: .*back to hand \(R7, R18\)/);
  assert.match(await page.locator("#said").innerText(), /back in White’s hand/);
  // With motion what is captured is marked on the board as it was, before it goes.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const action = await page.locator('#game [aria-current="step"]').getAttribute("data-action");
  await page.getByRole("button", { name: "Undo" }).first().click();
  await becomes(page, "3/3/3 w bdqt bdqt open");
  await page.locator("#action").fill(action);
  await page.locator("#action").press("Enter");
  await page.locator("#board .back .taken").waitFor();
  await page.locator("#board .taken").waitFor({ state: "detached" });
  await close(page);
}

export async function two_rule_sets_stand_side_by_side() {
  const page = await open(state({ ...SMALL, position: "3/1B1/2q w dt bdt -", other: "advanced", seconds: "3" }));
  await page.locator("#compare svg").nth(1).waitFor();
  const text = await page.locator("#compare").innerText();
  assert.match(text, /standard/);
  assert.match(text, /Only here: 0/);
  assert.match(text, /Only here: [1-9]/);
  await page.getByRole("button", { name: "Values under both" }).click();
  await page.getByRole("button", { name: "Values under both" }).waitFor();
  assert.equal((await page.locator("#compare .pair p .badge").count()), 2);
  await close(page);
}

export async function a_position_is_set_up_by_hand() {
  const page = await open(state(SMALL));
  await page.locator("#fold-arrange summary").click();
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  await hand(page, "black", "q").click();
  await point(page, "c3").click();
  await becomes(page, "2q/3/3 w bdqt bdt open");
  await point(page, "c3").click();
  await point(page, "a1").click();
  await becomes(page, "3/3/q2 w bdqt bdt open");
  await page.locator("#arrange select").selectOption("black");
  await page.waitForFunction(() => / b bdqt/.test(document.getElementById("position").value));
  await close(page);
}
