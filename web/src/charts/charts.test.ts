import { describe, expect, it } from "vitest";
import type { Chart } from "../api/types";
import { dressed } from "../frames/dress";
import { sieved } from "../frames/sieve";
import { nativeChart } from "./nativeChart";
import { bins, optionOf, optionOfSheetChart, tableOf, tableOfSheetChart } from "./option";
import { csv, sorted, turned } from "./rows";

const chart = (more: Partial<Chart>): Chart => ({
  kind: "bar",
  x: ["a", "b"],
  y: [1, 2],
  series: null,
  labels: {},
  title: null,
  ...more,
});
const seriesOf = (made: Record<string, unknown>) =>
  made.series as { type: string; data: unknown[]; stack?: string; name: string }[];

describe("an option", () => {
  it("has a series for each group, with gaps where a group has nothing", () => {
    const made = optionOf(chart({ x: ["a", "b", "a"], y: [1, 2, 3], series: ["n", "n", "s"], labels: { x: "City" } }));
    expect(seriesOf(made).map((one) => [one.name, one.data])).toEqual([
      ["n", [1, 2]],
      ["s", [3, null]],
    ]);
    expect(made.legend).toBeDefined();
    expect((made.xAxis as { name: string }).name).toBe("City");
  });
  it("is of the kind that was asked for", () => {
    expect(seriesOf(optionOf(chart({ kind: "stacked bar" })))[0]?.stack).toBe("all");
    expect(seriesOf(optionOf(chart({ kind: "area" })))[0]).toHaveProperty("areaStyle");
    expect(seriesOf(optionOf(chart({ kind: "pie" })))[0]?.data[0]).toEqual({ name: "a", value: 1 });
    expect(seriesOf(optionOf(chart({ kind: "scatter", x: [1, 2] })))[0]?.data).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(
      optionOf(chart({ x: Array.from({ length: 40 }, (_, at) => `c${at}`), y: Array(40).fill(1) })),
    ).toHaveProperty("dataZoom");
  });
  it("of a histogram counts every number once, in round bins", () => {
    const values = Array.from({ length: 100 }, (_, at) => at / 10);
    const found = bins(values);
    expect(found.counts.reduce((a, b) => a + b)).toBe(100);
    expect(found.names[0]).toBe("0 – 1");
    expect(bins([5]).counts).toEqual([1]);
    expect(bins([]).counts).toEqual([]);
  });
  it("of a workbook's chart draws what its cells hold", () => {
    const book = {
      name: "c",
      range: "A1:B2",
      stacked: false,
      title: "T",
      series: [{ name: "Sum", kind: "bar", categories: ["x", "y"], values: [1, null] }],
    };
    const made = optionOfSheetChart(book) as Record<string, unknown>;
    expect((made.yAxis as { data: string[] }).data).toEqual(["x", "y"]);
    expect(tableOfSheetChart(book)).toEqual({
      columns: ["", "Sum"],
      rows: [
        ["x", 1],
        ["y", null],
      ],
    });
    expect(optionOfSheetChart({ ...book, series: [] })).toBeNull();
  });
  it("has the same numbers as its table", () => {
    expect(tableOf(chart({ labels: { x: "City", y: "Sum" } }))).toEqual({
      columns: ["City", "Sum"],
      rows: [
        ["a", 1],
        ["b", 2],
      ],
    });
  });
});

describe("a hostile option", () => {
  const hostile = JSON.parse(`{
    "series": [{"type": "bar", "data": [1], "symbol": "image://http://x/y.png", "renderItem": "x", "label": {"rich": {"a": {"backgroundColor": {"image": "http://x"}}}, "formatter": "<img src=x onerror=alert(1)>"}}],
    "title": {"text": "<b>kept as text</b>", "link": "javascript:alert(1)", "sublink": "http://x"},
    "tooltip": {"formatter": "<script>1</script>", "renderMode": "html", "appendToBody": true, "extraCssText": "x", "className": "x"},
    "graphic": [{"type": "image", "style": {"image": "http://x"}}], "toolbox": {"feature": {}}, "onclick": "alert(1)",
    "xAxis": {"axisLabel": {"color": "url(http://x)"}, "__proto__": {"polluted": true}}, "yAxis": {}
  }`);
  it("keeps nothing that loads, links, is HTML or reaches prototypes", () => {
    const made = sieved(hostile);
    const text = JSON.stringify(made);
    for (const word of [
      "image",
      "javascript",
      "http",
      "formatter",
      "renderMode",
      "link",
      "rich",
      "graphic",
      "toolbox",
      "onclick",
      "polluted",
    ])
      expect(text).not.toContain(word);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((made.title as { text: string }).text).toBe("<b>kept as text</b>");
  });
  it("is drawn with tooltips that are no HTML whatever it says", () => {
    const made = dressed(sieved(hostile), { dark: false, locale: "en" });
    expect((made.tooltip as { renderMode: string }).renderMode).toBe("richText");
  });
  it("that has no bounds is refused", () => {
    let deep: unknown = 1;
    for (let at = 0; at < 100; at++) deep = { a: deep };
    expect(() => sieved({ series: deep })).toThrow("too large");
    for (const wrong of [null, [], "x", 3]) expect(() => sieved(wrong)).toThrow("no option");
  });
});

describe("the dress of a chart", () => {
  it("writes numbers with separators and leaves room for what is around", () => {
    const made = dressed(
      { title: { text: "T" }, legend: {}, xAxis: { type: "category" }, yAxis: { type: "value" }, series: [] },
      { dark: true, locale: "en" },
    );
    const axis = (made.yAxis as { axisLabel: { formatter: (value: number) => string } }[])[0];
    expect(axis?.axisLabel.formatter(1234.5)).toBe("1,234.5");
    expect(axis?.axisLabel.formatter(2_500_000)).toBe("2.5M");
    expect((made.tooltip as { valueFormatter: (value: number) => string }).valueFormatter(1234567)).toBe("1,234,567");
    expect((made.grid as { bottom: number; top: number }).bottom).toBeGreaterThan(20);
  });
  it("shortens all numbers of an axis or none", () => {
    const axis = (data: unknown[]) => {
      const option = { yAxis: { type: "value" }, series: [{ data }] };
      const made = dressed(option, { dark: true, locale: "en" });
      return (made.yAxis as { axisLabel: { formatter: (value: number) => string } }[])[0]?.axisLabel.formatter;
    };
    expect([80_000, 0].map(axis([3, ["2026-01-01", 113_736.32], { value: 5 }]) ?? String)).toEqual(["80K", "0"]);
    expect([80_000, 0].map(axis([90_000, null]) ?? String)).toEqual(["80,000", "0"]);
  });
  it("names every one of a few categories, and of many as many as fit", () => {
    const interval = (count: number) => {
      const data = new Array<string>(count).fill("a");
      const made = dressed({ xAxis: { type: "category", data }, series: [] }, { dark: true, locale: "en" });
      return (made.xAxis as { axisLabel: { interval?: number } }[])[0]?.axisLabel.interval;
    };
    expect([interval(4), interval(40)]).toEqual([0, undefined]);
  });
});

describe("rows of a result", () => {
  const rows = [
    ["b", 2],
    ["a", null],
    ["c", 10],
    ["d", 2],
  ];
  it("are sorted with empty cells last either way, equal ones in their order", () => {
    expect(sorted(rows, { column: 1, descending: false }, "en")).toEqual([0, 3, 2, 1]);
    expect(sorted(rows, { column: 1, descending: true }, "en")).toEqual([2, 0, 3, 1]);
    expect([turned(null, 1), turned({ column: 1, descending: true }, 1)]).toEqual([
      { column: 1, descending: false },
      null,
    ]);
  });
  it("are saved so that no text is taken for a formula", () => {
    expect(
      csv([
        ["=1+1", -2, 'a"b'],
        ["-3", null, "x,y"],
      ]),
    ).toBe('\ufeff\'=1+1,-2,"a""b"\r\n-3,,"x,y"\r\n');
  });
});

describe("a chart for the workbook", () => {
  it("has its data on a sheet of its own, a column for each series", () => {
    const made = nativeChart(
      chart({ kind: "bar", x: ["a", "b", "a"], y: [1, 2, 3], series: ["n", "n", "s"], labels: { x: "City" } }),
      "Sales?",
      ["sales"],
    );
    expect(made).toMatchObject({ sheet: "Sales 2" });
    expect("operations" in made && made.operations[1]).toMatchObject({
      range: "A1:C3",
      values: [
        ["City", "n", "s"],
        ["a", 1, 3],
        ["b", 2, null],
      ],
    });
    expect(nativeChart(chart({ kind: "heatmap" }), "x", [])).toEqual({ why: "kind" });
  });
});

it("zooms with the wheel only while ctrl is held: else the page scrolls", () => {
  const zoom = [{ type: "inside", zoomOnMouseWheel: true }, { type: "slider" }];
  const made = dressed(sieved({ series: [], dataZoom: zoom }), { dark: false, locale: "en" });
  expect(made.dataZoom).toMatchObject([{ type: "inside", zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false }, {}]);
});
