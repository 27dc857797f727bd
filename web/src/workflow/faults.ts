import type { Definition, Fault, FlowEdge, FlowNode, Graph } from "./types";

/** The id of the node that a fault is at: of one of an edge, that where it begins; null if it is at none. */
export function nodeOf(definition: Definition, place: string): string | null {
  let holder: Definition | FlowNode = definition;
  let found: string | null = null;
  const parts = place.split(".");
  for (let at = 0; at < parts.length; at += 2) {
    const [list, which = ""] = parts.slice(at, at + 2);
    const { nodes = [], edges = [] }: Partial<Graph> = holder;
    if (list === "edges") return edgeNode(edges[Number(which)], nodes) ?? found;
    if (list !== "nodes") break;
    const node: FlowNode | undefined =
      nodes.find((each) => each.id === which) ?? nodes[which === "" ? -1 : Number(which)];
    if (!node) break;
    [holder, found] = [node, node.id];
    // What cannot be read is told with the kind of the node behind its number.
    if (parts[at + 2] === node.kind) at += 1;
  }
  return found;
}
const edgeNode = (edge: FlowEdge | undefined, nodes: FlowNode[]) =>
  [edge?.source, edge?.target].find((id) => nodes.some((node) => node.id === id));

/** Faults by the node that they are at; those of the whole are at the empty name. */
export function byNode(definition: Definition, faults: Fault[]): Record<string, Fault[]> {
  const found: Record<string, Fault[]> = {};
  for (const fault of faults) {
    const at = nodeOf(definition, fault.place) ?? "";
    found[at] = [...(found[at] ?? []), fault];
  }
  return found;
}
