export type { CellChange, SheetChanges as CellChanges } from "../api/types";
