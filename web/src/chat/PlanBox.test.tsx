// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import "../i18n";
import { client } from "../api/queries";
import type { OperationPlan } from "../api/types";
import { PlanBox } from "./PlanBox";

const COLUMN = {
  type: "string",
  minLength: 1,
  description: "A column of the sheet's table, by its header or its letter",
};
const FUNCTIONS = [
  {
    name: "fill_missing",
    label: "Fill empty cells",
    description: "Fill the empty cells of a column",
    parameters: { type: "object", properties: { column: { ...COLUMN, title: "Column" } }, required: ["column"] },
  },
];
const OUTLINE = {
  sheets: [
    {
      name: "S",
      state: "visible",
      regions: [{ range: "A1:B9", columns: [{ header: "Product" }, { header: "Revenue" }] }],
    },
  ],
};
const plan = (column: string): OperationPlan =>
  ({
    steps: [{ step: 1, function: "fill_missing", parameters: { column }, description: `Fill ${column}` }],
    problems: {},
  }) as unknown as OperationPlan;

beforeEach(() => {
  vi.stubGlobal("fetch", async (url: string, sent?: RequestInit) => {
    const path = new URL(url, "http://here").pathname.replace("/api/v1/", "");
    if (path === "excel/functions") return Response.json({ functions: FUNCTIONS });
    if (path === "workbooks/c1") return Response.json({ id: "f", name: "b", version: 1, outline: OUTLINE });
    if (path === "excel/functions/sentences") {
      const { steps } = JSON.parse(String(sent?.body)) as { steps: { parameters: { column: string } }[] };
      return Response.json({ sentences: steps.map((step) => `Fill the gaps of ${step.parameters.column}`) });
    }
    if (path.endsWith("/preview"))
      return Response.json({ base_version: 1, steps: [], rolled_back: false, warnings: [] });
    return Response.json({ error: { code: "not_found", message: "" } }, { status: 404 });
  });
});
afterEach(() => {
  cleanup();
  client.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function shown(waiting: OperationPlan) {
  const decided = vi.fn();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <PlanBox plan={waiting} conversation="c1" busy={false} onDecide={decided} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return decided;
}
const PATIENCE = { timeout: 20_000 };
const FIELD = { selector: "input:not([type=hidden])" };
const run = () => fireEvent.click(screen.getByRole("button", { name: "Run it" }));

it("does not send a plan with a step that lacks what it needs, and says so at the field", async () => {
  const decided = shown(plan("Revenue"));
  await screen.findByRole("option", { name: /Fill empty cells/ }, PATIENCE);
  fireEvent.change(screen.getByLabelText("Add a step"), { target: { value: "fill_missing" } });
  const field = await screen.findByLabelText(/^column/i, FIELD, PATIENCE);
  run();
  expect(await screen.findByRole("alert")).toHaveProperty("textContent", "Fields that are needed are empty in step 2.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(decided).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: "Product" } });
  expect(screen.queryByRole("alert")).toBeNull();
  run();
  await vi.waitFor(() => expect(decided).toHaveBeenCalledOnce(), PATIENCE);
  expect(decided.mock.calls[0]?.[0].plan.execution_plan[1].parameters).toEqual({ column: "Product" });
});

const changeFirst = async (column: string) => {
  const change = screen.getByRole("button", { name: "Change step 1" });
  if (change.getAttribute("aria-pressed") !== "true") fireEvent.click(change);
  fireEvent.change(await screen.findByLabelText(/^column/i, FIELD, PATIENCE), { target: { value: column } });
};

it("says a step anew when a field of it was changed, and sends it as it is now", async () => {
  const decided = shown(plan("Revenue"));
  await screen.findByRole("option", { name: /Fill empty cells/ }, PATIENCE);
  await changeFirst("Product");
  await screen.findByText("Fill the gaps of Product", {}, PATIENCE);
  await changeFirst("Region");
  run();
  await vi.waitFor(() => expect(decided).toHaveBeenCalledOnce(), PATIENCE);
  expect(decided.mock.calls[0]?.[0].plan.execution_plan[0].description).toBe("Fill the gaps of Region");
});

it("leaves a sentence as a person has written it", async () => {
  const decided = shown(plan("Revenue"));
  await screen.findByRole("option", { name: /Fill empty cells/ }, PATIENCE);
  fireEvent.click(screen.getByRole("button", { name: "Change step 1" }));
  fireEvent.change(screen.getByLabelText("In words"), { target: { value: "Mine" } });
  await changeFirst("Product");
  run();
  await vi.waitFor(() => expect(decided).toHaveBeenCalledOnce(), PATIENCE);
  expect(decided.mock.calls[0]?.[0].plan.execution_plan[0].description).toBe("Mine");
});

it("offers all columns when a field that has one is opened, and those that fit once something is typed", async () => {
  shown(plan("Revenue"));
  await screen.findByRole("option", { name: /Fill empty cells/ }, PATIENCE);
  fireEvent.click(screen.getByRole("button", { name: "Change step 1" }));
  const field = await screen.findByLabelText(/^column/i, FIELD, PATIENCE);
  fireEvent.focus(field);
  fireEvent.click(field);
  const offered = () => screen.queryAllByRole("option", { hidden: true }).map((one) => one.textContent);
  await vi.waitFor(() => expect(offered()).toEqual(expect.arrayContaining(["Product", "Revenue"])), PATIENCE);
  fireEvent.input(field, { target: { value: "Prod" } });
  await vi.waitFor(() => expect(offered()).not.toContain("Revenue"), PATIENCE);
  expect(offered()).toContain("Product");
});

it("keeps the changes of a plan over a reload, for as long as it is the same plan", async () => {
  shown(plan("Revenue"));
  await screen.findByRole("option", { name: /Fill empty cells/ }, PATIENCE);
  await changeFirst("Product");
  await screen.findByText("Fill the gaps of Product", {}, PATIENCE);
  cleanup();
  const decided = shown(plan("Revenue"));
  screen.getByText("Fill the gaps of Product");
  run();
  await vi.waitFor(() => expect(decided).toHaveBeenCalledOnce(), PATIENCE);
  expect(decided.mock.calls[0]?.[0].plan.execution_plan[0].parameters).toEqual({ column: "Product" });
  cleanup();
  // Once it was decided, the same plan comes as it is proposed.
  shown(plan("Revenue"));
  screen.getByText("Fill Revenue");
});
