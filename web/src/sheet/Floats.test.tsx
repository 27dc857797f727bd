// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../i18n";
import { Floats } from "./Floats";
import { type Order, SheetModel } from "./model";

const LAYOUT = {
  ...{ sheet: "S", rows: 9, columns: 3, row_px: 20, column_px: 100, column_spans: [], frozen_rows: 0 },
  ...{ frozen_columns: 0, merges: [], gridlines: true, filter: null, charts: [], looks: {} },
  row_spans: [{ first: 4, last: 4, size_px: 60 }],
  images: [
    { name: "Logo", range: "A1:C3", image: "image1.png" },
    { name: "A leaf", range: "B4", image: "image2.png", in_cell: true },
    { name: "A cup", range: "B5", image: "", in_cell: true },
  ],
};
afterEach(cleanup);

function shown(order: Order | null) {
  const model = new SheetModel("b", 1, LAYOUT, null, order, () => {});
  render(
    <MantineProvider env="test">
      <Floats model={model} />
    </MantineProvider>,
  );
}

it("shows a picture of a cell within it, and says what one is that cannot be shown", () => {
  shown(null);
  const leaf = screen.getByAltText("A leaf");
  expect(leaf.getAttribute("src")).toBe("/api/v1/workbooks/b/images/image2.png");
  expect(leaf.parentElement?.style).toMatchObject({ top: "60px", left: "100px", width: "99px", height: "59px" });
  expect(screen.getByText(/A cup/).parentElement?.style.top).toBe("120px");
  expect(screen.getByAltText("Logo")).toBeTruthy();
});

it("keeps the pictures of cells with their rows where a view has another order", () => {
  const runs: [number, number][] = [
    [5, 9],
    [2, 3],
  ];
  shown({ first: 2, runs });
  expect(screen.queryByAltText("Logo")).toBeNull();
  expect(screen.queryByAltText("A leaf")).toBeNull();
  expect(screen.getByText(/A cup/).parentElement?.style.top).toBe("20px");
});
