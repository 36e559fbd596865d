// Dragging pods from a hand or the board to a point, with the mouse or a finger.

import { dropClick, podDrawing } from "./dom.js";
import { isArranging, podsOf, view } from "./shown.js";

// Pixels that a pointer moves before it drags.
const SLACK = 6;

// `hold(what)` is called when a drag begins, and `drop(what, at)` when it ends over a point; else
// `hold(null)`. Returns what the buttons on the board call when pressed.
export function startDrag({ hold, drop, hands }) {
  let dragged = null;
  let over = null;

  function under(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest("#board button[data-at]") ?? null;
  }

  function mark(point) {
    if (over !== point) over?.classList.remove("over");
    point?.classList.add("over");
    over = point;
  }

  function end() {
    dragged?.ghost?.remove();
    dragged = null;
    mark(null);
  }

  // Ends without anything having been dropped.
  function giveUp() {
    const begun = dragged?.ghost;
    end();
    if (begun) hold(null);
  }

  function begin(what, event, source) {
    // One finger drags; others may do what they like meanwhile.
    if (event.button !== 0 || dragged) return;
    // The pointer is to be heard wherever it goes, and the button that it went down on may be drawn
    // anew.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    dragged = { what, source, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
  }

  function move(event) {
    if (!dragged || event.pointerId !== dragged.pointer) return;
    if (!dragged.ghost) {
      if (Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < SLACK) return;
      const picture = dragged.source();
      if (!picture) {
        end();
        return;
      }
      const ghost = picture.cloneNode(true);
      ghost.classList.add("ghost");
      // A finger hides what is under it.
      if (event.pointerType === "touch") ghost.classList.add("raised");
      document.body.append(ghost);
      dragged.ghost = ghost;
      hold(dragged.what);
    }
    event.preventDefault();
    dragged.ghost.style.left = `${event.clientX}px`;
    dragged.ghost.style.top = `${event.clientY}px`;
    mark(under(event));
  }

  function release(event) {
    if (!dragged || event.pointerId !== dragged.pointer) return;
    const { what, ghost } = dragged;
    end();
    if (!ghost) return;
    dropClick();
    const at = under(event)?.dataset.at;
    if (at && at !== what.at) drop(what, at);
    else hold(null);
  }

  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", release);
  addEventListener("pointercancel", (event) => {
    if (event.pointerId === dragged?.pointer) giveUp();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") giveUp();
  });
  for (const hand of hands) {
    hand.addEventListener("pointerdown", (event) => {
      const pod = event.target.closest("button.pod");
      if (!pod || !view() || !(isArranging() || pod.dataset.hand === view().to_move)) return;
      begin({ pod: pod.dataset.pod, side: pod.dataset.hand }, event, () => pod.querySelector("svg"));
    });
  }
  return (at, event) => {
    const standing = view()?.standing[at];
    if (!standing || !(isArranging() || standing.side === view().to_move)) return;
    const side = standing.side === "white" ? 0 : 1;
    begin({ at }, event, () => {
      const text = podsOf()?.get(standing.id)?.svg[side];
      return text ? podDrawing(text) : null;
    });
  };
}
