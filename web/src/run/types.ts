// Shapes that several parts of the page read; the server's names.
export interface CellChange {
  ref: string;
  before: unknown;
  after: unknown;
}
export interface CellChanges {
  sheet: string;
  range: string;
  cells: CellChange[];
  truncated?: boolean;
}
