import { createContext, useContext } from "react";

/** Opens the work of a turn at a step: what a number of the answer leads to. */
export const Reveal = createContext<(step: string) => void>(() => {});
export const useReveal = () => useContext(Reveal);

/** Keeps the conversation where it is scrolled to, however its end grows. */
export const Stay = createContext<() => void>(() => {});
