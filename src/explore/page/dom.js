// Making parts of the page. Texts become text nodes, never markup.

// An element with properties (`class`, `on…` handlers, attributes) and children; what is null is left out.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  if (tag === "input") element.dataset.was = element.value;
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// A drawing of our own server.
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") throw new Error("the server sent no drawing");
  return document.importNode(parsed, true);
}

// A pod without the room around it, so that it is as large as its place.
export function podDrawing(text) {
  const svg = drawing(text);
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.setAttribute("viewBox", [x + width * 0.17, y + height * 0.17, width * 0.66, height * 0.66].join(" "));
  svg.setAttribute("aria-hidden", "true");
  svg.removeAttribute("role");
  for (const title of svg.querySelectorAll("title, desc")) title.remove();
  return svg;
}

// Says something to who cannot see, and shows it above the board.
export function say(text) {
  const place = document.getElementById("said");
  place.textContent = text;
}

// Shows what went wrong until something goes well.
export function trouble(error) {
  const place = document.getElementById("trouble");
  place.hidden = !error;
  place.textContent = error ? String(error.message ?? error) : "";
}

// Replaces what stands in an element. The focus stays on the part with the same key, and so does what is being typed there.
export function fill(element, ...children) {
  const old = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children.flat().filter(Boolean));
  const key = old?.dataset.key;
  const next = key && [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (!next) return;
  next.focus();
  if (old.localName !== "input") return;
  if (old.value !== old.dataset.was) next.value = old.value;
  if (old.type !== "number" && old.type !== "checkbox") next.setSelectionRange(old.selectionStart, old.selectionEnd);
}

export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", "data-key": text, onclick, ...properties }, text);
}

export function labelled(text, control) {
  return el("label", {}, el("span", {}, text), control);
}

// A choice among `[value, text]` pairs.
export function choice(options, chosen, onchange, properties = {}) {
  const one = ([value, text]) => el("option", { value, selected: value === chosen }, text);
  const groups = options.map((option) => (Array.isArray(option) ? one(option) : el("optgroup", { label: option.label }, option.options.map(one))));
  return el("select", { onchange: (event) => onchange(event.target.value), ...properties }, groups);
}

// Hands a text to the browser as a file to be saved.
export function save(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A name that a file may have.
export function fileName(name, end) {
  return `${(name || "unnamed").replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60)}${end}`;
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("copied");
  } catch {
    say("the browser does not let this page copy: select the text and copy it");
  }
}
