import type { KeyboardEvent } from "react";
import { useSheetWords } from "./words";

interface TabsProps {
  sheets: { name: string; state: string }[];
  current: string;
  /** Sheets with changes that are marked. */
  touched: Set<string>;
  onChoose: (name: string) => void;
}

export function SheetTabs({ sheets, current, touched, onChoose }: TabsProps) {
  const words = useSheetWords();
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    const at = sheets.findIndex((sheet) => sheet.name === current);
    const next = sheets[(at + by + sheets.length) % sheets.length];
    if (next) onChoose(next.name);
    requestAnimationFrame(() =>
      (event.currentTarget ?? document).querySelector<HTMLElement>('[aria-selected="true"]')?.focus(),
    );
  };
  return (
    <div className="tw-tabs" role="tablist" aria-label={words.sheets} onKeyDown={move}>
      {sheets.map((sheet) => (
        <button
          key={sheet.name}
          type="button"
          role="tab"
          aria-selected={sheet.name === current}
          tabIndex={sheet.name === current ? 0 : -1}
          className={touched.has(sheet.name) ? "tw-dot" : undefined}
          onClick={() => onChoose(sheet.name)}
        >
          {sheet.state === "visible" ? sheet.name : `${sheet.name} (${words.hiddenSheet})`}
        </button>
      ))}
    </div>
  );
}
