// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import "../i18n";
import { client } from "../api/queries";
import type { Round } from "../api/types";
import { WorkPane } from "./WorkPane";

const PATIENCE = { timeout: 60_000 };
const A = { id: "a", name: "a.xlsx" };
const B = { id: "b", name: "b.xlsx" };
const SHEETS = [{ name: "S", state: "visible", kind: "worksheet" }];
const HEAD = { version: 1, versions: 1, can_undo: false, can_redo: false, sheets: SHEETS };
const changes = [{ sheet: "S", range: "A1", cells: [{ ref: "A1", before: 1, after: 2 }] }];
const rounds = [{ workbook_id: "a", changes } as unknown as Round];

afterEach(() => {
  cleanup();
  client.clear();
  vi.unstubAllGlobals();
});

it("marks what a run has changed in its own workbook, not in another with a sheet of that name", async () => {
  vi.stubGlobal("fetch", async (url: string) => {
    const book = url.match(/workbooks\/(.)\/sheets$/)?.[1];
    return Response.json(book ? { id: book, name: `${book}.xlsx`, ...HEAD } : {}, { status: book ? 200 : 404 });
  });
  const pane = (files: (typeof A)[]) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <WorkPane files={files} rounds={rounds} />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { findByTitle, findByText, findByDisplayValue, queryByText, rerender } = render(pane([A]));
  await findByTitle("a.xlsx", undefined, PATIENCE);
  await findByText("1 cell changed in S", undefined, PATIENCE);
  rerender(pane([B, A]));
  await findByDisplayValue("b.xlsx", undefined, PATIENCE);
  expect(queryByText("1 cell changed in S")).toBeNull();
});

it("after an undo marks nothing that was taken back, and leaves the sheet that is gone", async () => {
  const asked: string[] = [];
  let version = 2;
  const sheetsOf = (number: number) => [...SHEETS, ...(number === 2 ? [{ ...SHEETS[0], name: "T" }] : [])];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    if (url.endsWith("/undo")) version = 1;
    const head = { ...HEAD, id: "a", name: "a.xlsx", version, can_undo: version === 2 };
    if (url.endsWith("/undo")) return Response.json(head);
    if (url.endsWith("/a/sheets")) return Response.json({ ...head, sheets: sheetsOf(version) });
    return Response.json({}, { status: 404 });
  });
  const { findByRole, findByText, queryByText } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <WorkPane files={[A]} rounds={[{ ...rounds[0], version: 2 } as Round]} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await findByText("1 cell changed in S", undefined, PATIENCE);
  fireEvent.click(await findByRole("tab", { name: "T" }, PATIENCE));
  fireEvent.click(await findByRole("button", { name: "Undo" }));
  await vi.waitFor(() => expect(queryByText("1 cell changed in S")).toBeNull(), PATIENCE);
  await vi.waitFor(() => expect(asked.some((url) => /S\/layout\?version=1/.test(url))).toBe(true), PATIENCE);
  expect(asked.filter((url) => /T\/layout\?version=1/.test(url))).toEqual([]);
});

it("says what a sheet without cells is, and asks for none of it", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    const sheets = [{ name: "Chart1", state: "visible", kind: "chartsheet" }, ...SHEETS];
    return url.endsWith("/a/sheets")
      ? Response.json({ ...HEAD, id: "a", name: "a.xlsx", sheets })
      : Response.json({}, { status: 404 });
  });
  const { findByRole, findByText } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <WorkPane files={[A]} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect((await findByRole("tab", { selected: true }, PATIENCE)).textContent).toBe("S");
  fireEvent.click(await findByRole("tab", { name: "Chart1" }));
  await findByText(/“Chart1” is a chart or a dialog/, undefined, PATIENCE);
  expect(asked.filter((url) => url.includes("Chart1"))).toEqual([]);
});

it("goes back from the find bar to the cells by Escape", async () => {
  const layout = { sheet: "S", rows: 2, columns: 2, row_px: 20, column_px: 64, row_spans: [], column_spans: [] };
  const more = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
  vi.stubGlobal("fetch", async (url: string) => {
    if (url.endsWith("/a/sheets")) return Response.json({ ...HEAD, id: "a", name: "a.xlsx" });
    if (/\/layout/.test(url)) return Response.json({ version: 1, layout: { ...layout, ...more, looks: {} } });
    return Response.json({ version: 1, window: { rows: [], looks: {} } });
  });
  const { findByRole, findByLabelText, queryByLabelText } = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <WorkPane files={[A]} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const grid = await findByRole("grid", undefined, PATIENCE);
  fireEvent.keyDown(grid, { key: "f", ctrlKey: true });
  fireEvent.keyDown(await findByLabelText("Find what", undefined, PATIENCE), { key: "Escape" });
  expect(queryByLabelText("Find what")).toBeNull();
  expect(document.activeElement).toBe(grid);
});
