// @vitest-environment jsdom
import { expect, it } from "vitest";
import { SheetModel } from "./model";
import { RowPool, type Scene } from "./rowPool";
import type { Layout, WindowAnswer, WindowCell } from "./types";

const NONE = { row_spans: [], column_spans: [], charts: [], images: [], looks: {}, filter: null };
const LAYOUT: Layout = {
  ...{ sheet: "S", rows: 200, columns: 6, row_px: 20, column_px: 92, gridlines: true, merges: ["B3:D5"] },
  ...{ frozen_rows: 0, frozen_columns: 1 },
  ...NONE,
};
const cells = (row: number): WindowCell[] => [
  [1, `a${row}`, 0, null],
  [2, row, 0, null],
  [5, `a text that is far too long for its own column, of row ${row}`, 0, null],
];
const rows = Array.from({ length: 200 }, (_, at) => ({ row: at + 1, cells: cells(at + 1) }));
const answer: WindowAnswer = { version: 1, window: { rows, looks: {} } };

function drawn() {
  const model = new SheetModel("b", 1, LAYOUT, answer, null, () => {});
  const home = document.createElement("div");
  const pool = new RowPool(home);
  const scene: Scene = {
    model,
    area: { top: 2, left: 1, bottom: 3, right: 2 },
    active: { row: 2, column: 1 },
    marks: new Map([[7, new Map([[1, { before: "x", after: "a7" }]])]]),
    locale: "en",
  };
  const draw = (first: number, last: number, from = 1, to = 6) => {
    const places = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    pool.draw(scene, places, from, to, (place) => (place - 1) * 20);
  };
  const at = (row: number, column: number) => home.querySelector<HTMLElement>(`#tw-cell-${row}-${column}`);
  const order = () => [...home.children].map((row) => Number(row.getAttribute("aria-rowindex")) - 1);
  return { home, pool, draw, at, order };
}

it("shows rows that come into view on the nodes of those that left it", () => {
  const { home, draw, at, order } = drawn();
  draw(1, 10);
  const nodes = new Set(home.children);
  expect(at(1, 1)?.textContent).toBe("a1");
  draw(6, 15);
  expect([...home.children].every((node) => nodes.has(node))).toBe(true);
  expect([at(15, 1)?.textContent, at(15, 2)?.textContent, at(1, 1)]).toEqual(["a15", "15", null]);
  expect(at(15, 1)?.closest<HTMLElement>("[role=row]")?.style.top).toBe("280px");
  expect(order()).not.toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
});

it("puts them in the order of the sheet once scrolling rests", () => {
  const { draw, pool, order } = drawn();
  draw(1, 10);
  draw(4, 13);
  pool.sort();
  expect(order()).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
});

it("carries nothing of the row before over to the next: selection, marks, merged areas", () => {
  const { draw, at } = drawn();
  draw(1, 8);
  expect(at(2, 1)?.className).toContain("tw-active");
  expect(at(3, 2)?.getAttribute("aria-selected")).toBe("true");
  expect(at(7, 1)?.title).toBe("x → a7");
  expect([at(3, 2)?.style.height, at(3, 3), at(4, 2)]).toEqual(["60px", null, null]);
  draw(101, 108);
  for (let row = 101; row <= 108; row++) {
    expect(at(row, 1)?.className).toBe("tw-cell tw-left");
    expect(at(row, 1)?.hasAttribute("title")).toBe(false);
    expect(at(row, 2)?.getAttribute("aria-selected")).toBe("false");
    expect([at(row, 2)?.style.height, at(row, 3)?.textContent]).toEqual(["", ""]);
  }
});

it("shows a text over the empty cells beside it, and a merged area that begins out of view", () => {
  const { draw, at } = drawn();
  draw(1, 8);
  expect(at(1, 5)?.className).toContain("tw-over");
  expect(at(3, 2)).not.toBeNull();
  draw(1, 8, 4, 6);
  expect(at(3, 2)?.textContent).toBe("3");
  expect([at(4, 4), at(6, 2)]).toEqual([null, null]);
  expect(at(6, 4)).not.toBeNull();
});
