// A finger on a phone: real touches, as the browser gets them from a screen.

import assert from "node:assert/strict";
import { becomes, close, hand, open, point, position, shot, SMALL, state } from "./harness.mjs";

const PHONE = { width: 360, height: 740 };

// A page on a phone, its table in the middle of the screen, and what puts fingers on it.
async function phone(values) {
  const page = await open(state(values), PHONE);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 3 });
  await page.locator(".table").evaluate((table) => table.scrollIntoView({ block: "center" }));
  const fingers = new Map();
  const send = (type) => session.send("Input.dispatchTouchEvent", { type, touchPoints: [...fingers].map(([id, at]) => ({ id, ...at })) });
  const touch = {
    async down(at, id = 0) {
      fingers.set(id, at);
      await send("touchStart");
    },
    async move(to, { id = 0, steps = 6 } = {}) {
      const from = fingers.get(id);
      for (let step = 1; step <= steps; step += 1) {
        fingers.set(id, { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps });
        await send("touchMove");
      }
    },
    async up(id = 0) {
      fingers.delete(id);
      // A finger that goes while others stay is one that is not named any more.
      await send(fingers.size > 0 ? "touchMove" : "touchEnd");
    },
    async cancel() {
      fingers.clear();
      await send("touchCancel");
    },
  };
  return { page, touch };
}

async function middle(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  assert.ok(x >= 0 && y >= 0 && x + width <= PHONE.width && y + height <= PHONE.height, `not on the screen: ${x}, ${y}`);
  return { x: x + width / 2, y: y + height / 2 };
}

const scrolled = (page) => page.evaluate(() => scrollY);
const chosen = (page) => page.locator('#hand-white [aria-pressed="true"], #board [aria-pressed="true"]').count();

export async function a_finger_drags_a_pod_from_the_hand_and_sees_where_it_may_go() {
  const { page, touch } = await phone(SMALL);
  const before = await scrolled(page);
  const [from, to] = [await middle(hand(page, "white", "b")), await middle(point(page, "b2"))];
  await touch.down(from);
  assert.equal(await page.locator(".ghost").count(), 0);
  await touch.move(to);
  await page.locator(".ghost.raised").waitFor();
  assert.equal(await page.locator("#board .over").getAttribute("data-at"), "b2");
  const marked = await page.locator("#board .may, #board .may-not").count();
  assert.equal(marked, 9, "each point says whether the pod may go there");
  await shot(page, "drag-phone-light");
  // Over another point, that one is marked.
  await touch.move(await middle(point(page, "a1")));
  assert.equal(await page.locator("#board .over").getAttribute("data-at"), "a1");
  await touch.move(to);
  await touch.up();
  await becomes(page, "3/1B1/3 b dqt bdqt -");
  assert.equal(await page.locator(".ghost, .over").count(), 0);
  assert.equal(await scrolled(page), before);
  await close(page);
}

export async function a_finger_moves_a_pod_on_the_board_and_is_told_what_is_illegal() {
  const { page, touch } = await phone({ ...SMALL, rules: "advanced", position: "3/1B1/2q w dt bt -" });
  const legal = (await page.locator("#game .actions").textContent()).trim().split(" ");
  const to = legal.find((action) => action.startsWith("b2-")).slice(3);
  const never = ["a1", "a2", "a3", "b1", "b3", "c2", "c3"].find((name) => !legal.includes(`b2-${name}`));
  await touch.down(await middle(point(page, "b2")));
  await touch.move(await middle(point(page, never)));
  await touch.up();
  await page.locator("#why h2").waitFor();
  assert.match(await page.locator("#why h2").innerText(), new RegExp(`b2-${never} is not allowed`));
  assert.match(await position(page), /^3\/1B1\/2q w/);
  await page.locator(".table").evaluate((table) => table.scrollIntoView({ block: "center" }));
  await touch.down(await middle(point(page, "b2")));
  await touch.move(await middle(point(page, to)));
  await touch.up();
  await page.waitForFunction(() => document.querySelectorAll("#game .steps li").length === 2);
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("actions"), `b2-${to}`);
  await close(page);
}

export async function a_drag_that_comes_to_nothing_changes_nothing() {
  const { page, touch } = await phone(SMALL);
  const before = await position(page);
  const pod = hand(page, "white", "b");
  const outside = { x: 4, y: (await middle(pod)).y };
  const ends = {
    "let go outside": async () => {
      await touch.move(outside);
      await touch.up();
    },
    "taken away by the system": async () => {
      await touch.move(await middle(point(page, "b2")));
      await touch.cancel();
    },
    "given up by Escape": async () => {
      await touch.move(await middle(point(page, "b2")));
      await page.keyboard.press("Escape");
      await touch.up();
    },
  };
  for (const [how, end] of Object.entries(ends)) {
    await touch.down(await middle(pod));
    await end();
    await page.waitForFunction(() => !document.querySelector(".ghost, .over"));
    assert.equal(await chosen(page), 0, how);
    assert.equal(await position(page), before, how);
  }
  // A second finger does not disturb the first, nor drop anything.
  await touch.down(await middle(pod));
  await touch.move(await middle(point(page, "b2")));
  await touch.down(await middle(point(page, "a3")), 1);
  await touch.up(1);
  assert.equal(await page.locator(".ghost").count(), 1);
  assert.equal(await position(page), before);
  await touch.up();
  await becomes(page, "3/1B1/3 b dqt bdqt -");
  await close(page);
}

export async function a_tap_chooses_and_a_tap_places() {
  const { page, touch } = await phone(SMALL);
  const tap = async (at) => {
    await touch.down(await middle(at));
    await touch.up();
  };
  await tap(hand(page, "white", "b"));
  await page.waitForFunction(() => document.querySelectorAll("#board .may, #board .may-not").length === 9);
  await tap(point(page, "b2"));
  await becomes(page, "3/1B1/3 b dqt bdqt -");
  await close(page);
}

export async function a_finger_scrolls_where_there_is_nothing_to_drag() {
  const { page, touch } = await phone({ ...SMALL, position: "3/1B1/3 b dqt bdqt -" });
  // An empty point, a pod that cannot be moved in the Standard game, the hand of who is not to
  // move.
  const places = { "an empty point": point(page, "a3"), "a pod on the board": point(page, "b2"), "the other hand": hand(page, "white", "d") };
  for (const [what, place] of Object.entries(places)) {
    await page.locator(".table").evaluate((table) => table.scrollIntoView({ block: "center" }));
    const [from, before] = [await middle(place), await scrolled(page)];
    await touch.down(from);
    await touch.move({ x: from.x, y: from.y - 120 }, { steps: 12 });
    await touch.up();
    await page.waitForFunction((was) => scrollY > was + 40, before).catch(() => assert.fail(`no scrolling from ${what}`));
    assert.equal(await page.locator(".ghost").count(), 0, what);
  }
  assert.match(await position(page), /^3\/1B1\/3 b/);
  await close(page);
}

export async function legality_keeps_up_with_a_drag() {
  const { page, touch } = await phone({ actions: "b@c3" });
  // From each movement of the finger to the frame that shows it.
  await page.evaluate(() => {
    window.frames = [];
    addEventListener("pointermove", (event) => {
      const shown = new MessageChannel();
      shown.port1.onmessage = () => window.frames.push(performance.now() - event.timeStamp);
      requestAnimationFrame(() => shown.port2.postMessage(0));
    }, { capture: true });
  });
  await touch.down(await middle(hand(page, "black", "o")));
  await touch.move(await middle(point(page, "f6")), { steps: 10 });
  await page.locator("#board .may-not").first().waitFor();
  await touch.move(await middle(point(page, "a1")), { steps: 40 });
  await touch.move(await middle(point(page, "f3")), { steps: 40 });
  assert.equal(await page.locator("#board .may, #board .may-not").count(), 36);
  await touch.cancel();
  const frames = (await page.evaluate(() => window.frames)).sort((a, b) => a - b);
  assert.ok(frames.length > 20, `${frames.length} movements`);
  await close(page);
  const at = (share) => frames[Math.floor(share * (frames.length - 1))].toFixed(0);
  return `from movement to frame: median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, longest ${at(1)} ms (${frames.length} movements, 36 points)`;
}

export async function no_mark_stays_where_a_finger_has_tapped() {
  const page = await open(state({ tab: "edit", ...SMALL }), PHONE);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setDeviceMetricsOverride", { ...PHONE, deviceScaleFactor: 1, mobile: true });
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
  assert.equal(await page.evaluate(() => matchMedia("(hover: hover)").matches), false, "this browser emulates no touch screen");
  const line = page.locator('#edit-board button[data-line][aria-pressed="false"]:not(.slant)').first();
  const key = await line.getAttribute("data-line");
  await line.evaluate((one) => one.scrollIntoView({ block: "center" }));
  const { x, y, width, height } = await line.boundingBox();
  const at = { x: x + width / 2, y: y + height / 2 };
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const drawn = page.locator(`#edit-board button[data-line="${key}"][aria-pressed="true"]`);
  await drawn.waitFor();
  assert.equal(await drawn.evaluate((one) => getComputedStyle(one).backgroundColor), "rgba(0, 0, 0, 0)");
  await close(page);
}
