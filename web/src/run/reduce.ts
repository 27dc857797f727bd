import type { Body, Envelope } from "./events";
import { reduceNode } from "./reduceNode";
import { type Ask, emptyView, type Item, type Output, type RunView, type Step, type Tool } from "./view";

const PRINTED_CHARS = 20_000;
const MOST_OTHERS = 4;

/** The view after an event of its stream. One that was seen already changes nothing, so that a stream may be replayed. */
export function reduce(view: RunView, { run_id, seq, at, body }: Envelope): RunView {
  if (seq <= view.seq) return view;
  if (run_id === view.id) return { ...timed(view, fold(view, body, at), at), seq };
  const before = view.children[run_id];
  const child = { ...fold(before ?? emptyView(run_id), body, at), seq };
  const items: Item[] = before ? view.items : [...view.items, { kind: "child", id: run_id }];
  return { ...timed(view, asked(view, body), at), items, children: { ...view.children, [run_id]: child }, seq };
}

/** Counts the time in which a run waits for a person. */
function timed(before: RunView, view: RunView, at: string): RunView {
  const waits = view.state === "waiting";
  if (waits === (before.waitsSince !== "")) return view;
  if (waits) return { ...view, waitsSince: at };
  return { ...view, waitsSince: "", waitedMs: view.waitedMs + Date.parse(at) - Date.parse(before.waitsSince) };
}

function fold(view: RunView, body: Body, at: string): RunView {
  switch (body.type) {
    case "run.started":
      return {
        ...view,
        state: "running",
        question: body.question,
        conversation: body.conversation_id,
        model: body.model,
        mode: body.mode,
        startedAt: at,
      };
    case "run.finished":
      return {
        ...halted(view, body.outcome === "completed"),
        state: "finished",
        outcome: body.outcome,
        failure: body.failure,
        draft: body.outcome === "completed" ? view.draft : "",
        endedAt: at,
      };
    case "route.chosen":
      return { ...view, agent: body.agent };
    case "workflow.chosen":
      return routedTo(view, body.workflow_id, body.shortlist);
    case "warning.raised":
      return { ...view, items: [...view.items, { kind: "warning", notice: { code: body.code, params: body.params } }] };
    case "plan.proposed":
      return { ...view, plans: { ...view.plans, [body.request_id]: body.plan } };
    case "plan.updated":
      return { ...view, tasks: body.plan };
    case "round.executed":
      return { ...view, rounds: [...view.rounds, body.round] };
    case "workbook.committed":
      return { ...view, workbookVersion: body.version };
    case "suggestions.offered":
      return { ...view, suggestions: body.questions };
    case "answer.completed":
      return { ...view, answer: body.answer, draft: "" };
    case "round.answered":
      return analysed(view, body.answer);
    case "code.saved":
      return {
        ...view,
        saved: [...view.saved, { id: body.code_id, path: body.file_path, description: body.description }],
      };
    default:
      return reduceNode(asked(put(written(worked(view, body), body), body), body), body);
  }
}

function analysed(view: RunView, answer: Extract<Body, { type: "round.answered" }>["answer"]): RunView {
  const item: Item = {
    kind: "analysis",
    round: answer.current_round,
    task: answer.task_analysis,
    plan: answer.execution_plan,
  };
  return {
    ...view,
    draft: "",
    items: [...view.items, item],
    report: answer.report ?? view.report,
    links: answer.download_links ?? view.links,
  };
}

/** What waits for a person, and their answers. */
function asked(view: RunView, body: Body): RunView {
  switch (body.type) {
    case "approval.requested":
    case "question.asked":
    case "continue.asked": {
      const kind = body.type.slice(0, body.type.indexOf(".")) as Ask["kind"];
      const ask = { ...body, kind, answered: null };
      return {
        ...view,
        state: "waiting",
        asks: [...view.asks.filter((each) => each.request_id !== ask.request_id), ask],
      };
    }
    case "plan.proposed":
      return { ...view, plans: { ...view.plans, [body.request_id]: body.plan } };
    case "request.answered": {
      const asks = view.asks.map((ask) =>
        ask.request_id === body.request_id ? { ...ask, answered: body.answer } : ask,
      );
      const waits = asks.some((ask) => ask.answered === null);
      return { ...view, asks, state: view.state === "waiting" && !waits ? "running" : view.state };
    }
    default:
      return view;
  }
}

/** What a model writes. */
function written(view: RunView, body: Body): RunView {
  switch (body.type) {
    case "thinking.delta":
      return { ...view, thinking: view.thinking + body.text };
    case "text.delta":
      return { ...view, draft: view.draft + body.text };
    case "text.finished":
      return body.text.trim()
        ? { ...view, draft: "", items: [...view.items, { kind: "text", text: body.text }] }
        : { ...view, draft: "" };
    default:
      return view;
  }
}

const NEW_STEP: Omit<Step, "id"> = { name: "", status: "announced", elapsed: 0, code: "", outputs: [], progress: "" };

function withStep(view: RunView, id: string | null | undefined, change: (step: Step) => Partial<Step>): RunView {
  if (!id) return view;
  const known = view.steps[id];
  const step = known ?? { id, ...NEW_STEP };
  return {
    ...view,
    items: known ? view.items : [...view.items, { kind: "step", id }],
    steps: { ...view.steps, [id]: { ...step, ...change(step) } },
  };
}

/** The course of steps and of tool calls. */
function worked(view: RunView, body: Body): RunView {
  switch (body.type) {
    case "step.announced":
      // One that comes again is executed again: the run goes on after an answer.
      return withStep(view, body.step_id, () => ({ ...NEW_STEP, name: body.name }));
    case "step.started":
      return withStep(view, body.step_id, () => ({ status: "running" }));
    case "step.finished":
      return withStep(view, body.step_id, () => ({ status: body.status, elapsed: body.elapsed_s, progress: "" }));
    case "progress.reported":
      return withStep(view, body.step_id, () => ({ progress: body.message }));
    case "code.delta":
      return withStep(view, body.step_id, (step) => ({ code: step.code + body.text }));
    case "code.finished":
      return withStep(view, body.step_id, () => ({ code: body.code }));
    case "repair.started":
      return { ...view, items: [...view.items, { kind: "repair", attempt: body.attempt, error: body.error }] };
    case "tool.started": {
      const tool: Tool = {
        id: body.tool_call_id,
        name: body.name,
        arguments: body.arguments,
        text: "",
        state: "running",
        elapsed: 0,
      };
      return {
        ...view,
        items: [...view.items, { kind: "tool", id: tool.id }],
        tools: { ...view.tools, [tool.id]: tool },
      };
    }
    case "tool.finished": {
      const known = view.tools[body.tool_call_id];
      if (!known) return view;
      const tool: Tool = { ...known, text: body.text, state: body.failed ? "error" : "ok", elapsed: body.elapsed_s };
      return { ...view, tools: { ...view.tools, [tool.id]: tool } };
    }
    default:
      return view;
  }
}

/** What steps put out. */
function put(view: RunView, body: Body): RunView {
  const out = (output: Output) => withStep(view, body.step_id, (step) => ({ outputs: joined(step.outputs, output) }));
  switch (body.type) {
    case "output.text":
      return out({ kind: "text", text: body.text });
    case "output.error":
      return out({ kind: "error", name: body.name, message: body.message, traceback: body.traceback });
    case "output.table":
      return out({ kind: "table", table: body.table });
    case "output.chart":
      return { ...view, charts: [...view.charts, body.chart] };
    case "output.image":
      return { ...view, images: [...view.images, body.image] };
    case "output.html":
      return { ...view, html: [...view.html, body.html] };
    case "artifact.created":
      return { ...view, files: [...view.files.filter((file) => file.id !== body.artifact.id), body.artifact] };
    default:
      return view;
  }
}

function joined(outputs: Output[], output: Output): Output[] {
  const last = outputs.at(-1);
  if (output.kind !== "text" || last?.kind !== "text") return [...outputs, output];
  return [...outputs.slice(0, -1), { kind: "text", text: (last.text + output.text).slice(-PRINTED_CHARS) }];
}

/** Steps of a run that ended before them neither run nor come any more. */
function halted(view: RunView, whole: boolean): RunView {
  const steps = Object.fromEntries(
    Object.entries(view.steps).map(([id, step]) => {
      if (step.status === "running")
        return [id, { ...step, status: whole ? ("ok" as const) : ("interrupted" as const) }];
      return [id, step.status === "announced" ? { ...step, status: "dropped" as const } : step];
    }),
  );
  return { ...view, steps };
}

function routedTo(view: RunView, chosen: string | null, shortlist: { workflow_id: string; name: string }[]): RunView {
  const named = shortlist.map((each) => ({ id: each.workflow_id, name: each.name }));
  const mine = named.find((each) => each.id === chosen);
  const routed = mine ? { ...mine, others: named.filter((each) => each !== mine).slice(0, MOST_OTHERS) } : null;
  return { ...view, workflow: mine?.name ?? null, routed };
}
