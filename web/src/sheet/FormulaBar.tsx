// The active cell's name and what is in it, as it can be typed.
import { useEffect, useState } from "react";
import { useSheetWords } from "./words";

export function FormulaBar({
  name,
  text,
  isEditable,
  onCommit,
}: {
  name: string;
  text: string;
  isEditable: boolean;
  onCommit: (text: string) => void;
}) {
  const words = useSheetWords();
  const [value, setValue] = useState(text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell with the same content begins anew too
  useEffect(() => setValue(text), [text, name]);
  return (
    <div className="tw-formula">
      <output aria-label={words.name}>{name}</output>
      <input
        aria-label={words.formula}
        value={value}
        readOnly={!isEditable}
        spellCheck={false}
        onChange={(event) => setValue(event.target.value)}
        onBlur={() => value !== text && isEditable && onCommit(value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") setValue(text);
          if (event.key === "Enter") event.currentTarget.blur();
        }}
      />
    </div>
  );
}
