// Which rows and columns are in view, and scrolling to one that is not.
import { HEAD_PX, type SheetModel } from "./model";
import type { Place } from "./refs";

export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export function inView(model: SheetModel, x: number, y: number, width: number, height: number): Range {
  const { rows, columns, frozen } = model;
  const down = rows.offset(frozen.row + 1);
  const right = columns.offset(frozen.column + 1);
  return {
    top: Math.max(rows.at(y + down), frozen.row + 1),
    bottom: rows.at(y + height - HEAD_PX),
    left: Math.max(columns.at(x + right), frozen.column + 1),
    right: columns.at(x + width - model.headWidth),
  };
}

/** Scrolls so that a cell is in view. */
export function reveal(box: HTMLDivElement | null, model: SheetModel, { row, column }: Place): void {
  if (!box) return;
  const { rows, columns, frozen } = model;
  if (row > frozen.row) {
    const [top, end] = [rows.offset(row) - rows.offset(frozen.row + 1), rows.offset(row + 1) + HEAD_PX];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
  }
  if (column > frozen.column) {
    const [left, end] = [
      columns.offset(column) - columns.offset(frozen.column + 1),
      columns.offset(column + 1) + model.headWidth,
    ];
    if (left < box.scrollLeft) box.scrollLeft = left;
    else if (end > box.scrollLeft + box.clientWidth) box.scrollLeft = end - box.clientWidth;
  }
}

const BEYOND = 6;
/** Rows are placed from the start of their band, so that what scrolls by is not placed anew. */
const BAND = 4_000;

export const bandOf = (row: number) => Math.floor((row - 1) / BAND) * BAND + 1;
/** How far down the rows of a band may reach, with those in view that are beyond it. */
export const bandEnd = (model: SheetModel, start: number) =>
  model.rows.offset(Math.min(start + BAND * 2, model.rows.count + 1)) - model.rows.offset(start);

/** The rows and columns to draw for those in view: what was drawn if they are all there, else some beyond them. */
export function drawnFor(model: SheetModel, seen: Range, was: Range): Range {
  const { rows, columns, frozen } = model;
  const hasRows = seen.top >= was.top && seen.bottom <= was.bottom;
  const hasColumns = seen.left >= was.left && seen.right <= was.right;
  if (hasRows && hasColumns) return was;
  // After a leap everything is new: what is beyond the view can wait for the next turn.
  const leaps = seen.top > was.bottom || seen.bottom < was.top;
  const beyond = leaps ? 0 : BEYOND;
  return {
    top: hasRows ? was.top : Math.max(seen.top - beyond, frozen.row + 1),
    bottom: hasRows ? was.bottom : Math.min(seen.bottom + beyond, rows.count),
    left: hasColumns ? was.left : Math.max(seen.left - 1, 1),
    right: hasColumns ? was.right : Math.min(seen.right + 1, columns.count),
  };
}
