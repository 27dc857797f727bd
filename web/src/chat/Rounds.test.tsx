// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { client } from "../api/queries";
import type { Round } from "../api/types";
import { speak } from "../i18n";
import type { RunView } from "../run/view";
import { Rounds } from "./Rounds";

const PATIENCE = { timeout: 20_000 };

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  client.clear();
  vi.unstubAllGlobals();
});

/** A workbook whose versions each came from the one before, at one of them; what is posted is kept. */
function workbook(head: { version: number }): unknown[] {
  const posted: unknown[] = [];
  const items = [1, 2, 3].map((number) => ({ number, parent: number === 1 ? null : number - 1 }));
  vi.stubGlobal("fetch", async (path: string, asked?: RequestInit) => {
    if (asked?.method === "POST") posted.push(JSON.parse(String(asked.body)));
    return Response.json(path.includes("/versions") ? { items } : { id: "w1", sheets: [], ...head });
  });
  return posted;
}

function shown(...functions: string[]) {
  const steps = functions.map((name, place) => ({
    step: { step: place + 1, function: name, parameters: {}, description: name },
    status: "completed",
    error: null,
    cells_changed: 4,
    result: null,
    notes: [],
    elapsed_s: 0,
  }));
  const cells = ["A2", "A3", "B2", "B3"].map((ref) => ({ ref, before: 1, after: 2 }));
  const round = {
    ...{ id: "r1", workbook_id: "w1", plan_id: "p1", number: 1, version: 2, rolled_back: false, warnings: [] },
    ...{ steps, changes: [{ sheet: "Orders", range: "A2:B3", cells }] },
  } as unknown as Round;
  const view = { rounds: [round], question: "?" } as unknown as RunView;
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Rounds view={view} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it("takes back its own round, and asks first where later changes go with it", async () => {
  const posted = workbook({ version: 3 });
  const sure = vi.fn(() => false);
  vi.stubGlobal("confirm", sure);
  shown("sort_rows");
  const button = await screen.findByRole("button", { name: "Undo this round" }, PATIENCE);
  fireEvent.click(button);
  expect(posted).toEqual([]);
  sure.mockReturnValue(true);
  fireEvent.click(button);
  await waitFor(() => expect(posted).toEqual([{ request_id: "r1" }]), PATIENCE);
});

it("says of a round that is undone that it is, wherever that was done", async () => {
  workbook({ version: 1 });
  shown("sort_rows");
  expect(await screen.findByRole("button", { name: "Undone" }, PATIENCE)).toHaveProperty("disabled", true);
});

it("tells of a sort which rows it put in another order", () => {
  workbook({ version: 2 });
  shown("sort_rows");
  expect(screen.getByText(/Orders: rows 2 to 3 in another order/)).toBeTruthy();
});

it("tells how many cells changed where more was done than a sort", () => {
  workbook({ version: 2 });
  shown("sort_rows", "set_values");
  expect(screen.getByText(/Orders A2:B3: 4 cells changed/)).toBeTruthy();
});
