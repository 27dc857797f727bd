// One row of the grid: its number, its frozen cells, and those that scroll. Drawn again only when something of it changed.
import { type CSSProperties, memo } from "react";
import { shownOf } from "./formats";
import { alignOf, styleOf } from "./looks";
import type { SheetModel } from "./model";
import { type Area, letters } from "./refs";
import { barOf, iconOf, ruled } from "./ruleLooks";
import { TILE_COLUMNS } from "./tiles";
import type { Look, WindowCell } from "./types";

export interface CellMark {
  before: string;
  after: string;
}
export interface RowProps {
  model: SheetModel;
  place: number;
  top: number;
  first: number;
  last: number;
  /** Changes when cells of the row have come. */
  stamp: number;
  /** The selected columns and the active one; 0 where none is. */
  selLeft: number;
  selRight: number;
  active: number;
  marks: Map<number, CellMark> | undefined;
  locale: string;
}

const styles = new WeakMap<Look, CSSProperties>();
const PLAIN: CSSProperties = {};
function styleFor(look: Look | undefined): CSSProperties {
  if (!look) return PLAIN;
  let style = styles.get(look);
  if (!style) {
    style = styleOf(look);
    styles.set(look, style);
  }
  return style;
}
export const cellId = (place: number, column: number) => `tw-cell-${place}-${column}`;

/** How wide a text is shown: over the empty cells beside it. */
function spread(props: RowProps, column: number, cell: WindowCell, look: Look | undefined): number {
  const { model, place } = props;
  const width = model.columns.size(column);
  if (typeof cell[1] !== "string" || look?.wrap || alignOf(cell[1], look) !== "left") return width;
  const needed = cell[1].length * 7.5;
  let found = width;
  for (let next = column + 1; found < needed && next <= Math.min(column + 12, model.columns.count); next++) {
    if (next - 1 === model.frozen.column || !model.tiles.isKnown(place, Math.min(next, model.used.column))) break;
    const beside = model.cell({ row: place, column: next });
    if ((beside && beside[1] !== null) || model.mergeAt({ row: place, column: next })) break;
    found += model.columns.size(next);
  }
  return found;
}
function area(model: SheetModel, merge: Area): { width: number; height: number } {
  const { columns, rows } = model;
  return {
    width: columns.offset(merge.right + 1) - columns.offset(merge.left),
    height: rows.offset(merge.bottom + 1) - rows.offset(merge.top),
  };
}

function Cell({ props, column, origin }: { props: RowProps; column: number; origin: number }) {
  const { model, place, locale } = props;
  const merge = model.merges.length ? model.mergeAt({ row: place, column }) : null;
  if (merge && (merge.top !== place || merge.left !== column)) return null;
  const cell = model.tiles.row(place, Math.floor((column - 1) / TILE_COLUMNS))?.get(column);
  const rule = model.tiles.rule(place, column);
  const look = ruled(model.look(cell), rule);
  const shown = cell ? shownOf(cell[1], look, locale) : null;
  const size = merge ? area(model, merge) : null;
  const selected = column >= props.selLeft && column <= props.selRight;
  const mark = props.marks?.get(column);
  const width = size?.width ?? (cell && !mark ? spread(props, column, cell, look) : model.columns.size(column));
  const own = width > model.columns.size(column) && !size;
  const numeric = typeof cell?.[1] === "number";
  const tight = numeric && shown && shown.text.length * 7 > width + 4 && !look?.wrap;
  const style: CSSProperties = {
    ...styleFor(look),
    ...(rule ? barOf(rule) : PLAIN),
    left: model.columns.offset(column) - origin,
    width,
    ...(size ? { height: size.height, zIndex: 1 } : {}),
    ...(shown?.color ? { color: shown.color } : {}),
  };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and tells which cell is active
    <div
      role="gridcell"
      id={cellId(place, column)}
      aria-colindex={column}
      aria-selected={selected}
      className={`tw-cell tw-${alignOf(cell?.[1] ?? null, look)}${own ? " tw-over" : ""}${mark ? " tw-changed" : ""}${selected ? " tw-sel" : ""}${props.active === column ? " tw-active" : ""}`}
      style={style}
      title={mark ? `${mark.before} → ${mark.after}` : undefined}
    >
      {rule?.icon && <RuleIcon name={rule.icon} />}
      {rule?.hides_value ? null : tight ? "#".repeat(Math.max(1, Math.floor(width / 9))) : shown?.text}
    </div>
  );
}

function RuleIcon({ name }: { name: string }) {
  const icon = iconOf(name);
  return (
    <span className="tw-icon" aria-hidden="true" style={{ color: icon.color }}>
      {icon.sign}
    </span>
  );
}

function cells(props: RowProps, first: number, last: number, origin: number) {
  const found = [];
  for (let column = first; column <= last; column++) {
    if (props.model.columns.size(column) > 0)
      found.push(<Cell key={column} props={props} column={column} origin={origin} />);
  }
  return found;
}

export const GridRow = memo(function GridRow(props: RowProps) {
  const { model, place, top, first, last } = props;
  const { columns, frozen } = model;
  const frozenWidth = columns.offset(frozen.column + 1);
  const selected = props.selLeft > 0;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div role="row" aria-rowindex={place + 1} className="tw-row" style={{ top, height: model.rows.size(place) }}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div
        role="rowheader"
        className={selected ? "tw-rowhead tw-sel" : "tw-rowhead"}
        style={{ width: model.headWidth }}
      >
        {model.rowAt(place)}
      </div>
      {frozen.column > 0 && (
        <div role="presentation" className="tw-part tw-frozen" style={{ left: model.headWidth, width: frozenWidth }}>
          {cells(props, 1, frozen.column, 0)}
        </div>
      )}
      <div role="presentation" className="tw-part" style={{ left: model.headWidth + frozenWidth, right: 0 }}>
        <div role="presentation" className="tw-shift">
          {cells(props, Math.max(first, frozen.column + 1), last, frozenWidth)}
        </div>
      </div>
    </div>
  );
});

export interface HeadProps {
  model: SheetModel;
  first: number;
  last: number;
  selLeft: number;
  selRight: number;
}
/** The letters of the columns. */
export const HeadRow = memo(function HeadRow({ model, first, last, selLeft, selRight }: HeadProps) {
  const { columns, frozen } = model;
  const frozenWidth = columns.offset(frozen.column + 1);
  const heads = (from: number, to: number, origin: number) => {
    const found = [];
    for (let column = from; column <= to; column++) {
      const width = columns.size(column);
      if (width === 0) continue;
      found.push(
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={column}
          role="columnheader"
          aria-colindex={column}
          className={column >= selLeft && column <= selRight ? "tw-colhead tw-sel" : "tw-colhead"}
          style={{ left: columns.offset(column) - origin, width }}
        >
          {letters(column)}
        </div>,
      );
    }
    return found;
  };
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div role="row" aria-rowindex={1} className="tw-heads">
      <div role="presentation" className="tw-part tw-frozen" style={{ left: model.headWidth, width: frozenWidth }}>
        {heads(1, frozen.column, 0)}
      </div>
      <div role="presentation" className="tw-part" style={{ left: model.headWidth + frozenWidth, right: 0 }}>
        <div role="presentation" className="tw-shift">
          {heads(Math.max(first, frozen.column + 1), last, frozenWidth)}
        </div>
      </div>
    </div>
  );
});
