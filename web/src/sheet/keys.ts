// What keys do in the grid, and where they lead.
import type { Place } from "./refs";
import type { Axis } from "./sizes";

export type Action =
  | { do: "move"; to: Place; extend: boolean }
  | { do: "seek"; from: Place; down: number; right: number; extend: boolean }
  | { do: "edit"; text: string | null }
  | { do: "clear" | "copy" | "cut" | "undo" | "redo" | "find" | "all" | "column" | "row" | "leave" };

export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  isComposing?: boolean;
}
export interface Where {
  at: Place;
  rows: Axis;
  columns: Axis;
  /** The last row and column that are used. */
  used: Place;
  /** Rows of a page. */
  page: number;
  /** Undefined while it is not known. */
  isFilled: (place: Place) => boolean | undefined;
}

/**
 * Where ctrl and an arrow lead: to the end of what is filled, or to the next that is. With a cell that is `missing` it is
 * not known how far they lead.
 */
export function jump(
  where: Omit<Where, "page">,
  rowBy: number,
  columnBy: number,
): { to: Place; missing: Place | null } {
  const { at, used, rows, columns } = where;
  let missing: Place | null = null;
  const isFilled = (place: Place) => {
    const filled = where.isFilled(place);
    if (filled === undefined) missing ??= place;
    return filled ?? false;
  };
  const limit = { row: Math.min(used.row, rows.count), column: Math.min(used.column, columns.count) };
  const next = (place: Place): Place => ({
    row: rowBy ? rows.step(place.row, rowBy as 1 | -1) : place.row,
    column: columnBy ? columns.step(place.column, columnBy as 1 | -1) : place.column,
  });
  const isEnd = (place: Place) => {
    const following = next(place);
    if (following.row === place.row && following.column === place.column) return true;
    return following.row > limit.row || following.column > limit.column;
  };
  let place = at;
  if (isEnd(place)) return { to: place, missing };
  const seeks = isFilled(place) && isFilled(next(place));
  do place = next(place);
  while (!missing && !isEnd(place) && (seeks ? isFilled(next(place)) : !isFilled(place)));
  return { to: place, missing };
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const COMMANDS: Record<string, "copy" | "cut" | "undo" | "redo" | "find" | "all"> = {
  c: "copy",
  x: "cut",
  z: "undo",
  y: "redo",
  f: "find",
  a: "all",
};

function moved(key: Pressed, where: Where): Place | null {
  const { at, rows, columns, used, page } = where;
  const ctrl = key.ctrlKey || key.metaKey;
  const arrow = ARROWS[key.key];
  if (arrow) {
    const [down, right] = arrow;
    if (ctrl) return jump(where, down, right).to;
    return {
      row: down ? rows.step(at.row, down as 1 | -1) : at.row,
      column: right ? columns.step(at.column, right as 1 | -1) : at.column,
    };
  }
  switch (key.key) {
    case "PageDown":
      return { row: Math.min(at.row + page, rows.count), column: at.column };
    case "PageUp":
      return { row: Math.max(at.row - page, 1), column: at.column };
    case "Home":
      return { row: ctrl ? 1 : at.row, column: 1 };
    case "End":
      return { row: ctrl ? used.row : at.row, column: used.column };
    case "Tab":
      return { row: at.row, column: columns.step(at.column, key.shiftKey ? -1 : 1) };
    default:
      return null;
  }
}

/** The action of a key, null where the browser keeps it. */
export function actionOf(key: Pressed, where: Where): Action | null {
  if (key.isComposing || key.altKey) return null;
  const ctrl = key.ctrlKey || key.metaKey;
  if (key.key === "Tab" && ctrl) return null;
  const [down, right] = (ctrl && ARROWS[key.key]) || [0, 0];
  if ((down || right) && jump(where, down, right).missing)
    return { do: "seek", from: where.at, down, right, extend: key.shiftKey };
  const to = moved(key, where);
  if (to) return { do: "move", to, extend: key.shiftKey && key.key !== "Tab" };
  if (key.key === "Escape") return { do: "leave" };
  if (key.key === " " && (ctrl || key.shiftKey)) return { do: ctrl ? "column" : "row" };
  if (ctrl) {
    if (key.key.toLowerCase() === "z" && key.shiftKey) return { do: "redo" };
    const command = COMMANDS[key.key.toLowerCase()];
    return command ? { do: command } : null;
  }
  if (key.key === "F2" || key.key === "Enter") return { do: "edit", text: null };
  if (key.key === "Delete" || key.key === "Backspace") return { do: "clear" };
  return [...key.key].length === 1 ? { do: "edit", text: key.key } : null;
}
