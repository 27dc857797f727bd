// Edits as the operations that the server does: see docs/reference/excel.md.
import type { Cell } from "../api/types";
import { typed } from "./clipboard";
import { type Area, areaName } from "./refs";

export type Operation = { function: string; sheet: string; range: string } & Record<string, unknown>;

/** What is typed into one cell. */
export function cellEdit(sheet: string, range: string, text: string): Operation {
  if (text === "") return { function: "clear", sheet, range };
  if (text.startsWith("=") && text.length > 1) return { function: "set_formula", sheet, range, formula: text };
  return { function: "set_values", sheet, range, values: [[typed(text)]] };
}

const OPENING = "([{";
const CLOSING = ")]}";
/** Whether a formula ends within a bracket or a text, or where an operand has to follow. */
export function isUnfinished(text: string): boolean {
  if (!text.startsWith("=") || text.length < 2) return false;
  let [depth, quote] = [0, ""];
  for (const sign of text) {
    if (quote) quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (OPENING.includes(sign)) depth++;
    else if (CLOSING.includes(sign)) depth--;
  }
  return quote !== "" || depth > 0 || /[-+*/^&=<>,;:]\s*$/.test(text);
}

/** What is pasted with its first cell at a place of the sheet; a single value fills the whole selection. */
export function pasted(sheet: string, at: Area, rows: string[][]): { operations: Operation[]; area: Area } {
  const only = rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : undefined;
  if (only !== undefined) return { operations: [cellEdit(sheet, areaName(at), only)], area: at };
  const width = Math.max(...rows.map((row) => row.length));
  const area = { top: at.top, left: at.left, bottom: at.top + rows.length - 1, right: at.left + width - 1 };
  const operations: Operation[] = [];
  const values: Cell[][] = [];
  const cleared: Operation[] = [];
  rows.forEach((row, down) => {
    values.push(
      Array.from({ length: width }, (_, right) => {
        const text = row[right] ?? "";
        const range = areaName({
          top: at.top + down,
          bottom: at.top + down,
          left: at.left + right,
          right: at.left + right,
        });
        if (text === "") cleared.push({ function: "clear", sheet, range });
        else if (text.startsWith("=") && text.length > 1) operations.push(cellEdit(sheet, range, text));
        else return typed(text);
        return null;
      }),
    );
  });
  const isFilled = values.some((row) => row.some((value) => value !== null));
  const written: Operation[] = isFilled ? [{ function: "set_values", sheet, range: areaName(area), values }] : [];
  // Empty fields empty their cells: one operation where there are many of them.
  const emptied = cleared.length > 50 ? [{ function: "clear", sheet, range: areaName(area) }] : cleared;
  return { operations: [...emptied, ...written, ...operations], area };
}
