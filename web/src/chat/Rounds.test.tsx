// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { Round } from "../api/types";
import { speak } from "../i18n";
import type { RunView } from "../run/view";
import { Rounds } from "./Rounds";

beforeAll(() => speak("en"));
afterEach(cleanup);

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
      <Rounds view={view} />
    </MantineProvider>,
  );
}

it("tells of a sort which rows it put in another order", () => {
  shown("sort_rows");
  expect(screen.getByText(/Orders: rows 2 to 3 in another order/)).toBeTruthy();
});

it("tells how many cells changed where more was done than a sort", () => {
  shown("sort_rows", "set_values");
  expect(screen.getByText(/Orders A2:B3: 4 cells changed/)).toBeTruthy();
});
