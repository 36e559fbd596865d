// A drawn board with a button on every point: for the mouse, for fingers, for the keyboard, for
// screen readers.

import { STEP, drawing, el, fill, trim } from "./dom.js";

// The style of what stands at a place, given in parts of the width and height.
export function spot({ x, y }) {
  return { left: `${100 * x}%`, top: `${100 * y}%` };
}

// Holes have no part in a drawing; their places follow from those of the points.
function addHoles(places, points) {
  const drawn = points.filter((point) => places.has(point.name));
  const [first] = drawn;
  const start = places.get(first?.name);
  const step = (way, axis) => {
    const other = drawn.find((point) => point[way] !== first[way]);
    return other ? (places.get(other.name)[axis] - start[axis]) / (other[way] - first[way]) : 0;
  };
  for (const point of points) if (start && !places.has(point.name)) places.set(point.name, { x: start.x + step("column", "x") * (point.column - first.column), y: start.y + step("row", "y") * (point.row - first.row) });
}

const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  // `pick(point, event)` is called when a point is chosen, `key(point, event)` for other keys.
  constructor(stage, label, { pick, key, press }) {
    Object.assign(this, { stage, pick, key, press, points: [], current: null });
    this.layer = el("div", { class: "layer", role: "group", "aria-label": label, onkeydown: (event) => this.move(event) });
    stage.replaceChildren(this.layer);
  }

  // Draws. `points` have name, column and row; `told(point)` gives what is said of each: { label,
  // kind, mark, pressed }.
  show(svgText, points, told) {
    if (this.text !== svgText) {
      this.text = svgText;
      this.svg?.remove();
      this.svg = drawing(svgText);
      this.stage.prepend(this.svg);
      const { width, height, origins } = trim(this.svg);
      addHoles(origins, points);
      this.places = origins;
      this.stage.style.setProperty("--ratio", width / height);
      this.stage.style.setProperty("--wide", width / STEP);
      this.stage.style.setProperty("--step", `${(100 * STEP) / width}cqw`);
    }
    this.points = points;
    this.tell(told);
  }

  // Says anew what is on the points, without drawing again.
  tell(told) {
    if (!this.points.some((point) => point.name === this.current)) this.current = this.points[0]?.name ?? null;
    const one = ({ name, ...point }) => {
      const { label, kind = "", mark = null, pressed = null } = told({ name, ...point });
      return el(
        "button",
        {
          type: "button",
          class: `point ${kind}`,
          style: this.places.has(name) ? spot(this.places.get(name)) : null,
          tabindex: name === this.current ? 0 : -1,
          "data-at": name,
          "data-key": name,
          "aria-label": label,
          "aria-pressed": pressed === null ? null : String(pressed),
          onclick: (event) => this.chosen(name, event),
          onfocus: () => this.rove(name),
          onpointerdown: (event) => this.press?.(name, event),
        },
        mark,
      );
    };
    fill(this.layer, this.points.map(one));
  }

  button(name) {
    return this.layer.querySelector(`[data-at="${name}"]`);
  }

  rove(name) {
    for (const other of this.layer.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    this.current = name;
    this.button(name).tabIndex = 0;
  }

  chosen(name, event) {
    this.rove(name);
    this.pick(name, event);
  }

  focus(name = this.current) {
    this.button(name)?.focus();
  }

  // Arrow keys go to the nearest point in that direction, holes are passed over.
  move(event) {
    const step = ARROWS[event.key];
    const here = this.points.find((point) => point.name === document.activeElement?.dataset.at);
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
