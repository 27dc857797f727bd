// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { speak } from "../i18n";
import { TableResult } from "./TableResult";

beforeAll(() => speak("en"));
afterEach(cleanup);

const TABLE = { columns: ["a"], rows: [[1], [2]], total_rows: 2, title: null };
const shown = (workbook?: string) =>
  render(
    <MantineProvider env="test">
      <TableResult table={TABLE} workbook={workbook} />
    </MantineProvider>,
  );

it("offers the table as a workbook where the service has one", () => {
  shown("/api/v1/runs/r1/report.xlsx");
  const link = screen.getByRole("link", { name: "Save as Excel" });
  expect(link.getAttribute("href")).toBe("/api/v1/runs/r1/report.xlsx");
  cleanup();
  shown();
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByRole("button", { name: "Save as CSV" })).toBeTruthy();
});
