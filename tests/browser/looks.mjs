// The keyboard alone, screens of all kinds, accessibility.

import assert from "node:assert/strict";
import { becomes, close, endGames, faultless, open, shot, state, TINY } from "./harness.mjs";

// Presses Tab until the focus is on what the selector names.
async function tabTo(page, selector) {
  for (let presses = 1; presses <= 80; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return presses;
  }
  throw new Error(`Tab does not come to ${selector}`);
}

export async function the_keyboard_is_enough() {
  const page = await open(state({ board: "nook9", pods: "four" }));
  await tabTo(page, "#hand-white .pod");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  // The focus goes on to the board; Escape lets go of the pod and leads back to it.
  await page.waitForFunction(() => document.activeElement.matches("#board .point"));
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.pod), "b");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.className.includes("point")), true);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.at), "b2");
  await page.keyboard.press("Space");
  await becomes(page, "3/1B1/3 b dqt bdqt -");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.at), "b2");
  // The editor, from the keyboard too: the tab, the board, a line by a digit.
  await page.locator("#tab-play").focus();
  await page.keyboard.press("ArrowRight");
  await page.locator("#edit-board .point").first().waitFor();
  await tabTo(page, "#edit-board .point");
  const line = () => page.locator('#edit-board button[data-line="a1-a2"]').getAttribute("aria-pressed");
  const before = await line();
  await page.keyboard.press("8");
  await page.waitForFunction((was) => document.querySelector('#edit-board button[data-line="a1-a2"]').getAttribute("aria-pressed") !== was, before);
  assert.match(await page.locator("#said").innerText(), /line a1 a2 (drawn|gone)/);
  await close(page);
}

// A screen in light and dark, wide and on a phone: it is photographed, nothing sticks out, and axe-core finds no serious fault.
async function look(page, name) {
  const looks = [["wide", { width: 1280, height: 900 }, "light"], ["wide", { width: 1280, height: 900 }, "dark"], ["phone", { width: 360, height: 740 }, "dark"]];
  for (const [screen, size, scheme] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} on a ${screen} is ${wide} pixels too wide`);
    await shot(page, `${name}-${screen}-${scheme}`, { fullPage: true });
    await faultless(page, `${name}, ${screen}, ${scheme}`);
  }
}

export async function playing_and_refusals_are_for_everybody() {
  const page = await open(state({ actions: "b@c3" }));
  await page.locator('#hand-black button[data-pod="q"]').click();
  await look(page, "play");
  await page.locator('#board button[data-at="c3"]').click();
  await page.locator("#why h2").waitFor();
  await look(page, "illegal");
  await close(page);
}

export async function values_and_comparisons_are_for_everybody() {
  const page = await open(state({ ...TINY, seconds: "30" }));
  await page.locator("#values .proven").waitFor();
  await page.locator('#hand-white button[data-pod="b"]').click();
  await page.locator("#fold-compare summary").click();
  await page.getByRole("button", { name: "Compare with another rule set" }).click();
  await page.locator("#compare svg").nth(1).waitFor();
  await look(page, "values");
  await close(page);
}

export async function editing_and_help_are_for_everybody() {
  const page = await open(state({ tab: "edit" }));
  await page.locator("#edit-pods .card").first().waitFor();
  await page.locator("#edit-check .captions").waitFor();
  await look(page, "edit");
  await page.locator("#tab-help").click();
  await page.locator(".clauses li").first().waitFor();
  await look(page, "help");
  await close(page);
}

export async function reports_and_certificates_are_for_everybody() {
  const page = await open(state({ ...TINY, tab: "fair" }));
  await page.locator("#fair article .proven").nth(7).waitFor({ timeout: 120_000 });
  await endGames(page);
  await page.getByRole("button", { name: "Certificate: board turned by 90°, White starts" }).click();
  await page.getByRole("button", { name: "Save certificate" }).waitFor();
  await look(page, "fair");
  await close(page);
}
