// A sheet as the server shows it: see docs/reference/api.md, layout and window.
import type { Cell } from "../api/types";
import type { SheetChart } from "../charts/option";

export interface Edge {
  line: string;
  color?: string | null;
}
export interface Look {
  format?: string | null;
  bold?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  size?: number | null;
  font?: string | null;
  color?: string | null;
  fill?: string | null;
  borders?: Partial<Record<"left" | "right" | "top" | "bottom", Edge>>;
  horizontal?: string | null;
  vertical?: string | null;
  wrap?: boolean;
  indent?: number;
}
export interface Span {
  first: number;
  last: number;
  size_px?: number | null;
  hidden?: boolean;
  look?: number;
}
export interface Layout {
  sheet: string;
  rows: number;
  columns: number;
  row_px: number;
  column_px: number;
  row_spans: Span[];
  column_spans: Span[];
  frozen_rows: number;
  frozen_columns: number;
  merges: string[];
  gridlines: boolean;
  filter: string | null;
  charts: SheetChart[];
  images: { name: string; range: string; image: string; in_cell?: boolean }[];
  looks: Record<string, Look>;
}
export type WindowCell = [column: number, value: Cell, look: number, formula: string | null];
/** What conditional formats add to a cell. */
export interface RuleLook {
  fill?: string | null;
  color?: string | null;
  bold?: boolean | null;
  italic?: boolean | null;
  underline?: boolean | null;
  strike?: boolean | null;
  bar?: number | null;
  bar_color?: string | null;
  icon?: string | null;
  hides_value?: boolean;
}
export interface WindowAnswer {
  version: number;
  window: {
    rows: { row: number; cells: WindowCell[] }[];
    looks: Record<string, Look>;
    ruled?: [row: number, column: number, look: number][];
    rule_looks?: Record<string, RuleLook>;
  };
}
/** The rows in which a range has a filled cell. */
export interface FilledAnswer {
  runs: [first: number, last: number][];
  /** What follows was not looked at yet. */
  next_row: number | null;
}
export interface Head {
  id: string;
  name: string;
  version: number;
  versions: number;
  can_undo: boolean;
  can_redo: boolean;
}
export interface Book extends Head {
  sheets: { name: string; state: string; kind: string }[];
}
export interface Version {
  number: number;
  parent: number | null;
  author: string;
  created_at: string;
  summary: string;
}
