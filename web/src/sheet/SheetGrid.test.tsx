// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render } from "@testing-library/react";
import { useMemo } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "../i18n";
import { SheetModel } from "./model";
import type { Operation } from "./operations";
import { areaName } from "./refs";
import { SheetGrid } from "./SheetGrid";
import { useGridActions } from "./useGridActions";
import { useSheetWords } from "./words";

const LAYOUT = { sheet: "S", rows: 60, columns: 6, row_px: 20, column_px: 92, row_spans: [], column_spans: [] };
const MORE = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
const nothing = () => {};
/** The edits that were sent; one with a name that there is not is refused. */
let sent: string[] = [];
const edit = async ([operation]: Operation[]) => {
  sent.push(String(operation?.formula));
  if (sent.at(-1) === "=NOPE()") throw new Error("no function NOPE");
  return { changes: [], warnings: [], workbook: { version: 2 } } as never;
};

beforeEach(() => vi.stubGlobal("fetch", () => new Promise(nothing)));
afterEach(() => {
  cleanup();
  sent = [];
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
        editing={grid.editing}
        refusal={grid.refusal}
        onSelect={grid.select}
        onAction={grid.act}
        onEdit={grid.startEdit}
        onCommit={grid.commit}
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

it("keeps a formula that is not complete or not taken in its field, with the reason beside it", async () => {
  const shown = render(
    <MantineProvider env="test">
      <Grid />
    </MantineProvider>,
  );
  const view = shown.getByRole("grid");
  const field = () => shown.container.querySelector<HTMLInputElement>(".tw-edit") as HTMLInputElement;
  const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
  const active = () => shown.container.querySelector("output")?.textContent;
  fireEvent.keyDown(view, { key: "=" });
  type("=SUM(D2:");
  fireEvent.keyDown(field(), { key: "Enter" });
  expect([field().value, active()]).toEqual(["=SUM(D2:", "A1 from A1"]);
  expect(shown.getByRole("alert").textContent).toMatch(/not complete/);
  await vi.waitFor(() => expect(document.activeElement).toBe(field()));
  type("=SUM(D2:D");
  fireEvent.pointerDown(view, { button: 0, clientX: 300, clientY: 200 });
  expect([field().value, active()]).toEqual(["=SUM(D2:D", "A1 from A1"]);
  expect(sent).toEqual([]);
  type("=NOPE()");
  fireEvent.keyDown(field(), { key: "Enter" });
  await vi.waitFor(() => expect(shown.getByRole("alert").textContent).toBe("no function NOPE"));
  expect([field().value, active()]).toEqual(["=NOPE()", "A1 from A1"]);
  type("=SUM(D2:D4)");
  fireEvent.keyDown(field(), { key: "Enter" });
  await vi.waitFor(() => expect(sent).toEqual(["=NOPE()", "=SUM(D2:D4)"]));
  expect([shown.queryByRole("alert"), active()]).toEqual([null, "A2 from A2"]);
});
