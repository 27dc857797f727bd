import { describe, expect, it } from "vitest";
import { following, listed, marksOf } from "./changes";
import { parseTsv, tsv, typed } from "./clipboard";
import { editText, general, shownOf } from "./formats";
import { actionOf, jump, type Pressed, type Where } from "./keys";
import { alignOf, inkOn, styleOf } from "./looks";
import { widened } from "./model";
import { cellEdit, pasted } from "./operations";
import { areaName, areaOf, letters, type Place } from "./refs";
import { Axis } from "./sizes";
import { Tiles } from "./tiles";
import type { WindowAnswer } from "./types";

describe("references", () => {
  it("are read and written in A1 style", () => {
    expect(letters(28)).toBe("AB");
    expect(areaOf("$B$2:d10")).toEqual({ top: 2, left: 2, bottom: 10, right: 4 });
    expect(areaOf("B:C")).toEqual({ top: 1, left: 2, bottom: 1_048_576, right: 3 });
    expect(areaName(areaOf("C3:A1") as never)).toBe("A1:C3");
    for (const wrong of ["", "1", "A", "A0", "ZZZ1", "A1:B", "A1;B2"]) expect(areaOf(wrong)).toBeNull();
  });
});

describe("an axis", () => {
  const axis = new Axis(1_000_000, 20, [
    { first: 3, last: 3, size_px: 50 },
    { first: 5, last: 6, hidden: true },
  ]);
  it("places what has another size and skips what is hidden", () => {
    expect([1, 3, 4, 5, 7, 8].map((index) => axis.offset(index))).toEqual([0, 40, 90, 110, 110, 130]);
    expect(axis.total).toBe(999_997 * 20 + 50);
    expect([axis.step(4, 1), axis.step(7, -1), axis.step(1, -1)]).toEqual([7, 4, 1]);
  });
  it("finds what is at an offset, the other way round", () => {
    for (const index of [1, 2, 3, 4, 7, 8, 999, 1_000_000]) {
      expect(axis.at(axis.offset(index))).toBe(index);
      expect(axis.at(axis.offset(index) + axis.size(index) - 1)).toBe(index);
    }
    expect([axis.at(-5), axis.at(1e12)]).toEqual([1, 1_000_000]);
  });
});

describe("keys", () => {
  const filled = new Set(["1:1", "2:1", "3:1", "8:1"]);
  const where = (at: Place): Where => ({
    at,
    rows: new Axis(100, 20),
    columns: new Axis(10, 60),
    used: { row: 9, column: 4 },
    page: 20,
    isFilled: (place) => filled.has(`${place.row}:${place.column}`),
  });
  const key = (name: string, more: Partial<Pressed> = {}): Pressed => ({
    key: name,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...more,
  });
  it("move, extend and stay within the sheet", () => {
    expect(actionOf(key("ArrowUp"), where({ row: 1, column: 1 }))).toEqual({
      do: "move",
      to: { row: 1, column: 1 },
      extend: false,
    });
    expect(actionOf(key("PageDown", { shiftKey: true }), where({ row: 90, column: 1 }))).toEqual({
      do: "move",
      to: { row: 100, column: 1 },
      extend: true,
    });
    expect(actionOf(key("End", { ctrlKey: true }), where({ row: 2, column: 2 }))).toMatchObject({
      to: { row: 9, column: 4 },
    });
  });
  it("jump to the end of what is filled, then to what is filled next", () => {
    expect(jump(where({ row: 1, column: 1 }), 1, 0).to).toEqual({ row: 3, column: 1 });
    expect(jump(where({ row: 3, column: 1 }), 1, 0).to).toEqual({ row: 8, column: 1 });
    expect(jump(where({ row: 8, column: 1 }), 1, 0).to).toEqual({ row: 9, column: 1 });
    expect(jump(where({ row: 8, column: 1 }), -1, 0).to).toEqual({ row: 3, column: 1 });
  });
  it("begin an edit with what was typed, but not while a word is composed", () => {
    expect(actionOf(key("7"), where({ row: 1, column: 1 }))).toEqual({ do: "edit", text: "7" });
    expect(actionOf(key("F2"), where({ row: 1, column: 1 }))).toEqual({ do: "edit", text: null });
    expect(actionOf(key("7", { isComposing: true }), where({ row: 1, column: 1 }))).toBeNull();
    expect(actionOf(key("z", { ctrlKey: true, shiftKey: true }), where({ row: 1, column: 1 }))).toEqual({ do: "redo" });
    expect(actionOf(key("v", { ctrlKey: true }), where({ row: 1, column: 1 }))).toBeNull();
  });
});

describe("the clipboard", () => {
  it("keeps tabs, quotes and line ends within fields", () => {
    const rows = [
      ["a\tb", 'say "x"', "1"],
      ["two\nlines", "", "ü"],
    ];
    expect(parseTsv(tsv(rows))).toEqual(rows);
    expect(parseTsv("1\t2\r\n3\t4\r\n")).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
    expect(parseTsv('5" pipe\tx')).toEqual([['5" pipe', "x"]]);
  });
  it("takes numbers as numbers and leaves codes alone", () => {
    expect(["12", "-1.5e3", "1,234.5", "007", "1-2", "true", " "].map(typed)).toEqual([
      12,
      -1500,
      1234.5,
      "007",
      "1-2",
      true,
      null,
    ]);
  });
  it("is pasted as few operations, formulas by themselves", () => {
    const at = { top: 2, left: 2, bottom: 2, right: 2 };
    const made = pasted("S", at, [
      ["1", "=A1*2"],
      ["", "x"],
    ]);
    expect(made.area).toEqual({ top: 2, left: 2, bottom: 3, right: 3 });
    expect(made.operations).toEqual([
      { function: "clear", sheet: "S", range: "B3" },
      {
        function: "set_values",
        sheet: "S",
        range: "B2:C3",
        values: [
          [1, null],
          [null, "x"],
        ],
      },
      { function: "set_formula", sheet: "S", range: "C2", formula: "=A1*2" },
    ]);
    expect(cellEdit("S", "B2", "")).toMatchObject({ function: "clear" });
  });
});

describe("formats", () => {
  const shown = (format: string, value: number) => shownOf(value, { format }, "en").text;
  it("show numbers, dates and negative ones as a spreadsheet does", () => {
    expect(shown("#,##0.00", 1234.5)).toBe("1,234.50");
    expect(shown("0.0%", 0.256)).toBe("25.6%");
    expect(shown("yyyy-mm-dd", 45352)).toBe("2024-03-01");
    expect(shownOf(-3, { format: "0;[Red]-0" }, "en").color).not.toBeNull();
    expect([general(0.1 + 0.2), general(1e20), general(12)]).toEqual(["0.3", "1.00000E+20", "12"]);
  });
  it("show a value whose format cannot be read", () => {
    expect(shown('"never closed', 5)).toMatch(/5|never closed/);
    expect(shownOf("text", { format: "0.00" }, "en").text).toBe("text");
  });
  it("are left behind when a cell is edited", () => {
    expect(editText(45352, null, { format: "dd/mm/yy" })).toBe("2024-03-01");
    expect(editText(0.5, "=A1/2", { format: "0%" })).toBe("=A1/2");
    expect(editText(true, null, undefined)).toBe("TRUE");
  });
});

describe("looks", () => {
  it("become styles; what a file writes into a name or colour gets no further", () => {
    expect(styleOf({ fill: "1F4E78", color: "FFFFFF", bold: true })).toMatchObject({
      backgroundColor: "#1F4E78",
      color: "#FFFFFF",
      fontWeight: 700,
    });
    const hostile = styleOf({
      fill: "red;background:url(//x)",
      font: 'a";background:url(//x)',
      borders: { top: { line: "thin", color: "url(x)" } },
    });
    expect(hostile.backgroundColor).toBeUndefined();
    expect(hostile.fontFamily).not.toMatch(/[;()]/);
    expect(hostile.borderTop).toBe("1px solid #444");
    expect([inkOn("000080"), inkOn("FFFF00")]).toEqual(["#f5f5f5", "#111111"]);
    expect([
      alignOf(1, undefined),
      alignOf("a", undefined),
      alignOf("#REF!", undefined),
      alignOf(1, { horizontal: "left" }),
    ]).toEqual(["right", "left", "center", "left"]);
  });
  it("of merged cells are never cut by a selection", () => {
    const merges = [areaOf("B2:C3"), areaOf("C3:D4")].filter((area) => area !== null);
    expect(areaName(widened(areaOf("A1:B2") as never, merges))).toBe("A1:D4");
  });
});

describe("tiles", () => {
  const answer = (rows: number[], left: number): WindowAnswer => ({
    version: 1,
    window: { looks: { 3: { bold: true } }, rows: rows.map((row) => ({ row, cells: [[left, `r${row}`, 3, null]] })) },
  });
  it("are fetched once for what is in view, in the order of the view", async () => {
    const asked: string[] = [];
    const tiles = new Tiles(
      async (rows, left, right) => {
        asked.push(`${rows[0]}..${rows.at(-1)}:${left}-${right}`);
        return answer(rows, left);
      },
      (place) => 1001 - place,
      1000,
      60,
      () => {},
    );
    tiles.want(1, 40, 1, 20);
    await tiles.load(1, 40, 1, 20);
    await new Promise((done) => setTimeout(done, 0));
    expect(asked[0]).toBe("1000..801:1-50");
    expect(new Set(asked).size).toBe(2);
    expect(tiles.cell(1, 1)?.[1]).toBe("r1000");
    expect(tiles.isKnown(1, 51)).toBe(false);
    expect(tiles.looks.get(3)?.bold).toBe(true);
    expect(tiles.stamp(1)).toBeGreaterThan(tiles.stamp(900));
  });
  it("that fail are told of, and asked for no more than twice", async () => {
    let asked = 0;
    const faults: unknown[] = [];
    const fetch = async (): Promise<WindowAnswer> => {
      asked++;
      throw new Error("gone");
    };
    const tiles = new Tiles(
      fetch,
      (place) => place,
      100,
      10,
      (error) => error && faults.push(error),
    );
    for (let turn = 0; turn < 5; turn++) {
      tiles.want(1, 10, 1, 5);
      await new Promise((done) => setTimeout(done, 0));
    }
    expect([asked, faults.length]).toEqual([2, 2]);
  });
});

describe("changes", () => {
  const list = listed(
    [
      {
        sheet: "S",
        range: "A1:B3",
        cells: [
          { ref: "B3", before: null, after: 2 },
          { ref: "A1", before: 1, after: "" },
        ],
      },
    ],
    "–",
  );
  it("are gone through row by row and around the end", () => {
    expect(list.places.map((one) => `${one.ref} ${one.before}→${one.after}`)).toEqual(["A1 1→–", "B3 –→2"]);
    expect([following(list, -1, 1), following(list, 1, 1), following(list, 0, -1)]).toEqual([0, 0, 1]);
    expect(marksOf(list, "S").get(3)?.get(2)).toEqual({ before: "–", after: "2" });
    expect(marksOf(list, "T").size).toBe(0);
  });
});
