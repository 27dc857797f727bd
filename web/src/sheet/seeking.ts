// Where ctrl and an arrow lead when cells on the way have not come yet: it is asked for which of them are filled.
import { call, id } from "../api/client";
import { jump } from "./keys";
import type { SheetModel } from "./model";
import { type Area, areaName, type Place } from "./refs";
import { Runs } from "./runs";
import type { FilledAnswer, WindowAnswer } from "./types";

/** Whether a cell is filled; undefined while that is not known. */
export function filledIn(model: SheetModel, at: Place): boolean | undefined {
  if (at.row > model.used.row || at.column > model.used.column) return false;
  return model.tiles.isKnown(at.row, at.column) ? (model.cell(at)?.[1] ?? null) !== null : undefined;
}

/** Follows a row or a column from a cell to where what is filled ends or begins. */
export async function sought(model: SheetModel, at: Place, down: number, right: number): Promise<Place> {
  const { rows, columns, used } = model;
  // Counted in the sheet, whatever order the view has: one question gets them all.
  const filled = right ? await filledColumns(model, model.rowAt(at.row)) : await filledRows(model, at.column);
  const isFilled = (place: Place) => filled.has(right ? place.column : model.rowAt(place.row));
  return jump({ at, rows, columns, used, isFilled }, down, right).to;
}

/** The rows of the sheet in which a column is filled. */
async function filledRows(model: SheetModel, column: number): Promise<Runs> {
  const bottom = model.layout.rows;
  const runs: FilledAnswer["runs"] = [];
  for (let top: number | null = 1; top !== null; ) {
    const found: FilledAnswer = await asked(model, "filled", { top, bottom, left: column, right: column });
    runs.push(...found.runs);
    top = found.next_row;
  }
  return new Runs(runs);
}

/** The columns in which a row of the sheet is filled: no row has more cells than a window. */
async function filledColumns(model: SheetModel, row: number): Promise<Runs> {
  const { window } = await asked<WindowAnswer>(model, "window", {
    top: row,
    bottom: row,
    left: 1,
    right: model.used.column,
  });
  const cells = window.rows.flatMap((one) => one.cells).filter((cell) => cell[1] !== null);
  return new Runs(cells.map(([column]) => [column, column]));
}

function asked<T>(model: SheetModel, what: string, area: Area): Promise<T> {
  const path = `workbooks/${id(model.book)}/sheets/${id(model.layout.sheet)}/${what}?range=${areaName(area)}`;
  return call<T>("GET", `${path}&version=${model.version}`);
}
