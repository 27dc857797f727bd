import type {
  Answer,
  ArtifactRef,
  Chart,
  Notice,
  OperationPlan,
  Outcome,
  Params,
  RequestBody,
  Round,
  Table,
  TaskPlan,
} from "../api/types";

export type StepStatus = "announced" | "running" | "ok" | "error" | "interrupted" | "dropped";
export type Output =
  | { kind: "text"; text: string }
  | { kind: "error"; name: string; message: string; traceback: string }
  | { kind: "table"; table: Table };
export interface Step {
  id: string;
  name: string;
  status: StepStatus;
  elapsed: number;
  code: string;
  outputs: Output[];
  progress: string;
}
export interface Tool {
  id: string;
  name: string;
  arguments: Params;
  text: string;
  state: "running" | "ok" | "error";
  elapsed: number;
}
export interface Ask extends RequestBody {
  kind: "approval" | "question" | "continue";
  answered: { decision: string; text?: string | null } | null;
}
export interface NodeView {
  key: string;
  id: string;
  name: string;
  kind: string;
  state: "running" | "waiting" | "ok" | "failed" | "retried";
  text: string;
  elapsed: number;
}
/** What happened, in its order; the parts are found by their ids. */
export type Item =
  | { kind: "step"; id: string }
  | { kind: "tool"; id: string }
  | { kind: "text"; text: string }
  | { kind: "repair"; attempt: number; error: string }
  | { kind: "warning"; notice: Notice }
  | { kind: "analysis"; round: number; task: string; plan: string }
  | { kind: "child"; id: string };

/** A run as its events have told it so far. Nothing in it is ever changed: `reduce` makes the next one. */
export interface RunView {
  id: string;
  seq: number;
  state: "starting" | "running" | "waiting" | "finished";
  question: string;
  conversation: string;
  model: string;
  mode: string;
  agent: string;
  workflow: string | null;
  /** The workflow that the message was given to because it fits, and others that came into question. */
  routed: { id: string; name: string; others: { id: string; name: string }[] } | null;
  startedAt: string;
  endedAt: string;
  /** Since when it waits for a person, "" where it does not, and for how long it did before. */
  waitsSince: string;
  waitedMs: number;
  thinking: string;
  draft: string;
  items: Item[];
  steps: Record<string, Step>;
  tools: Record<string, Tool>;
  nodes: NodeView[];
  children: Record<string, RunView>;
  tasks: TaskPlan | null;
  plans: Record<string, OperationPlan>;
  asks: Ask[];
  rounds: Round[];
  charts: Chart[];
  images: ArtifactRef[];
  html: ArtifactRef[];
  files: ArtifactRef[];
  saved: { id: string; path: string; description: string }[];
  report: string;
  /** Names of files that a report offers. */
  links: string[];
  suggestions: string[];
  answer: Answer | null;
  workbookVersion: number;
  outcome: Outcome | null;
  failure: Notice | null;
}

export function emptyView(id: string, question = ""): RunView {
  return {
    id,
    seq: 0,
    state: "starting",
    question,
    conversation: "",
    model: "",
    mode: "",
    agent: "",
    workflow: null,
    routed: null,
    startedAt: "",
    endedAt: "",
    waitsSince: "",
    waitedMs: 0,
    thinking: "",
    draft: "",
    items: [],
    steps: {},
    tools: {},
    nodes: [],
    children: {},
    tasks: null,
    plans: {},
    asks: [],
    rounds: [],
    charts: [],
    images: [],
    html: [],
    files: [],
    saved: [],
    report: "",
    links: [],
    suggestions: [],
    answer: null,
    workbookVersion: 0,
    outcome: null,
    failure: null,
  };
}

export const openAsks = (view: RunView): Ask[] =>
  view.state === "finished" ? [] : view.asks.filter((ask) => ask.answered === null);

/** What a person replied in words to a run, in the order in which it asked: to its questions, and against its plans. */
export const repliesOf = (view: RunView): { ask: Ask; text: string }[] =>
  view.asks.flatMap((ask) => (ask.answered?.text ? [{ ask, text: ask.answered.text }] : []));

/** The seconds that a run has worked, without those in which it waited for a person. */
export function workedSeconds(view: RunView, now: number): number {
  const end = view.endedAt ? Date.parse(view.endedAt) : now;
  const waiting = view.waitsSince ? end - Date.parse(view.waitsSince) : 0;
  return view.startedAt ? Math.max(0, (end - Date.parse(view.startedAt) - view.waitedMs - waiting) / 1000) : 0;
}

/** Whether a person said no to what a run wanted to do. */
export const rejected = (view: RunView) => view.asks.some((ask) => ask.answered?.decision === "reject");

/** The newest round of the analyst that answers in rounds; undefined for every other run. */
export const analysisOf = (view: RunView) =>
  view.items.findLast((item): item is Extract<Item, { kind: "analysis" }> => item.kind === "analysis");
