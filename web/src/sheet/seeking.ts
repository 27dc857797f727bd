// Where ctrl and an arrow lead when cells on the way have not come yet: it is asked for which of them are filled.
import { call, id } from "../api/client";
import { jump } from "./keys";
import type { SheetModel } from "./model";
import { type Area, areaName, type Place } from "./refs";
import type { WindowAnswer } from "./types";

/** As many cells as a window may have, and as many rows as may be listed for one. */
const STRETCH = 20_000;
const LISTED = 200;

/** Whether a cell is filled; undefined while that is not known. */
export function filledIn(model: SheetModel, at: Place): boolean | undefined {
  if (at.row > model.used.row || at.column > model.used.column) return false;
  return model.tiles.isKnown(at.row, at.column) ? (model.cell(at)?.[1] ?? null) !== null : undefined;
}

/** Follows a row or a column from a cell to where what is filled ends or begins. */
export async function sought(model: SheetModel, at: Place, down: number, right: number): Promise<Place> {
  const { rows, columns, used } = model;
  const along = (place: Place) => (right ? place.column : place.row);
  const most = model.isOrdered && !right ? LISTED : STRETCH;
  /** Kept here: the tiles of so many cells would not all be kept. */
  const stretches: { first: number; last: number; filled: Set<number> }[] = [];
  const isFilled = (place: Place) => {
    const known = filledIn(model, place);
    if (known !== undefined) return known;
    const index = along(place);
    return stretches.find((one) => one.first <= index && index <= one.last)?.filled.has(index);
  };
  for (;;) {
    const { to, missing } = jump({ at, rows, columns, used, isFilled }, down, right);
    if (!missing) return to;
    const from = along(missing);
    const first = down + right > 0 ? from : Math.max(1, from - most + 1);
    const last = down + right > 0 ? Math.min(from + most - 1, along(used)) : from;
    const across = right ? { top: missing.row, bottom: missing.row } : { left: missing.column, right: missing.column };
    const area = { top: first, bottom: last, left: first, right: last, ...across };
    stretches.push({ first, last, filled: new Set((await filledOf(model, area)).map(along)) });
  }
}

/** The filled cells of an area of the view. */
async function filledOf(model: SheetModel, area: Area): Promise<Place[]> {
  const places = Array.from({ length: area.bottom - area.top + 1 }, (_, at) => area.top + at);
  const numbers = places.map(model.rowAt);
  const range = areaName(model.isOrdered ? { ...area, top: 1, bottom: 1 } : area);
  const listed = model.isOrdered ? `&rows=${numbers.join(",")}` : "";
  const path = `workbooks/${id(model.book)}/sheets/${id(model.layout.sheet)}/window?range=${range}${listed}`;
  const { window } = await call<WindowAnswer>("GET", `${path}&version=${model.version}`);
  const placeOf = new Map(numbers.map((number, at) => [number, places[at] as number]));
  return window.rows.flatMap(({ row, cells }) =>
    cells.filter((cell) => cell[1] !== null).map((cell) => ({ row: placeOf.get(row) ?? 0, column: cell[0] })),
  );
}
