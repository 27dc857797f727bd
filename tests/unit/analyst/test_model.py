"""The analyst as a model: what it streams for each task."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.unit.analyst.facts import SALES, Values, ran

from tablewright.analyst.model import BuiltinAnalyst
from tablewright.domain.message import ToolCallPart
from tablewright.domain.task import AnalyzeTable, PlanTasks, RepairStep, StepFacts, Summarize, Task, UseTools
from tablewright.models.base import Model, ModelRequest, StreamEnded, StreamPart, TextPiece, ToolCalled, UsageSeen

QUESTION = "What is the average units in region East?"


async def parts_of(task: Task, analyst: BuiltinAnalyst | None = None) -> list[StreamPart]:
    """Return the stream of one call."""
    model: Model = analyst or BuiltinAnalyst(Values())
    return [part async for part in model.stream(ModelRequest(messages=(), task=task, purpose="analyze"))]


def words(parts: list[StreamPart]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextPiece))


def steps(code: str) -> list[tuple[str, str]]:
    """Return name and code of each step in a block."""
    inner = code.removeprefix("<|begin_code|>\n").removesuffix("<|end_code|>\n")
    segments = [segment.partition("\n") for segment in inner.split("# @step: ")[1:]]
    return [(name, lines) for name, _, lines in segments]


def done(code: str, count: int | None = None) -> tuple[StepFacts, ...]:
    """Return the first steps of a block as executed."""
    return tuple(StepFacts(name=name, code=lines) for name, lines in steps(code)[:count])


def analyze(**fields: Any) -> AnalyzeTable:
    return AnalyzeTable(question=QUESTION, language="en", datasets=(SALES,), **fields)


async def test_a_question_is_answered_with_code_line_by_line() -> None:
    parts = await parts_of(analyze())

    pieces = [part.text for part in parts if isinstance(part, TextPiece)]
    assert pieces[0] == "<|begin_code|>\n"
    assert pieces[-1] == "<|end_code|>\n"
    assert all(piece.count("\n") == 1 for piece in pieces)
    assert '["units"].mean()' in words(parts)
    assert isinstance(parts[-2], UsageSeen)
    assert parts[-2].method == "estimate"
    assert isinstance(parts[-1], StreamEnded)
    assert parts[-1].message.text == words(parts)
    assert parts[-1].reason == "stop"


async def test_once_all_steps_are_done_the_conclusion_follows() -> None:
    code = words(await parts_of(analyze()))
    result = ran(("result",), (2.5,))[-1].result
    progress = (*done(code)[:-1], StepFacts(name="Show", code="", result=result))

    said = words(await parts_of(analyze(progress=progress)))

    assert said.startswith("Where region is East, the average units is 2.5")


async def test_steps_that_are_still_missing_are_written() -> None:
    code = words(await parts_of(analyze()))

    rest = words(await parts_of(analyze(progress=done(code, 1))))

    assert steps(rest) == steps(code)[1:]


async def test_what_is_not_understood_is_declined_through_the_tool() -> None:
    task = AnalyzeTable(question="Why do birds sing so gay?", language="en", datasets=(SALES,))

    parts = await parts_of(task)

    call = next(part for part in parts if isinstance(part, ToolCalled))
    assert call.name == "decline"
    assert set(call.arguments) == {"understood", "reason", "suggestions"}
    assert call.arguments["reason"]
    assert isinstance(parts[-1], StreamEnded)
    assert parts[-1].reason == "tool_calls"
    kept = parts[-1].message.parts[0]
    assert isinstance(kept, ToolCallPart)
    assert kept.arguments == call.arguments


async def test_without_a_table_it_declines() -> None:
    parts = await parts_of(AnalyzeTable(question=QUESTION, language="zh"))

    assert any(isinstance(part, ToolCalled) for part in parts)


async def test_a_step_that_met_text_is_written_anew_over_numbers() -> None:
    code = words(await parts_of(analyze()))
    name, failing = steps(code)[2]
    failed = StepFacts(name=name, code=failing, error="TypeError: Cannot perform reduction 'mean' with string dtype")
    task = RepairStep(question=QUESTION, language="en", datasets=(SALES,), progress=(*done(code, 2), failed))

    repaired = steps(words(await parts_of(task)))

    assert repaired[0][0] == name
    assert 'rows["units"] = pd.to_numeric(' in repaired[0][1]
    assert failing.strip() in repaired[0][1]
    assert repaired[1:] == steps(code)[3:]


async def test_a_step_that_it_cannot_repair_is_declined_with_the_error() -> None:
    failed = StepFacts(name="Load orders", code="x", error="FileNotFoundError: no such file\n\nTraceback:\n…")
    task = RepairStep(question=QUESTION, language="en", datasets=(SALES,), progress=(failed,))

    call = next(part for part in await parts_of(task) if isinstance(part, ToolCalled))

    assert "Load orders" in call.arguments["reason"]
    assert "FileNotFoundError: no such file" in call.arguments["reason"]
    assert "Traceback" not in call.arguments["reason"]


async def test_a_second_attempt_is_not_repaired_the_same_way() -> None:
    code = words(await parts_of(analyze()))
    name, failing = steps(code)[1]
    failed = StepFacts(name=name, code=failing, error="TypeError: agg function failed")
    task = RepairStep(question=QUESTION, language="en", datasets=(SALES,), progress=(failed,), attempt=2)

    assert any(isinstance(part, ToolCalled) for part in await parts_of(task))


async def test_a_summary_concludes_from_what_there_is() -> None:
    progress = ran(("result",), (2.5,))
    task = Summarize(question=QUESTION, language="en", datasets=(SALES,), progress=progress)

    assert words(await parts_of(task)).startswith("Where region is East, the average units is 2.5")


async def test_a_summary_without_a_result_names_the_steps() -> None:
    progress = (StepFacts(name="Load orders", code=""), StepFacts(name="Sort", code=""))
    done_some = Summarize(question=QUESTION, language="en", datasets=(SALES,), progress=progress)
    done_none = Summarize(question=QUESTION, language="zh", datasets=(SALES,))

    assert words(await parts_of(done_some)) == "These steps were done: Load orders, Sort."
    assert words(await parts_of(done_none)) == "没有执行任何步骤，因此没有可报告的内容。"


async def test_a_question_is_read_once_for_both_turns() -> None:
    class Counting(Values):
        calls = 0

        async def values(self, profile_ref: str, column: str) -> Any:
            self.calls += 1
            return await super().values(profile_ref, column)

    lookups = Counting()
    analyst = BuiltinAnalyst(lookups)
    code = words(await parts_of(analyze(), analyst))
    before = lookups.calls
    await parts_of(analyze(progress=done(code, 1)), analyst)

    assert lookups.calls == before
    assert analyst.name == "builtin"


async def test_a_result_that_holds_nothing_is_declined_after_all() -> None:
    task = AnalyzeTable(question="Which city has the highest units in region East?", language="en", datasets=(SALES,))
    code = words(await parts_of(task))
    empty = ran(("city",))[-1].result
    progress = (*done(code)[:-1], StepFacts(name="Show", code="", result=empty))

    parts = await parts_of(AnalyzeTable(question=task.question, language="en", datasets=(SALES,), progress=progress))

    call = next(part for part in parts if isinstance(part, ToolCalled))
    assert call.name == "decline"
    assert "holds nothing" in str(call.arguments["reason"])


async def test_work_with_tools_is_a_call_for_each_step_and_then_the_conclusion() -> None:
    written = steps(words(await parts_of(analyze())))
    asked = UseTools(question=QUESTION, language="en", datasets=(SALES,))
    calls = [part for part in await parts_of(asked) if isinstance(part, ToolCalled)]
    assert {call.name for call in calls} == {"run_python"}
    assert [str(call.arguments["code"]).partition("\n")[2].strip() for call in calls] == [
        lines.strip() for _, lines in written
    ]
    assert len({call.call_id for call in calls}) == len(calls)
    result = ran(("result",), (2.5,))[-1].result
    progress = tuple(StepFacts(name=name, code=lines) for name, lines in written[:-1])
    last = StepFacts(name="Show", code="", result=result)
    said = words(await parts_of(replace(asked, progress=(*progress, last))))
    assert said.startswith("Where region is East, the average units is 2.5")


async def test_a_step_that_failed_ends_work_with_tools() -> None:
    broken = StepFacts(name="Load", code="x", error="ValueError: no")
    parts = await parts_of(UseTools(question=QUESTION, language="en", datasets=(SALES,), progress=(broken,)))
    (call,) = [part for part in parts if isinstance(part, ToolCalled)]
    assert call.name == "decline"


async def test_a_planner_plans_the_request_as_one_step() -> None:
    (call,) = [
        part for part in await parts_of(PlanTasks(question=QUESTION, language="en")) if isinstance(part, ToolCalled)
    ]
    assert (call.name, call.arguments["steps"]) == ("planning", [QUESTION])
