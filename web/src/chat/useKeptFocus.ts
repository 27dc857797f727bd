import { type RefObject, useLayoutEffect } from "react";

const LONGEST_MS = 2000;
let leftAt = Number.NEGATIVE_INFINITY;

/** Keeps who is writing in the field where the page is laid out anew around it, as when a file opens beside the chat. */
export function useKeptFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const own = field.current;
    if (own && performance.now() - leftAt < LONGEST_MS) {
      own.focus();
      own.setSelectionRange(own.value.length, own.value.length);
    }
    leftAt = Number.NEGATIVE_INFINITY;
    return () => {
      if (own && document.activeElement === own) leftAt = performance.now();
    };
  }, [field]);
}
