import type { Schema } from "../api/types";
import { blankObject, type Lined, resolved } from "../chat/fields";
import type { FlowNode } from "./types";

/** What has fields of its own beside those that the schema makes. */
const OWN = new Set(["id", "kind", "name", "nodes", "edges"]);
const LONG = new Set(["code", "prompt", "text", "question", "description"]);

type NodesSchema = Schema & { discriminator?: { mapping?: Record<string, string> } };

/** The kinds of nodes that the published schema has. */
export const kindsOf = (root: Schema): string[] =>
  Object.keys((root.properties?.nodes?.items as NodesSchema | undefined)?.discriminator?.mapping ?? {});

function nodeSchema(root: Schema, kind: string): Schema {
  const $ref = (root.properties?.nodes?.items as NodesSchema | undefined)?.discriminator?.mapping?.[kind];
  return $ref ? resolved({ $ref }, root) : {};
}

/** The schema of what is set of a node of a kind, each long text as a field of several lines. */
export const settingsOf = (root: Schema, kind: string): Schema => fieldsOnly(nodeSchema(root, kind), OWN);
/** The schema of what is set of a workflow itself. */
export const headOf = (root: Schema): Schema => fieldsOnly(root, new Set(["id", "nodes", "edges", "version"]));

function fieldsOnly(schema: Schema, without: Set<string>): Schema {
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !without.has(name));
  const lined = kept.map(([name, each]): [string, Lined] => [
    name,
    LONG.has(name) ? { ...each, format: "multiline" } : each,
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(lined),
    required: (schema.required ?? []).filter((name) => !without.has(name)),
  };
}

/** A new node with what its kind needs at least. */
export const newNode = (root: Schema, kind: string, id: string): FlowNode => ({
  ...blankObject(nodeSchema(root, kind), root),
  id,
  kind,
});

/** Settings as they are stored: what was taken away is left out. */
export const kept = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
