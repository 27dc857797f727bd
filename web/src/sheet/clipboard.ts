// Cells as tab-separated text, in the form in which spreadsheets copy and paste them.
import type { Cell } from "../api/types";

export function tsv(rows: Cell[][]): string {
  const field = (value: Cell) => {
    const text = value === null ? "" : String(value);
    return /["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join("\t")).join("\n");
}

/** Reads tab-separated text; fields in quotes may hold tabs and line ends. The line end at its end is no row. */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = "";
  let quoted = false;
  const end = () => {
    rows[rows.length - 1]?.push(field);
    field = "";
  };
  const given = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replace(/\n$/, "");
  for (let at = 0; at < given.length; at++) {
    const sign = given[at] as string;
    if (quoted) {
      if (sign !== '"') field += sign;
      else if (given[at + 1] === '"') field += given[++at];
      else quoted = false;
    } else if (sign === '"' && field === "" && closes(given, at)) quoted = true;
    else if (sign === "\t") end();
    else if (sign === "\n") {
      end();
      rows.push([]);
    } else field += sign;
  }
  end();
  return rows;
}
/** Whether the quote at `at` opens a field that a quote closes; else it is a sign like others. */
function closes(text: string, at: number): boolean {
  const found = /"(?:\t|\n|$)/.exec(text.slice(at + 1).replaceAll('""', "  "));
  return found !== null;
}

/** What was typed or pasted, as the value that the server writes: a number, a truth value, or text. */
export function typed(text: string): Cell {
  const bare = text.trim();
  if (bare === "") return null;
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(bare) && !/^[-+]?0\d/.test(bare)) return Number(bare);
  const grouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare);
  if (grouped) return Number(bare.replaceAll(",", ""));
  if (/^(?:true|false)$/i.test(bare)) return bare.toLowerCase() === "true";
  return text;
}
