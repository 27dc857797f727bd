import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import i18n from "i18next";
import { useEffect, useMemo, useState } from "react";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import { flowWords } from "../i18n/flow";
import { note, tried } from "../ui/say";
import { byNode } from "./faults";
import { find } from "./graph";
import { flowKey } from "./queries";
import type { Definition, Fault, StoredFlow } from "./types";
import { begun, done, redone, type Steps, undone } from "./undo";

const SETTLED_MS = 500;

/** The state of an editor: the draft with its undo, what is chosen, and what the server finds wrong. */
export function useEditor(stored: StoredFlow) {
  const [steps, setSteps] = useState(() => begun(stored.definition));
  const [kept, setKept] = useState({ definition: stored.definition, revision: stored.revision });
  const [selected, select] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const [busy, setBusy] = useState(false);
  const definition = steps.present;
  const dirty = definition !== kept.definition;
  const found = useFaults(stored, definition);
  const faults = useMemo(() => byNode(definition, found), [definition, found]);
  useWarning(dirty);

  const edit = (next: Definition, chosen: string | null = selected, tag?: string) => {
    setSteps((before) => done(before, next, tag ?? null));
    select(chosen !== null && find(next, chosen) ? chosen : null);
  };
  const turned = (change: (before: Steps<Definition>) => Steps<Definition>) => () => {
    const next = change(steps);
    setSteps(next);
    if (selected !== null && !find(next.present, selected)) select(null);
    setTurn(turn + 1);
  };
  const saved = async (): Promise<number | null> => {
    if (!dirty) return kept.revision;
    const made = await tried(
      call<StoredFlow>("PUT", `workflows/${id(stored.id)}`, { definition, revision: kept.revision }),
    );
    if (!made) return null;
    setKept({ definition, revision: made.revision });
    client.setQueryData(flowKey(stored.id), made);
    client.invalidateQueries({ queryKey: ["workflows"] });
    return made.revision;
  };
  const during = async <T>(doing: () => Promise<T>): Promise<T> => {
    setBusy(true);
    const result = await doing();
    setBusy(false);
    return result;
  };
  const publish = () =>
    during(async () => {
      const revision = await saved();
      if (revision === null) return false;
      const made = await tried(call<{ version: number }>("POST", `workflows/${id(stored.id)}/publish`, { revision }));
      if (!made) return false;
      note(flowWords(i18n.language).published(made.version));
      client.invalidateQueries({ queryKey: ["workflows"] });
      client.invalidateQueries({ queryKey: flowKey(stored.id) });
      return true;
    });
  return {
    definition,
    selected,
    select,
    faults,
    count: found.length,
    dirty,
    busy,
    turn,
    edit,
    undo: turned(undone),
    redo: turned(redone),
    canUndo: steps.past.length > 0,
    canRedo: steps.future.length > 0,
    save: () => during(saved),
    publish,
  };
}

/** What keeps the draft from being published, as the server finds it once nobody types. */
function useFaults(stored: StoredFlow, definition: Definition): Fault[] {
  const [settled] = useDebouncedValue(definition, SETTLED_MS);
  const checked = useQuery({
    queryKey: ["workflow-faults", stored.id, settled, i18n.language],
    queryFn: () => call<{ faults: Fault[] }>("POST", `workflows/${id(stored.id)}/validate`, { definition: settled }),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  return checked.data?.faults ?? stored.faults;
}

/** Asks before the page is left with what is not saved. */
function useWarning(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const leave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", leave);
    return () => removeEventListener("beforeunload", leave);
  }, [dirty]);
}
