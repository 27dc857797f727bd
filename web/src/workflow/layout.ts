import { graphlib, layout as lay } from "@dagrejs/dagre";
import { graphOf } from "./graph";
import type { Definition, FlowNode } from "./types";

export const NODE = { width: 190, height: 64 };
const BESIDE = { ranksep: 70, nodesep: 28 };
/** What a loop needs around the nodes in it, for its name above all. */
const INSET = { side: 20, top: 54 };

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Laid {
  /** The boxes by the ids of their nodes; one within a loop is measured from that loop's corner. */
  boxes: Record<string, Box>;
  width: number;
  height: number;
}

/** Lays a graph out from left to right; loops are as large as what is in them. */
export function laidOut(holder: Definition | FlowNode): Laid {
  const { nodes, edges } = graphOf(holder);
  const boxes: Record<string, Box> = {};
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", ...BESIDE });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    const inner = node.kind === "loop" && node.nodes?.length ? laidOut(node) : null;
    for (const [id, box] of Object.entries(inner?.boxes ?? {})) {
      const own = node.nodes?.some((each) => each.id === id);
      boxes[id] = own ? { ...box, x: box.x + INSET.side, y: box.y + INSET.top } : box;
    }
    const size = inner
      ? { width: Math.max(NODE.width, inner.width + 2 * INSET.side), height: inner.height + INSET.top + INSET.side }
      : NODE;
    graph.setNode(node.id, { ...size });
  }
  const known = new Set(nodes.map((node) => node.id));
  edges.forEach((edge, place) => {
    if (known.has(edge.source) && known.has(edge.target)) graph.setEdge(edge.source, edge.target, {}, String(place));
  });
  lay(graph);
  let [width, height] = [0, 0];
  for (const node of nodes) {
    const at = graph.node(node.id) as { x: number; y: number; width: number; height: number };
    // The library tells middles.
    boxes[node.id] = { x: at.x - at.width / 2, y: at.y - at.height / 2, width: at.width, height: at.height };
    width = Math.max(width, at.x + at.width / 2);
    height = Math.max(height, at.y + at.height / 2);
  }
  return { boxes, width, height };
}
