// Drawing lines on a board from point to point: by dragging over points, or by tapping one and then
// the next.

// `lines()` gives all pairs of neighbours as { from, to, is_line }, `draw(pairs, on)` draws them or
// takes them away, `mark(pairs, on)` shows what a drag would do, `at(event)` the point under the
// pointer, `apart(from, to)` says that two points are no neighbours.
const SPACING = 4; // pixels between two looks along the way of a pointer

export class Strokes {
  constructor({ lines, draw, mark, at, begin, apart }) {
    Object.assign(this, { lines, draw, mark, at, begin, apart });
    this.drag = null;
    this.start = null; // the point that was tapped first
  }

  find(from, to) {
    return this.lines().find((one) => (one.from === from && one.to === to) || (one.from === to && one.to === from));
  }

  down(name, event) {
    if (event.button !== 0 || this.drag) return;
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    this.drag = { pointer: event.pointerId, last: name, pairs: [], on: null, spot: [event.clientX, event.clientY], apart: null };
  }

  move(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    // A pointer that jumps passes the points between, too.
    const [x, y] = [event.clientX, event.clientY];
    const from = drag.spot ?? [x, y];
    drag.spot = [x, y];
    const many = Math.max(1, Math.ceil(Math.hypot(x - from[0], y - from[1]) / SPACING));
    for (let i = 1; i <= many; i += 1) this.pass(this.at({ clientX: from[0] + ((x - from[0]) * i) / many, clientY: from[1] + ((y - from[1]) * i) / many }), event);
  }

  // The pointer is over a point now, or over none.
  pass(next, event) {
    const { drag } = this;
    if (!next || next === drag.last) return;
    const line = this.find(drag.last, next);
    const before = drag.last;
    drag.last = next;
    if (!line) {
      drag.apart ??= [before, next];
      return;
    }
    // The first line decides whether lines are drawn or taken away.
    drag.on ??= !line.is_line;
    if (line.is_line !== drag.on) drag.pairs.push([line.from, line.to]);
    this.mark(drag.pairs, drag.on);
    event.preventDefault();
  }

  // Returns whether a drag has ended, so that the click after it is not meant.
  up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return false;
    // A busy browser may leave out the last movement.
    this.move(event);
    this.drag = null;
    if (drag.apart) this.apart(...drag.apart);
    if (drag.on === null) return drag.apart !== null;
    this.start = null;
    this.begin(null);
    this.draw(drag.pairs, drag.on);
    return true;
  }

  cancel() {
    this.drag = null;
    this.start = null;
    this.mark([], true);
    this.begin(null);
  }

  // A tap: the first one chooses a point, one on a neighbour draws the line there or takes it away
  // and goes on from there.
  tap(name) {
    const line = this.start && this.find(this.start, name);
    if (line) this.draw([[line.from, line.to]], !line.is_line);
    this.start = this.start === name ? null : name;
    this.begin(this.start);
  }
}

// The symmetries that drawing can keep: each gives the images of a place on a board of so many
// columns and rows.
const flip = (at, size) => size - 1 - at;
export const SYMMETRIES = {
  "no symmetry": [],
  "left and right": [([x, y], w) => [flip(x, w), y]],
  "above and below": [([x, y], _, h) => [x, flip(y, h)]],
  "left, right, above, below": [([x, y], w) => [flip(x, w), y], ([x, y], _, h) => [x, flip(y, h)], ([x, y], w, h) => [flip(x, w), flip(y, h)]],
  "half turn": [([x, y], w, h) => [flip(x, w), flip(y, h)]],
  "quarter turns": [([x, y], w) => [y, flip(x, w)], ([x, y], w, h) => [flip(x, w), flip(y, h)], ([x, y], _, h) => [flip(y, h), x]],
};
