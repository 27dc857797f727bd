// A chart of an answer as operations on a workbook: its data on a sheet of its own, and a native chart over them.
import type { Cell, Chart } from "../api/types";
import { areaName } from "../sheet/refs";
import { tableOf } from "./option";

const MOST_ROWS = 5_000;
const KINDS: Record<string, { type: string; stacked?: boolean }> = {
  bar: { type: "column" },
  "stacked bar": { type: "column", stacked: true },
  line: { type: "line" },
  "grouping line": { type: "line" },
  area: { type: "area" },
  pie: { type: "pie" },
  scatter: { type: "scatter" },
  "grouping scatter": { type: "scatter" },
  histogram: { type: "histogram" },
};
export type NativeChart = { operations: Record<string, unknown>[]; sheet: string } | { why: "kind" | "rows" | "empty" };

/** A name that a sheet may have and that none of these has. */
export function freeName(wanted: string, taken: string[]): string {
  const plain =
    wanted
      .replace(/[[\]:*?/\\']/g, " ")
      .trim()
      .slice(0, 27) || "Chart";
  const known = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain} ${number}`;
    if (!known.has(name.toLowerCase())) return name;
  }
}

/** What makes a chart a native one of a workbook that has these sheets, or why that cannot be done. */
export function nativeChart(chart: Chart, title: string, sheets: string[]): NativeChart {
  const kind = KINDS[chart.kind];
  if (!kind) return { why: "kind" };
  const table = wide(chart);
  if (!table.rows.length) return { why: "empty" };
  if (table.rows.length > MOST_ROWS) return { why: "rows" };
  const sheet = freeName(title, sheets);
  const columns = distinct(table.columns);
  const values = [columns as Cell[], ...table.rows];
  const range = areaName({ top: 1, left: 1, bottom: values.length, right: columns.length });
  const of =
    kind.type === "histogram" ? { values: columns.slice(0, 1) } : { category: columns[0], values: columns.slice(1) };
  return {
    sheet,
    operations: [
      { function: "add_sheet", name: sheet },
      { function: "set_values", sheet, range, values },
      { function: "create_chart", sheet, ...kind, data_range: range, title, ...of },
    ],
  };
}

/** The first column names the marks; each series has a column of its own. */
function wide(chart: Chart): { columns: string[]; rows: Cell[][] } {
  if (!chart.series) return tableOf(chart);
  const names = [...new Set(chart.series.map(String))];
  const rows = new Map<Cell, Cell[]>();
  chart.x.forEach((x, place) => {
    const row = rows.get(x) ?? [x, ...names.map(() => null)];
    row[names.indexOf(String(chart.series?.[place])) + 1] = chart.y[place] ?? null;
    rows.set(x, row);
  });
  return { columns: [chart.labels.x || "x", ...names], rows: [...rows.values()] };
}

function distinct(names: string[]): string[] {
  const found: string[] = [];
  for (const name of names) found.push(freeName(name || "x", found));
  return found;
}
