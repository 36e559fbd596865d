// Is it fair?: games and exact values, other rules, reports.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { close, faultless, open, openFile, pods, saved, SMALL, state, TINY } from "./harness.mjs";

export async function fairness_is_told_in_one_sentence_that_grows() {
  const page = await open(state({ tab: "fair" }));
  const begun = performance.now();
  await page.locator("#verdict").filter({ hasText: /Probably (not )?fair|Too few games to say yet|wins with best play/ }).waitFor({ timeout: 120_000 });
  const took = (performance.now() - begun) / 1000;
  const games = async () => Number(/of (\d+) games/.exec(await page.locator('[data-turn="0"]').innerText())?.[1] ?? 0);
  const first = await games();
  await page.waitForFunction((was) => Number(/of (\d+) games/.exec(document.querySelector('[data-turn="0"]').innerText)?.[1] ?? 0) > was, first, { timeout: 120_000 });
  assert.equal(await page.locator(".turns article .map svg").count(), 4);
  // Games go on until they tell enough.
  assert.match(await page.locator('#fair .bar [role="status"]').innerText(), /until each share is known to ± 3 %/);
  await close(page);
  return `the first answer after ${took.toFixed(1)} s`;
}

export async function exact_values_take_the_place_of_games_and_are_saved() {
  const page = await open(state({ tab: "fair", ...TINY, seconds: "60" }));
  await page.locator("#fair article .proven").nth(7).waitFor({ timeout: 120_000 });
  await page.locator("#verdict").filter({ hasText: "White wins with best play, 5 plies from the start." }).waitFor();
  await page.locator('#fair [data-key="stop fair"]').waitFor({ state: "detached", timeout: 120_000 });
  // Nothing is left to be searched for, and it is said why no more games are played.
  assert.equal(await page.locator('#fair [data-key="go"]').count(), 0);
  assert.match(await page.locator("#ended").innerText(), /Enough games: with \d+ from each start, every share is known to ± 3 % or better|\d+ games from each start were played: as many as there are different openings/);
  const csv = readFileSync(await saved(page, "Exact values, as a table (CSV)"), "utf8");
  assert.equal(csv, pods("report", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--format", "csv"));
  for (const name of ["Exact values, as a page", "Games, as a page"]) {
    const html = readFileSync(await saved(page, name), "utf8");
    assert.ok(html.startsWith("<!DOCTYPE html>") && !html.includes("<script"), name);
  }
  assert.match(await page.locator("#fair").innerText(), /What other readings of the rules would do/);
  // The base that a change is counted from stands beside it, and clauses are said in words.
  const readings = page.locator('[data-key="readings"]');
  assert.match(await readings.locator('[data-key="as now"]').innerText(), /as the rules are now, all games\s+\d+ %/);
  const rows = await readings.locator("tbody tr:not([data-key='as now'])").evaluateAll((all) => all.map((one) => [...one.children].map((cell) => cell.textContent)));
  assert.ok(rows.length > 2);
  for (const [means, white, now, change] of rows) {
    assert.doesNotMatch(means, /=/);
    assert.match(now, /^\d+ %$/, `${means}, ${white}`);
    assert.match(change, /points/, means);
  }
  await close(page);
}

export async function rule_sets_stand_side_by_side_for_fairness() {
  const page = await open(state({ ...TINY, tab: "fair" }), { width: 1280, height: 800 });
  const sets = page.locator("#rule-sets");
  const line = (name) => sets.locator(`[data-key="rules ${name}"]`);
  await line("very-advanced").locator("td").filter({ hasText: /%|proven|drawn/ }).nth(3).waitFor({ timeout: 200_000 });
  assert.deepEqual(await sets.locator("thead th").allInnerTexts(), ["Rules", "0°", "90°", "180°", "270°"]);
  assert.equal(await sets.locator("tbody tr").count(), 6);
  assert.match(await line("standard").innerText(), /standard \(these\)\s+Pods are placed and never move\..*Who cannot place a pod loses\./);
  // Each rule set is described in its own words.
  assert.equal(new Set(await sets.locator(".of-rules").allInnerTexts()).size, 6);
  // What is proven is the value that the program finds elsewhere.
  const solved = JSON.parse(pods("solve", "start", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--format", "json"));
  assert.match(await line("standard").locator("td").first().innerText(), new RegExp(`^${solved.value === "win" ? "White" : "Black"} \\(proven\\); White \\d+ %.* in games$`));
  await close(page);
}

export async function a_board_without_lines_is_told_so() {
  const bare = pods("new", "board", "4x4").replace(/points = \'\'\'[^]*\'\'\'/, "points = '''\no o o o\n\no o o o\n\no o o o\n'''");
  const page = await open(state({ tab: "fair", board: bare }));
  await page.getByText("this board has no lines").waitFor({ timeout: 60_000 });
  await page.locator("#tab-edit").click();
  await page.getByText("Draw some lines first.").waitFor();
  await page.locator("#edit-check").filter({ hasText: "once the board has lines" }).waitFor();
  assert.doesNotMatch(await page.locator("#edit-check").innerText(), /fits/);
  await close(page);
}

export async function the_page_of_games_begins_with_a_verdict_and_the_boards() {
  const page = await open(state({ ...TINY, tab: "fair" }));
  await page.locator('[data-key="Games, as a page"]').waitFor({ timeout: 120_000 });
  const file = await saved(page, "Games, as a page");
  const report = await openFile(file);
  assert.match(await report.locator("header .verdict").innerText(), /(Probably|Too few games|Nobody).*° with White to start/);
  assert.equal(await report.locator(".card figure svg").count(), 4);
  assert.match(await report.locator(".card").first().innerText(), /White, who starts, wins \d+ % \(likely \d+ to \d+ %\) of \d+ decided games?/);
  await faultless(report, "the page of games");
  await close(report);
  // A board of one's own without a source: no file is spoken of.
  const own = await open(state({ ...TINY, tab: "fair", board: pods("new", "board", "3x3") }));
  await own.locator('[data-key="Games, as a page"]').waitFor({ timeout: 120_000 });
  const text = readFileSync(await saved(own, "Games, as a page"), "utf8");
  assert.match(text, /nobody has said yet where it comes from/);
  assert.doesNotMatch(text, /the file does not say/);
  await close(own);
  await close(page);
}

export async function games_that_were_stopped_go_on() {
  const page = await open(state({ tab: "fair", seconds: "600" }));
  const games = async () => Number(/of (\d+) games/.exec(await page.locator('[data-turn="0"]').innerText())?.[1] ?? 0);
  await page.waitForFunction(() => Number(/of (\d+) games/.exec(document.querySelector('[data-turn="0"]').innerText)?.[1] ?? 0) > 7, null, { timeout: 120_000 });
  // How well they tell so far, and how many more may be needed, is said.
  await page.locator("#so-far").filter({ hasText: /^\d+ games from each start so far \(± \d+\); about \d+ more make it ± 3/ }).waitFor();
  // While the button is down nothing moves under it, though games go on; also where it takes the focus from another control.
  await page.locator("#fair summary").first().focus();
  await page.locator('[data-key="stop fair"]').hover();
  await page.mouse.down();
  const held = await page.locator("#fair").innerText();
  await page.waitForTimeout(1500);
  assert.equal(await page.locator("#fair").innerText(), held);
  await page.mouse.up();
  await page.locator('[data-key="go on"]').waitFor();
  const stopped = await games();
  await page.locator('[data-key="go on"]').click();
  await page.waitForFunction((was) => Number(/of (\d+) games/.exec(document.querySelector('[data-turn="0"]').innerText)?.[1] ?? 0) > was, stopped, { timeout: 120_000 });
  // Nothing was searched for, so nothing is said not to have been found.
  assert.doesNotMatch(await page.locator("#fair .turns").innerText(), /not found within the time/);
  await close(page);
}

export async function an_empty_report_is_not_offered() {
  const page = await open(state(SMALL), { width: 390, height: 844 });
  // What the program tells who stops it after the first of four searches: the reports are those
  // from before it.
  const told = [["begun", {}], ["columns", ["orientation", "white_first", "black_first"]], ["plan", { opening: 2 }], ["reports", { csv: "orientation", page: "<p>0 setups", games_csv: "x", games_page: "<p>games" }], ["row", ["0", "", ""]], ["done", {}]];
  const body = told.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  await page.route("**/api/job", (route) => route.fulfill({ body, contentType: "text/event-stream" }));
  await page.locator("#tab-fair").click();
  await page.locator('[data-key="Games, as a page"]').waitFor();
  await page.locator('[data-turn="0"]').getByText("Exact answer: not found within the time.").waitFor();
  for (const name of ["Exact values, as a page", "Exact values, as a table (CSV)"]) assert.equal(await page.getByRole("button", { name }).isDisabled(), true, name);
  await close(page);
}

export async function rule_sets_fit_on_a_phone() {
  const page = await open(state({ ...TINY, tab: "fair" }), { width: 390, height: 844 });
  const line = page.locator('#rule-sets [data-key="rules standard"]');
  await line.locator("td").filter({ hasText: /%|proven|drawn/ }).nth(3).waitFor({ timeout: 200_000 });
  // Four lines, each with how the board lies and all of its answer.
  const boxes = await line.locator("td").evaluateAll((all) => all.map((one) => [one.dataset.label, one.getBoundingClientRect()]).map(([label, { x, y, right }]) => ({ label, x, y, right })));
  assert.deepEqual(boxes.map(({ label }) => label), ["0°", "90°", "180°", "270°"]);
  for (const [i, { x, y, right }] of boxes.entries()) assert.ok(x >= 0 && right <= 390 && (i === 0 || y > boxes[i - 1].y), JSON.stringify(boxes));
  const wide = await page.locator("#rule-sets .scroll").evaluate((part) => part.scrollWidth - part.clientWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  await close(page);
}
