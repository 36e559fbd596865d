// What the program has answered, each answer by its question: one that comes late or out of order
// can be shown for nothing else. A quick question is asked by being read; a heavy one is begun, and
// its events are gathered.

import * as api from "./api.js";
import { learn } from "./known.js";

let changed = () => {};

// `listener` is called whenever an answer has come.
export function onAnswer(listener) {
  changed = listener;
}

// The most quick answers that are kept; those that were not read for longest go first.
const MOST = 300;
const RETRY = 1000; // milliseconds until a question is asked again that the program was too busy for
const kept = new Map();

async function send(key, one, path, question) {
  try {
    one.value = await api.ask(path, question);
  } catch (error) {
    one.error = error;
    if (error.isPassing) setTimeout(() => kept.get(key) === one && kept.delete(key) && changed(), RETRY);
  }
  changed();
}

function entry(path, question) {
  const key = `${path} ${JSON.stringify(question)}`;
  const one = kept.get(key) ?? {};
  one.promise ??= send(key, one, path, question);
  kept.delete(key);
  kept.set(key, one);
  if (kept.size > MOST) kept.delete(kept.keys().next().value);
  return one;
}

// The answer to a quick question, { value } or { error }; neither while it has not come.
export function answer(path, question) {
  return entry(path, question);
}

// Notes an answer that came by another way.
export function keep(path, question, value) {
  kept.set(`${path} ${JSON.stringify(question)}`, { value, promise: Promise.resolve() });
}

// The same for who waits for it, also while the program is too busy.
export async function ask(path, question) {
  for (;;) {
    const one = entry(path, question);
    await one.promise;
    if (!one.error) return one.value;
    if (!one.error.isPassing) throw one.error;
    await new Promise((done) => setTimeout(done, RETRY));
  }
}

// The program is there again: what it did not answer is asked for anew.
export function askAgain() {
  for (const [key, one] of kept) if (one.error && !one.error.isRefusal) kept.delete(key);
  for (const one of jobs.values()) if (one.status === "failed") [one.status, one.fault] = ["stopped", null];
  changed();
}

const jobs = new Map();

// What has come of a heavy question: { question, status, begun, waits, seen, fault }, where `seen`
// has the last event of each kind. Who reads it wants it to go on.
export function job(key) {
  const one = jobs.get(key) ?? null;
  if (one) one.isWanted = true;
  return one;
}

// The same for who only looks.
export function look(key) {
  return jobs.get(key) ?? null;
}

export function isRunning(one) {
  return one?.status === "running";
}

// True if anything is waited for that is told with its time.
export function isBusy() {
  return [...jobs.values()].some(isRunning);
}

// Begins a heavy question, or goes on with it: what came of it before stays.
export async function begin(key, question) {
  const before = jobs.get(key);
  before?.abort?.abort();
  const abort = new AbortController();
  const one = { key, question, abort, status: "running", begun: performance.now(), waits: false, seen: { ...before?.seen, progress: null, doing: null }, fault: null, isWanted: true };
  jobs.set(key, one);
  const { setting, nodes } = Object.values(question)[0];
  const on = (event, data) => {
    if (jobs.get(key) !== one) return;
    if (event === "waiting") one.waits = data.before > 0;
    else if (event === "begun") [one.waits, one.begun] = [false, performance.now()];
    else if (event === "error") one.fault = data.error;
    else one.seen[event] = event === "progress" ? { ...one.seen.progress, ...data } : data;
    if (["count", "solving"].includes(event)) one.seen.doing = { event, data, at: performance.now() };
    learn(setting, event, data, Boolean(nodes));
    changed();
  };
  changed();
  try {
    await api.job(question, on, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) one.fault = error.message;
  }
  if (one.status === "running") one.status = one.fault ? "failed" : "done";
  changed();
}

// Ends it: halted if the reader wants it so, else stopped for a while.
export function stop(one, status = "halted") {
  if (!isRunning(one)) return;
  one.status = status;
  one.abort.abort();
  changed();
}

// Ends what nobody has read since the last call: it is about something that is not shown any more.
export function stopUnwanted() {
  for (const one of jobs.values()) {
    if (!one.isWanted) stop(one, "stopped");
    one.isWanted = false;
  }
}

addEventListener("pagehide", () => {
  for (const one of jobs.values()) stop(one, "stopped");
});
