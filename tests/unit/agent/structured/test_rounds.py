"""Structured rounds with a scripted model and tools that say something again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.support.agent_bench import Bench, requests
from tests.support.malformed_answers import kept
from tests.support.patience import PATIENCE_S
from tests.support.structured_bench import EchoTool, bench, call, calls, report

from tablewright.agent.structured.rules import StructuredRules
from tablewright.agent.structured.saved_code import without_code
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    AnswerCompleted,
    ArtifactCreated,
    ContinueAsked,
    Event,
    EventBody,
    RequestAnswered,
    RoundAnswered,
    ToolFinished,
    ToolStarted,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.run import OpenRequest, RequestAnswer, RunLimits
from tablewright.domain.structured import STEPWISE, SUBJECT
from tablewright.errors import AnswerUnreadable, ModelStreamCut
from tablewright.models.base import UsageSeen
from tablewright.models.scripted import Reply, StreamCut
from tablewright.sandbox.base import Input, LeaseScope

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def finished(one: Bench) -> dict[str, ToolFinished]:
    return {event.tool_call_id: event for event in one.took.of(ToolFinished)}


def log(*bodies: EventBody) -> tuple[Event, ...]:
    return tuple(Event(run_id="run-1", seq=seq, at=NOW, body=body) for seq, body in enumerate(bodies, start=1))


async def taken_up(one: Bench, bodies: tuple[EventBody, ...] = (), **given: Any) -> Bench:
    """Have the agent go on after `bodies`."""
    task = replace(one.given(**given.pop("asked", {})), log=log(*bodies), **given)
    async with asyncio.timeout(PATIENCE_S):
        async for item in one.agent.run(task, one.context()):
            one.took.items.append(item)
    return one


async def test_calls_are_made_their_results_told_and_the_report_is_the_answer() -> None:
    one = bench([calls(call("echo", text="42")), report("There are 42.", recommended_questions=["Why?"])], EchoTool())

    took = await one.ask()

    assert took.types == [
        "round.answered",
        "tool.started",
        "tool.finished",
        "text.delta",
        "round.answered",
        "text.finished",
        "suggestions.offered",
        "answer.completed",
    ]
    assert took.answer.text == "There are 42."
    assert took.answer.suggestions == ("Why?",)
    assert [source.step_id for source in took.answer.sources] == ["c1"]
    (_, second) = requests(one.model)
    assert "[c1] echo: done" in second.messages[-1].text


async def test_a_number_that_no_call_returned_is_marked() -> None:
    one = bench([calls(call("echo", text="42")), report("There are 43.")], EchoTool())

    took = await one.ask()

    assert [(source.value, source.step_id) for source in took.answer.sources] == [(43, None)]


async def test_calls_of_a_round_run_at_the_same_time() -> None:
    tool = EchoTool(meeting=asyncio.Barrier(6))
    one = bench([calls(*(call("echo", f"c{n}", text=str(n)) for n in range(6))), report()], tool)

    await one.ask()

    assert tool.most == 6
    told = requests(one.model)[1].messages[-1].text
    assert [told.index(f"[c{n}] echo") for n in range(6)] == sorted(told.index(f"[c{n}] echo") for n in range(6))


async def test_code_runs_in_the_order_in_which_it_was_written_beside_the_others() -> None:
    code, other = EchoTool(name="run_python"), EchoTool()
    asked = [call("run_python", f"p{n}", text=str(n)) for n in range(3)]
    one = bench([calls(*asked, call("echo", "e", text="x")), report()], code, other)

    await one.ask()

    assert [made["text"] for made in code.made] == ["0", "1", "2"]
    assert code.most == 1


@pytest.mark.requirement("structured-calls-alone")
async def test_one_of_six_calls_fails_alone() -> None:
    asked = [call("echo", f"c{n}", text=str(n), raises=n == 3) for n in range(6)]
    one = bench([calls(*asked), report()], EchoTool())

    took = await one.ask()

    assert {name for name, event in finished(one).items() if event.failed} == {"c3"}
    assert took.answer.outcome == "completed"


@pytest.mark.requirement("structured-calls-alone")
async def test_an_unknown_tool_is_told_to_the_model_and_the_run_goes_on() -> None:
    one = bench([calls(call("ecco", text="x")), calls(call("echo", text="x"), number=2), report(number=3)], EchoTool())

    took = await one.ask()

    assert finished(one)["c1"].failed
    assert "echo" in finished(one)["c1"].text
    assert took.answer.outcome == "completed"


async def test_arguments_are_given_the_types_of_the_tool() -> None:
    tool = EchoTool()
    one = bench([calls(call("echo", text=7, rows="3")), report()], tool)

    await one.ask()

    assert tool.made == [{"text": "7", "rows": 3}]


async def test_ids_that_are_used_again_are_made_unique_in_the_run() -> None:
    again = calls(call("echo", "c1", text="b"), number=2)
    one = bench(
        [calls(call("echo", "c1", text="a"), call("echo", "c1", text="a")), again, report(number=3)], EchoTool()
    )

    took = await one.ask()

    assert sorted(event.tool_call_id for event in took.of(ToolStarted)) == ["c1", "c1_2", "c1_3"]


async def test_with_too_many_calls_none_is_made_and_the_limit_is_told() -> None:
    tool = EchoTool()
    seven = calls(*(call("echo", f"c{n}", text="x") for n in range(7)))
    one = bench([seven, report()], tool)

    await one.ask()

    assert tool.made == []
    assert "7 calls, and a round has at most 6" in requests(one.model)[1].messages[-1].text


async def test_an_answer_that_cannot_be_read_twice_ends_the_run_with_the_reason() -> None:
    one = bench(["no", "no again"], EchoTool())

    with pytest.raises(AnswerUnreadable) as raised:
        await one.ask()

    assert raised.value.params["problem"] == "structured.not_json"


@pytest.mark.requirement("structured-malformed")
@pytest.mark.parametrize("entry", kept(), ids=lambda entry: f"{entry['category']} {entry['number']}")
async def test_after_a_malformed_answer_a_run_goes_on_to_its_report_or_ends_clearly(entry: dict[str, Any]) -> None:
    written = entry["written"]
    one = bench(lambda _: written, EchoTool(), EchoTool(name="run_python"))
    good = bench([written, report("done"), report("done")], EchoTool(), EchoTool(name="run_python"))

    repaired = await good.ask(steps=4)
    try:
        await one.ask(steps=4)
    except AnswerUnreadable:
        assert one.took.of(AnswerCompleted) == []

    expected = entry["became"].get("report", "")
    kept = without_code(expected, run_id="run-1", at=datetime(1970, 1, 1, tzinfo=UTC), language="en")
    assert repaired.answer.text in {"done", kept.text}


async def test_in_the_last_round_only_a_report_is_taken() -> None:
    one = bench([calls(call("echo", text="a")), calls(call("echo", text="b"), number=2), report("done")], EchoTool())

    took = await one.ask(steps=2)

    assert took.answer.text == "done"
    first, second, third = requests(one.model)
    assert "the last one" in second.messages[-1].text
    assert "only the report can be written" in third.messages[-1].text
    assert set(second.output_schema["properties"]["action"]["properties"]["type"]["enum"]) == {"complete"}
    assert "anyOf" in first.output_schema["properties"]["action"]


async def test_near_the_limit_of_tokens_the_report_is_asked_for() -> None:
    used = UsageSeen(input_tokens=300, output_tokens=100)
    one = bench(
        [Reply.of(calls(call("echo", text="a")), used), Reply.of(report("done"), used)],
        EchoTool(),
    )

    await taken_up(one, limits=RunLimits(steps=9, tokens=1_000))

    assert "the last one" in requests(one.model)[1].messages[-1].text
    assert one.took.answer.stopped_by == "tokens"


async def test_near_the_limit_of_time_the_report_is_asked_for() -> None:
    one = bench([report("done", number=1)], EchoTool())

    await taken_up(one, limits=RunLimits(steps=9, wall_clock_s=100.0), worked_s=90.0)

    assert "the last one" in requests(one.model)[0].messages[-1].text
    assert one.took.answer.stopped_by == "wall_clock_s"


async def test_a_report_that_was_cut_twice_is_kept_with_a_warning() -> None:
    cut = report("# A long report that goes on")[:-20]
    one = bench([cut, cut], EchoTool())

    took = await one.ask()

    assert [warning.code for warning in took.of(WarningRaised)] == ["answer_cut"]
    assert took.answer.text.startswith("# A long")


async def test_a_stream_that_is_cut_is_begun_again_and_its_tokens_are_counted() -> None:
    one = bench([Reply.of('{"task', StreamCut()), report("done", number=1)], EchoTool())

    took = await one.ask()

    assert took.answer.text == "done"
    assert [usage.method for usage in took.of(UsageReported)] == ["estimate"]


async def test_a_stream_that_is_cut_again_and_again_ends_the_run() -> None:
    one = bench([Reply.of("{", StreamCut())] * 3, EchoTool())

    with pytest.raises(ModelStreamCut):
        await one.ask()


async def test_links_lead_only_to_files_that_the_conversation_has() -> None:
    one = bench([report("x", number=1, download_links=["data/sales.csv", "none.xlsx"])], EchoTool())
    one.inputs = (Input(path="/x", name="sales.csv"),)  # type: ignore[arg-type]  # nothing is opened

    took = await one.ask()

    assert took.only(RoundAnswered).answer.download_links == ("sales.csv",)
    missing = took.only(WarningRaised)
    assert (missing.code, missing.params) == ("link_left_out", {"name": "none.xlsx"})


async def test_tables_of_the_calls_are_part_of_the_answer() -> None:
    one = bench([calls(call("echo", text="x", rows=5)), report("There are 5.")], EchoTool())

    took = await one.ask()

    assert took.answer.table is not None
    assert took.answer.table.rows == ((5,),)
    assert took.answer.sources[0].step_id is not None


@pytest.mark.requirement("structured-cancel")
async def test_a_run_that_is_stopped_in_the_middle_of_its_calls_stops_them_and_asks_the_model_nothing_more() -> None:
    tool = EchoTool()
    asked = [
        call("echo", "a", text="x"),
        call("echo", "b", text="y", hang=True),
        call("echo", "c", text="z", hang=True),
    ]
    one = bench([calls(*asked), report()], tool)
    working = asyncio.create_task(one.ask())
    await one.until(ToolFinished)
    async with asyncio.timeout(PATIENCE_S):
        await tool.hanging.wait()

    working.cancel()
    await asyncio.wait((working,))

    assert working.cancelled()
    assert (tool.running, tool.closed) == (0, 3)
    assert len(requests(one.model)) == 1
    assert one.took.of(AnswerCompleted) == []


async def test_taken_up_after_some_calls_of_a_round_the_others_are_made_and_the_model_goes_on() -> None:
    first = bench([calls(call("echo", "a", text="1"), call("echo", "b", text="2")), report("done")], EchoTool())
    await first.ask()
    before = [body for body in first.took.events if isinstance(body, RoundAnswered | ToolStarted)][:3]
    ended = [body for body in first.took.of(ToolFinished) if body.tool_call_id == "a"]
    tool = EchoTool()
    second = bench([report("done")], tool)

    await taken_up(second, (*before, *ended))

    assert [made["text"] for made in tool.made] == ["2"]
    assert second.took.answer.text == "done"
    told = requests(second.model)[0].messages[-1].text
    assert "[a] echo: done" in told
    assert "[b] echo: done" in told


async def test_the_record_of_a_log_cut_anywhere_leads_to_the_same_report() -> None:
    script = [
        calls(call("echo", "a", text="1")),
        calls(call("echo", "b", text="2"), number=2),
        report("done", number=3),
    ]
    whole = bench(script, EchoTool())
    await whole.ask()
    events = [item for item in whole.took.items if not isinstance(item, TranscriptEntry)]
    for place in range(len(events)):
        answered = sum(isinstance(body, RoundAnswered) for body in events[:place])
        one = bench(script[answered:], EchoTool())
        await taken_up(one, tuple(events[:place]))
        assert one.took.answer.text == "done"


@pytest.mark.requirement("structured-steps")
async def test_step_by_step_a_run_asks_before_every_round_but_the_first() -> None:
    one = bench([calls(call("echo", text="a")), report("done")], EchoTool())

    await taken_up(one, asked={"transcript": (STEPWISE,)})

    asked = one.took.only(ContinueAsked)
    assert (asked.subject_kind, asked.subject_ref) == (SUBJECT, "1")
    assert one.took.of(AnswerCompleted) == []
    assert len(one.took.of(ToolFinished)) == 1


@pytest.mark.parametrize(("values", "pauses"), [({"step": True}, 1), ({"step": False}, 0), (None, 1)])
async def test_the_answer_says_whether_to_wait_again(values: dict[str, Any] | None, pauses: int) -> None:
    one = bench([calls(call("echo", text="a")), calls(call("echo", text="b"), number=2), report("done")], EchoTool())
    await taken_up(one, asked={"transcript": (STEPWISE,)})
    asked = one.took.only(ContinueAsked)
    answer = RequestAnswer(decision="approve", values=values)
    so_far = (*one.took.events, RequestAnswered(request_id=asked.request_id, answer=answer))

    await taken_up(one, so_far, asked={"transcript": (STEPWISE,)})

    assert len(one.took.of(ContinueAsked)) == 1 + pauses


async def test_a_person_who_wants_no_more_gets_no_report() -> None:
    one = bench([], EchoTool())
    refused = OpenRequest(
        id="r", run_id="run-1", kind="continue", prompt="", created_at=NOW, answer=RequestAnswer(decision="reject")
    )

    await taken_up(one, answered=(refused,))

    assert one.took.answer.outcome == "declined"


async def test_code_of_all_rounds_runs_in_one_session_that_is_released_in_the_end() -> None:
    one = bench([calls(call("lease", text="a")), calls(call("lease", text="b"), number=2), report("done")], Lease())

    await one.ask()

    assert len(one.sandbox.sessions) == 1
    assert one.sandbox.executed == ["x = 1", "x = 1"]
    assert one.sandbox.all_released


class Lease(EchoTool):
    """Leases a session, runs a line and gives the session back."""

    @property
    def spec(self) -> Any:
        return replace(super().spec, name="lease")

    async def call(self, arguments: Any, context: Any) -> Any:
        session = await context.sandbox.acquire(LeaseScope(run_id=context.run_id), context.inputs)
        async for _ in session.execute("x = 1", step_id="s"):
            pass
        await session.release()
        async for item in super().call(arguments, context):
            yield item


async def test_the_rules_bound_how_long_a_call_may_take() -> None:
    one = bench(
        [calls(call("echo", text="a", hang=True)), report("done")],
        EchoTool(),
        rules=StructuredRules(call_timeout_s=0.01),
    )

    took = await one.ask()

    assert finished(one)["c1"].failed
    assert took.answer.text == "done"


@pytest.mark.parametrize(
    ("name", "links"),
    [("sums (2).xlsx", ("sums (2).xlsx",)), ("sums.xlsx", ("sums.xlsx",)), ("sums (b).xlsx", ()), ("my sums.xlsx", ())],
)
async def test_a_file_whose_name_was_taken_is_linked_by_the_name_that_its_code_gave(
    name: str, links: tuple[str, ...]
) -> None:
    one = bench([report("x", number=1, download_links=["sums.xlsx"])], EchoTool())
    made = ArtifactCreated(artifact=ArtifactRef(id="f", name=name, mime="application/octet-stream", size_bytes=1))

    took = (await taken_up(one, (made,))).took

    assert took.only(RoundAnswered).answer.download_links == links
