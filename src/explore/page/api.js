// Questions to the server.

import { begun } from "./tabs.js";

const HEADERS = { "Content-Type": "application/json" };

async function refused(response) {
  const text = await response.text();
  let error = text;
  try {
    error = JSON.parse(text).error;
  } catch {
    // Plain text, as refusals are.
  }
  return Object.assign(new Error(error || `the server answers ${response.status}`), { isRefusal: true, isPassing: [408, 503].includes(response.status) });
}

// What is told where the program has ended, or has been started anew and does not know this page.
const WAY_BACK = "open its new address in a second tab, then come back: this page goes on.";

const STOPPED = "The program has stopped. Start it again by pods explore, ";

let isLost = false;
let back = () => {};

function gone(what) {
  if (!isLost) setTimeout(look, LOOKS);
  isLost = true;
  return Object.assign(new Error(`${what}${WAY_BACK}`), { gone: true });
}

// Milliseconds between two looks whether the program is there again.
const LOOKS = 3000;

async function look() {
  if (!isLost) return;
  const answer = document.hidden ? null : await fetch("/icon.svg").catch(() => null);
  if (!isLost) return;
  if (!answer?.ok) setTimeout(look, LOOKS);
  else {
    isLost = false;
    back();
  }
}

// `listener` is called when the program is there again.
export function onBack(listener) {
  back = listener;
  for (const event of ["focus", "visibilitychange"]) addEventListener(event, look);
}

async function send(path, question, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(question), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw gone(STOPPED);
  }
  if (response.status === 403) throw gone("The program was started anew, and does not know this page yet: ");
  if (!response.ok) throw await refused(response);
  return response;
}

// A quick question.
export async function ask(path, question) {
  return (await send(`/api/${path}`, question)).json();
}

// A heavy question: `on(event, data)` is called for each event. Hanging up (by the signal) ends the
// work.
export async function job(question, on, signal) {
  // Another tab may end it too.
  const ended = new AbortController();
  const stop = () => {
    on("error", { error: "Stopped from another tab." });
    ended.abort();
  };
  let release = () => {};
  let isDone = false;
  try {
    await read(await send("/api/job", question, AbortSignal.any([signal, ended.signal])), (event, data) => {
      if (event === "begun") release = begun(question, stop);
      isDone ||= event === "done" || event === "error";
      on(event, data);
    });
    // A program that is ended closes the stream before it has answered.
    if (!isDone) throw gone(STOPPED);
  } catch (error) {
    if (ended.signal.aborted || signal?.aborted) return;
    throw error.gone || error.name === "AbortError" || error.isRefusal ? error : gone(STOPPED);
  } finally {
    release();
  }
}

async function read(response, on) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting += value;
    const events = waiting.split("\n\n");
    waiting = events.pop();
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1];
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (name && data !== undefined) on(name, JSON.parse(data));
    }
  }
}
