import { useRef, useState } from "react";
import type { Fn, OperationPlan, PlanStep } from "../api/types";
import { blankObject } from "./fields";

export interface Draft extends PlanStep {
  key: number;
  /** A person has added it: its fields are to be filled. */
  added?: boolean;
}
export type PlanEditor = ReturnType<typeof usePlanDraft>;

/** The steps of a plan while a person changes them; nothing is sent before they agree. */
export function usePlanDraft(plan: OperationPlan) {
  const [steps, setSteps] = useState<Draft[]>(() => plan.steps.map((step, key) => ({ ...step, key })));
  const [changed, setChanged] = useState(false);
  const next = useRef(plan.steps.length);
  const change = (made: Draft[]) => {
    setChanged(true);
    setSteps(made);
  };
  return {
    steps,
    changed,
    move(place: number, by: number) {
      const made = [...steps];
      made.splice(place + by, 0, ...made.splice(place, 1));
      change(made);
    },
    remove: (key: number) => change(steps.filter((step) => step.key !== key)),
    put: (key: number, part: Partial<PlanStep>) =>
      change(steps.map((step) => (step.key === key ? { ...step, ...part } : step))),
    add(fn: Fn) {
      const parameters = blankObject(fn.parameters, fn.parameters);
      const step = {
        step: steps.length + 1,
        function: fn.name,
        parameters,
        description: fn.label,
        key: next.current,
        added: true,
      };
      next.current += 1;
      change([...steps, step]);
    },
    written: (): PlanStep[] =>
      steps.map(({ function: name, parameters, description }, place) => ({
        step: place + 1,
        function: name,
        parameters,
        description,
      })),
  };
}
