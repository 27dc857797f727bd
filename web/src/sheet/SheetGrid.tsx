// The grid: a window of the rows and columns in view, drawn on one layer that stays while a taller one scrolls behind it.
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { CellEditor } from "./CellEditor";
import { type CellMark, cellId, GridRow, HeadRow } from "./GridRow";
import { type Action, actionOf } from "./keys";
import { HEAD_PX, type SheetModel } from "./model";
import type { Area, Place } from "./refs";
import "./sheet.css";
import { inView, type Range, reveal } from "./scrolling";

const BEYOND = 6;
/** Rows are placed from the start of their thousand, so that what scrolls by is not placed anew. */
const BAND = 1_000;

export interface Selection {
  active: Place;
  anchor: Place;
  area: Area;
}
export interface GridProps {
  model: SheetModel;
  selection: Selection;
  /** Changes whenever cells have come. */
  stamp: number;
  marks: Map<number, Map<number, CellMark>>;
  locale: string;
  label: string;
  isEditable: boolean;
  editing: string | null;
  onSelect: (at: Place, extend: boolean) => void;
  onAction: (action: Action) => void;
  onEdit: (text: string | null) => void;
  onCommit: (text: string, by: Place) => void;
  onPaste: (text: string) => void;
  floats?: ReactNode;
}
export function SheetGrid(props: GridProps) {
  const { model, selection, marks, locale } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const view = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 800, height: 500 });
  const [range, setRange] = useState<Range>({ top: 1, bottom: 40, left: 1, right: 20 });
  const drawn = useRef(range);
  const dragging = useRef(false);
  const { rows, columns, frozen } = model;
  const base = Math.floor((range.top - 1) / BAND) * BAND + 1;

  const place = useCallback(() => {
    const box = scroller.current;
    const layer = view.current;
    if (!box || !layer) return;
    const seen = inView(model, box.scrollLeft, box.scrollTop, box.clientWidth, box.clientHeight);
    const was = drawn.current;
    const from = Math.floor((seen.top - 1) / BAND) * BAND + 1;
    const isDrawn =
      seen.top >= was.top && seen.bottom <= was.bottom && seen.left >= was.left && seen.right <= was.right;
    if (!isDrawn || from !== Math.floor((was.top - 1) / BAND) * BAND + 1) {
      drawn.current = {
        top: Math.max(seen.top - BEYOND, from, frozen.row + 1),
        bottom: Math.min(seen.bottom + BEYOND, rows.count),
        left: Math.max(seen.left - 1, 1),
        right: Math.min(seen.right + 1, columns.count),
      };
      setRange(drawn.current);
    }
    // A property that all cells inherit is set where it changes alone: the style of each is looked up again for it.
    const left = `${-box.scrollLeft}px`;
    if (layer.style.getPropertyValue("--tw-x") !== left) layer.style.setProperty("--tw-x", left);
    const start = Math.floor((drawn.current.top - 1) / BAND) * BAND + 1;
    const down = rows.offset(start) - rows.offset(frozen.row + 1) - box.scrollTop;
    if (body.current) body.current.style.transform = `translateY(${down}px)`;
    model.tiles.want(seen.top, seen.bottom, seen.left, seen.right);
    if (frozen.row) model.tiles.want(1, frozen.row, seen.left, seen.right);
    if (frozen.column) model.tiles.want(seen.top, seen.bottom, 1, frozen.column);
  }, [model, rows, columns, frozen]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size or model asks for another window
  useLayoutEffect(() => {
    drawn.current = { top: 0, bottom: -1, left: 0, right: -1 };
    place();
  }, [place, size]);
  useEffect(() => reveal(scroller.current, model, selection.active), [model, selection.active]);

  const hit = (event: { clientX: number; clientY: number }): { at: Place; head: "row" | "column" | null } => {
    const box = scroller.current as HTMLDivElement;
    const edge = box.getBoundingClientRect();
    const [x, y] = [event.clientX - edge.left - model.headWidth, event.clientY - edge.top - HEAD_PX];
    const isFrozenX = x < columns.offset(frozen.column + 1);
    const isFrozenY = y < rows.offset(frozen.row + 1);
    const at = {
      row: rows.at(Math.max(0, isFrozenY ? y : y + box.scrollTop)),
      column: columns.at(Math.max(0, isFrozenX ? x : x + box.scrollLeft)),
    };
    return { at, head: y < 0 ? "column" : x < 0 ? "row" : null };
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0 || (event.target as HTMLElement).closest(".tw-float, .tw-edit")) return;
    const { at, head } = hit(event);
    if (head) {
      props.onSelect(head === "column" ? { row: 1, column: at.column } : { row: at.row, column: 1 }, event.shiftKey);
      props.onAction({ do: head });
    } else {
      props.onSelect(at, event.shiftKey);
      dragging.current = event.pointerType === "mouse";
      if (dragging.current) view.current?.setPointerCapture(event.pointerId);
    }
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.target !== view.current) return;
    const page = Math.max(1, Math.floor((size.height - HEAD_PX) / model.layout.row_px) - 1);
    const isFilled = (one: Place) => (model.cell(one)?.[1] ?? null) !== null;
    const action = actionOf(event, { at: selection.active, rows, columns, used: model.used, page, isFilled });
    if (!action) return;
    event.preventDefault();
    if (action.do === "move") props.onSelect(action.to, action.extend);
    else if (action.do === "edit") props.onEdit(action.text);
    else props.onAction(action);
  };

  const row = (at: number, top: number) => {
    const { area, active } = selection;
    const isSelected = at >= area.top && at <= area.bottom;
    return (
      <GridRow
        key={at}
        model={model}
        place={at}
        top={top}
        first={range.left}
        last={range.right}
        stamp={model.tiles.stamp(at)}
        selLeft={isSelected ? area.left : 0}
        selRight={isSelected ? area.right : -1}
        active={at === active.row ? active.column : 0}
        marks={marks.get(model.rowAt(at))}
        locale={locale}
      />
    );
  };
  const shown = [];
  const above = model.merges.filter(
    (merge) => merge.top < range.top && merge.bottom >= range.top && merge.top > frozen.row,
  );
  for (const at of new Set(above.map((merge) => merge.top))) shown.push(row(at, rows.offset(at) - rows.offset(base)));
  for (let at = Math.max(range.top, frozen.row + 1); at <= range.bottom; at++) {
    if (rows.size(at) > 0) shown.push(row(at, rows.offset(at) - rows.offset(base)));
  }
  const fixed = [];
  for (let at = 1; at <= frozen.row; at++) if (rows.size(at) > 0) fixed.push(row(at, rows.offset(at)));
  const { area, active } = selection;
  return (
    <div ref={scroller} className="tw-scroll" onScroll={place} data-testid="sheet-scroll">
      <div style={{ width: model.headWidth + columns.total, height: HEAD_PX + rows.total, position: "absolute" }} />
      <div
        ref={view}
        className={model.layout.gridlines ? "tw-view" : "tw-view tw-nolines"}
        style={size}
        tabIndex={0}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.count + 1}
        aria-colcount={columns.count}
        aria-multiselectable
        aria-readonly={!props.isEditable}
        aria-activedescendant={cellId(active.row, active.column)}
        onKeyDown={keyed}
        onPointerDown={press}
        onPointerMove={(event) => dragging.current && props.onSelect(hit(event).at, true)}
        onPointerUp={() => {
          dragging.current = false;
        }}
        onDoubleClick={(event) => !(event.target as HTMLElement).closest(".tw-float") && props.onEdit(null)}
        onCopy={(event) => {
          event.preventDefault();
          props.onAction({ do: "copy" });
        }}
        onPaste={(event) => {
          event.preventDefault();
          props.onPaste(event.clipboardData.getData("text/plain"));
        }}
      >
        <HeadRow model={model} first={range.left} last={range.right} selLeft={area.left} selRight={area.right} />
        {fixed.length > 0 && (
          <div role="presentation" className="tw-top" style={{ height: rows.offset(frozen.row + 1) }}>
            {fixed}
          </div>
        )}
        <div role="presentation" className="tw-body" style={{ top: HEAD_PX + rows.offset(frozen.row + 1) }}>
          <div ref={body} role="presentation" className="tw-rows">
            {shown}
            {props.floats && !model.isOrdered && (
              <div
                role="presentation"
                style={{
                  position: "absolute",
                  top: -rows.offset(base),
                  left: model.headWidth,
                  transform: "translateX(var(--tw-x))",
                }}
              >
                {props.floats}
              </div>
            )}
          </div>
        </div>
        {props.editing !== null && (
          <CellEditor
            key={cellId(active.row, active.column)}
            model={model}
            at={active}
            scroller={scroller}
            text={props.editing}
            onCommit={props.onCommit}
            onCancel={() => {
              props.onAction({ do: "leave" });
              view.current?.focus();
            }}
            after={() => view.current?.focus()}
          />
        )}
      </div>
    </div>
  );
}
