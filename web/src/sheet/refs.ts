// Cells and areas in A1 style. Rows and columns count from 1.
export interface Area {
  top: number;
  left: number;
  bottom: number;
  right: number;
}
export interface Place {
  row: number;
  column: number;
}
export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;

const known: string[] = [""];
export function letters(column: number): string {
  const found = known[column];
  if (found !== undefined) return found;
  let name = "";
  for (let rest = column; rest; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  known[column] = name;
  return name;
}
export function columnOf(name: string): number {
  let number = 0;
  for (const letter of name.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
export const cellName = (place: Place) => `${letters(place.column)}${place.row}`;
export function areaName(area: Area): string {
  const first = cellName({ row: area.top, column: area.left });
  const last = cellName({ row: area.bottom, column: area.right });
  return first === last ? first : `${first}:${last}`;
}
/** Reads A1, B2:D10, B:C or 3:5; null for what is no area of a sheet. */
export function areaOf(text: string): Area | null {
  const match = /^\$?([a-z]{1,3})?\$?(\d{1,7})?(?::\$?([a-z]{1,3})?\$?(\d{1,7})?)?$/i.exec(text.trim());
  if (!match) return null;
  const [, left, top, right, bottom] = match;
  const single = right === undefined && bottom === undefined;
  if ((left === undefined && top === undefined) || (single && (!left || !top))) return null;
  if (!single && ((left === undefined) !== (right === undefined) || (top === undefined) !== (bottom === undefined)))
    return null;
  const columns = left ? [columnOf(left), columnOf(right ?? left)] : [1, MOST_COLUMNS];
  const rows = top ? [Number(top), Number(bottom ?? top)] : [1, MOST_ROWS];
  const area = {
    top: Math.min(...rows),
    bottom: Math.max(...rows),
    left: Math.min(...columns),
    right: Math.max(...columns),
  };
  return area.top < 1 || area.left < 1 || area.bottom > MOST_ROWS || area.right > MOST_COLUMNS ? null : area;
}
export function between(one: Place, other: Place): Area {
  return {
    top: Math.min(one.row, other.row),
    left: Math.min(one.column, other.column),
    bottom: Math.max(one.row, other.row),
    right: Math.max(one.column, other.column),
  };
}
export const holds = (area: Area, row: number, column: number) =>
  row >= area.top && row <= area.bottom && column >= area.left && column <= area.right;
export const cellsIn = (area: Area) => (area.bottom - area.top + 1) * (area.right - area.left + 1);
