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
  vi.stubGlobal("fetch", async (address: string) => {
    const url = new URL(address, "http://here");
    const what = url.pathname.split("/").pop() ?? "";
    const range = url.searchParams.get("range") ?? "";
    asked.push(`${what} ${range}`);
    const area = areaOf(range) ?? { top: 1, bottom: 0, left: 1, right: 1 };
    if (what === "filled" && area.left > 1) return Response.json({ runs: [], next_row: null });
    if (what === "filled" && area.top === 1 && gap > 1)
      return Response.json({ runs: [[1, gap - 1]], next_row: gap + 1 });
    if (what === "filled") return Response.json({ runs: [[area.top, area.bottom]], next_row: null });
    const rows = [];
    for (let row = area.top; row <= area.bottom; row++)
      if (row !== gap && area.left === 1) rows.push({ row, cells: [[1, row, 0, null]] });
    return Response.json({ version: 1, window: { rows, looks: {} } });
  });
  return { model: new SheetModel("b", 1, { ...LAYOUT, ...MORE, looks: {} }, null, order, () => {}), asked };
}

it("asks once for the filled cells of a column, however long it is", async () => {
  const { model, asked } = sheet(0);
  expect(await sought(model, { row: 1, column: 1 }, 1, 0)).toEqual({ row: ROWS, column: 1 });
  expect(asked).toEqual(["filled A1:A100000"]);
  expect(await sought(model, { row: ROWS, column: 1 }, -1, 0)).toEqual({ row: 1, column: 1 });
});

it("stops where the filled cells end, and asks on where not all of them were told", async () => {
  const { model, asked } = sheet(70_001);
  expect(await sought(model, { row: 1, column: 1 }, 1, 0)).toEqual({ row: 70_000, column: 1 });
  expect(asked).toEqual(["filled A1:A100000", "filled A70002:A100000"]);
  expect(await sought(model, { row: 70_000, column: 1 }, 1, 0)).toEqual({ row: 70_002, column: 1 });
});

it("goes to the last row where nothing is filled", async () => {
  const { model } = sheet(0);
  expect(await sought(model, { row: 1, column: 2 }, 1, 0)).toEqual({ row: ROWS, column: 2 });
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
  expect(asked).toEqual(["filled A1:A100000", "filled A5:A100000"]);
  expect(await sought(model, { row: 1, column: 1 }, 0, 1)).toEqual({ row: 1, column: 2 });
});
