// One sheet with its bars: the formula bar, the grid, what has changed, the tabs, and what the selection adds up to.
import { Button, Loader, Text } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { SheetChanges } from "../api/types";
import { Elapsed } from "../ui/Elapsed";
import { ChangeBar } from "./ChangeBar";
import { type ChangeList, marksOf } from "./changes";
import { FindBar } from "./FindBar";
import { Floats } from "./Floats";
import { FormulaBar } from "./FormulaBar";
import type { Order } from "./model";
import type { Operation } from "./operations";
import { between } from "./refs";
import { SheetGrid } from "./SheetGrid";
import { SheetTabs } from "./SheetTabs";
import { Status } from "./Status";
import type { Book } from "./types";
import type { Edited } from "./useBook";
import { useGridActions } from "./useGridActions";
import { useCells, useSheet } from "./useSheet";
import { Versions } from "./Versions";
import { ViewMenu } from "./ViewMenu";
import { useSheetWords } from "./words";

interface ViewProps {
  book: Book;
  sheet: string;
  sheets: { name: string; state: string }[];
  list: ChangeList;
  locale: string;
  edit: (operations: Operation[]) => Promise<Edited>;
  move: (way: "undo" | "redo") => Promise<void>;
  onSheet: (name: string) => void;
  onMark: (changes: SheetChanges[], version: number) => void;
  onAsk?: (text: string) => void;
}
const said = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function SheetView({ book, sheet, sheets, list, locale, edit, move, onSheet, onMark, onAsk }: ViewProps) {
  const words = useSheetWords();
  const [order, setOrder] = useState<Order | null>(null);
  const [note, setNote] = useState("");
  const [problem, setProblem] = useState<string[]>([]);
  const [finding, setFinding] = useState(false);
  const [at, setAt] = useState(-1);
  const { model, query, fault, again } = useSheet(book.id, sheet, book.version, order);
  const onFault = useCallback((error: unknown) => setProblem([said(error)]), []);
  const onChanges = useCallback(
    (changes: SheetChanges[], warnings: string[], version: number) => {
      setProblem(warnings);
      onMark(changes, version);
    },
    [onMark],
  );
  const onFind = useCallback(() => setFinding(true), []);
  const view = useRef<HTMLDivElement>(null);
  const endFinding = () => {
    setFinding(false);
    view.current?.focus();
  };
  const grid = useGridActions({ model, locale, words, edit, move, onChanges, onNote: setNote, onFault, onFind });
  const marks = useMemo(() => marksOf(list, sheet), [list, sheet]);
  const touched = useMemo(() => new Set(list.places.map((one) => one.sheet)), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes are gone through from their start
  useEffect(() => setAt(-1), [list]);
  const go = (next: number) => {
    const change = list.places[next];
    setAt(next);
    if (!change) return;
    if (change.sheet !== sheet) return onSheet(change.sheet);
    const place = model?.placeOf(change.place.row);
    if (place) grid.select({ row: place, column: change.place.column });
  };
  const { selection } = grid;
  const stamp = useCells(model, selection.area.top, selection.area.bottom);
  const active = between(selection.active, selection.active);
  const name = model?.name(selection.area) ?? "";
  return (
    <>
      {model && (
        <div className="tw-bar">
          <ViewMenu model={model} active={selection.active} shown={grid.content} onOrder={setOrder} onFault={onFault} />
          <Button
            size="compact-sm"
            variant={finding ? "light" : "default"}
            aria-pressed={finding}
            onClick={() => setFinding(!finding)}
          >
            {words.find}
          </Button>
          <Versions book={book} locale={locale} onMark={(changes) => onMark(changes, book.version)} />
          {onAsk && (
            <Button size="compact-sm" variant="default" onClick={() => onAsk(words.askText(name, sheet))}>
              {words.ask}
            </Button>
          )}
        </div>
      )}
      {model && finding && (
        <FindBar model={model} onGo={(place) => grid.select(place)} onFault={onFault} onClose={endFinding} />
      )}
      {list.places.length > 0 && (
        <ChangeBar list={list} at={at} sheet={sheet} onGo={go} onHide={() => onMark([], book.version)} />
      )}
      {model?.isOrdered && (
        <div className="tw-note" role="status">
          <span>{words.ordered(model.used.row.toLocaleString(locale))}</span>
          <Button size="compact-xs" variant="default" onClick={() => setOrder(null)}>
            {words.clear}
          </Button>
        </div>
      )}
      {[...problem, ...(fault ? [words.failed(said(fault))] : [])].map((text) => (
        <div key={text} className="tw-note" role="alert">
          <span>{text}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label="×"
            onClick={() => {
              setProblem([]);
              again();
            }}
          >
            ×
          </Button>
        </div>
      ))}
      {model ? (
        <>
          <FormulaBar
            name={model.name(active)}
            text={grid.content}
            isEditable
            onCommit={(text) => grid.commit(text, { row: 0, column: 0 })}
          />
          <SheetGrid
            view={view}
            model={model}
            selection={selection}
            marks={marks}
            locale={locale}
            label={words.grid(sheet)}
            isEditable
            editing={grid.editing}
            refusal={grid.refusal}
            onSelect={grid.select}
            onAction={grid.act}
            onEdit={grid.startEdit}
            onCommit={grid.commit}
            onPaste={grid.paste}
            floats={model.layout.charts.length + model.layout.images.length ? <Floats model={model} /> : undefined}
          />
        </>
      ) : (
        <div className="tw-status" style={{ flex: 1 }} role="status">
          {query.isError ? (
            <Text c="red">{words.failed(said(query.error))}</Text>
          ) : (
            <>
              <Loader size="xs" /> {words.loading} <Elapsed />
            </>
          )}
        </div>
      )}
      <SheetTabs sheets={sheets} current={sheet} touched={touched} onChoose={onSheet} />
      {model && <Status model={model} area={selection.area} stamp={stamp} locale={locale} note={note} />}
    </>
  );
}
