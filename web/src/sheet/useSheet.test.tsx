// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { Order } from "./model";
import { useSheet } from "./useSheet";

const LAYOUT = { sheet: "S", rows: 2, columns: 2, row_px: 20, column_px: 64, row_spans: [], column_spans: [] };
const MORE = { frozen_rows: 0, frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], images: [] };
const layout = { version: 1, layout: { ...LAYOUT, ...MORE, looks: {} } };
const row = (number: number, ...columns: number[]) => ({
  row: number,
  cells: columns.map((column) => [column, `${number}:${column}`, 0, null]),
});
const cells = { version: 1, window: { rows: [row(1, 1, 2, 9), row(2, 1), row(7, 1)], looks: {} } };

/** Answers a request once all that are named have been made; the list is of those that were. */
function served(together: string[], answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  const arrived = new Set<() => void>();
  vi.stubGlobal("fetch", async (url: string) => {
    const name = new URL(url, "http://here").pathname.split("/").at(-1) as string;
    asked.push(name);
    for (const look of arrived) look();
    await new Promise<void>((done) => {
      const look = () => together.every((one) => asked.includes(one)) && done();
      arrived.add(look);
      look();
    });
    const answer = name in answers ? answers[name] : null;
    return new Response(JSON.stringify(answer), { status: answer ? 200 : 503 });
  });
  return asked;
}

function opened(order: Order | null = null) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useSheet("book", "S", 1, order), { wrapper });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("asks for the layout and the first cells together, and draws with both", async () => {
  const asked = served(["layout", "window"], { layout, window: cells });
  const { result } = opened();
  await waitFor(() => expect(result.current.model).not.toBeNull());
  expect(result.current.model?.cell({ row: 2, column: 1 })?.[1]).toBe("2:1");
  result.current.model?.tiles.want(1, 2, 1, 2);
  expect(asked.sort()).toEqual(["layout", "window"]);
});

it("takes of the first cells those of the sheet's used part", async () => {
  served([], { layout, window: cells });
  const { result } = opened();
  await waitFor(() => expect(result.current.model).not.toBeNull());
  const tiles = result.current.model?.tiles;
  expect([tiles?.cell(1, 2)?.[1], tiles?.cell(1, 9), tiles?.cell(7, 1)]).toEqual(["1:2", undefined, undefined]);
});

it("asks for the first cells again where only they failed", async () => {
  const asked = served([], { layout });
  const { result } = opened();
  await waitFor(() => expect(result.current.model).not.toBeNull());
  expect(result.current.model?.tiles.isKnown(1, 1)).toBe(false);
  result.current.model?.tiles.want(1, 2, 1, 2);
  expect(asked).toEqual(["layout", "window", "window"]);
});

it("asks for the rows of another order by themselves", async () => {
  served([], { layout, window: cells });
  const { result } = opened({ first: 1, runs: [[2, 2]] });
  await waitFor(() => expect(result.current.model).not.toBeNull());
  expect(result.current.model?.tiles.isKnown(1, 1)).toBe(false);
});
