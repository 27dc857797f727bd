"""Reading what models answer in structured rounds, however they miss the form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.malformed_answers import CALL, answer, became, calling, entries, kept, reporting, written

from tablewright.domain.structured import MAX_CALLS, StructuredAnswer
from tablewright.models.structured_prompt import answer_object
from tablewright.models.structured_reading import UnreadableAnswer, read_answer

LIST = kept()


def read(action: Any, **fields: Any) -> StructuredAnswer:
    got = read_answer(written(answer(action, **fields)), number=2)
    assert isinstance(got, StructuredAnswer), got
    return got


def test_the_list_has_two_hundred_answers_and_is_as_they_are_made() -> None:
    assert len(LIST) >= 200
    assert list(entries()) == LIST


@pytest.mark.requirement("structured-malformed")
@pytest.mark.parametrize("entry", LIST, ids=lambda entry: f"{entry['category']} {entry['number']}")
def test_a_malformed_answer_becomes_what_the_list_says(entry: dict[str, Any]) -> None:
    assert became(entry["written"]) == entry["became"]


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(read_answer(text, number=1), StructuredAnswer | UnreadableAnswer)


@given(st.integers(min_value=0, max_value=400))
def test_a_right_answer_cut_anywhere_loses_no_more_than_its_last_part(place: int) -> None:
    whole = written(answer(calling(CALL, {**CALL, "tool_call_id": "c2"})))
    got = read_answer(whole[:place], number=2)
    if isinstance(got, StructuredAnswer):
        assert all(call.arguments == CALL["arguments"] for call in got.calls)


def test_a_right_answer_is_read_as_it_is_written() -> None:
    whole = answer(reporting("# R", recommended_questions=["Why?"], download_links=["a.csv"]))
    got = read_answer(json.dumps(whole), number=7)
    assert isinstance(got, StructuredAnswer)
    assert answer_object(got) == whole


@pytest.mark.parametrize(
    ("number", "expected"), [(1, 1), ("2", 2), ("R3", 3), (0, 2), (-1, 2), (None, 2), (True, 2), (10**30, 2), (2.7, 2)]
)
def test_the_round_is_the_models_where_it_can_be_one(number: Any, expected: int) -> None:
    assert read(calling(CALL), current_round=number).current_round == expected


def test_texts_may_be_lists_and_links_paths() -> None:
    got = read(
        reporting("x", recommended_questions="Why?\n- When?", download_links=[{"filename": "data/a.csv"}, "b/c.csv"]),
        task_analysis=["one", "two"],
        execution_plan={"R1": "look"},
    )
    assert (got.task_analysis, got.execution_plan) == ("one\ntwo", "R1: look")
    assert got.recommended_questions == ("Why?", "When?")
    assert got.download_links == ("a.csv", "c.csv")


def test_ids_of_calls_are_unique_in_the_whole_run() -> None:
    got = read_answer(written(answer(calling(CALL, CALL))), number=2, taken={"c1"})
    assert isinstance(got, StructuredAnswer)
    assert [call.tool_call_id for call in got.calls] == ["c1_2", "c1_3"]


def test_too_many_calls_are_told_with_the_limit() -> None:
    got = read_answer(written(answer(calling(*[CALL] * (MAX_CALLS + 1)))), number=2)
    assert got == UnreadableAnswer(problem="structured.too_many_calls", params={"count": 7, "limit": 6})


def test_a_report_that_was_cut_off_is_kept_only_where_nothing_better_can_be_had() -> None:
    cut = written(answer(reporting("# Report\n\nA sold")))[:-8]
    assert read_answer(cut, number=2) == UnreadableAnswer(problem="structured.cut_off")
    kept_part = read_answer(cut, number=2, salvage=True)
    assert isinstance(kept_part, StructuredAnswer)
    assert kept_part.report is not None
    assert kept_part.report.startswith("# Report")
