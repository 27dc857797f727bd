// What keys and gestures of the grid do to the selection and to the workbook.
import { useCallback, useRef, useState } from "react";
import type { SheetChanges } from "../api/types";
import { parseTsv, tsv } from "./clipboard";
import { editText, shownOf } from "./formats";
import type { Action } from "./keys";
import { type SheetModel, widened } from "./model";
import { cellEdit, isUnfinished, type Operation, pasted } from "./operations";
import { type Area, areaName, between, cellsIn, type Place } from "./refs";
import type { Selection } from "./SheetGrid";
import { sought } from "./seeking";
import type { Edited } from "./useBook";
import type { SheetWords } from "./words";

const MOST_COPIED = 200_000;
const START: Place = { row: 1, column: 1 };
const CORNER: Selection = { active: START, anchor: START, end: START, area: between(START, START) };

export interface Refusal {
  text: string;
}
interface Wiring {
  model: SheetModel | null;
  locale: string;
  words: SheetWords;
  edit: (operations: Operation[]) => Promise<Edited>;
  move: (way: "undo" | "redo") => Promise<void>;
  onChanges: (changes: SheetChanges[], warnings: string[], version: number) => void;
  onNote: (note: string) => void;
  onFault: (error: unknown) => void;
  onFind: () => void;
}

export function useGridActions({ model, locale, words, edit, move, onChanges, onNote, onFault, onFind }: Wiring) {
  const [selection, setSelection] = useState<Selection>(CORNER);
  const [editing, setEditing] = useState<string | null>(null);
  /** Why what was typed into the active cell is not taken. While it cannot be sent, no other cell becomes active. */
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const held = useRef(false);

  const select = useCallback(
    (to: Place, extend = false) => {
      if (held.current) return;
      setSelection((was) => {
        const merges = model?.merges ?? [];
        const anchor = extend ? was.anchor : to;
        return { anchor, active: extend ? was.active : to, end: to, area: widened(between(anchor, to), merges) };
      });
      setEditing(null);
    },
    [model],
  );
  const selectArea = useCallback((area: Area) => {
    const corner = { row: area.top, column: area.left };
    setSelection({ active: corner, anchor: corner, end: corner, area });
  }, []);

  const done = useCallback(
    async (operations: Operation[]): Promise<unknown> => {
      if (!operations.length) return null;
      try {
        const edited = await edit(operations);
        onChanges(
          edited.changes,
          edited.warnings.map((warning) => warning.message),
          edited.workbook.version,
        );
        return null;
      } catch (error) {
        onFault(error);
        return error;
      }
    },
    [edit, onChanges, onFault],
  );
  // Not kept from one drawing to the next: cells come while a place stays the active one.
  const activeCell = model?.cell(selection.active);
  const content = activeCell ? editText(activeCell[1], activeCell[3], model?.look(activeCell)) : "";

  const open = useRef(false);
  open.current = editing !== null;
  /** What the service does not take is there to be mended, if nothing else is edited meanwhile. */
  const reopen = useCallback((at: Place, text: string, why: unknown) => {
    if (open.current) return;
    setSelection({ active: at, anchor: at, end: at, area: between(at, at) });
    setEditing(text);
    setRefusal({ text: why instanceof Error ? why.message : String(why) });
  }, []);
  const commit = useCallback(
    (text: string, by: Place) => {
      held.current = isUnfinished(text) && text !== content;
      setEditing(held.current ? text : null);
      setRefusal(held.current ? { text: words.unfinished } : null);
      if (!model || held.current) return;
      const { active } = selection;
      const next = {
        row: by.row ? model.rows.step(active.row, by.row as 1 | -1) : active.row,
        column: by.column ? model.columns.step(active.column, by.column as 1 | -1) : active.column,
      };
      if (by.row || by.column) select(next);
      const range = model.name(between(active, active));
      if (text === content) return;
      void done([cellEdit(model.layout.sheet, range, text)]).then(
        (why) => why !== null && text.startsWith("=") && reopen(active, text, why),
      );
    },
    [model, selection, select, content, done, reopen, words],
  );
  const copy = useCallback(async () => {
    if (!model) return;
    const area = {
      ...selection.area,
      bottom: Math.min(selection.area.bottom, Math.max(model.used.row, selection.area.top)),
      right: Math.min(selection.area.right, Math.max(model.used.column, selection.area.left)),
    };
    if (cellsIn(area) > MOST_COPIED) return onNote(words.tooMany(MOST_COPIED.toLocaleString(locale)));
    try {
      await model.tiles.load(area.top, area.bottom, area.left, area.right);
      const rows: string[][] = [];
      for (let row = area.top; row <= area.bottom; row++) {
        const line: string[] = [];
        for (let column = area.left; column <= area.right; column++) {
          const cell = model.cell({ row, column });
          line.push(cell ? shownOf(cell[1], model.look(cell), locale).text : "");
        }
        rows.push(line);
      }
      await navigator.clipboard.writeText(tsv(rows));
      onNote(words.copied(cellsIn(area).toLocaleString(locale)));
    } catch (error) {
      onFault(error);
    }
  }, [model, selection.area, locale, words, onNote, onFault]);
  const clear = useCallback(() => {
    if (!model) return;
    const { area } = selection;
    const rows = model.isOrdered
      ? Array.from({ length: area.bottom - area.top + 1 }, (_, at) => ({
          ...area,
          top: area.top + at,
          bottom: area.top + at,
        }))
      : [area];
    void done(
      rows.slice(0, 500).map((one) => ({ function: "clear", sheet: model.layout.sheet, range: model.name(one) })),
    );
  }, [model, selection, done]);
  const paste = useCallback(
    (text: string) => {
      if (!model || model.isOrdered || !text) return;
      const made = pasted(model.layout.sheet, selection.area, parseTsv(text));
      if (made.operations.length > 500) return onNote(words.tooMany("500"));
      selectArea(made.area);
      void done(made.operations);
    },
    [model, selection.area, selectArea, done, onNote, words],
  );

  const here = useRef(selection);
  here.current = selection;
  const seek = async ({ from, down, right, extend }: Extract<Action, { do: "seek" }>) => {
    if (!model) return;
    onNote(words.looking);
    try {
      const to = await sought(model, from, down, right);
      // Who has gone elsewhere meanwhile stays there.
      if (here.current === selection) select(to, extend);
      onNote("");
    } catch (error) {
      onFault(error);
    }
  };

  const act = (action: Action) => {
    if (!model || action.do === "move" || action.do === "edit") return;
    if (action.do === "leave") held.current = false;
    if (held.current) return;
    const { active, area } = selection;
    const all = { top: 1, left: 1, bottom: model.rows.count, right: model.columns.count };
    switch (action.do) {
      case "seek":
        return void seek(action);
      case "copy":
        return void copy();
      case "cut":
        return void copy().then(clear);
      case "clear":
        return clear();
      case "undo":
      case "redo":
        return void move(action.do).catch(onFault);
      case "find":
        return onFind();
      case "all":
        return setSelection((was) => ({
          ...was,
          area: { top: 1, left: 1, bottom: model.used.row, right: model.used.column },
        }));
      case "column":
        return setSelection((was) => ({
          ...was,
          area: { ...all, left: Math.min(area.left, active.column), right: Math.max(area.right, active.column) },
        }));
      case "row":
        return setSelection((was) => ({
          ...was,
          area: { ...all, top: Math.min(area.top, active.row), bottom: Math.max(area.bottom, active.row) },
        }));
      case "leave":
        setRefusal(null);
        return setEditing(null);
    }
  };
  const startEdit = (text: string | null) => {
    setRefusal(null);
    setEditing(text ?? content);
  };
  return { selection, select, selectArea, editing, refusal, startEdit, commit, act, paste, content, name: areaName };
}
