// Is it fair?: games and exact values, other rules, reports.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { close, drop, faultless, folder, open, openFile, pods, saved, SMALL, state, TINY } from "./harness.mjs";

export async function fairness_is_told_in_one_sentence_that_grows() {
  const page = await open(state({ tab: "fair" }));
  const begun = performance.now();
  await page.locator("#verdict").filter({ hasText: /^(Probably|Too few games|Not fair|Fair|It (seems to )?matter|At )/ }).waitFor({ timeout: 120_000 });
  const took = (performance.now() - begun) / 1000;
  const games = async () => Number(/of (\d+) games/.exec(await page.locator('[data-turn="0"]').innerText())?.[1] ?? 0);
  const first = await games();
  await page.waitForFunction((was) => Number(/of (\d+) games/.exec(document.querySelector('[data-turn="0"]').innerText)?.[1] ?? 0) > was, first, { timeout: 120_000 });
  assert.equal(await page.locator(".turns article .map svg").count(), 4);
  // Games go on until they tell enough.
  await page.locator('#fair .bar [role="status"]').filter({ hasText: /playing games.*: \d+ of \d+/ }).waitFor({ timeout: 120_000 });
  await close(page);
  return `the first answer after ${took.toFixed(1)} s`;
}

export async function exact_values_take_the_place_of_games_and_are_saved() {
  const page = await open(state({ tab: "fair", ...TINY, seconds: "60" }));
  await page.locator("#fair article .proven").nth(7).waitFor({ timeout: 120_000 });
  // The sentence is about all four ways, each card says the same of its own, and both are what the program solves.
  const winners = Object.fromEntries(["0", "90", "180", "270"].map((turn) => {
    const winner = (position, starter) => (JSON.parse(pods("solve", position, "--board", "nook9", "--pods", "four", "--hands", "bdt", "--orientation", turn, "--format", "json")).value === "win" ? starter : { White: "Black", Black: "White" }[starter]);
    return [turn, [winner("start", "White"), winner("3/3/3 b bdt bdt open", "Black")]];
  }));
  const fate = ([w, b]) => (w === b ? `${w} wins, whoever starts` : w === "White" ? "whoever starts wins" : "whoever starts loses");
  await page.locator("#verdict").filter({ hasText: "(all proven)" }).waitFor();
  const verdict = await page.locator("#verdict").innerText();
  for (const [turn, both] of Object.entries(winners)) {
    assert.equal(await page.locator(`[data-turn="${turn}"] h3`).innerText(), `${turn}°: ${fate(both)}`);
    assert.ok(verdict.includes(fate(both)), `${verdict}: ${turn}° ${both}`);
  }
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
  // It is short: one board, the list with its pictures of shares; the rest is folded.
  assert.deepEqual([await report.locator(".card").count(), await report.locator("figure svg").filter({ visible: true }).count()], [4, 1]);
  assert.equal(await report.locator("table").filter({ visible: true }).count(), 1);
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
  // Under Play the look at the position might find the value of the start.
  const page = await open(state({ ...SMALL, tab: "help" }), { width: 390, height: 844 });
  // What the program tells who stops it after the first of four searches: the reports are those
  // from before it.
  const told = [["begun", {}], ["plan", { opening: 2 }], ["reports", { csv: "orientation", page: "<p>0 setups", games_csv: "x", games_page: "<p>games", exact: 0 }], ["solved", { degrees: [0] }], ["done", {}]];
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

// Whatever is known, the sentence says it of all four ways the board can lie, and never more than is known.
export async function the_sentence_says_what_is_proven_and_what_is_likely() {
  const game = (turn, share) => ({ turn, first: "white", wins: 75, losses: 25, draws: 0, share });
  const exact = (turn, first, value) => ["exact", { value, plies: null, method: "search", turn, first, position: `3/3/3 ${first[0]} bdqt bdqt open` }];
  const cases = [
    ["It matters which way the board lies: at 0° and 180° whoever starts loses; at 90° Black wins, whoever starts; at 270° White wins, whoever starts (all proven).", [
      exact(0, "white", "loss"), exact(0, "black", "loss"), exact(180, "white", "loss"), exact(180, "black", "loss"),
      exact(90, "white", "loss"), exact(90, "black", "win"), exact(270, "white", "win"), exact(270, "black", "loss"),
    ]],
    ["Not fair, whichever way the board lies: White wins if White starts (all proven).", [0, 90, 180, 270].map((turn) => exact(turn, "white", "win"))],
    ["Fair, whichever way the board lies: nobody wins, whoever starts (all proven).", [0, 90, 180, 270].flatMap((turn) => [exact(turn, "white", "draw"), exact(turn, "black", "draw")])],
    ["Probably not fair: White wins some 74 % of games at every orientation; 180° is nearest to fair, 70 % ± 6.", [["games", [game(0, [0.76, 0.7, 0.82]), game(90, [0.75, 0.69, 0.81]), game(180, [0.7, 0.64, 0.76]), game(270, [0.76, 0.7, 0.82])]]]],
    ["It seems to matter which way the board lies: White wins 81 % ± 4 of games at 0°, 30 % ± 5 of games at 90°, 55 % ± 5 of games at 180° and 67 % ± 4 of games at 270°; 180° is nearest to fair, 55 % ± 5.", [["games", [game(0, [0.81, 0.77, 0.85]), game(90, [0.3, 0.25, 0.35]), game(180, [0.55, 0.5, 0.6]), game(270, [0.67, 0.63, 0.71])]]]],
    ["At 90° whoever starts wins (proven). Probably not fair: White wins some 80 % of games at 0°, 180° and 270°; 180° is nearest to fair, 79 % ± 5.", [
      exact(90, "white", "win"), exact(90, "black", "win"), ["games", [game(0, [0.8, 0.75, 0.85]), game(90, [0.5, 0.45, 0.55]), game(180, [0.79, 0.74, 0.84]), game(270, [0.8, 0.75, 0.85])]],
    ]],
  ];
  // Each is a setup of its own, of which nothing is known from the others.
  const page = await open(state({ ...SMALL, tab: "help" }));
  const rules = ["standard", "basic-author", "advanced", "advanced-dutch", "advanced-author", "very-advanced"];
  let body;
  await page.route("**/api/job", (route) => route.fulfill({ body, contentType: "text/event-stream" }));
  for (const [i, [said, told]] of cases.entries()) {
    const of = (data) => (Array.isArray(data) ? data.map(of) : { ...data, rules: rules[i] });
    const events = [["begun", {}], ["plan", { opening: 2 }], ...told.map(([event, data]) => [event, of(data)]), ["done", {}]];
    body = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    await page.evaluate((hash) => { location.hash = hash; }, state({ ...SMALL, tab: "fair", rules: rules[i] }));
    await page.locator("#verdict").filter({ hasText: said }).waitFor();
  }
  await close(page);
}

export async function whose_board_and_whose_pods_they_are_is_said_in_the_same_line() {
  const page = await open(state({ ...TINY, tab: "fair", board: pods("new", "board", "3x3") }));
  await page.locator("#verdict").filter({ hasText: "This is your board with the program’s own pods, four." }).waitFor({ timeout: 120_000 });
  await page.locator("#verdict").getByRole("button", { name: "Draw your pods" }).click();
  await page.locator("#edit-steps").getByText("the program’s, not yours").waitFor();
  await close(page);
}

export async function a_saved_game_is_read_back() {
  const page = await open(state({ ...SMALL, actions: "b@b2,q@a3" }));
  const before = await page.locator("#position").inputValue();
  await page.getByRole("button", { name: "Share" }).click();
  const file = await saved(page, "This game as a page");
  const shown = await openFile(file);
  assert.match(await shown.locator(".verdict").innerText(), /White is to move/);
  assert.match(await shown.locator("ol").first().innerText(), /White: b@b2\s+Black: q@a3/);
  await faultless(shown, "the page of a game");
  await close(shown);
  await page.getByRole("button", { name: "Share" }).click();
  const picture = await saved(page, "The board as a picture");
  // Dropped on the page, each brings the game back.
  for (const path of [file, picture]) {
    await page.locator("#game").getByRole("button", { name: "Start anew" }).click();
    await page.waitForFunction((was) => document.getElementById("position").value !== was, before);
    await drop(page, "saved", readFileSync(path, "utf8"));
    await page.waitForFunction((was) => document.getElementById("position").value === was, before);
    assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("actions"), "b@b2,q@a3");
  }
  // Of what shows no game it is said what it is, and what reads it.
  const certificate = join(folder, "won.jsonl");
  assert.match(pods("prove", "3/1B1/2q w dt bt -", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--out", certificate, "--force"), /claim +loss for White/);
  await drop(page, "won.jsonl", readFileSync(certificate, "utf8"));
  await page.locator("#trouble .cause").filter({ hasText: "won.jsonl is a certificate: on nook9 turned by 0°, with four and the rules standard, who moves in 3/1B1/2q w dt bt - loses. pods check-proof won.jsonl checks it." }).waitFor();
  await drop(page, "exact.csv", pods("report", "--board", "nook9", "--pods", "four", "--hands", "bdt", "--format", "csv"));
  await page.locator("#trouble .cause").filter({ hasText: "exact.csv is a table of results, for a spreadsheet." }).waitFor();
  await drop(page, "other.txt", "<p>");
  await page.locator("#trouble .cause").filter({ hasText: "other.txt has no game that could be shown" }).waitFor();
  assert.equal(await page.locator("#position").inputValue(), before);
  await close(page);
}
