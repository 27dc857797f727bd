import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { call } from "../api/client";
import type { Fn, OperationPlan, PlanStep } from "../api/types";
import { keep, kept } from "../i18n";
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

/** What was changed of a plan and not agreed to yet, with the plan that it was. */
interface Kept {
  of: string;
  steps: Draft[];
}
function keptOf(name: string, of: string): Draft[] | null {
  try {
    const found = JSON.parse(kept(name) ?? "null") as Kept | null;
    return found?.of === of ? found.steps : null;
  } catch {
    return null;
  }
}

/** Keeps what was changed, until the plan goes while the flag that is returned says that it was decided about. */
function useKeeping(name: string, changes: Kept | null): RefObject<boolean> {
  const written = changes && JSON.stringify(changes);
  useEffect(() => {
    if (written) keep(name, written);
  }, [name, written]);
  // Not at the decision: it may be refused.
  const decided = useRef(false);
  useEffect(
    () => () => {
      if (decided.current) keep(name, null);
    },
    [name],
  );
  return decided;
}

/** The steps of a plan while a person changes them, also when they come back to it; nothing is sent before they agree. */
export function usePlanDraft(plan: OperationPlan, conversation: string) {
  const [name, of] = [`plan:${conversation}`, JSON.stringify(plan)];
  const [before] = useState(() => keptOf(name, of));
  const [steps, setSteps] = useState<Draft[]>(() => before ?? plan.steps.map((step, key) => ({ ...step, key })));
  const [changed, setChanged] = useState(before !== null);
  const next = useRef(Math.max(plan.steps.length, ...steps.map((step) => step.key + 1)));
  const sent = useKeeping(name, changed ? { of, steps } : null);
  const change = (made: Draft[]) => {
    sent.current = false;
    setChanged(true);
    setSteps(made);
  };
  return {
    steps,
    changed,
    decided: () => {
      sent.current = true;
    },
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
