// The field over the active cell while it is edited.
import { type RefObject, useEffect, useRef, useState } from "react";
import { HEAD_PX, type SheetModel } from "./model";
import type { Place } from "./refs";
import { useSheetWords } from "./words";

interface EditorProps {
  model: SheetModel;
  at: Place;
  scroller: RefObject<HTMLDivElement | null>;
  text: string;
  onCommit: (text: string, by: Place) => void;
  onCancel: () => void;
  after: () => void;
}

export function CellEditor({ model, at, scroller, text, onCommit, onCancel, after }: EditorProps) {
  const words = useSheetWords();
  const [value, setValue] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  const box = scroller.current;
  const { rows, columns, frozen } = model;
  const top = rows.offset(at.row) + HEAD_PX - (at.row > frozen.row ? (box?.scrollTop ?? 0) : 0);
  const left = columns.offset(at.column) + model.headWidth - (at.column > frozen.column ? (box?.scrollLeft ?? 0) : 0);
  const end = (by: Place) => {
    if (ended.current) return;
    ended.current = true;
    onCommit(value, by);
  };
  return (
    <input
      ref={field}
      className="tw-edit"
      aria-label={words.editCell(model.name({ top: at.row, bottom: at.row, left: at.column, right: at.column }))}
      style={{
        top,
        left,
        height: Math.max(rows.size(at.row), 22),
        width: Math.max(columns.size(at.column), value.length * 8 + 20),
      }}
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
  );
}
