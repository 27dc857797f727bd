// A table of an answer: rows as they scroll into view, sorted by its headers, copied and saved.
import { Box, Button, Group, Text } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Cell, Table } from "../api/types";
import { tsv } from "../sheet/clipboard";
import { saved } from "./download";
import { csv, type Sort, sorted, turned } from "./rows";
import "./table.css";
import { chartWords } from "./words";

const ROW_PX = 28;
const BEYOND = 8;

export interface TableResultProps {
  table: Table;
  height?: number | string;
  /** Where the service gives the table as a workbook. */
  workbook?: string;
}

export function TableResult({ table, height = 340, workbook }: TableResultProps) {
  const { i18n } = useTranslation();
  const words = chartWords(i18n.language);
  const format = useMemo(() => new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 6 }), [i18n.language]);
  const [sort, setSort] = useState<Sort | null>(null);
  const [top, setTop] = useState(0);
  const [copied, setCopied] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const order = useMemo(() => sorted(table.rows, sort, i18n.language), [table.rows, sort, i18n.language]);
  const numeric = useMemo(
    () => table.columns.map((_, at) => table.rows.some((row) => typeof row[at] === "number")),
    [table],
  );

  const visible = Math.ceil((scroller.current?.clientHeight ?? 400) / ROW_PX);
  const first = Math.max(0, Math.floor(top / ROW_PX) - BEYOND);
  const last = Math.min(order.length, first + visible + 2 * BEYOND);
  const all = (): Cell[][] => [table.columns, ...order.map((at) => table.rows[at] ?? [])];
  const copy = async () => {
    await navigator.clipboard.writeText(tsv(all()));
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const shown = (value: Cell | undefined) =>
    typeof value === "number" ? format.format(value) : value === null || value === undefined ? "" : String(value);
  const state = (column: number) => (sort?.column !== column ? "none" : sort.descending ? "descending" : "ascending");
  const count = format.format(table.rows.length);
  return (
    <Box className="tr-box">
      <section
        ref={scroller}
        className="tr-scroll"
        style={{ maxHeight: height }}
        tabIndex={0}
        aria-label={table.title || words.table}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <table aria-rowcount={order.length + 1}>
          <thead>
            <tr>
              {table.columns.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name, and never move
                <th key={at} scope="col" aria-sort={state(at)} data-numeric={numeric[at] || undefined}>
                  <button type="button" onClick={() => setSort(turned(sort, at))} title={words.sort(column)}>
                    {column || "\u00a0"}
                    <span aria-hidden>{sort?.column === at ? (sort.descending ? " ↓" : " ↑") : ""}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <tr aria-hidden style={{ height: first * ROW_PX }} />}
            {order.slice(first, last).map((at, place) => (
              <tr key={at} aria-rowindex={first + place + 2} style={{ height: ROW_PX }}>
                {table.columns.map((_, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <td key={column} data-numeric={typeof table.rows[at]?.[column] === "number" || undefined}>
                    {shown(table.rows[at]?.[column])}
                  </td>
                ))}
              </tr>
            ))}
            {last < order.length && <tr aria-hidden style={{ height: (order.length - last) * ROW_PX }} />}
          </tbody>
        </table>
        {order.length === 0 && (
          <Text c="dimmed" size="sm" p="xs">
            {words.empty}
          </Text>
        )}
      </section>
      <Group gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {words.rows(count, format.format(Math.max(table.total_rows, table.rows.length)))}
        </Text>
        <Button size="compact-xs" variant="default" onClick={copy} aria-live="polite">
          {copied ? words.copied : words.copy}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={words.saveCsv}
          onClick={() => saved(`${table.title || "table"}.csv`, "text/csv", csv(all()))}
        >
          {words.csv}
        </Button>
        {workbook && (
          <Button
            component="a"
            href={workbook}
            download=""
            size="compact-xs"
            variant="default"
            aria-label={words.save("Excel")}
          >
            Excel
          </Button>
        )}
      </Group>
    </Box>
  );
}
