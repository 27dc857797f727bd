// A sheet at a version: its layout with its first cells, and a model that fetches the others as they come into view.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { call, id } from "../api/client";
import { type Order, SheetModel } from "./model";
import { FIRST_TILE } from "./tiles";
import type { Layout, WindowAnswer } from "./types";

interface Opening {
  version: number;
  layout: Layout;
  /** The cells of the first tile; null where they have to be asked for again. */
  first: WindowAnswer | null;
}

/** Asks for the layout and the first cells together: neither waits for the other. */
async function openingOf(book: string, sheet: string, version: number): Promise<Opening> {
  const path = `workbooks/${id(book)}/sheets/${id(sheet)}`;
  const [answer, first] = await Promise.all([
    call<{ version: number; layout: Layout }>("GET", `${path}/layout?version=${version}`),
    call<WindowAnswer>("GET", `${path}/window?range=${FIRST_TILE}&version=${version}`).catch(() => null),
  ]);
  return { ...answer, first };
}

export function useSheet(book: string, sheet: string, version: number, order: Order | null) {
  const [, setCame] = useState(0);
  const [fault, setFault] = useState<unknown>(null);
  const found = useQuery({
    queryKey: ["layout", book, sheet, version],
    queryFn: () => openingOf(book, sheet, version),
    enabled: book !== "" && sheet !== "" && version > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    // The layout before stays while that of the next version is on its way: nothing flickers.
    placeholderData: (before, query) =>
      query?.queryKey[1] === book && query?.queryKey[2] === sheet ? before : undefined,
  });
  const answer = found.data;
  const shown = useRef<SheetModel | null>(null);
  const model = useMemo(() => {
    if (!answer) return null;
    const changed = (error: unknown) => {
      if (error) setFault(error);
      else if (made !== shown.current) setCame((count) => count + 1);
    };
    const made = new SheetModel(book, answer.version, answer.layout, answer.first, order, changed);
    return made;
  }, [answer, book, order]);
  useEffect(() => {
    setFault(null);
    return () => model?.tiles.stop();
  }, [model]);
  // Until the cells of a new version have come, those of the one before are shown.
  if (model?.layout.sheet !== shown.current?.layout.sheet || model?.book !== shown.current?.book || !shown.current)
    shown.current = model;
  else if (model && model !== shown.current) {
    const isThere = model.tiles.isKnown(1, 1) || model.used.row === 0;
    if (isThere || model.isOrdered !== shown.current.isOrdered) shown.current = model;
    else model.tiles.want(1, 1, 1, 1);
  }
  return { model: shown.current, query: found, fault, again: () => setFault(null) };
}

const nothing = () => () => {};
/** Draws again what shows cells of some rows when such have come, and only then; what it returns changes with it. */
export function useCells(model: SheetModel | null, first: number, last: number): number {
  return useSyncExternalStore(model?.tiles.watch ?? nothing, () => model?.tiles.stampOf(first, last) ?? 0);
}
