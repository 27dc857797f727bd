// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render } from "@testing-library/react";
import { useMemo } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "../i18n";
import { SheetModel } from "./model";
import { areaName } from "./refs";
import { SheetGrid } from "./SheetGrid";
import { useGridActions } from "./useGridActions";
import { useSheetWords } from "./words";

const LAYOUT = { sheet: "S", rows: 60, columns: 6, row_px: 20, column_px: 92, row_spans: [], column_spans: [] };
const MORE = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
const nothing = () => {};
const edit = async () => ({ changes: [], warnings: [] }) as never;

beforeEach(() => vi.stubGlobal("fetch", () => new Promise(nothing)));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Grid() {
  const model = useMemo(() => new SheetModel("b", 1, { ...LAYOUT, ...MORE, looks: {} }, null, null, nothing), []);
  const more = { edit, move: async () => {}, onChanges: nothing, onNote: nothing, onFault: nothing, onFind: nothing };
  const grid = useGridActions({ model, locale: "en", words: useSheetWords(), ...more });
  const { selection } = grid;
  return (
    <>
      <output>{`${areaName(selection.area)} from ${areaName({ ...selection.area, ...cell(selection.active) })}`}</output>
      <SheetGrid
        model={model}
        selection={selection}
        marks={new Map()}
        locale="en"
        label="S"
        isEditable
        editing={null}
        onSelect={grid.select}
        onAction={grid.act}
        onEdit={nothing}
        onCommit={nothing}
        onPaste={nothing}
      />
    </>
  );
}
const cell = ({ row, column }: { row: number; column: number }) => ({
  top: row,
  bottom: row,
  left: column,
  right: column,
});

it("extends the selection by every key that is pressed with shift, from where it has come to", () => {
  const shown = render(
    <MantineProvider env="test">
      <Grid />
    </MantineProvider>,
  );
  const view = shown.getByRole("grid");
  const press = (key: string, times: number, shiftKey = true) => {
    for (let time = 0; time < times; time++) fireEvent.keyDown(view, { key, shiftKey });
    return shown.container.querySelector("output")?.textContent;
  };
  expect(press("ArrowDown", 1, false)).toBe("A2 from A2");
  expect(press("ArrowDown", 4)).toBe("A2:A6 from A2");
  expect(press("ArrowRight", 2)).toBe("A2:C6 from A2");
  expect(press("ArrowUp", 5)).toBe("A1:C2 from A2");
  const page = Number(press("PageDown", 1)?.match(/:C(\d+)/)?.[1]) - 1;
  expect(press("PageDown", 1)).toBe(`A2:C${1 + 2 * page} from A2`);
  // Without shift the move is that of the cell that is written to.
  expect(press("ArrowRight", 1, false)).toBe("B2 from B2");
  expect(press("ArrowDown", 1)).toBe("B2:B3 from B2");
});
