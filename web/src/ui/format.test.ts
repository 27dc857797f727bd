// @vitest-environment jsdom
import { beforeAll, expect, test } from "vitest";
import i18n, { speak } from "../i18n";
import { bytes, rowsOf, tableSize } from "./format";

beforeAll(() => speak("en"));

test("one of something is no plural", () => {
  expect(tableSize(1, 1, i18n.t)).toBe("1 row × 1 column");
  expect(tableSize(12000, 3, i18n.t)).toBe("12,000 rows × 3 columns");
  expect(i18n.t("files.sheets", { count: 1 })).toBe("1 sheet");
  expect(i18n.t("files.sheets", { count: 2 })).toBe("2 sheets");
  expect(i18n.t("run.worked", { count: 1, seconds: "2.0" })).toBe("Worked 2.0 s, 1 step");
});

test("sizes are in the largest unit of which there is one", () => {
  expect([1, 87, 11_200, 2_500_000].map(bytes)).toEqual(["1 byte", "87 bytes", "11 kB", "2.5 MB"]);
});

test("Chinese has one form", () => {
  speak("zh");
  expect(tableSize(1, 2, i18n.t)).toBe("1 行 × 2 列");
  expect(i18n.t("files.sheets", { count: 1 })).toBe("1 个工作表");
  expect(rowsOf(3, i18n.t)).toBe("3 行");
  speak("en");
});
