"""The fold of a run's events to what a chat shows: the same however the stream is cut and joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tablewright.api.chat_completions.fold import ChatFold, content_of
from tablewright.api.chat_completions.words import Links, fenced
from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.chart import Chart
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    CodeDelta,
    CodeFinished,
    Event,
    EventBody,
    NodeStarted,
    OutputError,
    OutputImage,
    OutputText,
    PlanUpdated,
    QuestionAsked,
    RequestAnswered,
    RunFinished,
    RunStarted,
    StepAnnounced,
    StepFinished,
    StepStarted,
    TextDelta,
    TextFinished,
    ThinkingDelta,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.run import OpenRequest, RequestAnswer, Run, RunLimits
from tablewright.domain.table import Table
from tablewright.domain.task_plan import TaskPlan, begun, created, ended

AT = datetime(2026, 1, 1, tzinfo=UTC)
LINKS = Links(base="http://here")
FILE = ArtifactRef(id="f-1", name="a[1].csv", mime="text/csv", size_bytes=1)
FIGURE = ArtifactRef(id="f-2", name="figure.png", mime="image/png", size_bytes=1)
TABLE = Table(columns=("city", "n|m"), rows=(("Beijing", 1), ("Shanghai", None)), total_rows=30)


def run(**changed: object) -> Run:
    given_run = {
        "id": "r-1",
        "conversation_id": "c-1",
        "question": "?",
        "language": "en",
        "mode": "auto",
        "approvals": "ask",
        "model": "builtin",
        "file_ids": (),
        "limits": RunLimits(),
        "state": "running",
        "attempt": 1,
        "last_seq": 0,
        "created_at": AT,
        **changed,
    }
    return Run(**given_run)  # type: ignore[arg-type]


def events(*bodies: EventBody | tuple[str, EventBody]) -> list[Event]:
    placed = (("r-1", body) if not isinstance(body, tuple) else body for body in bodies)
    return [Event(run_id=of, seq=seq, at=AT, body=body) for seq, (of, body) in enumerate(placed, start=1)]


def told(stream: Iterable[Event], **changed: object) -> tuple[str, str]:
    """Return content and reasoning."""
    fold = ChatFold(run=run(**changed), links=LINKS)
    pieces = [piece for event in stream for piece in fold.take(event)]
    content, reasoning = (
        "".join(piece.text for piece in pieces if piece.channel == channel) for channel in ("content", "reasoning")
    )
    return content, reasoning


ANSWER = Answer(
    text="Beijing has 7.",
    outcome="completed",
    table=TABLE,
    files=(FILE, FIGURE),
    charts=(Chart(kind="bar", x=(1,), y=(2,)),),
    sources=(NumberSource(value=7, start=12, end=13),),
)
STREAM = events(
    WarningRaised(code="variables_lost"),
    ThinkingDelta(text="Hmm"),
    TextDelta(text="I lo"),
    TextDelta(text="ok.\n\n- one\n- two"),
    TextFinished(text="I look.\n\n- one\n- two"),
    StepAnnounced(step_id="s", name="Count"),
    CodeDelta(step_id="s", text="x ="),
    CodeFinished(step_id="s", code="x = '```'"),
    StepStarted(step_id="s"),
    OutputText(step_id="s", text="7\n"),
    OutputImage(step_id="s", image=FIGURE),
    OutputError(step_id="s", name="KeyError", message="'b'", traceback="…"),
    StepFinished(step_id="s", status="error", elapsed_s=1.0),
    UsageReported(model="m", input_tokens=3, output_tokens=2),
    ("child", TextDelta(text="a child's words")),
    ("child", RunFinished(outcome="failed")),
    NodeStarted(node_id="n", kind="tool", name="Look", path="n"),
    TextDelta(text="Beijing has"),
    TextFinished(text="Beijing has"),
    AnswerCompleted(answer=ANSWER),
    RunFinished(outcome="completed"),
)
CONTENT = """\
> What earlier questions left in variables is gone and could not be made again; this question goes on without it.

I look.

- one
- two

Beijing has 7.

Not in any output: 7

| city | n\\|m |
| --- | --- |
| Beijing | 1 |
| Shanghai |  |
| … +28 |  |

- [figure.png](http://here/api/v1/files/f-2/download)
- [a(1).csv](http://here/api/v1/files/f-1/download)
- [All steps, with the charts](http://here/api/v1/runs/r-1/export.html)"""


@pytest.mark.requirement("openai-streams")
def test_the_content_is_what_the_run_says_and_the_reasoning_how_it_came_to_it() -> None:
    content, reasoning = told(STREAM)
    note = content.splitlines()[9]
    assert "7" in note
    assert content == CONTENT.replace("Not in any output: 7", note)
    assert reasoning == (
        "Hmm\n\n**Count**\n````python\nx = '```'\n````\n```\n7\n```\n```\nKeyError: 'b'\n```\n"
        "a child's words\n\n**Look**"
    )


@pytest.mark.requirement("openai-streams")
def test_the_content_says_that_a_limit_has_ended_the_work() -> None:
    answer = Answer(text="So far.", outcome="completed", stopped_by="steps")
    content, _ = told(events(AnswerCompleted(answer=answer), RunFinished(outcome="completed", stopped_by="steps")))
    assert content == "So far.\n\nThe limit on turns was reached; the answer may be incomplete."


@given(some.lists(some.integers(min_value=0, max_value=len(STREAM)), max_size=4))
def test_whoever_has_read_a_part_has_read_a_beginning_of_it_all(cuts: Sequence[int]) -> None:
    whole = told(STREAM)
    for cut in cuts:
        part = told(STREAM[:cut])
        assert whole[0].startswith(part[0])
        assert whole[1].startswith(part[1])


def test_deltas_that_were_joined_later_say_the_same() -> None:
    joined = [event for event in STREAM if not (isinstance(event.body, TextDelta) and event.body.text == "I lo")]
    place = next(i for i, event in enumerate(joined) if isinstance(event.body, TextDelta))
    joined[place] = events(TextDelta(text="I look.\n\n- one\n- two"))[0]
    assert told(joined) == told(STREAM)


def test_the_usage_is_that_of_all_calls_and_the_end_that_of_the_run_itself() -> None:
    fold = ChatFold(run=run())
    for event in STREAM[:-1]:
        list(fold.take(event))
    assert (fold.usage.input_tokens, fold.usage.output_tokens) == (3, 2)
    assert fold.outcome is None


ASKED = QuestionAsked(request_id="q-1", prompt="Which?", options=("a", "b"))


def test_a_question_is_asked_once_and_again_where_something_else_was_said_since() -> None:
    request = OpenRequest(id="q-1", run_id="r-1", kind="question", prompt="Which?", options=("a", "b"), created_at=AT)
    fold = ChatFold(run=run())
    said = "".join(piece.text for event in events(ASKED) for piece in fold.take(event))
    assert said == "Which?\n\n1. a\n2. b\n\nReply with one of them, or with its number."
    assert list(fold.rests(request)) == []
    list(fold.take(events(TextDelta(text="Meanwhile"))[0]))
    assert [piece.text.strip() for piece in fold.rests(request)] == [said]
    assert list(fold.rests(None)) == []


def test_nobody_is_asked_what_policy_answers() -> None:
    answered = RequestAnswered(request_id="a-1", answer=RequestAnswer(decision="approve"))
    stream = events(ApprovalRequested(request_id="a-1", prompt="Do it?"), answered)
    assert told(stream, approvals="auto") == ("", "")
    assert told(stream)[0].startswith("Do it?\n\nReply **yes**")


def test_a_form_names_its_fields() -> None:
    schema: dict[str, Any] = {"properties": {"name": {}, "age": {}}}
    content, _ = told(events(QuestionAsked(request_id="q", prompt="Who?", schema=schema)), language="zh")
    assert content == "Who?\n\n请回复一个 JSON 对象，包含：name, age。"


@given(some.text(alphabet="`a\n", max_size=30))
def test_a_fence_encloses_whatever_is_in_it(content: str) -> None:
    lines = fenced(content).splitlines()
    assert lines[0] == lines[-1]
    assert not any(line.startswith(lines[0]) for line in lines[1:-1])


def test_content_alone_is_the_same_content() -> None:
    assert content_of(run(), STREAM, LINKS) == told(STREAM)[0]


def test_a_plan_is_a_step_that_is_shown_whole_once_and_then_as_it_goes_on() -> None:
    made = created(TaskPlan(), "Years", ["read<sep>count", "compare"])
    working = begun(made)
    done = ended(working, blocked=None, problems=["", ""])
    child = RunStarted(conversation_id="c-1", question="read", model="m", mode="plan", task_id="1", parent_id="r-1")
    stream = events(
        PlanUpdated(plan=made),
        PlanUpdated(plan=working),
        ("child", child),
        PlanUpdated(plan=working),
        PlanUpdated(plan=done),
        ("child", PlanUpdated(plan=made)),
        PlanUpdated(plan=ended(begun(done), blocked="nothing came of it", problems=["nothing"])),
        AnswerCompleted(answer=Answer(text="All.", outcome="completed")),
    )
    content, reasoning = told(stream, mode="plan")
    assert content == "All."
    assert reasoning == (
        "**Years**\n- ☐ read · count\n- ☐ compare\n\n- ▶ read · count\n\n- ☑ read · count\n\n"
        "- ☒ compare (nothing came of it)"
    )
