import { describe, expect, it } from "vitest";
import { isUnfinished } from "./operations";

describe("a formula", () => {
  it("is unfinished within a bracket or a text, and where an operand has to follow", () => {
    for (const text of ["=SUM(D2:", "=SUM(D2:D4", "=A1+", '="a', "='My sheet", "=A1:", "=("])
      expect(isUnfinished(text)).toBe(true);
    for (const text of ["=SUM(D2:D4)", '="(" & A1', '="say ""hi"""', "='My (sheet'!A1", "=5%", "=A1)", "a+", "=", "3-"])
      expect(isUnfinished(text)).toBe(false);
  });
});
