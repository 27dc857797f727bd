import { useCallback, useEffect, useRef, useState } from "react";
import type { RunView } from "../run/view";

const NEAR_PX = 120;

const BY_HAND = ["wheel", "touchmove", "keydown"] as const;

/** Keeps what is new in view, unless the person has scrolled away from the end; `stay` keeps what is shown, however it
 * grows, until the person scrolls again; `settled`: the newest answer is there and stands where it is read. */
export function useScrolling(turns: number, view: RunView | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const stays = useRef(false);
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
    const growing = new ResizeObserver(() => {
      if (atEnd.current && turns > 0) element.scrollTop = element.scrollHeight;
    });
    if (element.firstElementChild) growing.observe(element.firstElementChild);
    return () => {
      element.removeEventListener("scroll", scrolled);
      for (const kind of BY_HAND) element.removeEventListener(kind, byHand);
      growing.disconnect();
    };
  }, [turns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is what is looked at
  useEffect(() => {
    atEnd.current = true;
    stays.current = false;
    if (place.current && turns > 0) place.current.scrollTop = place.current.scrollHeight;
  }, [turns, view?.id]);
  const over = view?.state === "finished";
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const element = place.current;
    const last = element?.querySelector<HTMLElement>(".turn:last-of-type");
    setSettled(over && !atEnd.current);
    if (!over || !element || !last || !atEnd.current) return;
    // An answer is read from its beginning.
    const timer = setTimeout(() => {
      setSettled(true);
      if (!atEnd.current || last.offsetHeight < element.clientHeight) return;
      atEnd.current = false;
      element.scrollTop = last.offsetTop - element.offsetTop - 8;
    }, 250);
    return () => clearTimeout(timer);
  }, [over]);
  return { place, stay, settled };
}
