"""The responses of a structured query are a fold of the run's events."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tablewright.api.schemas.structured import QueryResponse
from tablewright.api.structured.failures import failure_of, failure_status
from tablewright.api.structured.fold import QueryFold, contains_html, stepped, whole
from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    CodeRetrieved,
    CodeSaved,
    ContextCleaned,
    ContinueAsked,
    Event,
    EventBody,
    RequestAnswered,
    RoundAnswered,
    RunFinished,
    RunStarted,
    SuggestionsOffered,
    TextDelta,
    TextFinished,
    ToolFinished,
    ToolStarted,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.domain.structured import StructuredAnswer, ToolRequest

MISSING = WarningRaised(code="link_left_out", params={"name": "none.xlsx"})
START = datetime(2026, 1, 1, tzinfo=UTC)
CALL = ToolRequest(tool_name="echo", tool_call_id="c1", arguments={"text": None})


def answered(number: int, report: str | None = None, **more: object) -> RoundAnswered:
    answer = StructuredAnswer(
        task_analysis=f"analysis {number}",
        execution_plan="R1: look; R2: report",
        current_round=number,
        calls=() if report is not None else (CALL,),
        report=report,
        **more,  # type: ignore[arg-type]  # named by the test
    )
    return RoundAnswered(answer=answer)


REPORT = "Code:\n\n<!-- CODE_SAVED: code_20260101_0a1b2c3d | import pandas -->"
BODIES: tuple[EventBody, ...] = (
    RunStarted(conversation_id="conv", question="q", model="m", mode="report"),
    ContextCleaned(original_tokens=9, cleaned_tokens=5, saved_tokens=4, method="estimate"),
    UsageReported(model="m", input_tokens=1, output_tokens=1),
    answered(1),
    ToolStarted(tool_call_id="c1", name="echo"),
    CodeRetrieved(code_id="code_20260101_0a1b2c3d", content_length=9, truncated=False),
    ToolFinished(tool_call_id="c1", name="echo", text="x"),
    ContinueAsked(request_id="r", prompt="Go on?"),
    RequestAnswered(request_id="r", answer=RequestAnswer(decision="approve")),
    answered(2),
    ToolStarted(tool_call_id="c2", name="echo"),
    ToolFinished(tool_call_id="c2", name="echo", text="x"),
    answered(3, "Code:\n\n```python\nimport pandas\n```", download_links=("a.xlsx",)),
    CodeSaved(
        code_id="code_20260101_0a1b2c3d",
        file_id="f1",
        file_path="data/code_20260101_0a1b2c3d.py",
        description="import pandas",
        original_length=13,
    ),
    TextDelta(text="Code"),
    TextFinished(text="Code"),
    SuggestionsOffered(questions=("Why?",)),
    AnswerCompleted(answer=Answer(text=REPORT, outcome="completed", suggestions=("Why?",))),
    RunFinished(outcome="completed"),
)


def events(*bodies: EventBody, run_id: str = "run") -> list[Event]:
    return [
        Event(run_id=run_id, seq=seq, at=START + timedelta(milliseconds=100 * seq), body=body)
        for seq, body in enumerate(bodies, start=1)
    ]


def folded(some: list[Event]) -> tuple[QueryFold, list[QueryResponse]]:
    fold = QueryFold(run_id="run", conversation_id="conv")
    return fold, [response for event in some if (response := fold.take(event)) is not None]


def test_a_round_that_was_waited_for_counts_the_time_of_its_calls() -> None:
    fold, (response,) = folded(events(*BODIES[:8]))
    assert response.data.duration_ms == 300
    told = stepped(fold)
    assert told is not None
    assert told.data.duration_ms == 700
    assert told.data.metadata == response.data.metadata
    assert stepped(QueryFold(run_id="run", conversation_id="conv")) is None


def test_each_round_has_its_response_and_the_report_is_that_of_the_answer() -> None:
    _, responses = folded(events(*BODIES))

    assert [each.data.metadata.current_round for each in responses] == [1, 2, 3]
    assert [each.data.response for each in responses] == ["", "", REPORT]
    last = responses[-1].model_dump(mode="json")["data"]["metadata"]
    assert last["saved_codes"] == [
        {
            "code_id": "code_20260101_0a1b2c3d",
            "file_path": "data/code_20260101_0a1b2c3d.py",
            "description": "import pandas",
            "original_length": 13,
        }
    ]
    assert (last["recommended_questions"], last["download_links"]) == (["Why?"], ["a.xlsx"])
    assert "tool_calls" not in last


def test_arguments_keep_their_nulls() -> None:
    _, responses = folded(events(*BODIES))

    assert responses[0].model_dump(mode="json")["data"]["metadata"]["tool_calls"][0]["arguments"] == {"text": None}


def test_a_stream_that_was_cut_anywhere_goes_on_with_the_same_responses() -> None:
    recorded = events(*BODIES)
    _, all_responses = folded(recorded)
    for place in range(len(recorded) + 1):
        fold, first = folded(recorded[:place])
        rest = [response for event in recorded[place:] if (response := fold.take(event)) is not None]
        assert first + rest == all_responses
        _, second = folded(recorded[:place])
        assert second == all_responses[: len(second)]


def test_what_a_request_that_goes_on_is_told_begins_with_its_own_events() -> None:
    _, responses = folded(events(*BODIES)[8:])

    assert [each.data.metadata.current_round for each in responses] == [2, 3]
    assert responses[0].data.duration_ms == 100


def test_events_of_a_child_are_passed_over() -> None:
    _, responses = folded(events(answered(1), run_id="child"))

    assert responses == []


def test_the_whole_has_the_earlier_rounds_in_its_metadata() -> None:
    fold, responses = folded(events(*BODIES))
    last = whole(fold)

    assert last is not None
    assert last.data.metadata.rounds == [each.data.metadata for each in responses[:-1]]
    assert responses[-1].data.metadata.rounds is None


def test_an_answer_without_a_report_says_that_it_was_not_structured() -> None:
    _, (response,) = folded(events(AnswerCompleted(answer=Answer(text="Stopped.", outcome="declined"))))

    assert response.data.metadata.has_structured_response is False
    assert response.data.response == "Stopped."


@pytest.mark.parametrize(
    ("report", "html"),
    [("# R", False), ("a < b and <b>x</b>", False), ("<div>", True), ("<script>", True), ("with ECharts", True)],
)
def test_html_is_what_holds_one_of_three_words(report: str, *, html: bool) -> None:
    assert contains_html(report) is html


@pytest.mark.requirement("structured-faults")
@pytest.mark.parametrize(
    ("outcome", "code", "status"),
    [
        ("failed", "answer_unreadable", 422),
        ("limit", "run_limit", 422),
        ("failed", "model_unreachable", 502),
        ("failed", "model_overloaded", 503),
        ("failed", "model_timeout", 504),
        ("failed", "sandbox_unavailable", 503),
        ("failed", "owner_lost", 503),
        ("failed", "file_unreadable", 422),
        ("failed", "internal", 500),
        ("cancelled", None, 409),
        ("superseded", None, 409),
        ("failed", None, 500),
    ],
)
def test_the_status_of_a_run_without_a_report_is_that_of_its_reason(
    outcome: str, code: str | None, status: int
) -> None:
    failure = failure_of(outcome, None if code is None else RunFailure(code=code, params={}))

    assert failure_status(failure) == status


def test_the_reader_is_told_which_links_lead_nowhere() -> None:
    fold = QueryFold(run_id="run-1", conversation_id="conv")
    bodies: tuple[EventBody, ...] = (
        MISSING,
        answered(1, "x"),
        AnswerCompleted(answer=Answer(text="x", outcome="completed")),
    )
    last = [fold.take(Event(run_id="run-1", seq=seq, at=START, body=body)) for seq, body in enumerate(bodies, 1)][-1]
    assert last is not None
    assert last.data.metadata.missing_links == ["none.xlsx"]
