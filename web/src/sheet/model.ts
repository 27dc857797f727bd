// A sheet as it is shown: its layout at a version, in an order of its rows, with the tiles of its cells.
import { call, id } from "../api/client";
import { type Area, areaName, areaOf, holds, type Place } from "./refs";
import { Axis } from "./sizes";
import { type Fetch, Tiles } from "./tiles";
import type { Layout, Look, Span, WindowAnswer, WindowCell } from "./types";

export const HEAD_PX = 24;
const MORE_ROWS = 60;
const MORE_COLUMNS = 4;
const LEAST_COLUMNS = 20;
/** How wide columns are that nobody has sized: a date fits. */
const LEAST_COLUMN_PX = 92;
const NO_MERGES: Area[] = [];

export interface Order {
  /** The rows above the first stay where they are. */
  first: number;
  runs: [number, number][];
}

/** Everything that drawing a sheet asks for. */
export class SheetModel {
  readonly rows: Axis;
  readonly columns: Axis;
  readonly tiles: Tiles;
  readonly used: Place;
  readonly merges: Area[];
  readonly frozen: Place;
  readonly headWidth: number;
  private readonly order: Int32Array | null;

  constructor(
    readonly book: string,
    readonly version: number,
    readonly layout: Layout,
    first: WindowAnswer | null,
    order: Order | null,
    changed: (error: unknown) => void,
  ) {
    this.order = order ? expanded(order) : null;
    const rows = this.order?.length ?? layout.rows;
    this.used = { row: rows, column: layout.columns };
    const count = this.order ? Math.max(rows, 1) : Math.max(rows + MORE_ROWS, 100);
    const spans = this.order ? ordered(layout, this.order) : layout.row_spans;
    this.rows = new Axis(Math.min(count, 1_048_576), layout.row_px, spans);
    const columns = Math.min(Math.max(layout.columns + MORE_COLUMNS, LEAST_COLUMNS), 16_384);
    this.columns = new Axis(columns, Math.max(layout.column_px, LEAST_COLUMN_PX), layout.column_spans);
    this.merges = this.order ? [] : layout.merges.map(areaOf).filter((area) => area !== null);
    this.frozen = { row: Math.min(layout.frozen_rows, 50), column: Math.min(layout.frozen_columns, 20) };
    this.headWidth = 20 + String(layout.rows + MORE_ROWS).length * 8;
    this.tiles = new Tiles(this.fetch, this.rowAt, rows, layout.columns, changed);
    for (const [number, look] of Object.entries(layout.looks)) this.tiles.looks.set(Number(number), look);
    if (first && !this.order) this.tiles.begin(first);
  }

  get isOrdered(): boolean {
    return this.order !== null;
  }
  /** The number in the sheet of a row of the view. */
  readonly rowAt = (place: number): number => this.order?.[place - 1] ?? place;
  placeOf(row: number): number | null {
    if (!this.order) return row;
    const found = this.order.indexOf(row);
    return found < 0 ? null : found + 1;
  }
  cell(place: Place): WindowCell | undefined {
    return this.tiles.cell(place.row, place.column);
  }
  look(cell: WindowCell | undefined): Look | undefined {
    return cell ? this.tiles.looks.get(cell[2]) : undefined;
  }
  mergeAt(place: Place): Area | null {
    return this.merges.find((area) => holds(area, place.row, place.column)) ?? null;
  }
  /** The merged areas that a row is in. */
  mergesIn(row: number): Area[] {
    return this.merges.length ? this.merges.filter((area) => area.top <= row && area.bottom >= row) : NO_MERGES;
  }
  /** The name of a cell or area in the sheet, for people and for the server. */
  name(area: Area): string {
    return areaName({ ...area, top: this.rowAt(area.top), bottom: this.rowAt(area.bottom) });
  }

  private readonly fetch: Fetch = async (rows, left, right, signal) => {
    const [top, bottom] = [rows[0] ?? 1, rows[rows.length - 1] ?? 1];
    const range = areaName({ top, bottom: Math.max(top, bottom), left, right });
    const listed = this.order ? `&rows=${rows.join(",")}` : "";
    const columns = this.order ? areaName({ top: 1, bottom: 1, left, right }) : range;
    const path = `workbooks/${id(this.book)}/sheets/${id(this.layout.sheet)}/window?range=${columns}${listed}&version=${this.version}`;
    if (signal.aborted) throw new DOMException("", "AbortError");
    return call<WindowAnswer>("GET", path);
  };
}

function expanded(order: Order): Int32Array {
  const above = order.first - 1;
  const found = new Int32Array(above + order.runs.reduce((sum, [first, last]) => sum + last - first + 1, 0));
  for (let row = 1; row <= above; row++) found[row - 1] = row;
  let at = above;
  for (const [first, last] of order.runs) for (let row = first; row <= last; row++) found[at++] = row;
  return found;
}

/** The rows of a view that have heights of their own. What a view shows is not hidden. */
function ordered(layout: Layout, order: Int32Array): Span[] {
  const sized = layout.row_spans.filter((span) => span.size_px && !span.hidden);
  if (!sized.length) return [];
  const rows = new Axis(layout.rows, layout.row_px, sized);
  const spans: Span[] = [];
  order.forEach((row, at) => {
    const size = rows.size(row);
    const last = spans[spans.length - 1];
    if (last && last.last === at && last.size_px === size) last.last = at + 1;
    else if (size !== layout.row_px) spans.push({ first: at + 1, last: at + 1, size_px: size });
  });
  return spans;
}

/** The selection, made larger so that no merged area is cut. */
export function widened(area: Area, merges: Area[]): Area {
  let found = area;
  for (let again = true; again; ) {
    again = false;
    for (const merge of merges) {
      const meets =
        merge.top <= found.bottom &&
        found.top <= merge.bottom &&
        merge.left <= found.right &&
        found.left <= merge.right;
      const joined = {
        top: Math.min(found.top, merge.top),
        left: Math.min(found.left, merge.left),
        bottom: Math.max(found.bottom, merge.bottom),
        right: Math.max(found.right, merge.right),
      };
      if (meets && areaName(joined) !== areaName(found)) {
        found = joined;
        again = true;
      }
    }
  }
  return found;
}
