import type { Cell, FileTable, Table } from "./types";

export interface StoredFile {
  id: string;
  name: string;
  kind: string;
  size_bytes: number;
  run_id: string | null;
  sheets: FileTable[];
}
export interface ColumnFacts {
  name: string;
  kind: string;
  unit: string | null;
  missing: number;
  distinct: number | null;
  minimum: Cell;
  maximum: Cell;
  mean: number | null;
  samples: Cell[];
  irregular: unknown[];
}
/** A column's distribution: cells per equal part of its range, or its most frequent values. */
export interface ColumnShape {
  column: string;
  parts: number[];
  common: [string, number][];
  others: number;
}
export interface Dataset {
  id: string;
  name: string;
  file_name: string;
  rows: number;
  columns: ColumnFacts[];
  sample: Table;
  repeated: unknown | null;
}
