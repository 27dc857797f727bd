// The versions of the workbook, each compared with the current one on a click: its differences are marked in the grid.
import { Button, Popover, ScrollArea, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { call, id } from "../api/client";
import type { SheetChanges } from "../api/types";
import type { Book } from "./types";
import { useVersions } from "./useBook";
import { useSheetWords } from "./words";

interface Difference {
  sheets: SheetChanges[];
  sheets_added: string[];
  sheets_removed: string[];
}

export function Versions({
  book,
  locale,
  onMark,
}: {
  book: Book;
  locale: string;
  onMark: (changes: SheetChanges[]) => void;
}) {
  const words = useSheetWords();
  const [isOpen, setOpen] = useState(false);
  const [told, setTold] = useState<{ version: number; text: string } | null>(null);
  const versions = useVersions(book.id, book.version, isOpen);
  const compare = async (version: number) => {
    const path = `workbooks/${id(book.id)}/versions/${version}/compare/${book.version}`;
    try {
      const found = await call<Difference>("GET", path);
      const lines = [
        found.sheets_added.length ? words.sheetsAdded(found.sheets_added.join(", ")) : "",
        found.sheets_removed.length ? words.sheetsRemoved(found.sheets_removed.join(", ")) : "",
        ...found.sheets.map((sheet) =>
          words.changed(`${sheet.cells.length}${sheet.truncated ? "+" : ""}`, sheet.sheet),
        ),
      ].filter(Boolean);
      setTold({ version, text: lines.join(" · ") || words.same });
      onMark(found.sheets);
    } catch (error) {
      setTold({ version, text: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} shadow="md" width={380} withinPortal>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >{`${words.versions} ${book.version}`}</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360}>
          <Stack component="ol" gap={6} p={0} m={0} style={{ listStyle: "none" }}>
            {versions.data?.items.map((version) => (
              <li key={version.number}>
                <Text size="sm" fw={version.number === book.version ? 700 : 400}>
                  {[
                    words.version(version.number),
                    version.summary || words.byWhom[version.author] || version.author,
                    new Date(version.created_at).toLocaleString(locale),
                  ].join(" · ")}
                </Text>
                {version.number === book.version ? (
                  <Text size="xs" c="dimmed">
                    {words.current}
                  </Text>
                ) : (
                  <Button size="compact-xs" variant="default" onClick={() => compare(version.number)}>
                    {words.compare}
                  </Button>
                )}
                <Button
                  ml={version.number === book.version ? -8 : 6}
                  size="compact-xs"
                  variant="subtle"
                  component="a"
                  download
                  href={`/api/v1/workbooks/${id(book.id)}/download?version=${version.number}`}
                >
                  {words.download}
                </Button>
                {told?.version === version.number && (
                  <Text size="sm" role="status">
                    {told.text}
                  </Text>
                )}
              </li>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
