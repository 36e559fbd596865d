// Questions to the server.

const HEADERS = { "Content-Type": "application/json" };

async function refused(response) {
  const text = await response.text();
  let error = text;
  try {
    error = JSON.parse(text).error;
  } catch {
    // Plain text, as refusals are.
  }
  return new Error(error || `the server answers ${response.status}`);
}

async function send(path, question, signal) {
  let response;
  try {
    response = await fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(question), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer: is `pods explore` still running?");
  }
  if (!response.ok) throw await refused(response);
  return response;
}

// A quick question.
export async function ask(path, question) {
  return (await send(`/api/${path}`, question)).json();
}

async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw await refused(response);
  return response.json();
}

export const library = () => get("/api/library");
export const help = () => get("/api/help");

// A heavy question: `on(event, data)` is called for each event. Hanging up (by the signal) ends the
// work.
export async function job(question, on, signal) {
  const response = await send("/api/job", question, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  try {
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
  } catch (error) {
    if (signal?.aborted || error.name === "AbortError") return;
    throw new Error("the server has gone: is `pods explore` still running?");
  }
}
