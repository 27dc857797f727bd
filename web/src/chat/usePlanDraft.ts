import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../api/client";
import type { Fn, OperationPlan, PlanStep } from "../api/types";
import { blankObject } from "./fields";

export interface Draft extends PlanStep {
  key: number;
  /** A person has added it: its fields are to be filled. */
  added?: boolean;
  /** The sentence is from before the last change of a field. */
  outdated?: boolean;
  /** A person has written the sentence: it stays as it is. */
  worded?: boolean;
}
export type PlanEditor = ReturnType<typeof usePlanDraft>;

const AFTER_MS = 400;

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
    fill: (key: number, parameters: PlanStep["parameters"]) =>
      change(steps.map((step) => (step.key === key ? { ...step, parameters, outdated: !step.worded } : step))),
    word: (key: number, description: string) =>
      change(steps.map((step) => (step.key === key ? { ...step, description, outdated: false, worded: true } : step))),
    add(fn: Fn) {
      const step = {
        step: steps.length + 1,
        function: fn.name,
        parameters: blankObject(fn.parameters, fn.parameters),
        description: fn.label,
        key: next.current,
        added: true,
      };
      next.current += 1;
      change([...steps, step]);
    },
    sentences: useSentences(steps, setSteps),
    written: (made = steps): PlanStep[] =>
      made.map(({ function: name, parameters, description }, place) => ({
        step: place + 1,
        function: name,
        parameters,
        description,
      })),
  };
}

/** Has the steps that were changed said anew, and returns what resolves to all steps with their sentences. */
function useSentences(steps: Draft[], onSaid: (take: (now: Draft[]) => Draft[]) => void): () => Promise<Draft[]> {
  const asked = useRef(new WeakSet<object>());
  const say = useCallback(async () => {
    for (const step of steps) asked.current.add(step.parameters);
    const said = await spoken(steps);
    const anew = (now: Draft[]) =>
      now.map((step) => said.find((one) => one.key === step.key && one.parameters === step.parameters) ?? step);
    onSaid((now) => (now === steps ? said : anew(now)));
    return said;
  }, [steps, onSaid]);
  useEffect(() => {
    if (!steps.some((step) => step.outdated && !asked.current.has(step.parameters))) return;
    const waiting = setTimeout(say, AFTER_MS);
    return () => clearTimeout(waiting);
  }, [steps, say]);
  return say;
}

/** The steps, those with an outdated sentence as the service says them; as they were where it cannot say them. */
async function spoken(steps: Draft[]): Promise<Draft[]> {
  const outdated = steps.filter((step) => step.outdated);
  if (!outdated.length) return steps;
  const asked = outdated.map((step, place) => ({
    step: place + 1,
    function: step.function,
    parameters: step.parameters,
  }));
  const { sentences } = await call<{ sentences: string[] }>("POST", "excel/functions/sentences", {
    steps: asked,
  }).catch(() => ({ sentences: [] as string[] }));
  return steps.map((step) => {
    const description = sentences[outdated.indexOf(step)];
    return step.outdated && description ? { ...step, description, outdated: false } : step;
  });
}
