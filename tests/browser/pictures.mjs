// Photographs of the page at three sizes, light and dark, to be looked at: `scripts/browser-tests.sh --pictures` starts it.
// SCENES, SIZES (laptop, desk, phone) and SCHEMES (light, dark) name some of them, with commas between.

import { browser, close, end, hand, open, point, shot, state, TINY } from "./harness.mjs";

const SIZES = { laptop: { width: 1280, height: 800 }, desk: { width: 1920, height: 1080 }, phone: { width: 390, height: 844 } };

// What is shown: the state in the address, and what is done before the picture is taken.
const SCENES = {
  start: [{}, null],
  chosen: [{}, (page) => hand(page, "white", "b").click()],
  nothing: [{}, (page) => point(page, "c3").click()],
  illegal: [{ actions: "b@c3" }, async (page) => {
    await hand(page, "black", "q").click();
    await point(page, "c3").click();
    await page.locator("#why").waitFor();
  }],
  setup: [{}, (page) => page.locator("#setup summary").first().click()],
  game: [{ actions: "b@c3,q@f6,o@a1,h@d5" }, null],
  small: [TINY, (page) => page.locator("#values .proven").waitFor()],
  advanced: [{ board: "cave16", pods: "mini5", rules: "advanced", actions: "" }, null],
  search: [{ position: "6/2c3/6/T5/6/4B1 w cdfghjkopqvy bdfghjkopqtvy -" }, async (page) => {
    await page.getByRole("button", { name: "Search longer" }).click();
    await page.waitForTimeout(3500);
  }],
  mine: [{ tab: "edit" }, (page) => page.locator("#edit-check .captions").waitFor()],
  fresh: [{ tab: "edit" }, async (page) => {
    await page.locator('[data-key="make board"]').click();
    await page.locator('[data-key="make pods"]').click();
    await page.locator(".missing").waitFor();
  }],
  fair: [{ tab: "fair" }, (page) => page.locator(".chance").nth(3).waitFor({ timeout: 90_000 })],
  solved: [{ ...TINY, tab: "fair" }, (page) => page.locator("#fair .proven").nth(7).waitFor({ timeout: 90_000 })],
  help: [{ tab: "help" }, (page) => page.locator(".clauses li").first().waitFor()],
  found: [{ tab: "help" }, async (page) => {
    await page.locator(".clauses li").first().waitFor();
    await page.locator("#find").fill("liberty");
  }],
  marks: [{ board: "cave16", pods: "mini5", rules: "advanced", marks: "attacks", actions: "b@b2,d@c4" }, async (page) => {
    await hand(page, "white", "d").click();
    if (!(await page.locator("#key ul").isVisible())) await page.locator("#key summary").click();
  }],
  clause: [{ actions: "b@c3" }, async (page) => {
    await hand(page, "black", "q").click();
    await point(page, "c3").click();
    await page.locator("#why .clause-link").first().click();
    await page.locator("#clause h2").waitFor();
  }],
  tour: [{ tab: "help" }, async (page) => {
    await page.getByRole("button", { name: /Take the tour/ }).click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.waitForTimeout(200);
  }],
};

const wanted = (name, list) => !list || list.split(",").includes(name);
for (const [scene, [values, act]] of Object.entries(SCENES).filter(([name]) => wanted(name, process.env.SCENES))) {
  for (const [size, screen] of Object.entries(SIZES).filter(([name]) => wanted(name, process.env.SIZES))) {
    for (const dark of [false, true].filter((one) => wanted(one ? "dark" : "light", process.env.SCHEMES))) {
      const page = await open(state(values), { ...screen, dark });
      try {
        await act?.(page);
        await page.waitForTimeout(400);
      } catch (error) {
        console.log(`${scene} ${size}: ${error.message.split("\n")[0]}`);
      }
      await shot(page, `${scene}-${size}-${dark ? "dark" : "light"}`);
      if (page.faults.length > 0) console.log(scene, size, page.faults);
      page.faults = [];
      await close(page);
    }
  }
}
await browser.close();
end();
