// Editing boards and pods, files, reports.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { close, endGames, open, pictures, pods, saved, state } from "./harness.mjs";

// What `pods check` says of a file, without the name of the file.
function checked(file) {
  const { file: _, ...rest } = JSON.parse(pods("check", file, "--format", "json"));
  return rest;
}

export async function cave36_is_entered_by_clicks() {
  const page = await open(state({ tab: "edit", board: "nook9" }));
  const wanted = checked("cave36");
  const begun = performance.now();
  let clicks = 2;
  await page.locator('[data-key="make board"]').click();
  await page.locator('#edit-board button[data-at="f6"]').waitFor();
  const steps = { n: [0, 1], ne: [1, 1], e: [1, 0], se: [1, -1] };
  let lines = 0;
  for (const [from, directions] of Object.entries(wanted.lines_by_point)) {
    for (const direction of directions.filter((one) => one in steps)) {
      const [right, up] = steps[direction];
      const to = String.fromCharCode(from.charCodeAt(0) + right) + (Number(from.slice(1)) + up);
      const line = page.locator(`#edit-board button[data-line="${from}-${to}"]`);
      // Diagonals cross in the middle, so they are pressed beside it.
      const { width, height } = await line.evaluate((one) => ({ width: one.offsetWidth, height: one.offsetHeight }));
      const box = await line.boundingBox();
      const away = direction === "ne" || direction === "se" ? width / 4 : 0;
      const [x, y] = direction === "ne" ? [away * Math.SQRT1_2, -away * Math.SQRT1_2] : [away * Math.SQRT1_2, away * Math.SQRT1_2];
      await page.mouse.click(box.x + box.width / 2 + x, box.y + box.height / 2 + y);
      assert.ok(height > 8, "a line is too thin to be hit");
      lines += 1;
      clicks += 1;
    }
  }
  assert.equal(lines, wanted.lines);
  await page.waitForFunction((many) => document.querySelectorAll('#edit-board button[data-line][aria-pressed="true"]').length === many, lines);
  await page.locator('[data-key="board name"]').fill(wanted.name);
  await page.locator('[data-key="board name"]').press("Tab");
  await page.locator('[data-key="board source"]').fill(wanted.source);
  await page.locator('[data-key="board source"]').press("Tab");
  await page.waitForFunction((name) => new URLSearchParams(location.hash.slice(1)).get("board")?.includes(name.slice(-20)), wanted.source);
  const file = await saved(page, "Save board file");
  const seconds = (performance.now() - begun) / 1000;
  assert.deepEqual(checked(file), wanted);
  await close(page);
  return `${clicks} clicks for ${lines} lines in ${seconds.toFixed(1)} s`;
}

export async function the_fourteen_pods_are_entered_by_clicks() {
  const page = await open(state({ tab: "edit" }));
  const wanted = checked("pods14");
  const begun = performance.now();
  await page.locator('[data-key="make pods"]').click();
  await page.locator('[data-card="q"] .leg.none').first().waitFor();
  let clicks = 1;
  const letters = "abcdefghjkmnpq";
  for (const [i, pod] of wanted.legs_by_pod.entries()) {
    const legs = [...pod.short.map((leg) => [leg, 1]), ...pod.long.map((leg) => [leg, 2])];
    for (const [leg, times] of legs) {
      for (let n = 0; n < times; n += 1) {
        await page.locator(`[data-card="${letters[i]}"] button[data-leg="${leg}"]`).click();
        await page.waitForFunction(([id, at, reach]) => document.querySelector(`[data-card="${id}"] button[data-leg="${at}"]`).classList.contains(reach), [letters[i], leg, n === 0 ? "short" : "long"]);
        clicks += 1;
      }
    }
  }
  const file = await saved(page, "Save pod file");
  const seconds = (performance.now() - begun) / 1000;
  const made = checked(file);
  assert.deepEqual(made.legs_by_pod.map(({ short, long }) => ({ short, long })), wanted.legs_by_pod.map(({ short, long }) => ({ short, long })));
  assert.deepEqual(made.differences, []);
  await close(page);
  return `${clicks} clicks in ${seconds.toFixed(1)} s`;
}

export async function what_a_button_makes_stands_on_it() {
  const page = await open(state({ tab: "edit", board: "nook9", pods: "four" }));
  await page.locator('[data-card="b"]').waitFor();
  assert.equal(await page.locator('[data-key="make board"]').innerText(), "Make a 6 × 6 board");
  await page.locator('[data-key="columns"]').fill("3");
  await page.locator('[data-key="make board"]').click();
  await page.waitForFunction(() => document.querySelectorAll("#edit-board .point").length === 18);
  assert.equal(await page.locator('[data-key="make board"]').innerText(), "Make a 3 × 6 board");
  assert.equal(await page.locator('[data-key="make pods"]').innerText(), "Make 14 new pods without legs");
  await page.locator('[data-key="new pods"]').fill("4");
  await page.locator('[data-key="make pods"]').click();
  await page.locator(".missing").filter({ hasText: "4 of 4 pods still need legs" }).waitFor();
  assert.equal(await page.locator('[data-key="make pods"]').innerText(), "Make 4 new pods without legs");
  await close(page);
}

export async function an_edited_set_claims_to_be_no_built_in_one() {
  const page = await open(state({ tab: "edit" }));
  const field = (key) => page.locator(`[data-key="${key}"]`);
  const becomes = (key, text) => page.waitForFunction(([name, wanted]) => document.querySelector(`[data-key="${name}"]`)?.value === wanted, [key, text]);
  await becomes("board name", "cave36");
  await page.locator('#edit-board button[data-line="a1-b1"]').click();
  await becomes("board name", "cave36-edited");
  assert.equal(await field("board source").inputValue(), "edited from the built-in cave36");
  await page.locator('[data-card="b"] button[data-leg="n"]').click();
  await becomes("pods name", "pods14-edited");
  assert.equal(await field("pods source").inputValue(), "edited from the built-in pods14");
  // What the reader writes stays, and going back goes back.
  await field("board source").fill("drawn from mine");
  await field("board source").press("Tab");
  await becomes("board source", "drawn from mine");
  await page.locator('#edit-board button[data-line="a1-b1"]').click();
  await page.waitForFunction(() => document.querySelector('#edit-board button[data-line="a1-b1"]').ariaPressed === "true");
  assert.equal(await field("board source").inputValue(), "drawn from mine");
  await page.locator('[data-key="undo pods"]').click();
  await becomes("pods name", "pods14");
  await page.locator("#tab-play").click();
  await page.locator("#setup summary").filter({ hasText: "cave36-edited" }).first().waitFor();
  assert.match(await page.locator("#setup .sheet").textContent(), /Board cave36-edited: drawn from mine/);
  await close(page);
}

export async function a_broken_file_leaves_what_was_there() {
  const page = await open(state({ tab: "edit", board: "nook9" }));
  const path = join(pictures, "broken.toml");
  writeFileSync(path, "name = 'x'\nsource = 'y'\npoints = '''\no-o\n|?|\no-O\n'''\n");
  const before = await page.locator("#edit-board svg").innerHTML();
  await page.locator("#edit-board input[type=file]").setInputFiles(path);
  await page.locator("#trouble").waitFor();
  const said = pods("check", path).replace(/^pods: error: /, "").trim().replaceAll(path, "broken.toml");
  assert.equal(await page.locator("#trouble .cause").innerText(), said);
  assert.equal(await page.locator("#edit-board svg").innerHTML(), before);
  writeFileSync(path, "name = 'x'\nsource = 'y'\npoints = '''\no-o\n| |\no-o\n'''\n");
  await page.locator("#edit-board input[type=file]").setInputFiles(path);
  await page.waitForFunction(() => document.querySelectorAll("#edit-board .point").length === 4);
  assert.equal(await page.locator("#trouble").isVisible(), false);
  await page.locator("#edit-board").getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#edit-board .point").length === 9);
  await close(page);
}

export async function holes_and_more_rows_come_and_go() {
  const page = await open(state({ tab: "edit", board: "nook9" }));
  const board = page.locator("#edit-board");
  await board.locator("summary").first().click();
  await board.getByRole("button", { name: "Points and holes" }).click();
  await board.locator('button[data-at="b2"]').click();
  await board.locator('.hole[data-at="b2"]').waitFor();
  await board.getByRole("button", { name: "one more at e" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#edit-board .point").length === 12);
  await board.locator('button[data-at="b2"]').click();
  await page.waitForFunction(() => document.querySelectorAll("#edit-board .hole").length === 0);
  await page.locator("#tab-play").click();
  await page.waitForFunction(() => document.querySelectorAll("#board .point").length === 12);
  await close(page);
}

// Stops the games of a page, and unfolds its certificates.
async function idle(page) {
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator("#certificates > summary").click();
}

export async function a_certificate_is_saved_and_holds() {
  const page = await open(state({ tab: "fair", board: "nook9", pods: "four", white: "bdt", black: "bdt", position: "3/1B1/2q w dt bt -", seconds: "60" }));
  await page.locator("#fair article .proven").nth(7).waitFor({ timeout: 120_000 });
  await endGames(page);
  const setup = ["--board", "nook9", "--pods", "four", "--hands", "bdt"];
  const proven = (file, about, ...turn) => JSON.parse(pods("check-proof", file, "--about", about, ...setup, ...turn, "--format", "json"));
  assert.equal(await page.getByRole("button", { name: /^Certificate: / }).count(), 8);
  await page.locator("#certificates > summary").click();
  await page.getByLabel("prove the number of plies too").check();
  await page.getByRole("button", { name: "Certificate: board turned by 180°, Black starts" }).click();
  const start = await saved(page, "Save certificate");
  const card = page.locator('[data-turn="180"] .of-certificate');
  assert.match(start, /nook9-four-180-standard-black-first\.jsonl$/);
  const of = proven(start, "3/3/3 b bdt bdt open", "--orientation", "180");
  const claim = `board turned by 180°, Black starts: ${of.value} in exactly ${of.plies} for Black – proven in `;
  assert.ok((await card.locator(".proven").innerText()).startsWith(claim), claim);
  assert.match(await card.locator(".sum").textContent(), /^sha256 [0-9a-f]{64}$/);
  // Of the position under Play, and of who wins alone.
  await page.getByLabel("prove the number of plies too").uncheck();
  await page.getByRole("button", { name: "Certificate of the position under Play" }).click();
  await page.locator("#certificates .proven").filter({ hasText: "the position under Play: " }).waitFor();
  const other = proven(await saved(page, "Save certificate", page.locator("#certificates")), "3/1B1/2q w dt bt -");
  assert.equal(other.plies, null);
  // What is too large says so, and can be stopped.
  await close(page);
  const large = await open(state({ tab: "fair", seconds: "0.2" }));
  await idle(large);
  await large.getByLabel("prove the number of plies too").check();
  await large.getByRole("button", { name: "Certificate of the position under Play" }).click();
  await large.locator("#certificates .fault").waitFor();
  assert.match(await large.locator("#certificates .fault").innerText(), /stopped/);
  await close(large);
  const long = await open(state({ tab: "fair", seconds: "3600" }));
  await idle(long);
  await long.getByLabel("prove the number of plies too").check();
  await long.getByRole("button", { name: "Certificate of the position under Play" }).click();
  await long.getByRole("button", { name: "Stop the certificate" }).click();
  await long.getByRole("button", { name: "Stop the certificate" }).waitFor({ state: "detached" });
  await close(long);
}

export async function a_certificate_of_the_list_is_told_beside_its_button() {
  const page = await open(state({ tab: "fair" }));
  // Games run on meanwhile: nothing is searched for.
  const told = page.locator('[data-key="certificate 0 white"]');
  await told.locator("> summary").click({ timeout: 120_000 });
  await told.filter({ hasText: "results/solved/0-start.proof" }).waitFor();
  assert.match(await told.innerText(), /pods check-proof results\/solved\/0-start\.proof checks it/);
  await told.locator("details summary").click();
  assert.match(await told.innerText(), /sha256 [0-9a-f]{64}/);
  assert.equal(await page.locator(".fault").count(), 0);
  await close(page);
}

export async function a_pointer_that_jumps_draws_all_lines_on_its_way() {
  const page = await open(state({ tab: "edit", board: "nook9" }), { width: 844, height: 390 });
  const board = page.locator("#edit-board");
  await board.locator('[data-key="columns"]').fill("0");
  await board.locator('[data-key="rows"]').fill("1");
  await board.locator('[data-key="rows"]').press("Tab");
  assert.match(await board.locator("#wrong-size").innerText(), /1 to 26/);
  assert.equal(await board.locator('[data-key="make board"]').isDisabled(), true);
  await board.locator('[data-key="columns"]').fill("6");
  await board.locator('[data-key="rows"]').fill("4");
  await board.locator('[data-key="rows"]').press("Tab");
  await board.locator('[data-key="make board"]').click();
  await board.locator('button[data-at="f4"]').waitFor();
  assert.match(await page.locator("#edit-steps").innerText(), /Draw some lines first/);
  // The board stays large enough to be drawn on where the window is low.
  assert.ok((await board.locator(".stage").boundingBox()).width >= 270);
  await page.setViewportSize({ width: 1280, height: 900 });
  const middle = async (name) => {
    const { x, y, width, height } = await board.locator(`button[data-at="${name}"]`).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const lines = () => page.locator('#edit-board [data-line][aria-pressed="true"]').count();
  // It waits until the board has found its place in the new window.
  await board.locator('button[data-at="a4"]').hover();
  await page.mouse.down();
  await page.mouse.move(...(await middle("f4")), { steps: 2 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll('#edit-board [data-line][aria-pressed="true"]').length === 5);
  // From d4 straight to e2 no line can lead.
  await page.mouse.move(...(await middle("d4")));
  await page.mouse.down();
  await page.mouse.move(...(await middle("e2")));
  await page.mouse.up();
  await page.locator("#said").filter({ hasText: "not neighbours" }).waitFor();
  assert.equal(await lines(), 5);
  await close(page);
}
