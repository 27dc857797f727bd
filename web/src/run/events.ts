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
  StructuredAnswer,
  Table,
  TaskPlan,
} from "../api/types";

interface Place {
  step_id?: string | null;
  task_id?: string | null;
  parent_id?: string | null;
}
type Node = { node_id: string; path: string; attempt: number };

/** What a run tells, as far as the page shows it: see the server's domain/events. Others are passed over. */
export type Body = Place &
  (
    | { type: "run.started"; conversation_id: string; question: string; model: string; mode: string }
    | { type: "route.chosen"; agent: string; reason: string }
    | {
        type: "workflow.chosen";
        workflow_id: string | null;
        reason: string;
        shortlist: { workflow_id: string; name: string; score: number }[];
      }
    | { type: "session.lost"; reason: string }
    | { type: "usage.reported"; input_tokens: number; output_tokens: number }
    | { type: "warning.raised"; code: string; params: Params }
    | { type: "thinking.delta" | "text.delta" | "code.delta"; text: string }
    | { type: "text.finished"; text: string }
    | { type: "code.finished"; code: string }
    | { type: "step.announced"; name: string }
    | { type: "step.started" }
    | { type: "step.finished"; status: "ok" | "error" | "interrupted" | "dropped"; elapsed_s: number }
    | { type: "repair.started"; attempt: number; error: string }
    | { type: "progress.reported"; message: string; fraction: number | null }
    | { type: "output.text"; text: string; stream: string; cut_chars: number }
    | { type: "output.error"; name: string; message: string; traceback: string }
    | { type: "output.image"; image: ArtifactRef }
    | { type: "output.html"; html: ArtifactRef }
    | { type: "output.table"; table: Table; role: "shown" | "result" }
    | { type: "output.chart"; chart: Chart }
    | { type: "artifact.created"; artifact: ArtifactRef }
    | { type: "tool.started"; tool_call_id: string; name: string; arguments: Params }
    | { type: "tool.finished"; tool_call_id: string; name: string; text: string; failed: boolean; elapsed_s: number }
    | { type: "round.answered"; answer: StructuredAnswer }
    | { type: "code.saved"; code_id: string; file_path: string; description: string }
    | { type: "plan.proposed"; request_id: string; plan: OperationPlan }
    | { type: "plan.updated"; plan: TaskPlan }
    | { type: "round.executed"; round: Round }
    | { type: "workbook.committed"; workbook_id: string; version: number }
    | ({ type: "approval.requested" | "question.asked" | "continue.asked" } & RequestBody)
    | { type: "request.answered"; request_id: string; answer: { decision: string; text?: string | null } }
    | { type: "suggestions.offered"; questions: string[] }
    | { type: "answer.completed"; answer: Answer }
    | ({ type: "node.started"; kind: string; name: string } & Node)
    | ({ type: "node.chunk"; text: string } & Node)
    | ({ type: "node.waiting"; request_id: string | null; run_id: string | null; until: string | null } & Node)
    | ({ type: "node.output"; output: unknown; port: string | null } & Node)
    | ({ type: "node.finished"; status: "ok" | "failed" | "retried"; elapsed_s: number } & Node)
    | { type: "run.finished"; outcome: Outcome; failure: Notice | null; stopped_by: string | null }
  );

export interface Envelope {
  run_id: string;
  seq: number;
  from_seq?: number;
  at: string;
  body: Body;
}
