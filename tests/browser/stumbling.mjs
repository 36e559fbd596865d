// Small things that a stranger stumbled over.

import assert from "node:assert/strict";
import { close, hand, open, pods, point, SMALL, state } from "./harness.mjs";

export async function nothing_sticks_out_of_a_narrow_phone() {
  const [small, large] = [{ width: 320, height: 640 }, { width: 390, height: 844 }];
  const page = await open(state({ actions: "b@c3" }), small);
  await hand(page, "black", "o").click();
  for (const tab of ["play", "edit", "fair", "help"]) {
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`#${tab} :is(button, input)`).filter({ visible: true }).first().waitFor();
    for (const size of [large, small]) {
      await page.setViewportSize(size);
      // Whose the small hand is stands beside it.
      if (tab === "play") assert.equal(await page.locator("#hand-white h2").innerText(), "White");
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${tab} is ${over} pixels too wide for ${size.width}`);
    }
  }
  await close(page);
}

export async function the_board_to_draw_on_stays_large_in_low_windows() {
  const page = await open(state({ tab: "edit" }));
  const stage = page.locator("#edit-board .stage");
  await stage.locator(".point").first().waitFor();
  for (const size of [{ width: 640, height: 400 }, { width: 844, height: 390 }]) {
    await page.setViewportSize(size);
    assert.ok((await stage.boundingBox()).width >= 279, JSON.stringify(await stage.boundingBox()));
  }
  await close(page);
}

export async function a_double_click_on_a_pod_chooses_it() {
  const page = await open(state({ ...SMALL, rules: "advanced", position: "3/1B1/2q w dt bt -" }));
  await hand(page, "white", "d").dblclick();
  assert.equal(await hand(page, "white", "d").getAttribute("aria-pressed"), "true");
  await page.keyboard.press("Escape");
  await point(page, "b2").dblclick();
  assert.equal(await point(page, "b2").getAttribute("aria-pressed"), "true");
  // Two clicks, one after the other, let go of it.
  await point(page, "b2").click();
  assert.equal(await point(page, "b2").getAttribute("aria-pressed"), null);
  await close(page);
}

export async function each_pod_in_hand_is_said_to_be_whose() {
  const page = await open(state(SMALL));
  const labels = (side) => page.locator(`#hand-${side} button.pod`).evaluateAll((all) => all.map((one) => one.ariaLabel));
  const [white, black] = [await labels("white"), await labels("black")];
  assert.match(white[0], /^White’s B, /);
  assert.match(black[0], /^Black’s b, /);
  assert.equal(new Set([...white, ...black]).size, white.length + black.length);
  // Who chooses by the keyboard goes on on the board.
  await hand(page, "white", "b").focus();
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#said").textContent(), /B is chosen\. The arrow keys go to a point, Enter places it/);
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("point")), true);
  await close(page);
}

export async function directions_are_said_as_one_sees_them() {
  const page = await open(state(SMALL));
  const start = await page.locator("#position").inputValue();
  // Every explanation of a refusal, as the page says it.
  await hand(page, "white", "b").click();
  await point(page, "b2").click();
  await page.waitForFunction((before) => document.getElementById("position").value !== before, start);
  for (const id of ["d", "q", "t"]) {
    for (const at of ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]) {
      await hand(page, "black", id).click();
      if (!(await point(page, at).getAttribute("class")).includes("may-not")) {
        await hand(page, "black", id).click();
        continue;
      }
      await point(page, at).click();
      const why = await page.locator("#why .blamed").innerText();
      assert.doesNotMatch(why, /\b(leg|leads) (n|ne|e|se|s|sw|w|nw)\b|[:,] (n|ne|e|se|s|sw|w|nw) /i);
      if (/leg/.test(why)) assert.match(why, /leg (up|down|to the (right|left))/);
      await page.keyboard.press("Escape");
    }
  }
  await close(page);
}

export async function pasted_text_needs_no_source() {
  const page = await open(state({ tab: "edit", ...SMALL }));
  const paste = async (kind, text) => {
    const fold = page.locator(`#edit-${kind} details`).filter({ hasText: "Paste a file" });
    if (!(await fold.getAttribute("open") !== null)) await fold.locator("summary").click();
    await page.locator(`[data-key="pasted ${kind}"]`).fill(text);
    await fold.getByRole("button", { name: "Use this text" }).click();
  };
  const without = (text) => text.replace(/^source = .*\n/m, "");
  await paste("board", without(pods("new", "board", "3x4")).replace(/^name = .*$/m, "name = 'pasted'"));
  await page.waitForFunction(() => document.querySelector('[data-key="board name"]').value === "pasted");
  await paste("pods", "name = 'two'\n[[pod]]\nid = 'b'\nlegs = 'n s'\n[[pod]]\nid = 'd'\nlegs = 'N'\n");
  await page.waitForFunction(() => document.querySelector('[data-key="pods name"]').value === "two");
  assert.equal(await page.locator("#trouble").isVisible(), false);
  // What is wrong besides is told with the line that it has in the text.
  await paste("pods", "name = 'two'\n[[pod]]\nid = 'b'\nlegs = 'n q'\n");
  await page.locator("#trouble").filter({ hasText: ":4:" }).waitFor();
  page.faults = page.faults.filter((fault) => !/422/.test(fault));
  await close(page);
}

export async function signs_of_values_say_whose_they_are() {
  const page = await open(state({ ...SMALL, white: "bdt", black: "bdt" }), { width: 1280, height: 800 });
  await page.locator("#values .worths .badge").first().waitFor();
  assert.match(await page.locator("#values").innerText(), /For White, who is to move: \+ wins, − loses, = draws/);
  // A comparison begins with what is proven already.
  await page.locator("#values .proven").waitFor();
  await page.locator("#fold-compare summary").click();
  await page.getByRole("button", { name: "Compare with another rule set" }).click();
  await page.locator("#compare svg").nth(1).waitFor();
  assert.match(await page.locator("#compare .pair > div").first().innerText(), /wins in 5 plies/);
  assert.match(await page.locator("#compare .pair > div").nth(1).innerText(), /press “Values under both”/);
  // What is unfolded is in view.
  const box = await page.locator("#fold-compare").boundingBox();
  assert.ok(box.y < 800 - 100, `unfolded at ${box.y}`);
  await close(page);
}

export async function a_fold_that_is_opened_comes_into_view() {
  const page = await open("", { width: 1280, height: 800 });
  const fold = page.locator("#fold-compare");
  await fold.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#fold-compare").open);
  await page.waitForTimeout(100);
  const { y, height } = await fold.boundingBox();
  assert.ok(y >= 0 && y + Math.min(height, 700) <= 801, `at ${y}, ${height} high`);
  await close(page);
}

export async function a_long_certificate_stays_in_its_box() {
  const page = await open("", { width: 1280, height: 800 });
  await page.locator("#values details summary").click();
  const over = await page.locator("#values").evaluate((part) => part.scrollWidth - part.clientWidth);
  assert.ok(over <= 0, `${over} pixels too wide`);
  await close(page);
}
