import { afterEach, expect, it, vi } from "vitest";
import { SheetModel } from "./model";
import { areaOf } from "./refs";
import { sought } from "./seeking";

const ROWS = 100_000;
const LAYOUT = { sheet: "S", rows: ROWS, columns: 2, row_px: 20, column_px: 92, row_spans: [], column_spans: [] };
const MORE = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
afterEach(() => vi.unstubAllGlobals());

/** A sheet whose first column is filled but for a gap of one cell. */
function sheet(gap: number): { model: SheetModel; asked: string[] } {
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
  return { model: new SheetModel("b", 1, { ...LAYOUT, ...MORE, looks: {} }, null, null, () => {}), asked };
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
