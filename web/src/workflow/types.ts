import type { Outcome, Run, WorkflowLine } from "../api/types";

// The server's shapes of workflows, by its names: see docs/reference/workflows.md.
export interface FlowEdge {
  source: string;
  target: string;
  port?: string | null;
}
export interface FlowNode {
  id: string;
  kind: string;
  name?: string;
  nodes?: FlowNode[];
  edges?: FlowEdge[];
  [setting: string]: unknown;
}
export interface Graph {
  nodes: FlowNode[];
  edges: FlowEdge[];
}
export interface Definition {
  id: string;
  name: string;
  nodes: FlowNode[];
  edges?: FlowEdge[];
  [setting: string]: unknown;
}
export interface Fault {
  code: string;
  place: string;
  message: string;
}
export interface StoredFlow extends WorkflowLine {
  definition: Definition;
  revision: number | null;
  faults: Fault[];
  versions: { number: number; created_at: string; created_by: string }[];
}
export interface RunLine {
  id: string;
  conversation_id: string;
  question: string;
  trigger: "person" | "message" | "schedule" | "workflow";
  state: Run["state"];
  cancelling: boolean;
  outcome: Outcome | null;
  created_at: string;
  finished_at: string | null;
  worked_s: number;
}
export interface Schedule {
  id: string;
  workflow_id: string;
  name: string;
  when: string;
  time_zone: string;
  paused: boolean;
  next_times: string[];
}
