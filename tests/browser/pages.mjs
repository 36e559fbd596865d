// The pages of reports: for everybody, on every screen, and on paper.

import assert from "node:assert/strict";
import { join } from "node:path";
import { close, faultless, openFile, pictures, pods, shot } from "./harness.mjs";

const PAGES = {
  balance: ["report", "--board", "nook9", "--board", "ring8", "--pods", "four", "--hands", "bdt", "--rules", "standard"],
  played: ["report", "play", "--board", "nook9", "--pods", "four", "--rules", "advanced", "--rules", "very-advanced", "--strength", "20", "--count", "6"],
  readings: ["report", "readings", "--board", "nook9", "--pods", "duo", "--orientation", "0", "--orientation", "90"],
};

const MM = 96 / 25.4;
const PT = 96 / 72;
// What is left of A4 beside the margins; the widest tables lie on their side.
const PAPER = { upright: Math.floor(186 * MM), sideways: Math.floor(281 * MM) };
// Below this, print is hard to read.
const SMALLEST = 7 * PT;

// The smallest text of a page, pictures apart, and its size in pixels.
function smallest(page) {
  return page.evaluate(() => {
    let least = { size: Infinity, text: "" };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const shown = node.parentElement.closest("svg") === null && node.parentElement.getClientRects().length > 0;
      const size = parseFloat(getComputedStyle(node.parentElement).fontSize);
      if (shown && node.data.trim() && size < least.size) least = { size, text: node.data };
    }
    return least;
  });
}

// The tables that are wider than the page, by their captions.
function tooWide(page, wide) {
  return page.evaluate(([is, width]) => {
    const tables = [...document.querySelectorAll("table")].filter((table) => (table.closest(".wide") !== null) === is);
    return tables.filter((table) => table.scrollWidth > width + 1).map((table) => `${table.scrollWidth}: ${table.caption.textContent}`);
  }, [wide, wide ? PAPER.sideways : PAPER.upright]);
}

async function look(name) {
  const file = join(pictures, `${name}.html`);
  const said = pods(...PAGES[name], "--format", "html", "--out", file, "--force");
  assert.equal(said, "");
  const page = await openFile(file);
  for (const [screen, size] of Object.entries({ wide: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } })) {
    await page.setViewportSize(size);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ media: "screen", colorScheme: scheme });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(over <= 0, `${name} on a ${screen} is ${over} pixels too wide`);
      // The colours are the same on every screen.
      if (screen === "wide") await faultless(page, `page of ${name}, ${scheme}`);
      await shot(page, `page-${name}-${screen}-${scheme}`);
    }
  }
  // On paper it is light, whatever the screen is.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const [way, wide] of [["upright", false], ["sideways", true]]) {
    await page.setViewportSize({ width: PAPER[way], height: 1000 });
    assert.deepEqual(await tooWide(page, wide), [], `${name}, ${way}`);
  }
  const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(paper, "rgb(255, 255, 255)");
  await faultless(page, `page of ${name}, printed`);
  const { size, text } = await smallest(page);
  assert.ok(size >= SMALLEST, `${name} prints ${JSON.stringify(text)} at ${(size / PT).toFixed(1)} pt`);
  await page.pdf({ path: join(pictures, `page-${name}.pdf`), preferCSSPageSize: true });
  await close(page);
  return `smallest print ${(size / PT).toFixed(1)} pt`;
}

export const the_page_of_balance_is_for_everybody = () => look("balance");
export const the_page_of_games_is_for_everybody = () => look("played");
export const the_page_of_readings_is_for_everybody = () => look("readings");
