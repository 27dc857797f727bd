import type { ColumnOutline, Schema, Workbook } from "../api/types";

/** What the fields of a step can offer to choose from. */
export interface Choices {
  sheets: string[];
  columns: string[];
}
const COLUMN = /^A column of the sheet's table/;
const SHEET = /^Name of the sheet/;

export const choicesOf = (book: Workbook | undefined): Choices => ({
  sheets: book?.outline.sheets.map((sheet) => sheet.name) ?? [],
  columns: [
    ...new Set(
      book?.outline.sheets.flatMap((sheet) => sheet.regions.flatMap((region) => region.columns.map(header))) ?? [],
    ),
  ],
});
const header = (column: ColumnOutline) => column.header ?? column.letters;

export type FieldKind =
  | "column"
  | "sheet"
  | "choice"
  | "flag"
  | "number"
  | "text"
  | "lines"
  | "value"
  | "list"
  | "object"
  | "json";
export interface Field {
  kind: FieldKind;
  schema: Schema;
  optional: boolean;
}

/** How a parameter is asked for: what its schema allows, without the null that only says that it may be left out. */
export function fieldOf(schema: Schema, root: Schema): Field {
  const found = resolved(schema, root);
  const wanted = (found.anyOf ?? found.oneOf)?.map((each) => resolved(each, root));
  if (!wanted) return { kind: kindOf(found), schema: found, optional: "default" in schema };
  const real = wanted.filter((each) => each.type !== "null");
  const optional = real.length < wanted.length || "default" in schema;
  if (real.length !== 1) return { kind: "value", schema: { ...found, anyOf: real }, optional };
  const only = { description: found.description, ...real[0] } as Schema;
  return { kind: kindOf(only), schema: only, optional };
}

export function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.replace(/^#\/\$defs\//, "");
  return name ? { ...root.$defs?.[name], ...schema, $ref: undefined } : schema;
}

/** A text of several lines says so. */
export type Lined = Schema & { format?: "multiline" };

function kindOf(schema: Schema): FieldKind {
  if (schema.description && COLUMN.test(schema.description)) return "column";
  if (schema.description && SHEET.test(schema.description)) return "sheet";
  if (schema.enum) return "choice";
  if (schema.type === "boolean") return "flag";
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string") return (schema as Lined).format === "multiline" ? "lines" : "text";
  if (schema.type === "array") return listable(schema.items) ? "list" : "json";
  return schema.properties ? "object" : "json";
}
const listable = (items: Schema | undefined) => items !== undefined && items.type !== "array" && !items.anyOf;

/** What a field begins with. */
export function blank(schema: Schema, root: Schema): unknown {
  const field = fieldOf(schema, root);
  if ("default" in schema) return schema.default;
  switch (field.kind) {
    case "flag":
      return false;
    case "number":
      return 1;
    case "list":
    case "json":
      return [];
    case "choice":
      return field.schema.enum?.[0] ?? "";
    case "object":
      return blankObject(field.schema, root);
    default:
      return "";
  }
}
export function blankObject(schema: Schema, root: Schema): Record<string, unknown> {
  const names = schema.required ?? [];
  return Object.fromEntries(names.map((name) => [name, blank(schema.properties?.[name] ?? {}, root)]));
}

/** Whether a needed value is not there: what may be empty says so by a least length of 0. */
export function lacks(value: unknown, schema: Schema, root: Schema): boolean {
  const found = resolved(schema, root);
  const nullable = (found.anyOf ?? found.oneOf)?.some((each) => each.type === "null") ?? false;
  if (value === null || value === undefined) return !nullable;
  if (value === "") return found.minLength !== 0;
  return Array.isArray(value) && value.length === 0 && found.minItems !== 0;
}
/** Whether something is lacking among the values of an object, or within one of them. */
export function incomplete(schema: Schema, root: Schema, values: Record<string, unknown>): boolean {
  const needed = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).some(([name, each]) => {
    const value = values[name];
    if (needed.has(name) && lacks(value, each, root)) return true;
    if (typeof value !== "object" || value === null) return false;
    const field = fieldOf(each, root);
    if (field.kind === "object") return incomplete(field.schema, root, value as Record<string, unknown>);
    const item = field.kind === "list" && field.schema.items ? fieldOf(field.schema.items, root) : null;
    if (item?.kind !== "object" || !Array.isArray(value)) return false;
    return value.some((entry) => incomplete(item.schema, root, (entry ?? {}) as Record<string, unknown>));
  });
}

/** A value that may be text or number, as it was typed. */
export function typed(text: string): string | number | boolean | null {
  if (text === "true") return true;
  if (text === "false") return false;
  return /^[-+]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
}
