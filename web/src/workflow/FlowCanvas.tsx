import { useComputedColorScheme } from "@mantine/core";
import {
  ControlButton,
  Controls,
  type Edge,
  type EdgeChange,
  Handle,
  MarkerType,
  type Node,
  type NodeChange,
  type NodeProps,
  Position,
  ReactFlow,
} from "@xyflow/react";
import { useMemo, useState } from "react";
import "@xyflow/react/dist/style.css";
import { useTranslation } from "react-i18next";
import { useFlowWords } from "../i18n/flow";
import { inLanguage } from "../ui/bilingual";
import { Icon } from "../ui/Icon";
import { named, placed, portsOf } from "./graph";
import { laidOut } from "./layout";
import type { Definition, FlowEdge } from "./types";
import { useMoved } from "./useMoved";

/** The handle of ways without a port. */
const PLAIN = "_";

interface Shown extends Record<string, unknown> {
  title: string;
  kind: string;
  handles: string[];
  faults: number;
  state: string;
  loop: boolean;
}
interface Props {
  definition: Definition;
  /** How far the nodes are, in a picture of a run. */
  states?: Record<string, string>;
  faults?: Record<string, unknown[]>;
  selected?: string | null;
  editable?: boolean;
  onSelect?: (id: string | null) => void;
  onConnect?: (source: string, target: string, port: string | null) => void;
  onRemove?: (nodes: string[], edges: FlowEdge[]) => void;
}

const TYPES = { box: FlowBox };

/** The nodes of a definition from left to right, with what is in a loop within it. */
export function FlowCanvas(props: Props) {
  const { definition, states, faults, selected, editable = false } = props;
  const words = useFlowWords();
  const { i18n } = useTranslation();
  const scheme = useComputedColorScheme("light");
  const [edge, setEdge] = useState<string | null>(null);
  const all = useMemo(() => placed(definition), [definition]);
  const boxes = useMemo(() => laidOut(definition).boxes, [definition]);
  const moved = useMoved(editable ? (definition.id ?? "") : "");
  const nodes = useMemo(
    () =>
      all.map(({ node, loops, graph }): Node<Shown> => {
        const { x, y, width, height } = boxes[node.id] ?? { x: 0, y: 0, width: 0, height: 0 };
        const ports = portsOf(node);
        const plain = !ports.length || graph.edges.some((each) => each.source === node.id && !known(each, ports));
        const told = {
          title: inLanguage(named(node), i18n.language),
          kind: words.kinds[node.kind] ?? node.kind,
          loop: node.kind === "loop",
        };
        const counted = { faults: faults?.[node.id]?.length ?? 0, state: states?.[node.id] ?? "" };
        return {
          id: node.id,
          type: "box",
          position: moved.places[node.id] ?? { x, y },
          width,
          height,
          measured: { width, height },
          selected: node.id === selected,
          ariaLabel: `${told.kind}: ${told.title}`,
          data: { ...told, ...counted, handles: [...(plain ? [PLAIN] : []), ...ports] },
          ...(loops.length ? { parentId: loops[loops.length - 1] } : {}),
        };
      }),
    [all, boxes, faults, states, selected, words, moved.places, i18n.language],
  );
  const edges = useMemo(() => drawn(definition, edge), [definition, edge]);
  const nodesChanged = (changes: NodeChange<Node<Shown>>[]) => {
    for (const each of changes) {
      if (each.type === "select" && each.selected) props.onSelect?.(each.id);
      if (each.type === "position" && each.position) moved.move(each.id, each.position);
    }
  };
  const edgesChanged = (changes: EdgeChange[]) => {
    for (const each of changes) if (each.type === "select") setEdge(each.selected ? each.id : null);
  };
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={TYPES}
      colorMode={scheme}
      onNodesChange={nodesChanged}
      onEdgesChange={edgesChanged}
      onPaneClick={() => props.onSelect?.(null)}
      onConnect={({ source, target, sourceHandle }) =>
        props.onConnect?.(source, target, sourceHandle === PLAIN ? null : sourceHandle)
      }
      onDelete={(gone) =>
        props.onRemove?.(
          gone.nodes.map((node) => node.id),
          gone.edges.map((each) => (each.data as { edge: FlowEdge }).edge),
        )
      }
      nodesDraggable={editable}
      nodesConnectable={editable}
      nodesFocusable={editable}
      edgesFocusable={editable}
      elementsSelectable={editable}
      deleteKeyCode={editable ? ["Delete", "Backspace"] : null}
      minZoom={0.2}
      maxZoom={1.5}
      fitView
      fitViewOptions={{ maxZoom: 1, padding: 0.08 }}
      ariaLabelConfig={words.canvas}
    >
      <Controls showInteractive={false}>
        {moved.any && (
          <ControlButton
            className="flow-arrange"
            onClick={moved.forget}
            aria-label={words.arrange}
            title={words.arrange}
          >
            <Icon name="retry" size={14} />
          </ControlButton>
        )}
      </Controls>
    </ReactFlow>
  );
}

const known = (edge: FlowEdge, ports: string[]) => Boolean(edge.port) && ports.includes(edge.port ?? "");

function drawn(definition: Definition, selected: string | null): Edge[] {
  const found: Edge[] = [];
  for (const holder of [definition, ...placed(definition).map(({ node }) => node)]) {
    const ids = new Map((holder.nodes ?? []).map((node) => [node.id, node]));
    for (const edge of holder.edges ?? []) {
      const source = ids.get(edge.source);
      if (!source || !ids.has(edge.target)) continue;
      const id = JSON.stringify([edge.source, edge.target, edge.port ?? null]);
      if (found.some((each) => each.id === id)) continue;
      found.push({
        id,
        source: edge.source,
        target: edge.target,
        sourceHandle: known(edge, portsOf(source)) ? edge.port : PLAIN,
        label: edge.port ?? undefined,
        selected: id === selected,
        markerEnd: { type: MarkerType.ArrowClosed },
        data: { edge },
        zIndex: 1,
      });
    }
  }
  return found;
}

function FlowBox({ data, selected }: NodeProps<Node<Shown>>) {
  const share = 100 / (data.handles.length + 1);
  const look = ["flow-box", data.loop && "loop", selected && "chosen", data.faults && "faulty", data.state];
  return (
    <div className={look.filter(Boolean).join(" ")}>
      <Handle type="target" position={Position.Left} />
      <span className="flow-kind">
        {data.kind}
        {data.faults > 0 && <span className="flow-faults">{data.faults}</span>}
      </span>
      <span className="flow-title">{data.title}</span>
      {data.handles.map((port, place) => (
        <Handle
          key={port}
          id={port}
          type="source"
          position={Position.Right}
          style={{ top: `${share * (place + 1)}%` }}
        />
      ))}
    </div>
  );
}
