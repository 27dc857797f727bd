"""The fold of a run's events to the frames of Genie's wire, which its page must be able to show."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.support.plan_bench import Roles, finish, plan, plan_bench
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import called

from tablewright.api.genie.fold import GenieFold
from tablewright.api.genie.frames import AgentFrame, enveloped, heartbeat, written
from tablewright.api.genie.links import GenieLinks
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    AnswerCompleted,
    ArtifactCreated,
    CodeFinished,
    Event,
    EventBody,
    OutputHtml,
    OutputText,
    PlanUpdated,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    WarningRaised,
)
from tablewright.domain.run import Mode, OpenRequest, Run, RunFailure, RunLimits
from tablewright.domain.table import Table
from tablewright.domain.task_plan import TaskPlan, begun, created, ended
from tablewright.models.scripted import Reply, ScriptedModel

AT = datetime(2026, 1, 1, tzinfo=UTC)
FILE = ArtifactRef(id="f-1", name="a b.csv", mime="text/csv", size_bytes=7)
PAGE = ArtifactRef(id="f-2", name="report.html", mime="text/html", size_bytes=9)
LINKS = GenieLinks(base="http://here", permit="p")
ANSWER = Answer(text="Seven.", outcome="completed", files=(FILE,))


def run(mode: Mode = "react") -> Run:
    return Run(
        id="r-1",
        conversation_id="c-1",
        question="?",
        language="en",
        mode=mode,
        approvals="ask",
        model="builtin",
        file_ids=(),
        limits=RunLimits(),
        state="running",
        attempt=1,
        last_seq=0,
        created_at=AT,
    )


def fold(of: Run) -> GenieFold:
    return GenieFold(run=of, request_id="q-1", agent_type="5", links=LINKS)


def events(*bodies: EventBody | tuple[str, EventBody]) -> list[Event]:
    placed = (("r-1", body) if not isinstance(body, tuple) else body for body in bodies)
    return [Event(run_id=of, seq=seq, at=AT, body=body) for seq, (of, body) in enumerate(placed, start=1)]


def told(stream: Iterable[Event], mode: Mode = "react") -> list[AgentFrame]:
    made = fold(run(mode))
    return [frame for event in stream for frame in made.take(event)]


def kinds(frames: Iterable[AgentFrame]) -> list[str]:
    return [frame.response["messageType"] for frame in frames]


def only(frames: Iterable[AgentFrame], kind: str) -> dict[str, Any]:
    (found,) = (frame.response for frame in frames if frame.response["messageType"] == kind)
    return found


def begins(child: str, task: str) -> tuple[str, EventBody]:
    started = RunStarted(conversation_id="c-1", question=task, model="m", mode="plan", task_id="1", parent_id="r-1")
    return child, started


async def test_an_agent_alone_thinks_calls_tools_and_gives_a_result(tmp_path: Path) -> None:
    script: list[Reply | str] = [Reply.of("I look", " it up.", called("echo", text="42 apples")), "There are 42."]
    bench = plan_bench(tmp_path, ScriptedModel(script), [EchoTool()])
    asked = await bench.bench.ask("How many apples?", agent="react", mode="react")
    made = GenieFold(run=asked, request_id="q-1", agent_type="5", links=LINKS)
    frames = [frame for event in await bench.bench.events(asked) for frame in made.take(event)]
    await bench.close()
    shown = [kind for number, kind in enumerate(kinds(frames)) if number == 0 or kind != kinds(frames)[number - 1]]
    assert shown == ["tool_thought", "tool_result", "tool_thought", "result"]
    result = only(frames, "tool_result")["toolResult"]
    assert result == {"toolName": "echo", "toolParam": {"text": "42 apples"}, "toolResult": "42 apples"}
    assert only(frames, "result")["result"] == "There are 42."
    assert {frame.task_id for frame in frames} == {asked.id}
    assert {frame.outer for frame in frames} == {"task"}


async def test_a_plan_is_thought_of_told_carried_out_task_by_task_and_summed_up(tmp_path: Path) -> None:
    roles = Roles(planner=[plan("read<sep>count", "compare"), "Go on.", finish()], summary="All in all.")
    bench = plan_bench(tmp_path, roles)
    asked = await bench.start()
    made = GenieFold(run=asked, request_id="q-1", agent_type="3", links=LINKS)
    frames = [frame for event in await bench.bench.events(asked) for frame in made.take(event)]
    await bench.close()
    assert kinds(frames)[0] == "plan_thought"
    assert kinds(frames)[-1] == "result"
    assert only(frames, "result")["result"] == "All in all."
    outers = [frame.outer for frame in frames]
    assert outers.index("plan") < kinds(frames).index("task")
    tasks = [frame.response["task"] for frame in frames if frame.response["messageType"] == "task"]
    assert sorted(tasks) == ["compare", "count", "read"]
    last = [frame.response["plan"] for frame in frames if frame.response["messageType"] == "plan"][-1]
    assert last["steps"] == ["read", "count", "compare"]
    assert last["stages"] == ["Step 1", "Step 1", "Step 2"]
    assert set(last["stepStatus"]) == {"completed"}


async def test_a_step_of_a_task_without_a_call_is_its_summary_and_no_thought(tmp_path: Path) -> None:
    bench = plan_bench(tmp_path, Roles(planner=[plan("count"), finish()], tasks={"count": "It is counted."}))
    asked = await bench.start()
    made = GenieFold(run=asked, request_id="q-1", agent_type="3", links=LINKS)
    frames = [frame for event in await bench.bench.events(asked) for frame in made.take(event)]
    await bench.close()
    assert "tool_thought" not in kinds(frames)
    summary = only(frames, "task_summary")
    assert summary["taskSummary"] == summary["resultMap"]["taskSummary"] == "It is counted."
    assert summary["resultMap"]["fileList"] == []


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("steps", "The limit on turns was reached; the answer may be incomplete."),
        ("tokens", "The limit on tokens was reached; the answer may be incomplete."),
        ("wall_clock_s", "The limit on time was reached; the answer may be incomplete."),
    ],
)
def test_the_result_says_which_limit_has_ended_the_work(limit: str, words: str) -> None:
    answer = Answer(text="So far.", outcome="completed", stopped_by=limit)
    frames = told(events(AnswerCompleted(answer=answer), RunFinished(outcome="completed", stopped_by=limit)))
    assert only(frames, "result")["result"] == f"So far.\n\n{words}"


def test_pieces_of_a_thought_share_an_id_and_the_last_one_has_all_of_it() -> None:
    frames = told(
        events(ThinkingDelta(text="Hm. "), TextDelta(text="I "), TextDelta(text="look."), TextFinished(text="I look."))
    )
    assert [(frame.response["toolThought"], frame.response["isFinal"]) for frame in frames] == [
        ("Hm. ", False),
        ("\n\nI ", False),
        ("look.", False),
        ("Hm. \n\nI look.", True),
    ]
    assert len({frame.response["messageId"] for frame in frames}) == 1


def test_a_task_comes_first_in_its_group_also_where_groups_interleave() -> None:
    frames = told(
        events(
            PlanUpdated(plan=(made := begun(created(TaskPlan(), "", ["a<sep>b"])))),
            begins("x", "a"),
            begins("y", "b"),
            ("y", ToolStarted(tool_call_id="2", name="echo")),
            ("x", ToolStarted(tool_call_id="1", name="echo")),
            ("x", ToolFinished(tool_call_id="1", name="echo", text="1")),
            ("y", ToolFinished(tool_call_id="2", name="echo", text="2")),
            ("y", AnswerCompleted(answer=ANSWER)),
            ("x", RunFinished(outcome="failed", failure=RunFailure(code="model_overloaded", params={"model": "m"}))),
            PlanUpdated(plan=ended(made)),
        ),
        "plan",
    )
    for group in ("x", "y"):
        own = [frame for frame in frames if frame.task_id == group]
        assert own[0].response["messageType"] == "task"
        assert kinds(own).count("task") == 1
        assert "task_summary" in kinds(own)
    assert frames[0].task_id is None
    assert frames[-1].task_id in {"x", "y"}


def test_a_blocked_step_has_not_started_and_its_note_says_why() -> None:
    blocked = ended(begun(created(TaskPlan(), "Years", ["Read", "Compare"])), blocked="no file")
    frames = told(events(PlanUpdated(plan=blocked)), "plan")
    envelope = enveloped(frames[0], request_id="q-1", agent_type="3")
    told_plan = envelope["resultMap"]["eventData"]["resultMap"]
    assert told_plan["stepStatus"] == ["not_started", "not_started"]
    assert told_plan["notes"] == ["no file", ""]


def test_a_task_that_failed_or_was_cut_is_not_told_as_completed_beside_those_that_are() -> None:
    doing = begun(created(TaskPlan(), "", ["Read<sep>Count", "Compare"]))
    for over in (ended(doing, problems=["", "no file"]), ended(doing, blocked="x; no file", problems=["x", "no file"])):
        (frame,) = told(events(PlanUpdated(plan=over)), "plan")
        first = "completed" if over.steps[0].status == "completed" else "not_started"
        assert frame.response["plan"]["stepStatus"] == [first, "not_started", "not_started"]
        assert frame.response["plan"]["notes"][1:] == ["Failed: no file", ""]
        assert frame.response["plan"]["notes"][0] == ("" if first == "completed" else "Failed: x")


def test_an_update_without_a_completed_step_is_no_item_because_the_page_names_the_last_completed() -> None:
    first = begun(created(TaskPlan(), "", ["Read", "Compare"]))
    blocked = ended(first, blocked="no file")
    stream = events(
        PlanUpdated(plan=first), begins("x", "Read"), PlanUpdated(plan=blocked), PlanUpdated(plan=ended(begun(blocked)))
    )
    frames = [frame for frame in told(stream, "plan") if frame.response["messageType"] == "plan"]
    assert [frame.outer for frame in frames] == ["plan", "plan", "task"]


def test_code_is_an_item_and_its_output_another_and_no_result_of_the_tool_beside() -> None:
    frames = told(
        events(
            ToolStarted(tool_call_id="1", name="run_python", arguments={"code": "print(7)"}),
            CodeFinished(step_id="s", code="print(7)"),
            StepStarted(step_id="s"),
            OutputText(step_id="s", text="7\n"),
            ArtifactCreated(step_id="s", artifact=FILE),
            StepFinished(step_id="s", status="ok", elapsed_s=0.1),
            ToolFinished(tool_call_id="1", name="run_python", text="7"),
            ToolFinished(tool_call_id="2", name="run_python", text="no sandbox", failed=True),
        )
    )
    assert kinds(frames) == ["code", "file", "code", "tool_result"]
    code, output = (frame.response["resultMap"] for frame in frames if frame.response["messageType"] == "code")
    assert (code["code"], "codeOutput" in code, code["isFinal"]) == ("print(7)", False, False)
    assert (output["codeOutput"], "code" in output, output["isFinal"]) == ("7\n", False, True)


def test_a_file_has_its_two_addresses_which_differ_in_one_word() -> None:
    info = only(told(events(ArtifactCreated(artifact=FILE))), "file")["resultMap"]["fileInfo"][0]
    assert info["domainUrl"] == "http://here/genie/preview/p/f-1/a%20b.csv"
    assert info["domainUrl"].replace("preview", "download", 1) == info["ossUrl"]
    assert (info["fileName"], info["fileSize"]) == ("a b.csv", 7)


def test_html_is_shown_by_its_address() -> None:
    shown = only(told(events(OutputHtml(html=PAGE))), "html")["resultMap"]
    assert shown["isFinal"] is True
    assert shown["fileInfo"][0]["domainUrl"].endswith("/report.html")


def test_searches_are_lists_of_pages_whatever_the_tool_wrote() -> None:
    hits = "1. Prices\n   http://a.example/x\n   Apples are 7.\n   Pears too.\n2. Other\n   http://b.example/"
    frames = told(
        events(
            ToolStarted(tool_call_id="1", name="web_search", arguments={"query": "prices"}),
            ToolFinished(tool_call_id="1", name="web_search", text=hits),
            ToolFinished(tool_call_id="2", name="web_search", text="nothing found", failed=True),
        )
    )
    found, none = (json.loads(frame.response["toolResult"]["toolResult"]) for frame in frames)
    assert found == [
        {"name": "Prices", "pageContent": "Apples are 7.\nPears too.", "sourceUrl": "http://a.example/x"},
        {"name": "Other", "pageContent": "", "sourceUrl": "http://b.example/"},
    ]
    assert none == [{"name": "", "pageContent": "nothing found", "sourceUrl": ""}]


def test_a_result_has_a_map_with_its_files_and_is_the_only_frame_that_finishes() -> None:
    table = Table(columns=("n", "m"), rows=((1, 2), (3, 4)), total_rows=2)
    answer = Answer(text="Seven.", outcome="completed", files=(FILE,), table=table)
    stream = events(
        WarningRaised(code="variables_lost"), AnswerCompleted(answer=answer), RunFinished(outcome="completed")
    )
    frames = told(stream)
    result = frames[-1].response
    assert result["finish"] is True
    assert result["resultMap"]["fileList"][0]["fileName"] == "a b.csv"
    assert result["result"].startswith("Seven.\n\n| n | m |")
    assert "> " in result["result"]
    envelope = enveloped(frames[-1], request_id="q-1", agent_type="5")
    assert (envelope["finished"], envelope["status"]) == (True, "success")
    assert envelope["response"] == envelope["responseAll"] == result["result"]
    assert not any(enveloped(frame, request_id="q-1", agent_type="5")["finished"] for frame in frames[:-1])


def test_a_run_that_fails_is_cancelled_or_asks_ends_in_a_result_too() -> None:
    failed = RunFinished(outcome="failed", failure=RunFailure(code="model_overloaded", params={"model": "m"}))
    assert only(told(events(failed)), "result")["result"]
    assert only(told(events(RunFinished(outcome="cancelled"))), "result")["resultMap"]["fileList"] == []
    request = OpenRequest(
        id="o", run_id="r-1", kind="question", prompt="Which year?", created_at=AT, options=("2023", "2024")
    )
    waiting = fold(run())
    assert "1. 2023" in only(waiting.rests((request,)), "result")["result"]
    assert waiting.ended
    assert [*waiting.rests((request,))] == [*waiting.fails("late")] == []


def test_a_plan_that_is_stopped_says_what_its_tasks_have_answered_so_far() -> None:
    stream = [
        begins("b", "count\nthe rows"),
        begins("c", "sum"),
        begins("d", "average"),
        ("b", AnswerCompleted(answer=ANSWER)),
        ("b", RunFinished(outcome="completed")),
        ("d", AnswerCompleted(answer=Answer(text="I am not sure.", outcome="declined"))),
        ("d", RunFinished(outcome="declined")),
        ("c", RunFinished(outcome="cancelled")),
    ]
    lost = RunFailure(code="owner_lost", params={"run_id": "r-1"})
    for end in (RunFinished(outcome="cancelled"), RunFinished(outcome="failed", failure=lost)):
        last = told(events(*stream, end), "plan")[-1]
        why, *found = last.response["result"].split("\n\n")
        assert (why == "The analysis was stopped.") == (end.outcome == "cancelled")
        assert found == ["What its tasks had found out by then:", "**count the rows**", "Seven."]
        assert [file["fileName"] for file in last.response["resultMap"]["fileList"]] == ["a b.csv"]
        assert last.response["finish"]


def test_who_sees_a_run_from_its_middle_is_told_the_plan_and_each_task_again_before_its_items() -> None:
    planned = begun(created(TaskPlan(), "", ["Read", "Compare"]))
    made = fold(run("plan"))
    begun_before = events(
        PlanUpdated(plan=planned), begins("x", "Read"), ("x", ToolStarted(tool_call_id="1", name="echo"))
    )
    assert kinds(frame for event in begun_before for frame in made.take(event)) == ["plan", "task"]
    again = [*made.anew()]
    later = [
        frame
        for event in events(("x", ToolFinished(tool_call_id="1", name="echo", text="1")))
        for frame in made.take(event)
    ]
    assert kinds([*again, *later]) == ["plan", "task", "tool_result"]


def test_frames_are_one_line_of_json_and_a_heartbeat_is_one_too() -> None:
    for frame in (
        enveloped(told(events(TextDelta(text="a\nb\u2028")))[0], request_id="q-1", agent_type="5"),
        heartbeat("q-1"),
    ):
        line = written(frame)
        assert "\n" not in line
        assert json.loads(line) == frame
    beat = heartbeat("q-1")
    assert (beat["packageType"], beat["finished"], beat["resultMap"]) == ("heartbeat", False, None)
