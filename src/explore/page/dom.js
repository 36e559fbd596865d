// Making parts of the page. Texts become text nodes, never markup.

const LIVE = new Set(["value", "checked", "selected", "disabled"]);

// Each event of an element has one listener, which asks what is to be done now: patching gives it
// something else to do.
function handle(element, name, act) {
  const first = !element.acts?.[name];
  element.acts = { ...element.acts, [name]: act };
  if (first) element.addEventListener(name, (event) => element.acts[name]?.call(element, event));
}

// An element with properties (`class`, `on…` handlers, attributes) and children; what is null is
// left out.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) handle(element, name.slice(2), value);
    else if (LIVE.has(name)) element[name] = value;
    else if (name === "style") for (const [one, to] of Object.entries(value)) element.style.setProperty(one, to);
    else element.setAttribute(name, value === true ? "" : value);
  }
  if (tag === "input") element.said = element.value;
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// A drawing of our own server, without titles, which would pop up under the pointer; named by a
// label, else for the eyes alone.
export function drawing(text, label) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") throw new Error("the server sent no drawing");
  const svg = document.importNode(parsed, true);
  for (const title of svg.querySelectorAll("title, desc")) title.remove();
  svg.setAttribute(label ? "aria-label" : "aria-hidden", label || "true");
  if (label) svg.setAttribute("role", "img");
  else svg.removeAttribute("role");
  return svg;
}

// Where the origin of a part of a drawing lies.
function placeOf(part, svg) {
  let [x, y] = [0, 0];
  for (let at = part; at && at !== svg; at = at.parentNode) {
    const shift = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(at.getAttribute?.("transform") ?? "");
    if (shift) [x, y] = [x + Number(shift[1]), y + Number(shift[2])];
  }
  return { x, y };
}

export const STEP = 60; // units of a drawing from a point to the next one

// Cuts off the empty margin of a board, but for the room of pods at the edge and of the names.
// Returns where the points lie, in parts of the width and height that are left.
export function trim(svg) {
  const origins = [...svg.querySelectorAll("g.pods-point")].map((part) => [part.dataset.point, placeOf(part, svg)]);
  const [xs, ys] = [origins.map(([, at]) => at.x), origins.map(([, at]) => at.y)];
  const [left, top] = [Math.min(...xs) - 0.85 * STEP, Math.min(...ys) - 0.62 * STEP];
  const [width, height] = [Math.max(...xs) + 0.62 * STEP - left, Math.max(...ys) + 0.98 * STEP - top];
  svg.setAttribute("viewBox", [left, top, width, height].join(" "));
  return { width, height, origins: new Map(origins.map(([name, at]) => [name, { x: (at.x - left) / width, y: (at.y - top) / height }])) };
}

// A board as a picture: without its empty margin, and named.
export function picture(text, label) {
  const svg = drawing(text, label);
  trim(svg);
  return svg;
}

// A pod without the room around it, so that it is as large as its place.
export function podDrawing(text) {
  const svg = drawing(text);
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.setAttribute("viewBox", [x + width * 0.17, y + height * 0.17, width * 0.66, height * 0.66].join(" "));
  return svg;
}

// Says something to who cannot see; with `shown`, also to who can, for a moment.
export function say(text, { shown = false } = {}) {
  const place = document.getElementById("said");
  place.textContent = text;
  place.classList.remove("shown");
  place.classList.toggle("long", text.length > 40);
  if (shown) requestAnimationFrame(() => place.classList.add("shown"));
}

let isRefusal = false; // true while what is shown is of something that was typed or dropped

// Shows what went wrong until something goes well, and buttons for a way on.
export function trouble(error, ...ways) {
  const place = document.getElementById("trouble");
  isRefusal = Boolean(error?.isRefusal);
  place.hidden = !error;
  const close = el("button", { type: "button", class: "close", "aria-label": "Close this message", onclick: () => trouble(null) }, "×");
  place.replaceChildren(...(error ? [close, el("span", { class: "cause" }, String(error.message ?? error)), ...ways] : []));
}

// A refusal is told only where it came about.
export function leaveRefusal() {
  if (isRefusal) trouble(null);
}

function keyOf(node) {
  return node.dataset?.key ?? (node.id || null);
}

// Makes what is shown like what is wanted, and keeps it: its focus, what is typed into it, and a
// click that has begun on it.
function become(shown, wanted) {
  if (shown === wanted) return;
  if (shown.nodeType !== Node.ELEMENT_NODE) {
    if (shown.data !== wanted.data) shown.data = wanted.data;
    return;
  }
  for (const { name } of [...shown.attributes]) {
    // Whether a fold is open is up to the reader.
    if (!wanted.hasAttribute(name) && name !== "open") shown.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (shown.getAttribute(name) === value) continue;
    // The page's policy lets scripts set styles, but not the attribute.
    if (name === "style") shown.style.cssText = value;
    else shown.setAttribute(name, value);
  }
  for (const name of Object.keys(shown.acts ?? {})) if (!wanted.acts?.[name]) shown.acts[name] = null;
  for (const [name, act] of Object.entries(wanted.acts ?? {})) handle(shown, name, act);
  if (shown.localName === "svg") {
    const [now, next] = [[...shown.childNodes], [...wanted.childNodes]];
    if (now.length !== next.length || !now.every((node, i) => node.isEqualNode(next[i]))) shown.replaceChildren(...next);
    return;
  }
  if ("disabled" in wanted && shown.disabled !== wanted.disabled) shown.disabled = wanted.disabled;
  // Options that are new move to the list that is shown, and take the choice with them.
  const chosen = wanted.value;
  patch(shown, [...wanted.childNodes]);
  if (shown.localName === "input") {
    shown.checked = wanted.checked;
    // What is being typed stays, and so does what the program has not changed.
    const typing = shown === document.activeElement && shown.value !== shown.said;
    if (shown.said !== wanted.said && !typing) shown.value = wanted.value;
    shown.said = wanted.said;
  } else if (shown.localName === "select" && shown.value !== chosen) {
    shown.value = chosen;
  }
}

// Makes the children of an element like those that are wanted. A child goes on as the same if it
// has the same key or id; those without go on in their order.
function patch(parent, wanted) {
  const old = [...parent.childNodes];
  const named = new Map(old.filter(keyOf).map((node) => [`${node.nodeName} ${keyOf(node)}`, node]));
  const free = old.filter((node) => !keyOf(node));
  const own = new Set(wanted.filter((node) => node.parentNode === parent));
  let from = 0;
  const next = wanted.map((node) => {
    if (own.has(node)) return node;
    const key = keyOf(node);
    let found = null;
    if (key) {
      found = named.get(`${node.nodeName} ${key}`) ?? null;
      named.delete(`${node.nodeName} ${key}`);
    } else {
      const at = free.findIndex((one, i) => i >= from && one.nodeName === node.nodeName && !own.has(one));
      if (at >= 0) [found, from] = [free[at], at + 1];
    }
    if (!found || (found.localName === "input" && found.type !== node.type)) return node;
    become(found, node);
    return found;
  });
  const kept = new Set(next);
  for (const node of old) if (!kept.has(node)) node.remove();
  let place = parent.firstChild;
  for (const node of next) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
}

// Says anew what stands in an element. No part that is still wanted is replaced: see `become`.
export function fill(element, ...children) {
  const focus = element.contains(document.activeElement) ? document.activeElement : null;
  const nodes = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  patch(element, nodes.map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
  // Where parts have changed places, the browser has dropped the focus.
  if (focus?.isConnected && document.activeElement !== focus) focus.focus({ preventScroll: true });
}

// True while a finger or a button of the pointer is down.
let pressed = false;
const late = new Set();
addEventListener("pointerdown", () => (pressed = true));
// The window's own blur, not that of a control which loses the focus to the one that is pressed.
for (const end of ["pointerup", "pointercancel", "blur"]) {
  // The click comes after the release.
  addEventListener(end, () => setTimeout(() => {
    pressed = false;
    for (const show of late) show();
    late.clear();
  }));
}

// The click that follows a drag is not meant.
export function dropClick() {
  const stop = (click) => {
    click.stopPropagation();
    click.preventDefault();
  };
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
}

// Returns a function that calls `show` at the next frame, once however often it is called. While a
// pointer is down it waits: a button that moves meanwhile would lose its click.
export function atNextFrame(show) {
  let due = false;
  const now = () => {
    due = false;
    show();
  };
  const frame = () => (pressed ? late.add(now) : now());
  return () => {
    if (!due) requestAnimationFrame(frame);
    due = true;
  };
}

// What was typed into a field has been taken: what comes of it is to be shown.
export function taken(field) {
  field.said = field.value;
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

// A page or a picture with the address that it is about, so that it can be read back.
export function stamped(text) {
  const address = location.hash.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const mark = (tag) => `<${tag} name="pods-address" content="${address}"/>\n`;
  return text.includes("</head>") ? text.replace("</head>", () => `${mark("meta")}</head>`) : text.replace(/<\/svg>\s*$/, () => `${mark("metadata")}</svg>\n`);
}

// A button that opens a file; `take` gets it.
export function picker(text, accept, take, properties = {}) {
  const change = (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) take(file);
  };
  const input = el("input", { type: "file", accept, class: "hidden", tabindex: -1, "aria-hidden": "true", onchange: change });
  return [input, button(text, (event) => event.currentTarget.previousElementSibling.click(), properties)];
}

// A name that a file may have.
export function fileName(name, end) {
  return `${(name || "unnamed").replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60)}${end}`;
}

export async function copy(text, said = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
    say(said, { shown: true });
  } catch {
    say("The browser does not let this page copy: select the text and copy it", { shown: true });
  }
}
