import { describe, expect, it } from "vitest";
import answer from "../test/streams/answer.json";
import plan from "../test/streams/plan.json";
import type { Body, Envelope } from "./events";
import { reduce } from "./reduce";
import { emptyView, openAsks, type RunView, rejected, repliesOf, workedSeconds } from "./view";

const streams = { answer, plan, made: made() } as unknown as Record<string, Envelope[]>;
const whole = (events: Envelope[], view?: RunView) => events.reduce(reduce, view ?? emptyView(events[0]?.run_id ?? ""));

/** A stream of what a recorded run does not do: a repair, a child, two requests at once, a workflow, words of a model. */
function made(): Envelope[] {
  const bodies: [string, Body][] = [
    ["run", { type: "run.started", conversation_id: "c", question: "why?", model: "m", mode: "auto" }],
    ["run", { type: "thinking.delta", text: "hm" }],
    ["run", { type: "text.delta", text: "Let me " }],
    ["run", { type: "text.delta", text: "see" }],
    ["run", { type: "text.finished", text: "Let me see" }],
    ["run", { type: "step.announced", name: "read", step_id: "1" }],
    ["run", { type: "code.delta", text: "x = ", step_id: "1" }],
    ["run", { type: "code.finished", code: "x = 1", step_id: "1" }],
    ["run", { type: "step.started", step_id: "1" }],
    ["run", { type: "output.text", text: "a", stream: "stdout", cut_chars: 0, step_id: "1" }],
    ["run", { type: "output.text", text: "b", stream: "stdout", cut_chars: 0, step_id: "1" }],
    ["run", { type: "output.error", name: "KeyError", message: "毛利", traceback: "", step_id: "1" }],
    ["run", { type: "step.finished", status: "error", elapsed_s: 1, step_id: "1" }],
    ["run", { type: "repair.started", attempt: 2, error: "KeyError", step_id: "1" }],
    ["child", { type: "run.started", conversation_id: "c", question: "part", model: "m", mode: "react" }],
    ["child", { type: "question.asked", request_id: "q1", prompt: "Which?", options: ["a", "b"] }],
    ["run", { type: "approval.requested", request_id: "q2", prompt: "May I?" }],
    ["run", { type: "node.started", kind: "form", name: "Ask", node_id: "n", path: "", attempt: 1 }],
    ["run", { type: "node.waiting", request_id: "q3", run_id: null, until: null, node_id: "n", path: "", attempt: 1 }],
    ["run", { type: "request.answered", request_id: "q1", answer: { decision: "answer", text: "a" } }],
    ["child", { type: "run.finished", outcome: "completed", failure: null, stopped_by: null }],
    ["run", { type: "step.announced", name: "again", step_id: "2" }],
    ["run", { type: "step.started", step_id: "2" }],
    ["run", { type: "run.finished", outcome: "cancelled", failure: null, stopped_by: null }],
  ];
  return bodies.map(([run_id, body], place) => ({ run_id, seq: place + 1, at: "2026-01-01T00:00:00Z", body }));
}

describe.each(Object.entries(streams))("the stream %s", (_, events) => {
  it("gives the same view wherever it is cut, with what was seen sent again", () => {
    const wanted = whole(events);
    for (let cut = 0; cut <= events.length; cut += 1) {
      const before = whole(events.slice(0, cut), emptyView(events[0]?.run_id ?? ""));
      expect(whole(events.slice(Math.max(0, cut - 3)), before)).toEqual(wanted);
    }
  });
  it("changes nothing of a view that was given out", () => {
    let view = emptyView(events[0]?.run_id ?? "");
    for (const event of events) {
      const kept = structuredClone(view);
      const next = reduce(view, event);
      expect(view).toEqual(kept);
      view = next;
    }
  });
});

it("keeps every request that waits until it is answered, those of children too", () => {
  const events = streams.made ?? [];
  const asked = whole(events.slice(0, 19));
  expect(openAsks(asked).map((ask) => ask.request_id)).toEqual(["q1", "q2"]);
  expect(asked.nodes[0]?.state).toBe("waiting");
  const replied = whole(events.slice(0, 20), asked);
  expect(openAsks(replied).map((ask) => ask.request_id)).toEqual(["q2"]);
  expect(repliesOf(asked)).toEqual([]);
  expect(repliesOf(replied).map((one) => one.text)).toEqual(["a"]);
});

it("tells a plan that was rejected from a question that has no answer", () => {
  const asked = whole((streams.made ?? []).slice(0, 19));
  expect(rejected(asked)).toBe(false);
  const asks = asked.asks.map((ask) => ({ ...ask, answered: { decision: "reject" } }));
  expect(rejected({ ...asked, asks })).toBe(true);
});

it("leaves no step as if it still ran once the run was stopped", () => {
  const view = whole(streams.made ?? []);
  expect(view.steps["2"]?.status).toBe("interrupted");
  expect(view.steps["1"]?.outputs[0]).toEqual({ kind: "text", text: "ab" });
  expect(view.children.child?.outcome).toBe("completed");
  expect(openAsks(view)).toEqual([]);
});

it("shows an answer with its charts, and a plan with its round", () => {
  expect(whole(streams.answer ?? []).answer?.charts.length).toBeGreaterThan(0);
  const view = whole(streams.plan ?? []);
  expect(Object.values(view.plans)[0]?.steps.length).toBe(2);
  expect(view.rounds[0]?.steps.every((step) => step.status === "completed")).toBe(true);
  expect(view.workbookVersion).toBe(2);
});

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const told = (...bodies: [number, Envelope["body"]][]) =>
  bodies.map(([second, body], place) => ({ run_id: "r", seq: place + 1, at: at(second), body }));
const confirm = (request_id: string) => ({ type: "approval.requested" as const, request_id, prompt: "Carry it out?" });
const no = { decision: "reject", text: "the other sheet" };

it("keeps what a person said against a plan", () => {
  const view = whole(
    told([0, confirm("p1")], [5, { type: "request.answered", request_id: "p1", answer: no }], [6, confirm("p2")]),
  );
  expect(repliesOf(view).map(({ ask, text }) => [ask.request_id, text])).toEqual([["p1", "the other sheet"]]);
});

it("counts no time in which it waits for a person as work", () => {
  const started = { type: "run.started" as const, conversation_id: "c", question: "", model: "m", mode: "auto" };
  const events = told(
    [0, started],
    [2, confirm("p1")],
    [40, { type: "request.answered", request_id: "p1", answer: no }],
    [43, confirm("p2")],
  );
  const view = whole(events);
  expect(workedSeconds(view, Date.parse(at(60)))).toBe(5);
  const ended = reduce(view, {
    run_id: "r",
    seq: 5,
    at: at(63),
    body: { type: "run.finished", outcome: "cancelled", failure: null, stopped_by: null },
  });
  expect(workedSeconds(ended, Date.parse(at(900)))).toBe(5);
});
