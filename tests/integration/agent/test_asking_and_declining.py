from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.support.agent_bench import Bench, LocalSandbox, Took, code, requests

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.domain.events import AnswerCompleted, QuestionAsked, SessionLost, StepAnnounced, SuggestionsOffered
from tablewright.domain.language import Language
from tablewright.domain.message import Message, ToolCallPart, ToolResultPart
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.errors import SandboxLost
from tablewright.models.base import ToolCalled
from tablewright.models.scripted import Reply, ScriptedModel

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def bench(*replies: Reply | str, sandbox: LocalSandbox | None = None) -> Bench:
    return Bench(agent=CodeAnalyst(), model=ScriptedModel(replies), sandbox=sandbox or LocalSandbox())


def call(name: str, **arguments: Any) -> ToolCalled:
    return ToolCalled(call_id="call-1", name=name, arguments=arguments)


def answered(took: Took, text: str) -> tuple[OpenRequest, ...]:
    asked = took.only(QuestionAsked)
    request = OpenRequest(
        id=asked.request_id,
        run_id="run-1",
        kind="question",
        prompt=asked.prompt,
        created_at=NOW,
        subject_kind=asked.subject_kind,
        subject_ref=asked.subject_ref,
    )
    return (replace(request, answered_at=NOW, answer=RequestAnswer(decision="answer", text=text)),)


@pytest.mark.requirement("analyst-declines-with-suggestions")
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What I understood: sales, by region\n\nThere is no date.\n\nYou could ask instead:\n- a\n- b\n- c"),
        ("zh", "我的理解：sales, by region\n\nThere is no date.\n\n可以这样问：\n- a\n- b\n- c"),
    ],
)
async def test_declining_says_what_was_understood_why_and_what_to_ask(language: Language, text: str) -> None:
    refusal = call(
        "decline", understood="sales, by region", reason="There is no date.", suggestions=["a", "b", "c", "d"]
    )
    took = await bench(Reply.of(refusal)).ask(language=language)
    assert took.answer.outcome == "declined"
    assert took.answer.text == text
    assert took.answer.suggestions == ("a", "b", "c")
    assert took.only(SuggestionsOffered).questions == ("a", "b", "c")


async def test_declining_with_missing_or_odd_arguments_still_says_so() -> None:
    took = await bench(Reply.of(call("decline", understood=["a", "b"], suggestions="Count the rows"))).ask()
    assert took.answer.text == (
        "What I understood: a, b\n\nI cannot do this.\n\nYou could ask instead:\n- Count the rows"
    )


async def test_a_question_to_the_person_ends_the_iteration() -> None:
    agent_bench = bench(Reply.of("Hm. ", call("ask_user", question="Which year?", options=["2023", "2024"])))
    took = await agent_bench.ask()
    asked = took.only(QuestionAsked)
    assert (asked.prompt, asked.options, asked.subject_ref) == ("Which year?", ("2023", "2024"), "call-1")
    assert not took.of(AnswerCompleted)
    assert [type(part).__name__ for part in took.transcript[-1].parts] == ["TextPart", "ToolCallPart"]


async def test_the_answer_goes_back_to_the_model_as_the_calls_result() -> None:
    first = await bench(Reply.of(call("ask_user", question="Which year?"))).ask("Sales?")
    agent_bench = bench("In 2024 it was 5.")
    took = await agent_bench.ask("Sales?", transcript=first.transcript, answered=answered(first, "2024"))
    assert took.answer.text == "In 2024 it was 5."
    request = requests(agent_bench.model)[0]
    assert [message.role for message in request.messages] == ["system", "user", "assistant", "tool"]
    assert request.messages[-1].parts == (
        ToolResultPart(call_id="call-1", name="ask_user", text="2024", origin="user"),
    )
    assert request.task.question == "Sales?\n2024"
    assert not took.of(SessionLost)


async def test_after_an_answer_what_had_run_well_runs_again_in_a_new_session() -> None:
    first = await bench(
        code(("A", "x = 1"), ("B", "1 / 0")),
        code(("B", "y = 2")),
        Reply.of(code(("C", "print(x + y)")), call("ask_user", question="Go on?")),
    ).ask()
    assert [message.role for message in first.transcript][-3:] == ["assistant", "user", "assistant"]
    agent_bench = bench(code(("D", "print(x + y + 1)")), "It is 4.")
    took = await agent_bench.ask(transcript=first.transcript, answered=answered(first, "yes"))
    assert took.types[0] == "session.lost"
    assert agent_bench.sandbox.executed == ["x = 1", "y = 2", "print(x + y)", "print(x + y + 1)"]
    assert took.statuses == [("A", "ok"), ("B", "ok"), ("C", "ok"), ("D", "ok")]
    ids = {event.name: event.step_id for event in took.of(StepAnnounced)}
    assert [source.step_id for source in took.answer.sources] == [ids["D"]]
    assert [step.name for step in requests(agent_bench.model)[0].task.progress] == ["A", "B", "C"]


async def test_steps_taken_before_a_question_count_after_it() -> None:
    first = await bench(Reply.of(code(("A", "x = 1")), call("ask_user", question="Go on?"))).ask(steps=2)
    agent_bench = bench(code(("B", "print(x)")), "So far: 1.")
    took = await agent_bench.ask(steps=2, transcript=first.transcript, answered=answered(first, "yes"))
    assert took.answer.stopped_by == "max_steps"


async def test_what_cannot_be_run_again_ends_the_run() -> None:
    first = await bench(Reply.of(code(("A", "x = 1")), call("ask_user", question="Go on?"))).ask()
    agent_bench = bench("never", sandbox=LocalSandbox())
    kept = first.transcript[1]
    changed = (first.transcript[0], replace_text(kept, "x = 1", "1 / 0"), *first.transcript[2:])
    with pytest.raises(SandboxLost):
        await agent_bench.ask(transcript=changed, answered=answered(first, "yes"))
    assert agent_bench.sandbox.all_released


def replace_text(message: Message, old: str, new: str) -> Message:
    (part,) = message.parts
    assert part.type == "text"
    return replace(message, parts=(replace(part, text=part.text.replace(old, new)),))


async def test_a_call_beside_code_that_failed_is_dropped_for_the_repair() -> None:
    agent_bench = bench(Reply.of(code(("A", "1 / 0")), call("decline", reason="no")), code(("A", "print(3)")), "3")
    took = await agent_bench.ask()
    assert took.answer.text == "3"
    assert not [part for message in took.transcript for part in message.parts if isinstance(part, ToolCallPart)]


async def test_an_error_tag_printed_by_code_is_not_taken_for_an_error() -> None:
    first = await bench(
        Reply.of(code(("A", "print('<|code_error|>')")), call("ask_user", question="Go on?")),
    ).ask()
    agent_bench = bench("ok")
    await agent_bench.ask(transcript=first.transcript, answered=answered(first, "yes"))
    assert agent_bench.sandbox.executed == ["print('<|code_error|>')"]
