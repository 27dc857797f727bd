import { useCallback, useEffect, useRef, useState } from "react";
import type { RunView } from "../run/view";

const NEAR_PX = 120;
const SOON_MS = 400;

const BY_HAND = ["wheel", "touchmove", "keydown"] as const;

/** Keeps what is new in view, unless the person has scrolled away from the end; `stay` keeps what is shown, however it
 * grows, until the person scrolls again; `settled`: the newest answer is there and stands where it is read. */
export function useScrolling(turns: number, view: RunView | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const stays = useRef(false);
  const clickedAt = useRef(Number.NEGATIVE_INFINITY);
  const over = view?.state === "finished";
  const ended = useRef(over);
  ended.current = over;
  const stay = useCallback(() => {
    stays.current = true;
    atEnd.current = false;
  }, []);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let top = element.scrollTop;
    const scrolled = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      // Only who goes up leaves the end: what has grown since the page scrolled may be far below as well.
      if (near) atEnd.current = !stays.current;
      else if (element.scrollTop < top) atEnd.current = false;
      top = element.scrollTop;
    };
    const byHand = () => {
      stays.current = false;
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    for (const kind of BY_HAND) element.addEventListener(kind, byHand, { passive: true });
    const clicked = () => {
      clickedAt.current = performance.now();
    };
    element.addEventListener("click", clicked, { capture: true });
    const growing = new ResizeObserver(() => {
      if (!atEnd.current || turns === 0) return;
      // What a person opens grows below what they look at, and a chart below the answer that it comes with.
      if (performance.now() - clickedAt.current < SOON_MS) stay();
      else if (ended.current && toBeginning(element)) atEnd.current = false;
      else element.scrollTop = element.scrollHeight;
    });
    if (element.firstElementChild) growing.observe(element.firstElementChild);
    return () => {
      element.removeEventListener("scroll", scrolled);
      for (const kind of BY_HAND) element.removeEventListener(kind, byHand);
      element.removeEventListener("click", clicked, { capture: true });
      growing.disconnect();
    };
  }, [turns, stay]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is what is looked at
  useEffect(() => {
    atEnd.current = true;
    stays.current = false;
    if (place.current && turns > 0) place.current.scrollTop = place.current.scrollHeight;
  }, [turns, view?.id]);
  const waiting = view?.state === "waiting";
  const waited = useRef(false);
  useEffect(() => {
    // What was agreed to goes on at the end.
    if (waited.current && !waiting) {
      atEnd.current = true;
      stays.current = false;
      clickedAt.current = Number.NEGATIVE_INFINITY;
    }
    waited.current = waiting;
  }, [waiting]);
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const element = place.current;
    setSettled(over && !atEnd.current);
    if (!over || !element || !newestTurn(element) || !atEnd.current) return;
    const timer = setTimeout(() => {
      setSettled(true);
      if (atEnd.current && toBeginning(element)) atEnd.current = false;
    }, 250);
    return () => clearTimeout(timer);
  }, [over]);
  return { place, stay, settled };
}

const newestTurn = (log: HTMLElement) => log.querySelector<HTMLElement>(".turn:last-of-type");

/** Shows an answer from its beginning, where it is read from, if it has no room at once; returns whether it did. */
function toBeginning(log: HTMLElement): boolean {
  const last = newestTurn(log);
  if (!last || last.offsetHeight < log.clientHeight) return false;
  log.scrollTop = last.offsetTop - log.offsetTop - 8;
  return true;
}
