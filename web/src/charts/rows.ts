// Rows of a result: sorted, and written as text for the clipboard and for files.
import type { Cell } from "../api/types";

export interface Sort {
  column: number;
  descending: boolean;
}
const rank = (value: Cell) => (typeof value === "number" ? 0 : typeof value === "string" ? 1 : 2);

/** The places of the rows in their order: numbers, texts, truth values, and empty cells last either way. */
export function sorted(rows: Cell[][], sort: Sort | null, language: string): number[] {
  const places = rows.map((_, at) => at);
  if (!sort) return places;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  const of = (at: number) => rows[at]?.[sort.column] ?? null;
  const sign = sort.descending ? -1 : 1;
  return places.sort((a, b) => {
    const [one, other] = [of(a), of(b)];
    if (one === null || other === null) return (one === null ? 1 : 0) - (other === null ? 1 : 0) || a - b;
    if (typeof one === "number" && typeof other === "number") return sign * (one - other) || a - b;
    return sign * (rank(one) - rank(other) || compare(String(one), String(other))) || a - b;
  });
}
/** The next sort when a header is clicked: rising, falling, none. */
export function turned(sort: Sort | null, column: number): Sort | null {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}
/** Fields as CSV. A text that a spreadsheet would take for a formula gets an apostrophe, as on the server. */
export function csv(rows: Cell[][]): string {
  const field = (value: Cell) => {
    const text = value === null ? "" : String(value);
    const guarded =
      typeof value === "string" && /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n\r]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };
  return `\ufeff${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}
