import type { Body } from "./events";
import type { NodeView, RunView } from "./view";

type NodeBody = Extract<Body, { node_id: string }>;

/** The course of the nodes of a workflow: an attempt takes the place of the one before. */
export function reduceNode(view: RunView, body: Body): RunView {
  if (!("node_id" in body)) return view;
  const key = `${body.path}/${body.node_id}`;
  const known = view.nodes.find((node) => node.key === key);
  const node: NodeView = { ...(known ?? fresh(key, body)), ...changeOf(body, known?.text ?? "") };
  return { ...view, nodes: known ? view.nodes.map((each) => (each === known ? node : each)) : [...view.nodes, node] };
}

const fresh = (key: string, body: NodeBody): NodeView => ({
  key,
  id: body.node_id,
  name: body.node_id,
  kind: "",
  state: "running",
  text: "",
  elapsed: 0,
});

function changeOf(body: NodeBody, text: string): Partial<NodeView> {
  switch (body.type) {
    case "node.started":
      return { name: body.name || body.node_id, kind: body.kind, state: "running", text: "" };
    case "node.chunk":
      return { text: text + body.text };
    case "node.waiting":
      return { state: "waiting" };
    case "node.output":
      return { state: "running" };
    case "node.finished":
      return { state: body.status, elapsed: body.elapsed_s };
  }
}
