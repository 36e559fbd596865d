// Dragging pods from a hand or the board to a point, with the mouse or a finger.

import { podDrawing } from "./dom.js";
import { table } from "./table.js";

// Pixels that a pointer moves before it drags.
const SLACK = 6;

// `drop(what, at)` is called when something is let go over a point. Returns what the buttons on the board call when pressed.
export function startDrag({ drop, hands }) {
  let dragged = null;

  function end() {
    dragged?.ghost?.remove();
    dragged = null;
  }

  function begin(what, event, source) {
    if (event.button !== 0) return;
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
      document.body.append(ghost);
      dragged.ghost = ghost;
    }
    event.preventDefault();
    dragged.ghost.style.left = `${event.clientX}px`;
    dragged.ghost.style.top = `${event.clientY}px`;
  }

  function release(event) {
    if (!dragged || event.pointerId !== dragged.pointer) return;
    const { what, ghost } = dragged;
    end();
    if (!ghost) return;
    // The click that follows a drag is not meant.
    const stop = (click) => {
      click.stopPropagation();
      click.preventDefault();
    };
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board button[data-at]");
    if (under) drop(what, under.dataset.at);
  }

  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", release);
  addEventListener("pointercancel", end);
  for (const hand of hands) {
    hand.addEventListener("pointerdown", (event) => {
      const pod = event.target.closest("button.pod");
      if (!pod || !(table.arranging || pod.dataset.hand === table.view.to_move)) return;
      pod.releasePointerCapture?.(event.pointerId);
      begin({ pod: pod.dataset.pod, side: pod.dataset.hand }, event, () => pod.querySelector("svg"));
    });
  }
  return (at, event) => {
    const standing = table.view.standing[at];
    if (!standing || !(table.arranging || standing.side === table.view.to_move)) return;
    event.target.releasePointerCapture?.(event.pointerId);
    const side = standing.side === "white" ? 0 : 1;
    begin({ at }, event, () => {
      const text = table.svgs.get(standing.id)?.[side];
      return text ? podDrawing(text) : null;
    });
  };
}
