import { afterEach, expect, it, vi } from "vitest";
import { type Order, SheetModel } from "./model";
import { areaOf } from "./refs";
import { sought } from "./seeking";

const ROWS = 100_000;
const LAYOUT = { sheet: "S", rows: ROWS, columns: 2, row_px: 20, column_px: 92, row_spans: [], column_spans: [] };
const MORE = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
afterEach(() => vi.unstubAllGlobals());

/** A sheet whose first column is filled but for a gap of one cell. */
function sheet(gap: number, order: Order | null = null): { model: SheetModel; asked: string[] } {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const range = new URL(url, "http://here").searchParams.get("range") ?? "";
    const area = areaOf(range) ?? { top: 1, bottom: 0, left: 1, right: 1 };
    asked.push(range);
    const rows = [];
    for (let row = area.top; row <= area.bottom; row++)
      if (row !== gap && area.left === 1) rows.push({ row, cells: [[1, row, 0, null]] });
    return Response.json({ version: 1, window: { rows, looks: {} } });
  });
  return { model: new SheetModel("b", 1, { ...LAYOUT, ...MORE, looks: {} }, null, order, () => {}), asked };
}

it("goes over all filled cells of a column, whether they have come or not", async () => {
  const { model, asked } = sheet(0);
  await model.tiles.load(1, 1, 1, 2);
  expect(await sought(model, { row: 1, column: 1 }, 1, 0)).toEqual({ row: ROWS, column: 1 });
  expect(asked.length).toBeLessThan(10);
  expect(await sought(model, { row: ROWS, column: 1 }, -1, 0)).toEqual({ row: 1, column: 1 });
});

it("stops where the filled cells end", async () => {
  const { model } = sheet(70_001);
  expect(await sought(model, { row: 1, column: 1 }, 1, 0)).toEqual({ row: 70_000, column: 1 });
  expect(await sought(model, { row: 70_000, column: 1 }, 1, 0)).toEqual({ row: 70_002, column: 1 });
});

it("asks a sorted view for no more than the sheet has", async () => {
  // Every second row first, then the others: what stands beside each other in the view is far apart in the sheet.
  const half = Array.from({ length: ROWS / 2 }, (_, at) => at * 2);
  const runs = [...half.map((row) => row + 1), ...half.map((row) => row + 2)].map((row): [number, number] => [
    row,
    row,
  ]);
  const { model, asked } = sheet(4, { first: 1, runs });
  expect(await sought(model, { row: 1, column: 1 }, 1, 0)).toEqual({ row: ROWS / 2 + 1, column: 1 });
  expect(asked).toEqual(["A1:A20000", "A20001:A40000", "A40001:A60000", "A60001:A80000", "A80001:A100000"]);
  expect(await sought(model, { row: 1, column: 1 }, 0, 1)).toEqual({ row: 1, column: 2 });
});

it("asks once where all rows fit into a window", async () => {
  const { model, asked } = sheet(0, {
    first: 2,
    runs: [
      [10_002, 20_000],
      [2, 10_001],
    ],
  });
  expect(await sought(model, { row: 1, column: 1 }, 1, 0)).toEqual({ row: 20_000, column: 1 });
  expect(asked).toEqual(["A1:A20000"]);
});
