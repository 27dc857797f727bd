import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { create } from "zustand";
import { call, id } from "../api/client";
import type { Notice, PlanStep, SheetChanges } from "../api/types";

export interface StepPreview {
  step: number;
  function: string;
  status: "completed" | "failed";
  error: Notice | null;
  cells_changed: number;
  changes: SheetChanges[];
  shape: { sheet: string; axis: "row" | "column" | "sheet"; count: number }[];
  notes: Notice[];
  in_place: boolean;
}
export interface PlanPreview {
  base_version: number;
  steps: StepPreview[];
  rolled_back: boolean;
  warnings: Notice[];
}

const AFTER_MS = 600;
/** Steps that run code: what they would change is found out where a person wants to know it. */
const CODE = "run_python";

/** What the steps of a plan would change, asked for whenever they have been changed. */
export function usePreview(conversation: string, version: number | undefined, steps: PlanStep[]) {
  const [wanted, setWanted] = useState(false);
  const now = JSON.stringify(steps.map((step) => ({ ...step, description: "" })));
  const [settled] = useDebouncedValue(now, AFTER_MS);
  const code = steps.some((step) => step.function === CODE);
  const enabled = version !== undefined && steps.length > 0 && settled === now && (wanted || !code);
  const found = useQuery({
    queryKey: ["preview", conversation, version, settled],
    queryFn: () =>
      call<PlanPreview>("POST", `workbooks/${id(conversation)}/preview`, { steps: JSON.parse(settled), cells: 100 }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const current = settled === now;
  const all = current ? found.data : undefined;
  // What a plan would do is marked while it waits, and as it is now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks go with what they were made of
  useEffect(() => () => showPreviewed(null), [all]);
  return {
    /** Undefined while it is not known. */
    steps: all?.steps,
    all,
    looking: steps.length > 0 && (found.isFetching || !current) && (wanted || !code),
    failed: current && found.error ? found.error.message : "",
    /** Whether a person has to ask for it. */
    offered: code && !wanted,
    ask: () => setWanted(true),
  };
}
export type Preview = ReturnType<typeof usePreview>;

interface Shown {
  conversation: string;
  /** Which step's changes they are. */
  step: number;
  changes: SheetChanges[];
}
/** The changes that a step of a waiting plan would make, as far as they are marked in the workbook. */
export const usePreviewed = create<{ shown: Shown | null }>(() => ({ shown: null }));
export const showPreviewed = (shown: Shown | null) => usePreviewed.setState({ shown });
