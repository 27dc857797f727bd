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
