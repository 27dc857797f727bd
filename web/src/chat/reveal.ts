import { createContext, useContext, useEffect, useRef } from "react";

/** Opens the work of a turn at a step: what a number of the answer leads to. */
export const Reveal = createContext<(step: string) => void>(() => {});
export const useReveal = () => useContext(Reveal);

/** The step that was last asked for in a turn, one object per time it was asked for. */
export interface Revealed {
  step: string;
}
export const RevealedStep = createContext<Revealed | null>(null);

/** Opens a line of the work, and leads to it, when its step is asked for: also where the line is drawn only then. */
export function useRevealed(step: string | undefined, open: () => void) {
  const revealed = useContext(RevealedStep);
  const line = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same step may be asked for again
  useEffect(() => {
    if (revealed === null || revealed.step !== step) return;
    open();
    line.current?.focus();
    line.current?.scrollIntoView({ block: "nearest" });
  }, [revealed]);
  return line;
}

/** Keeps the conversation where it is scrolled to, however its end grows. */
export const Stay = createContext<() => void>(() => {});
