import { describe, expect, it } from "vitest";
import { inLanguage } from "./bilingual";

describe("names in two languages", () => {
  it("are shown in the one of the page", () => {
    expect(inLanguage("Monthly report / 月报", "en")).toBe("Monthly report");
    expect(inLanguage("Monthly report / 月报", "zh")).toBe("月报");
    expect(inLanguage("Above the limit? / 超过限额？", "zh")).toBe("超过限额？");
    expect(inLanguage("Adds up numbers, and more. 汇总数字。", "en")).toBe("Adds up numbers, and more.");
    expect(inLanguage("Adds up numbers, and more. 汇总数字。", "zh")).toBe("汇总数字。");
  });
  it("stay whole where they come in one", () => {
    for (const name of ["月报", "Q1 / Q2", "北京 / 上海", "Report of 北京", ""]) {
      expect(inLanguage(name, "zh")).toBe(name);
      expect(inLanguage(name, "en")).toBe(name);
    }
  });
});
