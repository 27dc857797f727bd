"""The report in an answer is read while it is written, and only where it is beyond doubt."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.models.growing_report import GrowingReport


def read(answer: str, size: int = 1) -> str:
    growing = GrowingReport()
    return "".join(growing.feed(answer[at : at + size]) for at in range(0, len(answer), size))


def written(report: str, **more: Any) -> dict[str, Any]:
    action = {"type": "complete", "content": report, "recommended_questions": ["a", "b"]}
    return {
        "task_analysis": 'x "y" {',
        "execution_plan": [1, {"a": None}],
        "current_round": 2,
        "action": action,
        **more,
    }


@given(st.text(), st.integers(min_value=1, max_value=9), st.booleans())
def test_a_report_is_read_whole_however_its_answer_is_cut(report: str, size: int, ascii_only: bool) -> None:
    answer = json.dumps(written(report), ensure_ascii=ascii_only)
    assert read(f"```json\n{answer}\n```", size) == report


def test_each_piece_is_there_as_soon_as_it_was_written() -> None:
    growing = GrowingReport()
    head = '{"action": {"type": "complete", "content": "'
    pieces = [growing.feed(piece) for piece in (head, "Sales ", "rose.\\", "nMore\\u4e", '2d"}}')]
    assert pieces == ["", "Sales ", "rose.", "\nMore", "中"]


@pytest.mark.parametrize(
    "answer",
    [
        '{"action": {"type": "tool_call", "content": "no report"}}',
        '{"action": {"content": "before its type is known", "type": "complete"}}',
        '{"content": "outside of the action", "type": "complete"}',
        '{"inner": {"action": {"type": "complete", "content": "too deep"}}}',
        '{"action": [{"type": "complete", "content": "in a list"}]}',
        "{'action': {'type': 'complete', 'content': 'other quotes'}}",
        '{"action": {"type": "complete"]} {"action": {"type": "complete", "content": "after a fault"}}',
        '{"action": {"type": "complete", "content": ["a list"]}}',
        "No JSON at all.",
        "",
    ],
)
def test_what_may_be_no_report_gives_nothing(answer: str) -> None:
    assert read(answer) == ""


def test_types_are_read_as_leniently_as_in_the_whole_answer() -> None:
    assert read('{"action": {"type": "Final_Answer", "content": "Yes."}}') == "Yes."


@given(st.text(alphabet='{}[]",:\\ua1 contentypmlxf', max_size=80))
def test_nothing_that_is_written_is_ever_an_error(answer: str) -> None:
    read(answer)
