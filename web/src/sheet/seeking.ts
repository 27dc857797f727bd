// Where ctrl and an arrow lead when cells on the way have not come yet: it is asked for which of them are filled.
import { call, id } from "../api/client";
import { jump } from "./keys";
import type { SheetModel } from "./model";
import { type Area, areaName, type Place } from "./refs";
import type { WindowAnswer } from "./types";

/** As many cells as a window may have. */
const STRETCH = 20_000;

/** Whether a cell is filled; undefined while that is not known. */
export function filledIn(model: SheetModel, at: Place): boolean | undefined {
  if (at.row > model.used.row || at.column > model.used.column) return false;
  return model.tiles.isKnown(at.row, at.column) ? (model.cell(at)?.[1] ?? null) !== null : undefined;
}

/** Follows a row or a column from a cell to where what is filled ends or begins. */
export async function sought(model: SheetModel, at: Place, down: number, right: number): Promise<Place> {
  const { rows, columns, used } = model;
  // Counted in the sheet, whatever order the view has: cells that a view puts apart come with one question.
  const along = (place: Place) => (right ? place.column : model.rowAt(place.row));
  const end = right ? used.column : model.layout.rows;
  /** Kept here: the tiles of so many cells would not all be kept. */
  const stretches = new Map<number, Set<number>>();
  const stretchOf = (place: Place) => Math.floor((along(place) - 1) / STRETCH);
  const isFilled = (place: Place) => filledIn(model, place) ?? stretches.get(stretchOf(place))?.has(along(place));
  for (;;) {
    const { to, missing } = jump({ at, rows, columns, used, isFilled }, down, right);
    if (!missing) return to;
    const stretch = stretchOf(missing);
    const [first, last] = [stretch * STRETCH + 1, Math.min((stretch + 1) * STRETCH, end)];
    const row = model.rowAt(missing.row);
    const area = right
      ? { top: row, bottom: row, left: first, right: last }
      : { top: first, bottom: last, left: missing.column, right: missing.column };
    stretches.set(stretch, new Set((await filledOf(model, area)).map((cell) => (right ? cell.column : cell.row))));
  }
}

/** The filled cells of an area of the sheet. */
async function filledOf(model: SheetModel, area: Area): Promise<Place[]> {
  const path = `workbooks/${id(model.book)}/sheets/${id(model.layout.sheet)}/window?range=${areaName(area)}`;
  const { window } = await call<WindowAnswer>("GET", `${path}&version=${model.version}`);
  return window.rows.flatMap(({ row, cells }) =>
    cells.filter((cell) => cell[1] !== null).map((cell) => ({ row, column: cell[0] })),
  );
}
