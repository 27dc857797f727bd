"""The agent that works with tools: turns, calls and the end of the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import bench, called, last_user_text, results

from tablewright.agent.react.rules import ToolRules
from tablewright.domain.events import (
    AnswerCompleted,
    ContextMeasured,
    EventBody,
    QuestionAsked,
    TextFinished,
    ToolFinished,
    ToolStarted,
    WarningRaised,
)
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.task import Chat
from tablewright.errors import ModelOverloaded, ModelSilent
from tablewright.models.base import ModelRequest, ToolSpec
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.models.window import unpaired
from tablewright.tools.base import ToolContext, ToolResult


@dataclass(frozen=True, slots=True)
class LongTool:
    """Returns its text."""

    text: str

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name="read", description="Reads.", parameters={"type": "object", "properties": {}})

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        yield ToolResult(text=self.text)


async def test_a_model_calls_tools_and_answers_from_their_results() -> None:
    echo = EchoTool()
    told = bench([Reply.of("I look it up.", called("echo", text="42 apples")), "There are 42."], echo)
    took = await told.ask("How many apples?")
    assert took.answer.text == "There are 42."
    assert took.answer.outcome == "completed"
    assert [source.step_id for source in took.answer.sources] == [took.only(ToolStarted).tool_call_id]
    assert took.only(ToolFinished).text == "42 apples"
    assert [text.text for text in took.of(TextFinished)] == ["I look it up.", "There are 42."]
    second = told.model.requests[1]  # type: ignore[attr-defined]
    assert [part.text for part in results(second)] == ["42 apples"]
    assert unpaired(second.messages) == ()


async def test_where_the_last_turn_is_not_the_users_the_next_step_is_asked_for() -> None:
    told = bench([Reply.of(called("echo", text="1")), "Done."], EchoTool())
    await told.ask("Look.")
    first, second = told.model.requests  # type: ignore[attr-defined]
    assert first.messages[-1].text == "Look."
    assert "without any call" in last_user_text(second.messages)


async def test_calls_of_one_turn_are_made_at_the_same_time() -> None:
    echo = EchoTool(meeting=asyncio.Barrier(3))
    calls = [called("echo", text=str(number)) for number in range(3)]
    took = await bench([Reply.of(*calls), "Met."], echo).ask()
    assert took.answer.text == "Met."
    assert echo.most == 3


async def test_a_call_that_fails_leaves_the_others_alone() -> None:
    calls = [called("echo", text="a", raises=True), called("echo", text="b"), called("nothing", x=1)]
    took = await bench([Reply.of(*calls), "So be it."], EchoTool()).ask()
    assert [(one.name, one.failed) for one in took.of(ToolFinished)].count(("echo", True)) == 1
    assert {one.text for one in took.of(ToolFinished) if not one.failed} == {"b"}
    assert "nothing" in next(one.text for one in took.of(ToolFinished) if one.name == "nothing")


async def test_a_model_that_calls_for_ever_writes_what_it_knows_in_its_last_turn() -> None:
    def script(request: ModelRequest) -> Reply | str:
        return Reply.of("Again.", called("echo", text="1")) if request.tools else "This is all."

    told = bench(script, EchoTool())
    took = await told.ask(steps=4)
    assert took.answer.text == "This is all."
    assert took.answer.stopped_by == "steps"
    assert len(told.model.requests) == 4  # type: ignore[attr-defined]


async def test_a_model_that_calls_even_without_tools_is_taken_at_its_word() -> None:
    took = await bench(lambda _: Reply.of("Again.", called("echo", text="1")), EchoTool()).ask(steps=3)
    assert took.answer.text == "Again."
    assert len(took.of(ToolStarted)) == 2


async def test_a_model_that_says_nothing_is_asked_again_and_then_named() -> None:
    told = bench([Reply.of(), "Here I am."], EchoTool())
    assert (await told.ask()).answer.text == "Here I am."
    with pytest.raises(ModelSilent):
        await bench(lambda _: Reply.of(" "), EchoTool()).ask()


async def test_a_model_that_writes_without_end_is_not_read_to_its_end() -> None:
    model = ScriptedModel([Reply.of(*("x" * 100_000 for _ in range(100)))])
    took = await bench(model, EchoTool()).ask()
    assert len(took.answer.text) == ToolRules().reply_chars
    assert [warning.code for warning in took.of(WarningRaised)] == ["reply_cut"]
    assert model.closed_early == 1


async def test_of_fifty_calls_at_once_some_are_made_and_all_have_results() -> None:
    echo = EchoTool()
    calls = [called("echo", f"n{number}", text=str(number)) for number in range(50)]
    told = bench([Reply.of(*calls), "Enough."], echo)
    took = await told.ask()
    rules = ToolRules()
    assert len(echo.made) == rules.most_calls
    assert echo.most <= rules.at_once
    assert len(took.of(ToolFinished)) == 50
    assert unpaired(told.model.requests[1].messages) == ()  # type: ignore[attr-defined]


async def test_arguments_and_results_of_megabytes_do_not_fill_the_memory() -> None:
    echo = EchoTool()
    calls = [called("echo", text="x" * 10_000_000), called("echo", text="y" * 90_000)]
    told = bench([Reply.of(*calls), "Much."], echo)
    took = await told.ask()
    assert len(echo.made) == 1
    read = [len(part.text) for part in results(told.model.requests[1])]  # type: ignore[attr-defined]
    assert sum(read) < 100_000
    assert [one.failed for one in took.of(ToolFinished)].count(True) == 1


async def test_calls_that_bear_one_id_are_told_apart() -> None:
    calls = [called("echo", "c1", text="a"), called("echo", "c1", text="b")]
    told = bench([Reply.of(*calls), Reply.of(called("echo", "c1", text="c")), "All."], EchoTool())
    took = await told.ask()
    assert len({one.tool_call_id for one in took.of(ToolFinished)}) == 3
    assert [part.text for part in results(told.model.requests[2])] == ["a", "b", "c"]  # type: ignore[attr-defined]


async def test_how_full_the_window_is_is_told_before_every_call() -> None:
    told = bench([Reply.of(called("echo", text="1")), "Done."], EchoTool())
    took = await told.ask()
    gauges = took.of(ContextMeasured)
    assert len(gauges) == 2
    assert gauges[0].tokens < gauges[1].tokens < gauges[1].limit_tokens


async def test_a_model_asks_a_person_and_goes_on_with_the_answer() -> None:
    told = bench([Reply.of(called("ask_user", "q1", question="Which year?")), "In 2024: 7."], EchoTool())
    took = await told.ask()
    assert not took.of(AnswerCompleted)
    asked = took.only(QuestionAsked)
    assert asked.prompt == "Which year?"
    request = OpenRequest(
        id=asked.request_id, run_id="run-1", kind="question", prompt=asked.prompt, created_at=told.given().asked_at,
        subject_kind=asked.subject_kind, subject_ref=asked.subject_ref,
        answer=RequestAnswer(decision="answer", text="2024"),
    )  # fmt: skip
    again = await told.ask(transcript=took.transcript, answered=(request,))
    assert again.answer.text == "In 2024: 7."
    assert [part.text for part in results(told.model.requests[-1])] == ["2024"]  # type: ignore[attr-defined]


async def test_a_model_that_declines_ends_the_work() -> None:
    call = called("decline", understood="a forecast", reason="There is no data.", suggestions=["How many rows?"])
    took = await bench([Reply.of(call)], EchoTool()).ask()
    assert took.answer.outcome == "declined"
    assert "There is no data." in took.answer.text


async def test_a_result_that_is_too_long_to_be_read_at_once_is_read_part_by_part() -> None:
    text = "".join(f"row {number}: {number * 7}\n" for number in range(3_000))

    def script(request: ModelRequest) -> Reply | str:
        if isinstance(request.task, Chat):
            material = request.task.materials[0][1]
            return "row 2999: 20993" if "row 2999:" in material else "nothing"
        return "It is 20993." if results(request) else Reply.of(called("read"))

    told = bench(script, LongTool(text), rules=ToolRules(max_input_tokens=20_000))
    took = await told.ask("What stands in the last row?")
    assert took.answer.text == "It is 20993."
    digest = took.only(ToolFinished).text
    assert digest.count("nothing") > 2
    assert "row 2999: 20993" in digest
    assert [text.text for text in took.of(TextFinished)] == ["It is 20993."]


async def test_where_the_parts_cannot_be_read_the_beginning_and_the_end_stay() -> None:
    text = "first " + "word " * 30_000 + " last"

    def script(request: ModelRequest) -> Reply | str:
        if isinstance(request.task, Chat):
            return Reply.of(Fail(error=ModelOverloaded(model="m")))
        return "Read." if results(request) else Reply.of(called("read"))

    took = await bench(script, LongTool(text), rules=ToolRules(max_input_tokens=20_000)).ask()
    words = took.only(ToolFinished).text
    assert words.startswith("first")
    assert words.endswith("last")
    assert len(words) < 30_000


async def test_the_beginning_of_a_growing_conversation_stays_as_it_is() -> None:
    replies: list[Reply | str] = [*(Reply.of("On.", called("echo", text=str(number))) for number in range(5)), "Done."]
    told = bench(replies, EchoTool())
    await told.ask()
    requests = told.model.requests  # type: ignore[attr-defined]
    for before, after in pairwise(requests):
        assert after.messages[: len(before.messages)] == before.messages
        assert after.tools == before.tools
