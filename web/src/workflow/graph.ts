import type { Definition, FlowEdge, FlowNode, Graph } from "./types";

/** A node with the loops around it, from the outermost, and the graph that it is in. */
export interface Placed {
  node: FlowNode;
  loops: string[];
  graph: Graph;
}
export const graphOf = (holder: Definition | FlowNode): Graph => ({
  nodes: holder.nodes ?? [],
  edges: holder.edges ?? [],
});

/** Every node, those within a loop after it. */
export function placed(holder: Definition | FlowNode, loops: string[] = []): Placed[] {
  const graph = graphOf(holder);
  return graph.nodes.flatMap((node) => [
    { node, loops, graph },
    ...(node.kind === "loop" ? placed(node, [...loops, node.id]) : []),
  ]);
}
export const find = (definition: Definition, id: string): Placed | undefined =>
  placed(definition).find((each) => each.node.id === id);

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The names of the ways that lead on from a node; empty if it does not choose. See `ports_of` of the server. */
export function portsOf(node: FlowNode): string[] {
  if (node.kind === "condition") return ["true", "false"];
  if (node.kind === "switch") {
    const cases = Array.isArray(node.cases) ? (node.cases as { name?: string }[]) : [];
    return [...cases.map((each) => each.name ?? ""), "default"];
  }
  if (node.kind !== "ask_user") return [];
  const options = node.form === "choice" ? strings(node.options) : [];
  const expires = (node.expires_s ?? node.expires_at ?? null) !== null;
  if (!expires) return options;
  const answered = options.length ? options : ["answered"];
  return (node.default ?? null) === null ? [...answered, "expired"] : answered;
}

/** The nodes of a graph so that each comes after those that lead to it, as far as there is no circle. */
export function ordered(graph: Graph): FlowNode[] {
  const left = new Map(graph.nodes.map((node) => [node.id, 0]));
  for (const edge of graph.edges)
    if (left.has(edge.source) && left.has(edge.target)) left.set(edge.target, (left.get(edge.target) ?? 0) + 1);
  const by = new Map(graph.nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const order: FlowNode[] = [];
  const visit = (id: string) => {
    const node = by.get(id);
    if (!node || seen.has(id)) return;
    seen.add(id);
    order.push(node);
    for (const edge of leaving(graph, id)) {
      const waits = (left.get(edge.target) ?? 1) - 1;
      left.set(edge.target, waits);
      if (waits <= 0) visit(edge.target);
    }
  };
  for (const node of graph.nodes) if (!left.get(node.id)) visit(node.id);
  for (const node of graph.nodes) visit(node.id);
  return order;
}
export const leaving = (graph: Graph, id: string): FlowEdge[] => graph.edges.filter((edge) => edge.source === id);
export const entering = (graph: Graph, id: string): FlowEdge[] => graph.edges.filter((edge) => edge.target === id);

export interface OutlineLine {
  node: FlowNode;
  depth: number;
  /** Its place among those of its level, from 1, and how many these are. */
  place: number;
  of: number;
  ways: FlowEdge[];
}
/** The definition as lines of a tree: in the order of its edges, what is within a loop below it. */
export function outline(holder: Definition | FlowNode, depth = 0): OutlineLine[] {
  const graph = graphOf(holder);
  const order = ordered(graph);
  return order.flatMap((node, at) => [
    { node, depth, place: at + 1, of: order.length, ways: leaving(graph, node.id) },
    ...(node.kind === "loop" ? outline(node, depth + 1) : []),
  ]);
}
export const named = (node: FlowNode): string => node.name || node.id;
