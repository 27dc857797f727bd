// The letters over the columns, and the lines between these.
import { memo } from "react";
import type { SheetModel } from "./model";
import { letters } from "./refs";

export interface HeadProps {
  model: SheetModel;
  first: number;
  last: number;
  selLeft: number;
  selRight: number;
}
export const HeadRow = memo(function HeadRow({ model, first, last, selLeft, selRight }: HeadProps) {
  const { columns, frozen } = model;
  const frozenWidth = columns.offset(frozen.column + 1);
  const heads = (from: number, to: number, origin: number) => {
    const found = [];
    for (let column = from; column <= to; column++) {
      const width = columns.size(column);
      if (width === 0) continue;
      found.push(
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and tells which cell is active
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
      <div role="presentation" className="tw-corner" style={{ width: model.headWidth }} />
      <div role="presentation" className="tw-part tw-frozen" style={{ left: model.headWidth, width: frozenWidth }}>
        {heads(1, frozen.column, 0)}
      </div>
      <div
        role="presentation"
        className="tw-part"
        style={{ left: `calc(${model.headWidth + frozenWidth}px + var(--tw-x))` }}
      >
        {heads(Math.max(first, frozen.column + 1), last, frozenWidth)}
      </div>
    </div>
  );
});

/** The lines between the columns that scroll, under all their rows. */
export const ColumnLines = memo(function ColumnLines({ model, first, last }: Omit<HeadProps, "selLeft" | "selRight">) {
  const { columns, frozen } = model;
  const lines = [];
  for (let column = Math.max(first, frozen.column + 1); column <= last; column++)
    if (columns.size(column) > 0)
      lines.push(<div key={column} className="tw-line" style={{ left: columns.offset(column + 1) - 1 }} />);
  return (
    <div aria-hidden="true" className="tw-lines" style={{ left: `calc(${model.headWidth}px + var(--tw-x))` }}>
      {lines}
    </div>
  );
});
