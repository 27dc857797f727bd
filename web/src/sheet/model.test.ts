import { expect, it } from "vitest";
import { SheetModel } from "./model";

const LAYOUT = {
  ...{
    sheet: "S",
    rows: 9,
    columns: 2,
    row_px: 20,
    column_px: 92,
    column_spans: [],
    frozen_rows: 0,
    frozen_columns: 0,
  },
  ...{ merges: [], gridlines: true, filter: null, charts: [], images: [], looks: {} },
  row_spans: [
    { first: 2, last: 4, size_px: 58 },
    { first: 6, last: 6, hidden: true },
  ],
};

it("keeps the heights of rows in a view that sorts them", () => {
  const order = {
    first: 2,
    runs: [
      [9, 9],
      [3, 6],
      [2, 2],
    ] as [number, number][],
  };
  const { rows } = new SheetModel("b", 1, LAYOUT, null, order, () => {});
  expect([1, 2, 3, 4, 5, 6, 7].map((place) => rows.size(place))).toEqual([20, 20, 58, 58, 20, 20, 58]);
});
