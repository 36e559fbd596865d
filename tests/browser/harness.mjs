// What the flows share: the server, the browser, pages that report what goes wrong in them.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export const [program, modules, pictures] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

// A wait of more milliseconds than this fails, also on a machine that has much else to do.
const WAITS = Number(process.env.WAITS ?? 40_000);

mkdirSync(pictures, { recursive: true });
export const folder = mkdtempSync(join(tmpdir(), "pods-browser-"));
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// What the program prints on standard output; its exit status may be another than 0.
export function pods(...args) {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    return error.stdout + error.stderr;
  }
}

const children = [];

export async function serve({ args = [], port = 0, env = process.env } = {}) {
  const child = spawn(program, ["explore", "--port", String(port), ...args], { stdio: ["ignore", "pipe", "ignore"], env });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return { child, address: line, origin: new URL(line).origin };
  throw new Error("pods explore printed no address");
}

export const server = await serve();
export const browser = await chromium.launchPersistentContext(join(folder, "profile"), {
  executablePath: process.env.CHROMIUM,
  headless: true,
  args: FLAGS,
  acceptDownloads: true,
  viewport: { width: 1280, height: 900 },
  reducedMotion: "reduce",
});
browser.setDefaultTimeout(WAITS);

// The printed address lets the browser in, for all its pages.
const [entrance] = browser.pages();
await entrance.goto(server.address);

export function end() {
  for (const child of children) child.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}

// The style sheets that the program serves as one (src/explore/assets.rs).
const STYLES = ["../../drawing/style.css", "style.css", "board.css", "panels.css"];

// With PAGE=src/explore/page, page, scripts and style sheets are those of the folder: a change of
// them is tried without a build.
async function fromFolder(route, from) {
  const { pathname } = new URL(route.request().url());
  const path = join(from, pathname === "/" ? "index.html" : pathname);
  if (pathname === "/page.css") {
    const body = STYLES.map((name) => readFileSync(join(from, name), "utf8")).join("");
    await route.fulfill({ body, contentType: "text/css; charset=utf-8" });
  } else if (existsSync(path)) await route.fulfill({ path });
  else await route.continue();
}

// A page at a state; every fault in it is kept, what comes from another machine is one.
export async function open(hash = "", size = {}) {
  return openAt(server, hash, size);
}

// Opens the printed address in a second tab. It leads on by itself, and closing a page that is being led on may hang.
export async function enter(own) {
  const entrance = await browser.newPage();
  await entrance.goto(own.address);
  await entrance.waitForSelector("body[data-ready]");
  await entrance.close();
}

// The same at another server than that of all flows.
export async function openAt(own, hash = "", { width, height, dark } = {}) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("console", (message) => {
    // A refused question is logged by the browser; the page shows it.
    if (message.type() === "error" && !/status of 422/.test(message.text())) page.faults.push(message.text());
  });
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(own.origin) && !/^(blob|data):/.test(request.url())) page.faults.push(request.url());
  });
  if (process.env.PAGE) await page.route(/(\.(js|css)|\d\/(#.*)?)$/, (route) => fromFolder(route, process.env.PAGE));
  if (width) await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  if (own !== server) await enter(own);
  await page.goto(`${own.origin}/#${hash}`);
  await page.waitForSelector("body[data-ready]");
  return page;
}

// A file of our own, which needs nothing but itself.
export async function openFile(path) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.faults.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) page.faults.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  return page;
}

// axe-core finds no serious fault.
export async function faultless(page, what) {
  // By DevTools, so that the page's policy about scripts stays as it is.
  await page.evaluate(`${readFileSync(axe, "utf8")}; 0`);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact));
  const where = (one) => one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? ""}`).join("; ");
  assert.deepEqual(serious.map((one) => `${one.id}: ${one.help}: ${where(one)}`), [], what);
}

export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.close();
}

// Small setups, and what most flows look for on the page.
export const SMALL = { board: "nook9", pods: "four" };
export const TINY = { ...SMALL, white: "bdt", black: "bdt" };
export const point = (page, name) => page.locator(`#board button[data-at="${name}"]`);
export const hand = (page, side, id) => page.locator(`#hand-${side} button[data-pod="${id}"]`);
export async function becomes(page, text) {
  await page.waitForFunction((wanted) => document.getElementById("position")?.value === wanted, text);
}
export const position = (page) => page.locator("#position").inputValue();

export function state(values) {
  return new URLSearchParams(values).toString();
}

export async function saved(page, button, part = page) {
  const [download] = await Promise.all([page.waitForEvent("download"), part.getByRole("button", { name: button }).click()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

// Drops a file on a page.
export function drop(page, name, text) {
  return page.evaluate(([title, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], title, { type: "text/plain" }));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, text]);
}

// Ends the games under Is it fair?, if they have not ended yet.
export async function endGames(page) {
  const stop = page.locator('#fair [data-key="stop fair"]');
  if (await stop.isVisible()) await stop.click({ timeout: 2000 }).catch(() => null);
  await stop.waitFor({ state: "detached" });
}

export function shot(page, name, options = {}) {
  return page.screenshot({ path: join(pictures, `${name}.png`), ...options });
}

// What takes longer than this hangs, also on a machine that has much else to do.
const HANGS = 240_000;

// Runs a flow and tells how it went: true if well, null if it is not to be tried again.
async function attempt(name, flow, said) {
  const begun = performance.now();
  let timer;
  try {
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`took more than ${(flow.hangs ?? HANGS) / 1000} seconds`)), flow.hangs ?? HANGS); });
    const told = await Promise.race([flow(), late]);
    console.log(`ok    ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)${told ? `: ${told}` : ""}`);
    return true;
  } catch (error) {
    console.log(`${error.isFinal ? "FAILS" : said} ${name}\n${error.stack}`);
    return error.isFinal ? null : false;
  } finally {
    clearTimeout(timer);
    // One that hangs is left behind.
    const closed = Promise.all(browser.pages().slice(1).map((page) => page.close().catch(() => null)));
    await Promise.race([closed, new Promise((done) => { timer = setTimeout(done, 10_000); })]);
    clearTimeout(timer);
  }
}

// True if no other browser has taken a flow.
function claims(name) {
  if (!process.env.CLAIMS) return true;
  try {
    mkdirSync(join(process.env.CLAIMS, name));
    return true;
  } catch {
    return false;
  }
}

// Runs the flows one after the other. One that fails is told of, and tried twice more when all others
// are through: a busy machine alone fails none. Returns the number of those that never went well.
export async function run(flows) {
  let left = Object.entries(flows);
  let lost = 0;
  const tried = new Set();
  for (const said of ["AGAIN", "AGAIN", "FAILS"]) {
    const failed = [];
    for (const [name, flow] of left) {
      if (!tried.has(name) && !claims(name)) continue;
      tried.add(name);
      const went = await attempt(name, flow, said);
      if (went === null) lost += 1;
      else if (!went) failed.push([name, flow]);
    }
    left = failed;
  }
  return left.length + lost;
}
