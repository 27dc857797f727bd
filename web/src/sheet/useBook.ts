// The workbook beside the chat, and edits of it: one after the other, each on the version that the one before has made.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { call, id } from "../api/client";
import type { SheetChanges } from "../api/types";
import { bookQuery } from "./bookQuery";
import type { Operation } from "./operations";
import type { Head, Version } from "./types";

export interface Edited {
  workbook: Head;
  changed: boolean;
  changes: SheetChanges[];
  warnings: { code: string; message: string }[];
}

export function useBook(name: string) {
  const cache = useQueryClient();
  const found = useQuery({ ...bookQuery(name), enabled: name !== "" });
  const [busy, setBusy] = useState(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const head = useRef<number>(0);
  head.current = found.data?.version ?? 0;
  const bookId = found.data?.id ?? "";

  /** Does a thing after those before it, whether they succeeded or not, and shows what has become of the workbook. */
  const queued = useCallback(
    <T>(work: () => Promise<T>): Promise<T> => {
      setBusy((count) => count + 1);
      const done = last.current.catch(() => null).then(work);
      last.current = done;
      return done.finally(() => {
        setBusy((count) => count - 1);
        // The chat knows the workbook by the conversation's name.
        void cache.invalidateQueries({ queryKey: ["workbook"] });
        void cache.invalidateQueries({ queryKey: ["versions", bookId] });
      });
    },
    [cache, bookId],
  );
  const take = useCallback(
    (made: Head) => {
      head.current = made.version;
      // The chat knows it too, by the conversation's name and with its outline.
      cache.setQueriesData<Head>({ queryKey: ["workbook"] }, (before) =>
        before?.id === made.id ? { ...before, ...made } : before,
      );
    },
    [cache],
  );
  const edit = useCallback(
    (operations: Operation[]) =>
      queued(async () => {
        const body = { operations, base_version: head.current };
        const edited = await call<Edited>("POST", `workbooks/${id(bookId)}/edits`, body);
        take(edited.workbook);
        return edited;
      }),
    [queued, take, bookId],
  );
  const move = useCallback(
    (way: "undo" | "redo") =>
      queued(async () => {
        const made = await call<Head>("POST", `workbooks/${id(bookId)}/${way}`, {});
        // The sheets are others perhaps: the version is not shown with those of the one before.
        await cache.fetchQuery({ ...bookQuery(name), staleTime: 0 });
        take(made);
      }),
    [queued, take, bookId, cache, name],
  );
  return { book: found.data ?? null, query: found, busy: busy > 0, edit, move };
}

/** The versions of a workbook that is at `head`. */
export const useVersions = (book: string, head: number, enabled: boolean) =>
  useQuery({
    queryKey: ["versions", book, head],
    queryFn: () => call<{ items: Version[] }>("GET", `workbooks/${id(book)}/versions?limit=100`),
    enabled,
  });
