// Changed cells, as the grid marks them and as one goes from each to the next.
import type { Cell, SheetChanges } from "../api/types";
import { shown } from "../ui/format";
import type { CellMark } from "./faces";
import { areaOf, type Place } from "./refs";

export interface ChangeList {
  places: { sheet: string; place: Place; before: string; after: string; ref: string }[];
  truncated: boolean;
  changes: SheetChanges[];
  /** They are not made yet: a plan that waits would make them. */
  preview: boolean;
}

/** How many cells changed, listed or not; with a “+” where it is only known that there are more. */
export function changedCount(changes: SheetChanges[]): { count: number; words: string } {
  const count = changes.reduce((sum, sheet) => sum + (sheet.changed ?? sheet.cells.length), 0);
  const more = changes.some((sheet) => sheet.truncated && (sheet.changed ?? null) === null);
  return { count, words: `${shown(count)}${more ? "+" : ""}` };
}
const text = (value: Cell, blank: string) => (value === null || value === "" ? blank : String(value));

/** All changed cells, sheet by sheet and row by row. */
export function listed(changes: SheetChanges[], blank: string, preview = false): ChangeList {
  const places = changes.flatMap((sheet) =>
    sheet.cells
      .map((cell) => {
        const at = areaOf(cell.ref);
        const place = { row: at?.top ?? 1, column: at?.left ?? 1 };
        return {
          sheet: sheet.sheet,
          place,
          ref: cell.ref,
          before: text(cell.before, blank),
          after: text(cell.after, blank),
        };
      })
      .sort((a, b) => a.place.row - b.place.row || a.place.column - b.place.column),
  );
  return { places, changes, truncated: changes.some((sheet) => sheet.truncated === true), preview };
}
/** The marks of one sheet: by row, by column. */
export function marksOf(list: ChangeList, sheet: string): Map<number, Map<number, CellMark>> {
  const rows = new Map<number, Map<number, CellMark>>();
  for (const one of list.places) {
    if (one.sheet !== sheet) continue;
    const row = rows.get(one.place.row) ?? new Map<number, CellMark>();
    row.set(one.place.column, { before: one.before, after: one.after });
    rows.set(one.place.row, row);
  }
  return rows;
}
/** The place of the change after (or before) the current one, around the ends. */
export function following(list: ChangeList, at: number, by: 1 | -1): number {
  const count = list.places.length;
  return count ? (at + by + count) % count : -1;
}
