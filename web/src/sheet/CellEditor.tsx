// The field over the active cell while it is edited.
import { type RefObject, useEffect, useRef, useState } from "react";
import { HEAD_PX, type SheetModel } from "./model";
import type { Place } from "./refs";
import type { Refusal } from "./useGridActions";
import { useSheetWords } from "./words";

const WHY = "tw-why";

interface EditorProps {
  model: SheetModel;
  at: Place;
  scroller: RefObject<HTMLDivElement | null>;
  text: string;
  /** Why what was typed is not taken. */
  refusal: Refusal | null;
  onCommit: (text: string, by: Place) => void;
  onCancel: () => void;
  after: () => void;
}

export function CellEditor({ model, at, scroller, text, refusal, onCommit, onCancel, after }: EditorProps) {
  const words = useSheetWords();
  const [value, setValue] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  useEffect(() => {
    if (!refusal) return;
    ended.current = false;
    // After the press that led here: it gives the focus to the grid.
    const back = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(back);
  }, [refusal]);
  const box = scroller.current;
  const { rows, columns, frozen } = model;
  const top = rows.offset(at.row) + HEAD_PX - (at.row > frozen.row ? (box?.scrollTop ?? 0) : 0);
  const left = columns.offset(at.column) + model.headWidth - (at.column > frozen.column ? (box?.scrollLeft ?? 0) : 0);
  const end = (by: Place) => {
    if (ended.current) return;
    ended.current = true;
    onCommit(value, by);
  };
  const style = {
    top,
    left,
    height: Math.max(rows.size(at.row), 22),
    width: Math.max(columns.size(at.column), value.length * 8 + 20),
  };
  return (
    <>
      {refusal && (
        <div id={WHY} className="tw-why" role="alert" style={{ left, top: top + style.height }}>
          {refusal.text}
        </div>
      )}
      <input
        ref={field}
        className="tw-edit"
        aria-invalid={refusal !== null}
        aria-describedby={refusal ? WHY : undefined}
        aria-label={words.editCell(model.name({ top: at.row, bottom: at.row, left: at.column, right: at.column }))}
        style={style}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onBlur={() => end({ row: 0, column: 0 })}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            ended.current = true;
            onCancel();
          } else if (event.key === "Enter" || event.key === "Tab") {
            event.preventDefault();
            const back = event.shiftKey ? -1 : 1;
            end(event.key === "Enter" ? { row: back, column: 0 } : { row: 0, column: back });
            after();
          }
        }}
      />
    </>
  );
}
