import { expect, it } from "vitest";
import { marked } from "./marks";

it("makes each number a link to its step, counted in characters, and leaves code alone", () => {
  const text = "📈 合计 12,5 和 `12,5` 与 7";
  const at = (words: string, from = 0) => [...text.slice(0, text.indexOf(words, from))].length;
  const first = at("12,5");
  const second = [...text].length - 1;
  const inCode = [...text].lastIndexOf("1");
  const found = marked(text, [
    { start: second, end: second + 1, step: null },
    { start: first, end: first + 4, step: "a b" },
    { start: inCode, end: inCode + 4, step: "x" },
  ]);
  expect(found).toBe("📈 合计 [12,5](#step-a%20b) 和 `12,5` 与 [7](#unproven)");
});
