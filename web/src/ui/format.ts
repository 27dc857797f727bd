import i18n, { type TFunction } from "i18next";
import type { Cell } from "../api/types";

/** A number as a person writes it, without the noise of floating point. */
export const count = (value: number) => (value >= 1e4 ? value.toLocaleString(i18n.language) : String(value));
export const rowsOf = (rows: number, t: TFunction) => t("files.rows", { count: rows, rows: count(rows) });
export const tableSize = (rows: number, columns: number, t: TFunction) =>
  `${rowsOf(rows, t)} × ${t("files.columns", { count: columns, columns: count(columns) })}`;
export const percent = (share: number) =>
  share.toLocaleString(i18n.language, { style: "percent", maximumFractionDigits: 0 });
export function shown(cell: Cell): string {
  if (cell === null || cell === "") return "";
  if (typeof cell !== "number") return String(cell);
  const size = Math.abs(cell);
  const maximumFractionDigits = size >= 100 ? 2 : size >= 1 ? 4 : 6;
  const useGrouping = !Number.isInteger(cell) || size >= 1e4;
  return cell.toLocaleString(i18n.language, { maximumFractionDigits, useGrouping });
}
/** A size as people write it, in the largest unit of which there is one. */
export function bytes(size: number): string {
  const at = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(size, 1)) / 3)));
  const unit = (["byte", "kilobyte", "megabyte", "gigabyte"] as const)[at];
  const digits = at && size / 1000 ** at < 10 ? 1 : 0;
  // Bytes alone have no short form that has a plural: "87 byte".
  const style = { style: "unit", unit, unitDisplay: at ? "short" : "long", maximumFractionDigits: digits } as const;
  return (size / 1000 ** at).toLocaleString(i18n.language, style);
}
export const seconds = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
export const when = (iso: string) =>
  new Date(iso).toLocaleString(i18n.language, { dateStyle: "medium", timeStyle: "short" });
