"""The lines of a log are made of the stored events and model calls, in the order of the contract."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
    ToolFinished,
    ToolStarted,
    UsageReported,
)
from tablewright.domain.message import Message, TextPart
from tablewright.domain.run import RequestAnswer
from tablewright.domain.structured import StructuredAnswer, ToolRequest
from tablewright.service.conversation_logs.fold import ModelCall, log_lines

AT = datetime(2026, 3, 9, 8, tzinfo=UTC)
CALL = ToolRequest(tool_name="run_python", tool_call_id="c-1", arguments={"code": "print(1)"})
ASKS = StructuredAnswer(task_analysis="a", execution_plan="R1", current_round=1, calls=(CALL,))
REPORTS = StructuredAnswer(
    task_analysis="a", execution_plan="R2", current_round=2, report="done", recommended_questions=("why?",)
)
USED = UsageReported(model="m", input_tokens=40, output_tokens=7)
CLEANED = ContextCleaned(original_tokens=90, cleaned_tokens=60, saved_tokens=30, method="estimate")
BODIES: tuple[EventBody, ...] = (
    RunStarted(conversation_id="c", question="q", model="m", mode="report"),
    USED,
    RoundAnswered(answer=ASKS),
    ToolStarted(tool_call_id="c-1", name="run_python", arguments=CALL.arguments),
    CodeRetrieved(code_id="code_20260309_0a1b2c3d", content_length=10, truncated=False),
    ToolFinished(tool_call_id="c-1", name="run_python", text="1"),
    CLEANED,
    USED,
    RoundAnswered(answer=REPORTS),
    CodeSaved(code_id="code_20260309_0a1b2c3d", file_id="f", file_path="data/x.py", description="d", original_length=3),
    AnswerCompleted(answer=Answer(text="done", outcome="completed")),
    RunFinished(outcome="completed"),
)


def events(*bodies: EventBody) -> list[Event]:
    return [
        Event(run_id="r", seq=seq, at=AT + timedelta(milliseconds=100 * seq), body=body)
        for seq, body in enumerate(bodies, start=1)
    ]


def message(role: str, words: str) -> Message:
    return Message(role=role, parts=(TextPart(text=words, origin="system"),))  # type: ignore[arg-type]


FIRST = ModelCall(round=1, inputs=(message("system", "rules"), message("user", "q")), output='{"a": 1}')
SECOND = ModelCall(round=2, inputs=(message("user", "results"),), output="{}")


def test_every_line_of_the_contract_comes_in_order() -> None:
    lines = list(log_lines(events(*BODIES), (FIRST, SECOND)))
    assert [(line["type"], line.get("event")) for line in lines] == [
        ("round_start", None),
        ("ModelInput", None),
        ("ModelInput", None),
        ("ModelOutput", None),
        ("BackendProcessing", "tool_call"),
        ("BackendProcessing", "code_retrieved"),
        ("round_end", None),
        ("round_start", None),
        ("BackendProcessing", "context_cleaned"),
        ("ModelInput", None),
        ("ModelOutput", None),
        ("BackendProcessing", "code_saved"),
        ("round_end", None),
    ]
    assert [line["timestamp"] for line in lines] == sorted(line["timestamp"] for line in lines)


def test_the_fields_are_those_of_the_contract() -> None:
    lines = list(log_lines(events(*BODIES), (FIRST, SECOND)))
    assert lines[0] == {"type": "round_start", "timestamp": "2026-03-09T08:00:00.100Z", "round": 1}
    assert set(lines[1]) == {"type", "timestamp", "role", "content", "token_count"}
    assert lines[3]["raw_content"] == '{"a": 1}'
    assert lines[3]["token_count"] == 7
    assert lines[3]["structured_response"]["action"] == {
        "type": "tool_call",
        "content": [{"tool_name": "run_python", "tool_call_id": "c-1", "arguments": {"code": "print(1)"}}],
    }
    assert lines[4]["arguments"] == {"code": "print(1)"}
    assert lines[6] == {"type": "round_end", "timestamp": "2026-03-09T08:00:00.600Z", "round": 1, "duration_ms": 500}
    assert lines[8]["saved_tokens"] == 30
    assert lines[10]["structured_response"]["action"]["recommended_questions"] == ["why?"]


def test_an_answer_that_had_to_be_repaired_stands_before_its_repair() -> None:
    repair = ModelCall(round=1, inputs=(message("user", "write it again"),), output="good")
    bodies = (BODIES[0], USED, USED, *BODIES[2:3])
    lines = list(log_lines(events(*bodies), (ModelCall(round=1, inputs=(), output="bad"), repair)))
    assert [(line["type"], line.get("raw_content")) for line in lines] == [
        ("round_start", None),
        ("ModelOutput", "bad"),
        ("ModelInput", None),
        ("ModelOutput", "good"),
    ]
    assert lines[1]["structured_response"] is None
    assert lines[3]["structured_response"] is not None


def test_a_round_that_was_begun_anew_while_it_was_repaired_has_its_answer() -> None:
    again = ModelCall(round=1, inputs=(message("user", "q"), message("assistant", "bad")), output="good")
    repair = ModelCall(round=1, inputs=(message("user", "write it again"),))
    lines = list(log_lines(events(BODIES[0], USED, USED, *BODIES[2:3]), (again, repair)))
    assert [line["structured_response"] is not None for line in lines if line["type"] == "ModelOutput"] == [True]


def test_a_round_that_was_cut_off_has_no_end() -> None:
    for length in range(1, len(BODIES)):
        lines = list(log_lines(events(*BODIES[:length]), (FIRST, SECOND)))
        starts = sum(line["type"] == "round_start" for line in lines)
        ends = sum(line["type"] == "round_end" for line in lines)
        assert (starts, ends) in {(1, 0), (2, 1)}, length


def test_a_call_that_was_cut_off_has_its_inputs_and_no_output() -> None:
    lines = list(log_lines(events(BODIES[0]), (ModelCall(round=1, inputs=FIRST.inputs),)))
    assert [line["type"] for line in lines] == ["round_start", "ModelInput", "ModelInput"]


def test_nothing_that_looks_like_a_secret_is_logged() -> None:
    told = message("user", "connect to postgresql://ann:hunter22@db/x with api_key=sk-abcdefgh")
    arguments = {
        "url": "https://x/?token=abcd1234",
        "list": [{"password": "password: s3cret99"}, {"token": "s3 cret 99"}],
    }
    asked = ToolStarted(tool_call_id="c-1", name="web_reader", arguments=arguments)
    lines = list(log_lines(events(BODIES[0], asked), (ModelCall(round=1, inputs=(told,), output="Bearer abcdefgh"),)))
    assert not [
        line
        for line in lines
        for secret in ("hunter22", "abcdefgh", "abcd1234", "s3cret99", "cret")
        if secret in str(line)
    ]


def test_the_wait_for_a_person_belongs_to_no_round() -> None:
    asked = ContinueAsked(request_id="q", prompt="go on?")
    answered = RequestAnswered(request_id="q", answer=RequestAnswer(decision="approve"))
    bodies = (*BODIES[:6], asked, answered, USED, BODIES[8], BODIES[-1])
    lines = [line for line in log_lines(events(*bodies), ()) if line["type"].startswith("round")]
    assert [(line["type"], line["timestamp"][-5:-1]) for line in lines] == [
        ("round_start", ".100"),
        ("round_end", ".600"),
        ("round_start", ".800"),
        ("round_end", ".100"),
    ]


def test_rounds_of_a_model_that_reports_no_usage_are_told_apart() -> None:
    bodies = [body for body in BODIES if not isinstance(body, UsageReported | ContextCleaned)]
    lines = list(log_lines(events(*bodies), (FIRST, SECOND)))
    assert [line["round"] for line in lines if line["type"] == "round_start"] == [1, 2]


def test_what_belongs_to_a_call_that_a_crash_cut_off_comes_before_the_call_that_was_made_anew() -> None:
    lost, again = (
        ContextCleaned(original_tokens=tokens, cleaned_tokens=60, saved_tokens=tokens - 60, method="estimate")
        for tokens in (80, 90)
    )
    cut_off = UsageReported(model="m", input_tokens=40, output_tokens=3)
    bodies = (*BODIES[:6], lost, cut_off, again, *BODIES[7:])
    lines = list(log_lines(events(*bodies), [FIRST, SECOND]))
    assert [line["original_tokens"] for line in lines if line.get("event") == "context_cleaned"] == [80, 90]
    assert [line["token_count"] for line in lines if line["type"] == "ModelOutput"] == [7, 7]
