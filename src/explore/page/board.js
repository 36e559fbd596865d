// A drawn board with a button on every point: for the mouse, for fingers, for the keyboard, for
// screen readers.

import { STEP, drawing, el, trim } from "./dom.js";

export function put(element, { x, y }) {
  element.style.left = `${100 * x}%`;
  element.style.top = `${100 * y}%`;
}

const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  // `pick(point, event)` is called when a point is chosen, `key(point, event)` for other keys.
  constructor(stage, label, { pick, key, press }) {
    this.stage = stage;
    this.pick = pick;
    this.key = key;
    this.press = press;
    this.current = null;
    this.buttons = new Map();
    this.layer = el("div", { class: "layer", role: "group", "aria-label": label, onkeydown: (event) => this.move(event) });
    stage.replaceChildren(this.layer);
  }

  // Draws. `points` have name, column and row; `told(point)` gives what is said of each: {label,
  // class, mark, disabled}.
  show(svgText, points, told) {
    if (this.text === svgText && points.every((point, i) => this.points[i]?.name === point.name) && this.points.length === points.length) {
      this.tell(told);
      return;
    }
    this.text = svgText;
    const svg = drawing(svgText);
    this.svg?.remove();
    this.svg = svg;
    this.stage.prepend(svg);
    this.points = points;
    const { width, height, origins } = trim(svg);
    this.places = origins;
    this.stage.style.setProperty("--ratio", width / height);
    this.stage.style.setProperty("--wide", width / STEP);
    this.stage.style.setProperty("--step", `${(100 * STEP) / width}cqw`);
    const kept = new Set(points.map((point) => point.name));
    for (const [name, button] of this.buttons) {
      if (!kept.has(name)) {
        button.remove();
        this.buttons.delete(name);
      }
    }
    if (!kept.has(this.current)) this.current = points[0]?.name ?? null;
    for (const point of points) {
      let button = this.buttons.get(point.name);
      if (!button) {
        button = el("button", { type: "button", class: "point", "data-at": point.name });
        button.addEventListener("click", (event) => this.chosen(point.name, event));
        button.addEventListener("focus", () => this.rove(point.name));
        if (this.press) button.addEventListener("pointerdown", (event) => this.press(point.name, event));
        this.buttons.set(point.name, button);
        this.layer.append(button);
      }
      const at = origins.get(point.name);
      if (at) put(button, at);
    }
    this.tell(told);
  }

  // Says anew what is on the points, without drawing again.
  tell(told) {
    for (const point of this.points ?? []) {
      const button = this.buttons.get(point.name);
      const { label, kind = "", mark = null, pressed = null } = told(point);
      button.className = `point ${kind}`;
      button.setAttribute("aria-label", label);
      if (pressed === null) button.removeAttribute("aria-pressed");
      else button.setAttribute("aria-pressed", String(pressed));
      button.replaceChildren(...(mark ? [mark] : []));
      button.tabIndex = point.name === this.current ? 0 : -1;
    }
  }

  rove(name) {
    if (this.current && this.buttons.has(this.current)) this.buttons.get(this.current).tabIndex = -1;
    this.current = name;
    this.buttons.get(name).tabIndex = 0;
  }

  chosen(name, event) {
    this.rove(name);
    this.pick(name, event);
  }

  focus(name = this.current) {
    this.buttons.get(name)?.focus();
  }

  // Arrow keys go to the nearest point in that direction, holes are passed over.
  move(event) {
    const step = ARROWS[event.key];
    const here = this.points?.find((point) => point.name === document.activeElement?.dataset.at);
    if (!here) return;
    if (!step) {
      this.key?.(here.name, event);
      return;
    }
    event.preventDefault();
    let best = null;
    for (const point of this.points) {
      const [right, up] = [point.column - here.column, point.row - here.row];
      const along = right * step[0] + up * step[1];
      const aside = Math.abs(right * step[1]) + Math.abs(up * step[0]);
      if (along <= 0) continue;
      const cost = along + 3 * aside;
      if (!best || cost < best.cost) best = { cost, name: point.name };
    }
    if (best) this.focus(best.name);
  }
}
