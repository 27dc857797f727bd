// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "../i18n";
import { client, keys } from "../api/queries";
import { ConversationPage } from "./ConversationPage";

const PATIENCE = { timeout: 60_000 };
const SHEETS = [{ name: "S", state: "visible", kind: "worksheet" }];
const HEAD = { version: 1, versions: 1, can_undo: false, can_redo: false, sheets: SHEETS };
const named = (name: string, run_id: string | null = null) => ({
  id: `f-${name}`,
  name,
  kind: name.split(".").at(-1) as string,
  run_id,
  sheets: [],
});
const isBook = (file: { kind: string; run_id: string | null }) => /xlsx|csv/.test(file.kind) && !file.run_id;
const page = (items: object[]) => ({ items, next_cursor: null });

/** What the service lists, the newest first. */
let listed: ReturnType<typeof named>[] = [];
/** What has been asked. */
let messages: object[] = [];
/** What was written to the service. */
let posted: string[] = [];
const SIZES = { sheet: "S", rows: 2, columns: 2, row_px: 20, column_px: 64, row_spans: [], column_spans: [] };
const MORE = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
const PARTS: Record<string, object> = {
  layout: { version: 1, layout: { ...SIZES, ...MORE, looks: {} } },
  window: { version: 1, window: { rows: [], looks: {} } },
};

beforeEach(() => {
  vi.stubGlobal("fetch", async (url: string, sent?: RequestInit) => {
    if ((sent?.method ?? "GET") !== "GET") posted.push(url);
    const path = decodeURIComponent(new URL(url, "http://here").pathname).replace("/api/v1/", "");
    const asked = path.match(/^workbooks\/(.+)\/sheets$/)?.[1];
    // The name of a conversation means its newest workbook.
    const book = (asked === "c1" ? listed.find(isBook)?.id : asked)?.slice(2);
    if (book) return Response.json({ id: `f-${book}`, name: book, ...HEAD });
    const part = path.match(/^workbooks\/.+\/sheets\/S\/(\w+)$/)?.[1];
    if (part && PARTS[part]) return Response.json(PARTS[part]);
    if (path === "files") return Response.json(page(listed));
    if (path === "conversations/c1/messages") return Response.json(page(messages));
    return Response.json({ error: { code: "not_found", message: "" } }, { status: 404 });
  });
});
afterEach(() => {
  cleanup();
  client.clear();
  localStorage.clear();
  posted = [];
  messages = [];
  vi.unstubAllGlobals();
});

function opened() {
  const shown = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <ConversationPage conversation="c1" pane />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const one = (name: string) => shown.findByTitle(name, undefined, PATIENCE);
  const choice = (name: string) => shown.findByDisplayValue(name, undefined, PATIENCE);
  return { ...shown, one, choice };
}
/** The list of files is asked for again, as after an upload, a run or a removal. */
const again = () => client.invalidateQueries({ queryKey: ["files"] });

it("shows the workbook that came last, and the one before once that is removed", async () => {
  listed = [named("first.xlsx")];
  client.setQueryData(keys.files("c1"), page(listed));
  const { one, choice } = opened();
  await one("first.xlsx");
  listed = [named("later.csv"), named("first.xlsx")];
  await again();
  await choice("later.csv");
  listed = [named("first.xlsx")];
  await again();
  await one("first.xlsx");
});

it("offers the workbooks that came before the page knew of any, and nothing else", async () => {
  listed = [named("notes.json"), named("made.xlsx", "r1"), named("b.xlsx"), named("a.xlsx")];
  const { choice } = opened();
  await choice("b.xlsx");
});

it("begins a question about the selection, before what is being written, and sends nothing", async () => {
  listed = [named("first.xlsx")];
  localStorage.setItem("draft:c1", "what is the mean?");
  const { findByText, getByLabelText } = opened();
  fireEvent.click(await findByText("Ask about the selection", undefined, PATIENCE));
  const written = "About A1 of sheet S: what is the mean?";
  await waitFor(() => {
    const field = getByLabelText("Your message") as HTMLTextAreaElement;
    expect(field.value).toBe(written);
    expect(document.activeElement).toBe(field);
    expect(field.selectionStart).toBe(written.length);
  });
  expect(posted).toEqual([]);
});

it("looks for what was asked in another window once it has the focus", async () => {
  const { findByText } = opened();
  await waitFor(() => expect(client.getQueryData(keys.messages("c1"))).toEqual([]), PATIENCE);
  messages = [{ id: "m1", ordinal: 1, author: "user", text: "Asked elsewhere?", run_id: "r1", created_at: "" }];
  fireEvent.focus(window);
  await findByText("Asked elsewhere?", undefined, PATIENCE);
});

it("gets the workbook's part of the page on a phone while nothing else is to be done", async () => {
  listed = [named("a.xlsx")];
  const idle = vi.fn((_: () => void) => 1);
  vi.stubGlobal("requestIdleCallback", idle);
  vi.stubGlobal("cancelIdleCallback", () => {});
  const wide = window.matchMedia;
  window.matchMedia = (query) => Object.assign(wide(query), { matches: query.includes("max-width: 62em") });
  try {
    opened();
    await waitFor(() => expect(idle).toHaveBeenCalled(), PATIENCE);
  } finally {
    window.matchMedia = wide;
  }
});
