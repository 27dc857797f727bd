import { expect, it } from "vitest";
import type { Schema } from "../api/types";
import { blankObject, fieldOf, incomplete, lacks, typed } from "./fields";

const COLUMN = "A column of the sheet's table, by its header or its letter";
const root: Schema = {
  $defs: {
    Key: { type: "object", properties: { column: { type: "string", description: COLUMN } }, required: ["column"] },
  },
  properties: {
    sheet: {
      anyOf: [
        { type: "string", description: "Name of the sheet; the first visible one when left out" },
        { type: "null" },
      ],
      default: null,
    },
    columns: { type: "array", items: { type: "string", description: COLUMN }, default: [] },
    by: { type: "array", items: { $ref: "#/$defs/Key" } },
    keep: { enum: ["first", "last"], type: "string", default: "first" },
    value: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
  },
  required: ["by", "value"],
};
const kind = (name: string) => fieldOf(root.properties?.[name] ?? {}, root).kind;

it("asks for each parameter as its schema allows", () => {
  expect(["sheet", "columns", "by", "keep", "value"].map(kind)).toEqual(["sheet", "list", "list", "choice", "value"]);
  expect(fieldOf(root.properties?.by?.items ?? {}, root).kind).toBe("object");
  expect(fieldOf(root.properties?.sheet ?? {}, root).optional).toBe(true);
});

it("begins a step with what it needs", () => {
  expect(blankObject(root, root)).toEqual({ by: [], value: "" });
});

it("reads what is typed as what it is", () => {
  expect(["12", "-1.5", "true", "007a", ""].map(typed)).toEqual([12, -1.5, true, "007a", ""]);
});

it("knows what a step lacks, within its parts too, and what may be empty", () => {
  expect(incomplete(root, root, { by: [], value: "a" })).toBe(true);
  expect(incomplete(root, root, { by: [{ column: "" }], value: "a" })).toBe(true);
  expect(incomplete(root, root, { by: [{ column: "A" }], value: null })).toBe(false);
  expect(lacks("", { type: "string", minLength: 0 }, root)).toBe(false);
  expect(lacks("", { type: "string" }, root)).toBe(true);
});
