// Off the path: links that are wrong, pods that are not finished, a program that has stopped, other
// tabs, other browsers.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { becomes, browser, close, enter, folder, hand, open, openAt, position, serve, SMALL, state } from "./harness.mjs";

const asked = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

export async function unfinished_pods_are_told_so_and_wait() {
  const page = await open(state({ tab: "edit", ...SMALL }));
  await page.locator('[data-key="make pods"]').click();
  await page.locator(".missing").filter({ hasText: "14 of 14" }).waitFor();
  await page.reload();
  await page.locator(".missing").filter({ hasText: "14 of 14" }).waitFor();
  assert.equal(await page.locator("#trouble").isVisible(), false);
  const drawn = asked(page).get("pods");
  // On the other tabs it is said what is missing, with a way back, and no game that is another one.
  for (const [tab, part] of [["play", "#unfinished"], ["fair", "#fair"]]) {
    await page.locator(`#tab-${tab}`).click();
    await page.locator(part).getByText("Your pods are not finished: 14 of 14 have no legs.").waitFor();
    assert.equal(await page.locator("#play .table").isVisible(), false);
    assert.equal(await page.locator("#trouble").isVisible(), false);
  }
  await page.locator("#fair").getByRole("button", { name: "Go on under My board" }).click();
  await page.locator(".missing").filter({ hasText: "14 of 14" }).waitFor();
  await page.locator("#tab-play").click();
  await page.locator("#unfinished").getByRole("button", { name: /^Play on .* instead$/ }).click();
  await hand(page, "white", "b").waitFor();
  assert.equal(await page.locator("#unfinished").isVisible(), false);
  // The pods come back by the browser's Back.
  await page.goBack();
  await page.locator("#unfinished").getByText("14 of 14").waitFor();
  assert.equal(asked(page).get("pods"), drawn);
  await close(page);
}

export async function a_wrong_link_shows_the_game_as_far_as_it_goes() {
  const wrong = {
    "zzz": [{ ...SMALL, actions: "b@b2,zzz,d@a1" }, /"zzz" is no action.*shown up to there/s, "3/1B1/3 b dqt bdqt -"],
    "an illegal action": [{ ...SMALL, actions: "b@b2,q@b2" }, /action 2: q@b2 is illegal.*shown up to there/s, "3/1B1/3 b dqt bdqt -"],
    "a board that is none": [{ ...SMALL, board: "nosuch" }, /no built-in board "nosuch"/, null],
    "a turn that is none": [{ ...SMALL, turn: "45" }, /90, 180 or 270 degrees, not by 45/, "3/3/3 w bdqt bdqt open"],
    "a position that is none": [{ ...SMALL, position: "3/1X1/3 w bdqt bdqt open" }, /./, "3/3/3 w bdqt bdqt open"],
  };
  for (const [what, [values, said, shown]] of Object.entries(wrong)) {
    const page = await open(state(values));
    await page.locator("#trouble .cause").waitFor();
    assert.match(await page.locator("#trouble .cause").innerText(), said, what);
    assert.ok((await page.locator("#board .point").count()) > 0, what);
    if (shown) assert.equal(await position(page), shown, what);
    await page.locator("#trouble").getByRole("button", { name: "Start anew" }).click();
    await page.locator("#trouble").waitFor({ state: "hidden" });
    if (values.actions) await becomes(page, "3/3/3 w bdqt bdqt open");
    // What is shown is what the address says now.
    const text = await position(page);
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.equal(await position(page), text, what);
    assert.equal(await page.locator("#trouble").isVisible(), false, what);
    await close(page);
  }
}

export async function a_page_whose_program_stops_goes_on_when_it_is_back() {
  const first = await serve();
  const port = new URL(first.address).port;
  const page = await openAt(first, state({ position: "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -", seconds: "600" }));
  await page.getByRole("button", { name: "Search longer" }).click();
  await page.locator("#values").getByText(/at most \d+ s left/).waitFor();
  first.child.kill("SIGKILL");
  await page.locator("#values .fault").filter({ hasText: "The program has stopped. Start it again by pods explore" }).waitFor();
  assert.doesNotMatch(await page.locator("#values").innerText(), /were not enough/);
  const before = await position(page);
  await page.locator("#tab-edit").click();
  await page.locator("#trouble").filter({ hasText: "this page goes on" }).waitFor();
  // Started anew, it does not know the page until its address was opened.
  const second = await serve({ port });
  await page.locator("#tab-help").click();
  await page.locator("#trouble").filter({ hasText: "open its new address in a second tab" }).waitFor();
  await enter(second);
  await page.bringToFront();
  await page.locator("#trouble").waitFor({ state: "hidden" });
  await page.locator("#tab-play").click();
  await page.getByRole("button", { name: "Search longer" }).waitFor();
  assert.equal(await position(page), before);
  assert.equal(await page.locator("#values .fault").count(), 0);
  // What the browser itself logs of a server that is not there.
  page.faults = page.faults.filter((fault) => !/Failed to load resource|ERR_/.test(fault));
  await close(page);
  second.child.kill("SIGINT");
}

export async function a_link_in_another_browser_says_what_to_do() {
  const one = await serve();
  const page = await browser.newPage();
  await page.goto(`${one.origin}/#${state({ ...SMALL, actions: "b@b2" })}`);
  assert.match(await page.title(), /not let in yet/);
  assert.match(await page.locator("body").innerText(), /Open the address that it prints, in this browser, in a second tab/);
  await enter(one);
  // The part behind # is still there.
  await page.reload();
  await page.waitForSelector("body[data-ready]");
  assert.equal(await position(page), "3/1B1/3 b dqt bdqt -");
  await page.close();
  one.child.kill("SIGINT");
}

export async function the_file_that_open_hands_to_a_browser_leads_to_the_page() {
  // In place of the system's way to start a browser: notes what it is to open.
  const [starter, noted] = [join(folder, "xdg-open"), join(folder, "opened")];
  writeFileSync(starter, `#!/bin/sh\necho "$1" > '${noted}.new' && /bin/mv '${noted}.new' '${noted}'\n`, { mode: 0o755 });
  const { child, origin } = await serve({ args: ["--open"], env: { ...process.env, PATH: folder } });
  while (!existsSync(noted)) await new Promise((done) => setTimeout(done, 50));
  const file = readFileSync(noted, "utf8").trim();
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  await page.waitForURL(`${origin}/`);
  await page.waitForSelector("body[data-ready]");
  assert.equal(await position(page), "6/6/6/6/6/6 w bcdfghjkopqtvy bcdfghjkopqtvy open");
  await page.close();
  // The file goes with the program.
  child.kill("SIGINT");
  await new Promise((done) => child.once("exit", done));
  assert.equal(existsSync(file), false);
}

export async function who_waits_is_told_for_which_tab_and_may_stop_it() {
  const first = await open(state({ tab: "fair" }));
  await first.locator("#fair .bar [role=status]").filter({ hasText: "playing games" }).waitFor();
  const second = await open(state({ position: "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -" }));
  await second.getByRole("button", { name: "Search longer" }).click();
  await second.locator("#values").getByText("waiting: your other tab is playing games").waitFor();
  await second.getByRole("button", { name: "Stop those" }).click();
  await second.locator("#values").getByText(/at most \d+ s left/).waitFor();
  await first.locator("#fair .fault").filter({ hasText: "Stopped from another tab" }).waitFor();
  await first.locator('[data-key="go on"]').waitFor();
  await close(second);
  await close(first);
}

// A caption of the rules texts is looked at; then everything is as it was.
export async function seeing_a_caption_changes_nothing() {
  const page = await open(state({ rules: "advanced", actions: "" }));
  await page.locator("#tab-edit").click();
  await page.locator('[data-key="see bipod-left-and-right"]').click();
  const caption = page.locator("#seen");
  await caption.filter({ hasText: "b@a2 is illegal by R13" }).waitFor();
  assert.match(await caption.innerText(), /a white bipod with a left and a right leg may not go there/);
  // There is something to be seen: the pod is chosen, and its point is marked.
  await page.locator('#hand-white [data-pod="b"][aria-pressed="true"]').waitFor();
  assert.match(await page.locator('#board [data-at="a2"]').getAttribute("class"), /seen/);
  assert.equal(await page.locator('#board [data-at="a2"] .clause').innerText(), "R13");
  assert.match(await page.locator("#setup summary").first().innerText(), /opening=any/);
  await caption.getByRole("button", { name: "Back to the comparison" }).click();
  await page.locator("#edit-check").waitFor();
  assert.equal(asked(page).get("rules"), "advanced");
  for (const tab of ["play", "fair"]) {
    await page.locator('[data-key="see bipod-left-and-right"]').click();
    await caption.waitFor();
    await page.locator("#tab-fair").click();
    assert.equal(asked(page).get("rules"), "advanced", tab);
    await page.locator(`#tab-${tab}`).click();
    assert.equal(await caption.isVisible(), false);
    await page.locator("#tab-edit").click();
  }
  // Starting anew in it begins the game that one had.
  await page.locator('[data-key="see bipod-left-and-right"]').click();
  await caption.waitFor();
  await page.getByRole("button", { name: "Start anew" }).click();
  await page.waitForFunction(() => document.getElementById("seen").hidden);
  assert.equal(asked(page).get("rules"), "advanced");
  await close(page);
}
