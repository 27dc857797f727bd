import { createContext, useContext } from "react";

/** Opens the work of a turn at a step: what a number of the answer leads to. */
export const Reveal = createContext<(step: string) => void>(() => {});
export const useReveal = () => useContext(Reveal);
