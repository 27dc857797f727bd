import { expect, it } from "vitest";
import { widthOf } from "./widths";

it("holds texts for no narrower than they are, and numbers and days for narrow enough to fit their columns", () => {
  expect(widthOf("12,345.67")).toBeLessThan(84);
  expect(widthOf("2026-11-27")).toBeLessThan(84);
  expect(widthOf("销售金额")).toBeGreaterThanOrEqual(52);
  expect(widthOf("WWWW")).toBeGreaterThan(widthOf("iiii"));
  expect(widthOf("two\nlines")).toBe(Number.POSITIVE_INFINITY);
});
