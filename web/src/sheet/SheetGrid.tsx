// The grid: a window of the rows and columns in view, drawn on one layer that stays while a taller one scrolls behind it.
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { CellEditor } from "./CellEditor";
import type { CellMark } from "./faces";
import { ColumnLines, HeadRow } from "./HeadRow";
import { type Action, actionOf } from "./keys";
import { HEAD_PX, type SheetModel } from "./model";
import type { Area, Place } from "./refs";
import { cellId } from "./rowNodes";
import { reveal } from "./scrolling";
import { filledIn } from "./seeking";
import "./sheet.css";
import type { Refusal } from "./useGridActions";
import { useRows } from "./useRows";

export interface Selection {
  active: Place;
  anchor: Place;
  /** Where what is selected from the anchor has come to: keys that extend it move on from there. */
  end: Place;
  area: Area;
}
export interface GridProps {
  model: SheetModel;
  selection: Selection;
  marks: Map<number, Map<number, CellMark>>;
  locale: string;
  label: string;
  /** What has the keys: it is given the focus by what is around the grid. */
  view?: RefObject<HTMLDivElement | null>;
  isEditable: boolean;
  editing: string | null;
  refusal?: Refusal | null;
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
  const inner = useRef<HTMLDivElement>(null);
  const view = props.view ?? inner;
  const [size, setSize] = useState({ width: 800, height: 500 });
  const dragging = useRef(false);
  const { rows, columns, frozen } = model;
  const { area, active, end } = selection;
  const { span, glass, ...nodes } = useRows({ model, area, active, marks, locale }, scroller, view);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  useEffect(() => reveal(scroller.current, model, selection.end), [model, selection.end]);

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
    // What is being typed is entered before another cell is the active one.
    const typing = document.activeElement;
    if (typing instanceof HTMLInputElement) typing.blur();
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
    const isFilled = (one: Place) => filledIn(model, one);
    const action = actionOf(event, {
      at: event.shiftKey && event.key !== "Tab" ? end : active,
      rows,
      columns,
      used: model.used,
      page,
      isFilled,
    });
    if (!action) return;
    event.preventDefault();
    if (action.do === "move") props.onSelect(action.to, action.extend);
    else if (action.do === "edit") props.onEdit(action.text);
    else props.onAction(action);
  };

  return (
    <div ref={scroller} className="tw-scroll" data-testid="sheet-scroll">
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
        <HeadRow model={model} first={span.left} last={span.right} selLeft={area.left} selRight={area.right} />
        <div
          role="presentation"
          className="tw-top"
          style={{ height: rows.offset(frozen.row + 1) }}
          hidden={frozen.row === 0}
        >
          <ColumnLines model={model} first={span.left} last={span.right} />
          <div ref={nodes.fixed} role="presentation" />
        </div>
        <div role="presentation" className="tw-body" style={{ top: HEAD_PX + rows.offset(frozen.row + 1) }}>
          <div ref={nodes.lines} role="presentation" className="tw-rows">
            <ColumnLines model={model} first={span.left} last={span.right} />
            <div ref={nodes.body} role="presentation" />
          </div>
          {props.floats && (
            <div ref={nodes.floats} role="presentation" className="tw-floats" style={{ left: model.headWidth }}>
              <div role="presentation" className="tw-shift">
                {props.floats}
              </div>
            </div>
          )}
        </div>
        <div ref={glass} role="presentation" className="tw-glass" hidden />
        {props.editing !== null && (
          <CellEditor
            key={cellId(active.row, active.column)}
            model={model}
            at={active}
            scroller={scroller}
            text={props.editing}
            refusal={props.refusal ?? null}
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
