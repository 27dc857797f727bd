import { useEffect, useRef } from "react";
import type { RunView } from "../run/view";

const NEAR_PX = 120;

/** Keeps what is new in view, unless the person has scrolled away from the end. */
export function useScrolling(turns: number, view: RunView | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let top = element.scrollTop;
    const scrolled = () => {
      // Only who goes up leaves the end: what has grown since the page scrolled may be far below as well.
      if (element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX) atEnd.current = true;
      else if (element.scrollTop < top) atEnd.current = false;
      top = element.scrollTop;
    };
    element.addEventListener("scroll", scrolled, { passive: true });
    const growing = new ResizeObserver(() => {
      if (atEnd.current && turns > 0) element.scrollTop = element.scrollHeight;
    });
    if (element.firstElementChild) growing.observe(element.firstElementChild);
    return () => {
      element.removeEventListener("scroll", scrolled);
      growing.disconnect();
    };
  }, [turns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is what is looked at
  useEffect(() => {
    atEnd.current = true;
    if (place.current && turns > 0) place.current.scrollTop = place.current.scrollHeight;
  }, [turns, view?.id]);
  const over = view?.state === "finished";
  useEffect(() => {
    const element = place.current;
    const last = element?.querySelector<HTMLElement>(".turn:last-of-type");
    if (!over || !element || !last || !atEnd.current) return;
    // An answer is read from its beginning.
    const timer = setTimeout(() => {
      if (!atEnd.current || last.offsetHeight < element.clientHeight) return;
      atEnd.current = false;
      element.scrollTop = last.offsetTop - element.offsetTop - 8;
    }, 250);
    return () => clearTimeout(timer);
  }, [over]);
  return place;
}
