export type * from "./datasets";
// The server's shapes, by its names: see docs/reference/api.md. What the page does not read is left out.
export type Cell = string | number | boolean | null;
export type Params = Record<string, unknown>;
export interface Table {
  columns: string[];
  rows: Cell[][];
  total_rows: number;
  title?: string | null;
}
export interface Chart {
  kind: string;
  x: Cell[];
  y: Cell[];
  series?: Cell[] | null;
  labels: Record<string, string>;
  title?: string | null;
}
export interface ArtifactRef {
  id: string;
  name: string;
  mime: string;
  size_bytes: number;
}
export interface Notice {
  code: string;
  params?: Params;
  message?: string;
  field?: string | null;
}
export interface CellChange {
  ref: string;
  before: Cell;
  after: Cell;
}
export interface SheetChanges {
  sheet: string;
  range: string;
  cells: CellChange[];
  truncated?: boolean;
  /** How many changed, listed or not; null where that was not counted. */
  changed?: number | null;
}
export interface NumberSource {
  value: Cell;
  start: number;
  end: number;
  step_id: string | null;
}
export interface Answer {
  text: string;
  outcome: Outcome;
  result: Table | null;
  table: Table | null;
  charts: Chart[];
  files: ArtifactRef[];
  changes: SheetChanges[];
  sources: NumberSource[];
  suggestions: string[];
  stopped_by?: string | null;
  readings?: Reading[];
  outputs?: Params;
}
export type Outcome = "completed" | "failed" | "cancelled" | "declined" | "limit" | "superseded";
export interface Reading {
  text: string;
  result?: Table | null;
  charts?: Chart[];
}
export interface PlanStep {
  step: number;
  function: string;
  parameters: Params;
  description: string;
}
export interface OperationPlan {
  steps: PlanStep[];
  base_version: number;
  problems: Notice[][];
}
export interface StepResult {
  step: PlanStep;
  status: "completed" | "failed";
  error: Notice | null;
  cells_changed: number;
  result: Table | null;
  notes: Notice[];
  elapsed_s: number;
}
export interface Round {
  id: string;
  workbook_id: string;
  plan_id: string;
  number: number;
  steps: StepResult[];
  version: number | null;
  rolled_back: boolean;
  changes: SheetChanges[];
  warnings: Notice[];
}
export interface TaskStep {
  id: number;
  text: string;
  status: "not_started" | "in_progress" | "completed" | "blocked";
  note: string;
}
export interface TaskPlan {
  title: string;
  steps: TaskStep[];
}
export interface StructuredAnswer {
  task_analysis: string;
  execution_plan: string;
  current_round: number;
  report: string | null;
  recommended_questions: string[];
  download_links?: string[];
}
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: Cell[];
  const?: Cell;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  minItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}
export interface RequestBody {
  request_id: string;
  prompt: string;
  schema?: Schema | null;
  options?: string[];
  default?: string | null;
  subject_kind?: string | null;
  readings?: Reading[];
}
export interface Decision {
  decision: "approve" | "reject" | "answer";
  text?: string;
  values?: Params;
  plan?: { execution_plan: PlanStep[] };
}
export interface Conversation {
  id: string;
  title: string;
  language: string;
  created_at: string;
  updated_at: string;
}
export interface Message {
  id: string;
  ordinal: number;
  author: "user" | "assistant";
  text: string;
  run_id: string | null;
  created_at: string;
}
export interface Run {
  id: string;
  conversation_id: string;
  question: string;
  state: "queued" | "running" | "waiting" | "finished";
  cancelling: boolean;
  outcome: Outcome | null;
  mode: string;
  model: string;
  last_seq: number;
  created_at: string;
  finished_at: string | null;
  failure: { code: string; message: string } | null;
}
export interface FileTable {
  name: string;
  rows: number;
  columns: string[];
}
export interface ColumnOutline {
  letters: string;
  header: string | null;
  kind: string;
}
export interface Workbook {
  id: string;
  name: string;
  version: number;
  outline: { sheets: { name: string; state: string; regions: { range: string; columns: ColumnOutline[] }[] }[] };
}
export interface Fn {
  name: string;
  label: string;
  description: string;
  parameters: Schema;
}
export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}
export interface WorkflowLine {
  id: string;
  name: string;
  description: string;
  examples: string[];
  mine: boolean;
  visibility: string;
  published: number | null;
  updated_at: string;
}
export interface Connection {
  name: string;
  address: string;
}
export interface Readiness {
  ready: boolean;
  sandbox: { ok: boolean; detail: string };
  database: { ok: boolean; detail: string };
  disk: { ok: boolean; free_bytes: number };
  model: string;
  models: string[];
}
