// The workbook beside the chat: its sheets, what has changed in them, and editing by hand.
import { Button, Group, Loader, Select, Text } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { id } from "../api/client";
import type { Round, SheetChanges } from "../api/types";
import { Elapsed } from "../ui/Elapsed";
import { listed } from "./changes";
import { SheetTabs } from "./SheetTabs";
import { SheetView } from "./SheetView";
import { useBook } from "./useBook";
import { useSheetWords } from "./words";

export interface WorkPaneProps {
  /** The workbooks of the conversation, the newest first. */
  files: { id: string; name: string }[];
  /** What a run has done: what it changed in the workbook that is shown is marked until other changes come. */
  rounds?: Round[];
  /** What a plan would change in the newest workbook; marked instead. */
  previewed?: SheetChanges[] | null;
  onAsk?: (text: string) => void;
}
const NONE: SheetChanges[] = [];
const NOWHERE = new Set<string>();
/** Changes that are marked, and the version that they have led to; null: whichever is shown. */
interface Marked {
  changes: SheetChanges[];
  version: number | null;
}

export function WorkPane({ files, rounds = [], previewed = null, onAsk }: WorkPaneProps) {
  const words = useSheetWords();
  const { i18n } = useTranslation();
  // What was chosen among some is shown as long as no other comes: a workbook that has just come is what is asked about.
  const [chosen, setChosen] = useState<{ id: string; among: string[] } | null>(null);
  const newest = files[0]?.id ?? "";
  const ids = files.map((file) => file.id);
  const holds = chosen && ids.includes(chosen.id) && ids.every((one) => chosen.among.includes(one));
  const name = holds ? chosen.id : newest;
  const preview = previewed !== null && name === newest;
  const own = rounds.filter((round) => round.workbook_id === name);
  const made = own.flatMap((round) => round.changes);
  const changes = preview ? previewed : made;
  const { book, query, busy, edit, move } = useBook(name);
  const [sheet, setSheet] = useState("");
  const written = own.map((round) => round.version ?? 0);
  const last = preview || !written.some(Boolean) ? null : Math.max(...written);
  const [marked, setMarked] = useState<Marked>({ changes, version: last });
  // Told by what they are: the same changes come as another list whenever the chat is drawn.
  const told = [
    name,
    last,
    ...changes.map((one) => `${one.sheet}!${one.range}:${one.cells.length}:${one.cells[0]?.after}`),
  ].join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setMarked({ changes, version: last });
    const first = changes.find((one) => one.cells.length > 0)?.sheet;
    if (preview && first) setSheet(first);
  }, [told, preview]);
  // What was taken back is no change of the version that is shown.
  const valid = marked.version === null || marked.version === book?.version ? marked.changes : NONE;
  const list = useMemo(() => listed(valid, words.blank, preview), [valid, words, preview]);
  const sheets = book?.sheets ?? [];
  const withCells = sheets.filter((one) => one.kind === "worksheet");
  const current =
    sheets.find((one) => one.name === sheet) ?? withCells.find((one) => one.state === "visible") ?? withCells[0];

  if (!book) {
    const missing = (query.error as { status?: number } | null)?.status === 404;
    return (
      <Group className="tw-work" justify="center" p="lg" role="status">
        {query.isLoading ? <Loader size="sm" /> : null}
        <Text c="dimmed">
          {query.isLoading ? words.loading : query.error && !missing ? words.failed(query.error.message) : words.empty}{" "}
          {query.isLoading && <Elapsed />}
        </Text>
        {query.error && !missing ? (
          <Button size="compact-sm" variant="default" onClick={() => query.refetch()}>
            {words.retry}
          </Button>
        ) : null}
      </Group>
    );
  }
  return (
    <section className="tw-work" aria-label={words.work}>
      <div className="tw-bar">
        {files.length > 1 ? (
          <Select
            size="xs"
            w={180}
            aria-label={words.work}
            data={files.map((one) => ({ value: one.id, label: one.id === book.id ? book.name : one.name }))}
            value={name}
            onChange={(id) => setChosen(id ? { id, among: ids } : null)}
            allowDeselect={false}
          />
        ) : (
          <Text size="sm" fw={600} truncate maw={220} title={book.name}>
            {book.name}
          </Text>
        )}
        <Button
          size="compact-sm"
          variant="default"
          disabled={!book.can_undo || busy}
          onClick={() => void move("undo").catch(() => query.refetch())}
        >
          {words.undo}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!book.can_redo || busy}
          onClick={() => void move("redo").catch(() => query.refetch())}
        >
          {words.redo}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          download={book.name}
          href={`/api/v1/workbooks/${id(book.id)}/download`}
        >
          {words.download}
        </Button>
        {busy && (
          <Text size="xs" role="status">
            {words.saving} <Elapsed />
          </Text>
        )}
      </div>
      {current?.kind === "worksheet" ? (
        <SheetView
          key={`${book.id}:${current.name}`}
          book={book}
          sheet={current.name}
          sheets={sheets}
          list={list}
          locale={i18n.language}
          edit={edit}
          move={move}
          onSheet={setSheet}
          onMark={(changes, version) => setMarked({ changes, version })}
          onAsk={onAsk}
        />
      ) : (
        <>
          <Text p="lg" c="dimmed" style={{ flex: 1 }}>
            {current ? words.noGrid(current.name) : words.noCells}
          </Text>
          <SheetTabs sheets={sheets} current={current?.name ?? ""} touched={NOWHERE} onChoose={setSheet} />
        </>
      )}
    </section>
  );
}
