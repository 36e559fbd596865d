// Other tabs of this page: the program does one heavy question at a time, and who waits is told for
// which one of another tab, and may end it there.

const channel = new BroadcastChannel("pods");
const FRESH = 3000; // milliseconds that an answer of another tab counts

const own = new Map(); // what this tab has begun: words, by what ends it
let busy = { words: "", at: -FRESH };
let asked = -FRESH;
let listener = () => {};

const WORDS = {
  values: "searching for who wins",
  move: "thinking about its next move",
  fair: "playing games",
  certificate: "making a certificate",
};

// Notes that a question was begun; `stop` ends it. Returns what is to be called at its end.
export function begun(question, stop) {
  own.set(stop, WORDS[Object.keys(question)[0]] ?? "at work");
  return () => own.delete(stop);
}

// What another tab keeps the program busy with, if that is known.
export function busyWith() {
  const now = performance.now();
  if (now - asked > 1000) {
    asked = now;
    channel.postMessage({ ask: true });
  }
  return now - busy.at < FRESH ? busy.words : "";
}

// What is said to who waits.
export function waitingFor() {
  const words = busyWith();
  return words ? `waiting: your other tab is ${words}` : "waiting: the program is busy with another question";
}

export function stopOthers() {
  channel.postMessage({ stop: true });
}

// `told` is called when another tab has answered.
export function onOthers(told) {
  listener = told;
}

channel.addEventListener("message", ({ data }) => {
  if (data.ask && own.size > 0) channel.postMessage({ busy: [...own.values()][0] });
  if (data.stop) for (const stop of [...own.keys()]) stop();
  if (data.busy) {
    busy = { words: data.busy, at: performance.now() };
    listener();
  }
});
