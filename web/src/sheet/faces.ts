// What a cell shows, as text and as words of style: made without the page, so that drawing only compares.
import type { CSSProperties } from "react";
import { type Shown, shownOf } from "./formats";
import { alignOf, styleOf } from "./looks";
import type { SheetModel } from "./model";
import { type Area, holds } from "./refs";
import { barOf, ruled } from "./ruleLooks";
import { TILE_COLUMNS } from "./tiles";
import type { Look, RuleLook, WindowCell } from "./types";
import { widthOf } from "./widths";

export interface CellMark {
  before: string;
  after: string;
}
/** A row as it is to be drawn. */
export interface RowFace {
  model: SheetModel;
  place: number;
  /** The columns in view. */
  first: number;
  last: number;
  /** The selected columns and the active one; 0 where none is. */
  selLeft: number;
  selRight: number;
  active: number;
  marks: Map<number, CellMark> | undefined;
  locale: string;
  /** The merged areas that the row is in. */
  merges: Area[];
}
export interface Face {
  className: string;
  css: string;
  text: string;
  title: string;
  icon: string;
  selected: boolean;
}
/** A look as it is written: its style, whether it paints its own box, how much larger its text is than the usual. */
interface Dress {
  css: string;
  isSolid: boolean;
  isWrapped: boolean;
  scale: number;
}

const NAKED: Dress = { css: "", isSolid: false, isWrapped: false, scale: 1 };
const LINE_PX = 19;
const dresses = new WeakMap<Look, Dress>();
const bars = new WeakMap<RuleLook, string>();

export function written(style: CSSProperties): string {
  let css = "";
  for (const [name, value] of Object.entries(style))
    css += `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value};`;
  return css;
}
function dressOf(look: Look | undefined): Dress {
  if (!look) return NAKED;
  let dress = dresses.get(look);
  if (!dress) {
    dress = {
      css: written(styleOf(look)),
      isSolid: Boolean(look.fill) || Object.values(look.borders ?? {}).some(Boolean),
      isWrapped: Boolean(look.wrap || look.indent),
      scale: ((look.size ?? 11) / 11) * (look.bold ? 1.13 : 1) * (look.font ? 1.15 : 1),
    };
    dresses.set(look, dress);
  }
  return dress;
}
function barCss(rule: RuleLook): string {
  let css = bars.get(rule);
  if (css === undefined) {
    css = written(barOf(rule));
    bars.set(rule, css);
  }
  return css;
}

const texts = new WeakMap<WindowCell, { locale: string; look: Look | undefined; shown: Shown }>();
/** The text of a cell, which is the same each time it comes into view. */
function textOf(cell: WindowCell, look: Look | undefined, locale: string): Shown {
  const known = texts.get(cell);
  if (known && known.locale === locale && known.look === look) return known.shown;
  const shown = shownOf(cell[1], look, locale);
  texts.set(cell, { locale, look, shown });
  return shown;
}

const mergeAt = (merges: Area[], row: number, column: number) =>
  merges.find((area) => holds(area, row, column)) ?? null;

/** How wide a text is shown: over the empty cells beside it. */
function spread(row: RowFace, column: number, needed: number): number {
  const { model, place, merges } = row;
  let found = model.columns.size(column);
  for (let next = column + 1; found < needed && next <= Math.min(column + 12, model.columns.count); next++) {
    if (next - 1 === model.frozen.column || !model.tiles.isKnown(place, Math.min(next, model.used.column))) break;
    const beside = model.cell({ row: place, column: next });
    if ((beside && beside[1] !== null) || mergeAt(merges, place, next)) break;
    found += model.columns.size(next);
  }
  return found;
}
const px = (name: string, value: number) => `${name}:${value}px;`;

/** What a cell of a row shows; null where a merged area covers it. `origin` is where its part of the row begins. */
export function faceOf(row: RowFace, column: number, origin: number): Face | null {
  const { model, place, locale } = row;
  const { columns, rows } = model;
  const merge = row.merges.length ? mergeAt(row.merges, place, column) : null;
  if (merge && (merge.top !== place || merge.left !== column)) return null;
  const cell = model.tiles.row(place, Math.floor((column - 1) / TILE_COLUMNS))?.get(column);
  const rule = model.tiles.rule(place, column);
  const look = ruled(model.look(cell), rule);
  const dress = dressOf(look);
  const value = cell ? cell[1] : null;
  const shown = cell ? textOf(cell, look, locale) : null;
  const mark = row.marks?.get(column);
  const align = alignOf(value, look);
  const own = columns.size(column);
  const needed = shown?.text ? widthOf(shown.text) * dress.scale + 9 : 0;
  let width = merge ? columns.offset(merge.right + 1) - columns.offset(merge.left) : own;
  if (needed > own && !merge && !mark && typeof value === "string" && !look?.wrap && align === "left")
    width = spread(row, column, needed);
  const height = merge ? rows.offset(merge.bottom + 1) - rows.offset(merge.top) : rows.size(place);
  const isTight = typeof value === "number" && shown && shown.text.length * 7 > width + 4 && !look?.wrap;
  const isCut = needed > width || dress.isWrapped || rule?.icon || height < LINE_PX * dress.scale;
  const isOver = width > own && !merge;
  const selected = column >= row.selLeft && column <= row.selRight;
  let className = `tw-cell tw-${align}`;
  if (isCut) className += " tw-cut";
  if (isOver) className += " tw-over";
  else if (merge || mark || dress.isSolid || rule?.bar) className += " tw-solid";
  if (mark) className += " tw-changed";
  if (selected) className += " tw-sel";
  if (row.active === column) className += " tw-active";
  let css = dress.css;
  if (rule) css += barCss(rule);
  css += px("left", columns.offset(column) - origin) + px("width", width);
  if (merge) css += `${px("height", height)}z-index:1;`;
  if (shown?.color) css += `color:${shown.color};`;
  const text = isTight ? "#".repeat(Math.max(1, Math.floor(width / 9))) : (shown?.text ?? "");
  return {
    className,
    css,
    text: rule?.hides_value ? "" : text,
    title: mark ? `${mark.before} → ${mark.after}` : "",
    icon: rule?.icon ?? "",
    selected,
  };
}
