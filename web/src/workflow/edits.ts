import { entering, find, graphOf, leaving, placed, portsOf } from "./graph";
import type { Definition, FlowEdge, FlowNode, Graph } from "./types";

// Every edit gives a new definition and leaves the one that it was given as it is.

/** The definition with one graph changed: that of the innermost of `loops`, or the outer one. */
function within(definition: Definition, loops: string[], change: (graph: Graph) => Graph): Definition {
  const into = <T extends Definition | FlowNode>(holder: T, rest: string[]): T => {
    const [first, ...deeper] = rest;
    const graph = graphOf(holder);
    if (first === undefined) return { ...holder, ...change(graph) };
    return { ...holder, nodes: graph.nodes.map((node) => (node.id === first ? into(node, deeper) : node)) };
  };
  return into(definition, loops);
}

const sameWay = (one: FlowEdge, other: FlowEdge) =>
  one.source === other.source && one.target === other.target && (one.port ?? null) === (other.port ?? null);
const way = (source: string, target: string, port?: string | null): FlowEdge =>
  port ? { source, target, port } : { source, target };

/** An id that no node has: `ask_user`, `ask_user_2`, … */
export function freshId(definition: Definition, kind: string): string {
  const taken = new Set(placed(definition).map(({ node }) => node.id));
  // `loop` is a word of expressions.
  const base = kind === "loop" ? "repeat" : kind;
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) if (!taken.has(`${base}_${number}`)) return `${base}_${number}`;
}

/** Puts a node right behind another: into its way `port`, if it chooses. An end leads nowhere, so the way goes on beside it. */
export function addAfter(definition: Definition, id: string, node: FlowNode, port?: string | null): Definition {
  const before = find(definition, id);
  if (!before || before.node.kind === "end") return definition;
  const wanted = port ?? firstFree(before.node, before.graph);
  return within(definition, before.loops, (graph) => {
    const ways = leaving(graph, id).filter((edge) => (edge.port ?? null) === (wanted ?? null));
    const kept = node.kind === "end" ? graph.edges : graph.edges.filter((edge) => !ways.includes(edge));
    const first = portsOf(node)[0];
    const on = node.kind === "end" ? [] : ways.map((edge) => way(node.id, edge.target, first));
    return { nodes: [...graph.nodes, node], edges: [...kept, way(id, node.id, wanted), ...on] };
  });
}
const firstFree = (node: FlowNode, graph: Graph): string | undefined => {
  const led = new Set(leaving(graph, node.id).map((edge) => edge.port));
  const ports = portsOf(node);
  return ports.find((port) => !led.has(port)) ?? ports[0];
};

/** Puts a first or further node into a loop, connected with nothing there. */
export function addWithin(definition: Definition, loop: string, node: FlowNode): Definition {
  const around = find(definition, loop);
  if (!around) return definition;
  return within(definition, [...around.loops, loop], (graph) => ({ ...graph, nodes: [...graph.nodes, node] }));
}

/** Takes a node out; what led to it leads on to where it led, unless it chose a way. */
export function remove(definition: Definition, id: string): Definition {
  const gone = find(definition, id);
  if (!gone) return definition;
  return within(definition, gone.loops, (graph) => {
    const on = portsOf(gone.node).length ? [] : leaving(graph, id);
    const joined = entering(graph, id).flatMap((edge) => on.map((next) => way(edge.source, next.target, edge.port)));
    const kept = graph.edges.filter((edge) => edge.source !== id && edge.target !== id);
    const added = joined.filter((edge) => !kept.some((known) => sameWay(known, edge)));
    return { nodes: graph.nodes.filter((node) => node.id !== id), edges: [...kept, ...added] };
  });
}

/** Whether an edge may lead from a node to another: both in one graph, not into a start, from an end, or to itself. */
export function canConnect(definition: Definition, source: string, target: string): boolean {
  const [from, to] = [find(definition, source), find(definition, target)];
  if (!from || !to || source === target || from.loops.join() !== to.loops.join()) return false;
  return from.node.kind !== "end" && to.node.kind !== "start";
}
export function connect(definition: Definition, source: string, target: string, port?: string | null): Definition {
  const from = find(definition, source);
  if (!from || !canConnect(definition, source, target)) return definition;
  const made = way(source, target, port ?? firstFree(from.node, from.graph));
  if (from.graph.edges.some((edge) => sameWay(edge, made))) return definition;
  return within(definition, from.loops, (graph) => ({ ...graph, edges: [...graph.edges, made] }));
}
export function disconnect(definition: Definition, gone: FlowEdge): Definition {
  const from = find(definition, gone.source);
  if (!from) return definition;
  return within(definition, from.loops, (graph) => ({
    ...graph,
    edges: graph.edges.filter((edge) => !sameWay(edge, gone)),
  }));
}

/** Whether a node can change places with the one before (-1) or behind it (1): a chain of two, without choices. */
export function neighbour(definition: Definition, id: string, step: -1 | 1): string | null {
  const own = find(definition, id);
  if (!own) return null;
  const { graph } = own;
  const next =
    step < 0 ? entering(graph, id).map((edge) => edge.source) : leaving(graph, id).map((edge) => edge.target);
  const [other] = next;
  if (next.length !== 1 || other === undefined) return null;
  const [first, second] = step < 0 ? [other, id] : [id, other];
  const nodes = [first, second].map((name) => graph.nodes.find((node) => node.id === name));
  if (nodes.some((node) => !node || ["start", "end"].includes(node.kind) || portsOf(node).length)) return null;
  return leaving(graph, first).length === 1 && entering(graph, second).length === 1 ? other : null;
}
export function move(definition: Definition, id: string, step: -1 | 1): Definition {
  const own = find(definition, id);
  const other = neighbour(definition, id, step);
  if (!own || other === null) return definition;
  const [first, second] = step < 0 ? [other, id] : [id, other];
  return within(definition, own.loops, (graph) => ({
    ...graph,
    edges: graph.edges.map((edge) => {
      if (edge.source === first) return { ...edge, source: second, target: first };
      if (edge.source === second) return { ...edge, source: first };
      return edge.target === first ? { ...edge, target: second } : edge;
    }),
  }));
}

/** Replaces what is set of a node; its ways to ports that it has no more go too. */
export function change(definition: Definition, id: string, node: FlowNode): Definition {
  const own = find(definition, id);
  if (!own) return definition;
  const before = portsOf(own.node);
  const ports = portsOf(node);
  return within(definition, own.loops, (graph) => ({
    nodes: graph.nodes.map((each) => (each.id === id ? node : each)),
    edges: graph.edges.flatMap((edge) => {
      if (edge.source !== id || !edge.port || ports.includes(edge.port)) return [edge];
      // A way that was renamed in its place is still that way.
      const renamed = before.length === ports.length ? ports[before.indexOf(edge.port)] : undefined;
      return renamed ? [{ ...edge, port: renamed }] : [];
    }),
  }));
}

const EXPRESSIONS = new Set(["when", "over", "until", "collect", "options_from"]);
const INSERTED = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;
const ID = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Gives a node another id, also where expressions read it. An id that is no name or is taken changes nothing. */
export function rename(definition: Definition, id: string, next: string): Definition {
  if (id === next || !ID.test(next) || !find(definition, id) || find(definition, next)) return definition;
  const read = new RegExp(`(?<![\\w.'"])${id}(?![\\w'"])`, "g");
  const replaced = (text: string) => text.replace(read, next);
  const value = (given: unknown, key: string): unknown => {
    if (typeof given === "string") return EXPRESSIONS.has(key) ? replaced(given) : given.replace(INSERTED, replaced);
    if (Array.isArray(given)) return given.map((each) => value(each, ""));
    if (given === null || typeof given !== "object") return given;
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, value(each, name)]));
  };
  const inGraph = (graph: Graph): Graph => ({
    nodes: graph.nodes.map((node) => {
      const { nodes, edges, id: own, kind, name, code, query, ...settings } = node;
      const inner = nodes ? inGraph({ nodes, edges: edges ?? [] }) : {};
      const kept = { ...(name === undefined ? {} : { name }), ...(code === undefined ? {} : { code }) };
      // The text of a database's query is no template; that of a request is an object.
      const asked = query === undefined ? {} : { query: typeof query === "string" ? query : value(query, "") };
      return { id: own === id ? next : own, kind, ...kept, ...asked, ...(value(settings, "") as object), ...inner };
    }),
    edges: graph.edges.map((edge) => ({
      ...edge,
      source: edge.source === id ? next : edge.source,
      target: edge.target === id ? next : edge.target,
    })),
  });
  return { ...definition, ...inGraph(graphOf(definition)) };
}
