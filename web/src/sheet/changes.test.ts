import { expect, it } from "vitest";
import { changedCount } from "./changes";

it("counts changed cells, whether they are listed or not", () => {
  const cells = [{ ref: "A1", before: 1, after: 2 }];
  const counted = { sheet: "S", range: "A1:A1332", cells, truncated: true, changed: 1332 };
  const uncounted = { ...counted, sheet: "T", changed: null };
  expect(changedCount([counted])).toEqual({ count: 1332, words: "1332" });
  expect(changedCount([counted, uncounted])).toEqual({ count: 1333, words: "1333+" });
  expect(changedCount([{ sheet: "S", range: "A1", cells }]).words).toBe("1");
});
