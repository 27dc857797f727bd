// How values show by their number formats.
import { dateFromSerial, format, formatColor, isDateFormat } from "numfmt";
import type { Cell } from "../api/types";
import type { Look } from "./types";

export interface Shown {
  text: string;
  /** A colour that the format itself asks for, such as [Red]. */
  color: string | null;
}
const EMPTY: Shown = { text: "", color: null };
const LONGEST = 2_000;

/** The text of a value. A format that cannot be read, as files have them, shows the value as it is. */
export function shownOf(value: Cell, look: Look | undefined, locale: string): Shown {
  if (value === null) return EMPTY;
  if (typeof value === "boolean") return { text: value ? "TRUE" : "FALSE", color: null };
  const code = look?.format;
  if (typeof value === "string") {
    const text = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
    return { text: code?.includes("@") && code !== "@" ? tried(code, text, locale) : text, color: null };
  }
  if (!code) return { text: general(value), color: null };
  return { text: tried(code, value, locale), color: colorOf(code, value) };
}
function tried(code: string, value: number | string, locale: string): string {
  try {
    return format(code, value, { locale: locale.startsWith("zh") ? "zh-CN" : "en-US" });
  } catch {
    return String(value);
  }
}
function colorOf(code: string, value: number): string | null {
  if (!code.includes("[")) return null;
  try {
    const found = formatColor(code, value);
    return found === undefined || found === null ? null : String(found);
  } catch {
    return null;
  }
}
/** A number without a format: as many digits as a cell of a usual width would show. */
export function general(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-9)) return value.toExponential(5).replace("e", "E");
  return String(Number(value.toPrecision(11)));
}

const two = (value: number) => String(value).padStart(2, "0");
/** What is edited: the formula, or the value as it is typed; dates as the server reads them. */
export function editText(value: Cell, formula: string | null, look: Look | undefined): string {
  if (formula !== null) return formula;
  if (typeof value === "number" && look?.format && isDate(look.format) && value >= 61) {
    const parts = dateFromSerial(value) as number[];
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
    const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
    return value % 1 ? `${date} ${two(hour)}:${two(minute)}:${two(second)}` : date;
  }
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return value === null ? "" : String(value);
}
function isDate(code: string): boolean {
  try {
    return isDateFormat(code);
  } catch {
    return false;
  }
}
