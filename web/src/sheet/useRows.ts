// Draws the rows in view as one scrolls, without a drawing of what is around them.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { RowPool, type Scene } from "./rowPool";
import { bandEnd, bandOf, drawnFor, inView, type Range } from "./scrolling";

const REST_MS = 150;
const NOTHING: Range = { top: 0, bottom: -1, left: 0, right: -1 };

export function useRows(scene: Scene, scroller: RefObject<HTMLElement | null>, view: RefObject<HTMLElement | null>) {
  const body = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const fixed = useRef<HTMLDivElement>(null);
  const floats = useRef<HTMLDivElement>(null);
  // Lies over all cells while they move: what is under the pointer is then found without a look at each of them.
  const glass = useRef<HTMLDivElement>(null);
  const pools = useRef<{ body: RowPool; fixed: RowPool } | null>(null);
  const latest = useRef(scene);
  const drawn = useRef(NOTHING);
  const resting = useRef(0);
  const [span, setSpan] = useState({ left: 1, right: 20 });

  const draw = useCallback((range: Range) => {
    const { rows, frozen, merges } = latest.current.model;
    const start = bandOf(range.top);
    const places: number[] = [];
    // Areas that begin above what is drawn reach into it.
    for (const { top, bottom } of merges)
      if (top < range.top && bottom >= range.top && top > frozen.row && !places.includes(top)) places.push(top);
    places.sort((a, b) => a - b);
    for (let at = range.top; at <= range.bottom; at++) if (rows.size(at) > 0) places.push(at);
    const from = rows.offset(start);
    pools.current?.body.draw(latest.current, places, range.left, range.right, (at) => rows.offset(at) - from);
    const above: number[] = [];
    for (let at = 1; at <= frozen.row; at++) if (rows.size(at) > 0) above.push(at);
    pools.current?.fixed.draw(latest.current, above, range.left, range.right, (at) => rows.offset(at));
  }, []);

  /** Draws what has come into view and moves what is there. `again`: although nothing has scrolled. */
  const place = useCallback(
    (again: boolean) => {
      const box = scroller.current;
      const layer = view.current;
      if (!box || !layer || !sheet.current) return;
      const { model } = latest.current;
      const { rows, frozen, columns } = model;
      // Read before anything is written: reading later would have the page laid out in between.
      const { scrollLeft, scrollTop } = box;
      const seen = inView(model, scrollLeft, scrollTop, box.clientWidth, box.clientHeight);
      const was = drawn.current;
      const range = drawnFor(model, seen, was);
      const start = bandOf(range.top);
      if (again || range !== was) {
        drawn.current = range;
        draw(range);
        if (range.left !== was.left || range.right !== was.right) setSpan({ left: range.left, right: range.right });
        const height = `${bandEnd(model, start)}px`;
        if (sheet.current.style.height !== height) sheet.current.style.height = height;
        const width = `${model.headWidth + columns.total}px`;
        if (sheet.current.style.maxWidth !== width) sheet.current.style.maxWidth = width;
      }
      // A property that all cells inherit is set where it changes alone: the style of each is looked up again for it.
      const left = `${-scrollLeft}px`;
      if (layer.style.getPropertyValue("--tw-x") !== left) layer.style.setProperty("--tw-x", left);
      const down = rows.offset(start) - rows.offset(frozen.row + 1) - scrollTop;
      sheet.current.style.transform = `translateY(${down}px)`;
      if (floats.current) {
        floats.current.style.top = `${-rows.offset(start)}px`;
        floats.current.style.transform = `translateY(${down}px)`;
      }
      model.tiles.want(seen.top, seen.bottom, seen.left, seen.right);
      if (frozen.row) model.tiles.want(1, frozen.row, seen.left, seen.right);
      if (frozen.column) model.tiles.want(seen.top, seen.bottom, 1, frozen.column);
      window.clearTimeout(resting.current);
      resting.current = window.setTimeout(() => {
        if (glass.current) glass.current.hidden = true;
        pools.current?.body.sort();
      }, REST_MS);
    },
    [draw, scroller, view],
  );

  useLayoutEffect(() => {
    if (!body.current || !fixed.current) return;
    pools.current = { body: new RowPool(body.current), fixed: new RowPool(fixed.current) };
    const box = scroller.current;
    const scrolled = () => {
      if (glass.current) glass.current.hidden = false;
      place(false);
    };
    box?.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      box?.removeEventListener("scroll", scrolled);
      window.clearTimeout(resting.current);
    };
  }, [place, scroller]);
  const { tiles } = scene.model;
  useLayoutEffect(() => tiles.watch(() => place(true)), [tiles, place]);
  useLayoutEffect(() => {
    if (latest.current.model !== scene.model) drawn.current = NOTHING;
    latest.current = scene;
    place(true);
  });
  return { span, place, body, lines: sheet, fixed, floats, glass };
}
