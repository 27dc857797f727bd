import { expect, it } from "vitest";
import { withoutOffered } from "./offered";

const QUESTIONS = ["How many rows are there?", "最高的a是多少？"];

it("leaves out what the buttons say, with its heading", () => {
  const text =
    "I did not understand.\n\nYou can ask:\n  · How many rows are there?\n  · 最高的a是多少？\n\nOr connect a model.";
  expect(withoutOffered(text, QUESTIONS)).toBe("I did not understand.\n\n\nOr connect a model.");
});

it("keeps lines that say more, and all that numbers point into", () => {
  const text = "How many rows are there? 4\n- How many rows are there?";
  expect(withoutOffered(text, QUESTIONS)).toBe("How many rows are there? 4");
  expect(withoutOffered(text, QUESTIONS, [...text].length)).toBe(text);
  expect(withoutOffered("4 rows.", QUESTIONS)).toBe("4 rows.");
});
