// What a chart event shows, as an ECharts option of plain data: no functions, so that it can be sent to the frame.
import type { Cell, Chart } from "../api/types";

export interface PlotSeries {
  name: string;
  kind: string;
  categories: Cell[];
  values: Cell[];
}
/** A chart of a workbook: see the server's SheetChart. */
export interface SheetChart {
  name: string;
  range: string;
  title?: string | null;
  x_title?: string | null;
  y_title?: string | null;
  stacked: boolean;
  series: PlotSeries[];
}
export type Option = Record<string, unknown>;
export interface DataTable {
  columns: string[];
  rows: Cell[][];
}

const MANY = 30;
const text = (value: Cell | undefined) => (value === null || value === undefined ? "" : String(value));
const number = (value: Cell | undefined) => (typeof value === "number" && Number.isFinite(value) ? value : null);
const distinct = (values: Cell[]) => [...new Set(values.map(text))];
const isNumeric = (values: Cell[]) =>
  values.some((value) => value !== null) && values.every((value) => value === null || typeof value === "number");

/** Cuts numbers into bins of a round width: at most 30, about as many as the square root of their count. */
export function bins(values: Cell[]): { names: string[]; counts: number[] } {
  const numbers = values.map(number).filter((value) => value !== null);
  if (!numbers.length) return { names: [], counts: [] };
  const low = numbers.reduce((a, b) => Math.min(a, b));
  const high = numbers.reduce((a, b) => Math.max(a, b));
  const wanted = Math.max(1, Math.min(MANY, Math.ceil(Math.sqrt(numbers.length))));
  const width = roundWidth((high - low || 1) / wanted);
  const first = Math.floor(low / width);
  const counts = new Array<number>(Math.floor(high / width) - first + 1).fill(0);
  for (const value of numbers) {
    const at = Math.floor(value / width) - first;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const edge = (at: number) => Number(((first + at) * width).toPrecision(12));
  return { names: counts.map((_, at) => `${edge(at)} – ${edge(at + 1)}`), counts };
}
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return power * ([1, 2, 5, 10].find((step) => step * power >= width * 0.999) ?? 10);
}

interface Made {
  categories: string[] | null;
  series: Option[];
}
interface Point {
  x: Cell;
  y: Cell;
  group: string;
}

function pointsOf(chart: Chart): Point[] {
  return chart.x.map((x, at) => ({ x, y: chart.y[at] ?? null, group: text(chart.series?.[at]) }));
}
function alongCategories(chart: Chart, type: string, extra: Option): Made {
  const categories = distinct(chart.x);
  const place = new Map(categories.map((name, at) => [name, at]));
  const points = pointsOf(chart);
  const series = [...new Set(points.map((point) => point.group))].map((name) => {
    const data = new Array<number | null>(categories.length).fill(null);
    for (const point of points) if (point.group === name) data[place.get(text(point.x)) ?? 0] = number(point.y);
    return { type, name: name || chart.labels.y || "", data, ...extra };
  });
  return { categories, series };
}
function scattered(chart: Chart): Made {
  const points = pointsOf(chart);
  const categories = isNumeric(chart.x) ? null : distinct(chart.x);
  const x = (point: Point) => (categories ? text(point.x) : number(point.x));
  const groups = [...new Set(points.map((point) => point.group))];
  const series = groups.map((name) => ({
    type: "scatter",
    name: name || chart.labels.y || "",
    symbolSize: 8,
    data: points.filter((point) => point.group === name).map((point) => [x(point), number(point.y)]),
  }));
  return { categories, series };
}
function made(chart: Chart): Made {
  switch (chart.kind) {
    case "stacked bar":
      return alongCategories(chart, "bar", { stack: "all" });
    case "line":
    case "grouping line":
      return alongCategories(chart, "line", { connectNulls: true, showSymbol: chart.x.length <= MANY });
    case "area":
      return alongCategories(chart, "line", { areaStyle: { opacity: 0.25 }, showSymbol: false });
    case "scatter":
    case "grouping scatter":
      return scattered(chart);
    case "histogram": {
      const found = bins(isNumeric(chart.x) && !isNumeric(chart.y) ? chart.x : chart.y.length ? chart.y : chart.x);
      return { categories: found.names, series: [{ type: "bar", name: "", data: found.counts, barCategoryGap: "2%" }] };
    }
    default:
      return alongCategories(chart, "bar", {});
  }
}

/** The option of a chart of an answer. */
export function optionOf(chart: Chart): Option {
  const titled = chart.title ? { title: { text: chart.title } } : {};
  if (chart.kind === "pie") {
    const data = pointsOf(chart).map((point) => ({ name: text(point.x), value: number(point.y) }));
    return {
      ...titled,
      tooltip: { trigger: "item" },
      legend: { type: "scroll" },
      series: [pie(chart.labels.y ?? "", data, "0%")],
    };
  }
  const { categories, series } = made(chart);
  return { ...titled, ...axes(categories, chart.labels.x, chart.labels.y, false), ...legendOf(series), series };
}

/** The option of a chart of a workbook; null where it is of a kind that is not drawn here. */
export function optionOfSheetChart(chart: SheetChart): Option | null {
  const first = chart.series[0];
  if (!first) return null;
  const titled = chart.title ? { title: { text: chart.title } } : {};
  if (first.kind === "pie" || first.kind === "doughnut") {
    const data = first.values.map((value, at) => ({
      name: text(first.categories[at] ?? at + 1),
      value: number(value),
    }));
    const inner = first.kind === "pie" ? "0%" : "45%";
    return {
      ...titled,
      tooltip: { trigger: "item" },
      legend: { type: "scroll" },
      series: [pie(first.name, data, inner)],
    };
  }
  if (first.kind === "radar")
    return { ...titled, ...radar(chart.series), ...legendOf(chart.series as unknown as Option[]) };
  const lying = chart.series.every((series) => series.kind === "bar");
  const categories = chart.series.some((series) => series.kind === "scatter") ? null : categoriesOf(chart.series);
  const series = chart.series.map((entry) => seriesOf(entry, chart.stacked, categories === null));
  const x = chart.x_title ?? undefined;
  return { ...titled, ...axes(categories, x, chart.y_title ?? undefined, lying), ...legendOf(series), series };
}
function categoriesOf(series: PlotSeries[]): string[] {
  const longest = series.reduce((a, b) => (b.values.length > a.values.length ? b : a));
  return longest.values.map((_, at) => text(longest.categories[at] ?? at + 1));
}
function seriesOf(entry: PlotSeries, stacked: boolean, placed: boolean): Option {
  const values = entry.values.map(number);
  if (placed) {
    const data = values.map((value, at) => [number(entry.categories[at]) ?? at + 1, value]);
    return { type: "scatter", name: entry.name, data, symbolSize: 8 };
  }
  const type = entry.kind === "line" || entry.kind === "area" ? "line" : "bar";
  const area = entry.kind === "area" ? { areaStyle: { opacity: 0.25 } } : {};
  return { type, name: entry.name, data: values, ...(stacked ? { stack: "all" } : {}), ...area };
}
function radar(series: PlotSeries[]): Option {
  const names = categoriesOf(series);
  const most = Math.max(1, ...series.flatMap((entry) => entry.values.map((value) => number(value) ?? 0)));
  return {
    tooltip: {},
    radar: { indicator: names.map((name) => ({ name, max: most })) },
    series: [
      {
        type: "radar",
        data: series.map((entry) => ({ name: entry.name, value: entry.values.map((value) => number(value) ?? 0) })),
      },
    ],
  };
}
function pie(name: string, data: { name: string; value: number | null }[], inner: string): Option {
  return { type: "pie", name, radius: [inner, "65%"], data, avoidLabelOverlap: true };
}
function legendOf(series: Option[]): Option {
  return series.length > 1 ? { legend: { type: "scroll" } } : {};
}
function axes(categories: string[] | null, x: string | undefined, y: string | undefined, lying: boolean): Option {
  const names = { type: "category", data: categories ?? [], name: x ?? "" };
  const along: Option = categories ? names : { type: "value", name: x ?? "", scale: true };
  const up: Option = { type: "value", name: y ?? "", scale: categories === null };
  const zoom = (categories?.length ?? 0) > MANY || categories === null;
  const place = lying ? { yAxisIndex: 0 } : { xAxisIndex: 0 };
  return {
    tooltip: { trigger: categories ? "axis" : "item" },
    xAxis: lying ? up : along,
    yAxis: lying ? { ...along, inverse: true } : up,
    ...(zoom
      ? {
          dataZoom: [
            { type: "inside", ...place },
            { type: "slider", ...place },
          ],
        }
      : {}),
  };
}

/** What a chart event shows, as rows: one for each position, a column for each series. */
export function tableOf(chart: Chart): DataTable {
  const label = (key: string, otherwise: string) => chart.labels[key] || otherwise;
  if (!chart.series) {
    return { columns: [label("x", "x"), label("y", "y")], rows: chart.x.map((x, at) => [x, chart.y[at] ?? null]) };
  }
  const rows = chart.x.map((x, at) => [x, chart.series?.[at] ?? null, chart.y[at] ?? null]);
  return { columns: [label("x", "x"), label("series", ""), label("y", "y")], rows };
}
/** What a chart of a workbook shows, as rows. */
export function tableOfSheetChart(chart: SheetChart): DataTable {
  const names = chart.series.length ? categoriesOf(chart.series) : [];
  const columns = [chart.x_title ?? "", ...chart.series.map((series, at) => series.name || String(at + 1))];
  return { columns, rows: names.map((name, at) => [name, ...chart.series.map((series) => series.values[at] ?? null)]) };
}
