"""What a report says of measurements: only what they hold, only what stands after all tests, and what is missing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.analyst.reporting.rounds import LOOK, ORDERS, report, task, texts

from tablewright.analyst.reporting.finding import LEVEL, Finding, holding, ranked
from tablewright.analyst.reporting.wording import escaped
from tablewright.domain.dataset import CleanFacts, ColumnFacts
from tablewright.domain.table_facts import Irregularity

RELATION: dict[str, Any] = {
    "a": "amount",
    "b": "price",
    "r": 0.71,
    "p": 1e-9,
    "rows": 480,
    "dated": False,
    "points": [[1.0, 2.0], [3.0, 4.0]],
}


def relations(**changed: object) -> dict[str, Any]:
    return {"tests": 1, "relations": [{**RELATION, **changed}], "computed": []}


async def content(printed: dict[str, str | None], **fields: Any) -> str:
    said, _ = await report(task(**fields), printed)
    return str(said["action"]["content"])


async def test_where_nothing_is_found_nothing_is_claimed() -> None:
    said = await content(texts())
    assert "None of the tests found anything" in said
    assert "20 tests were made" in said
    assert "<div" not in said


async def test_a_finding_has_its_figures_its_step_and_its_chart() -> None:
    said = await content(texts(relations=relations()))
    assert "rank correlation 0.71 over 480 rows" in said
    assert "`relations-1`" in said
    option = re.search(r"setOption\((\{.*\})\);</script>", said)
    assert option is not None
    assert json.loads(option[1])["series"][0]["type"] == "scatter"


LEADERS: dict[str, Any] = {
    "tests": 2,
    "rows": [],
    "totals": [
        {
            "column": "amount", "group": "region", "groups": 3, "rows": 500, "total": 1000.0,
            "top": [["East|West", 500.0], ["North", 300.0], ["South", 200.5]], "share": 0.5, "rows_share": 0.4,
            "p_values": 0.5,
        }
    ],
}  # fmt: skip
OUTLIERS: dict[str, Any] = {
    "tests": 4,
    "outliers": [
        {
            "column": "amount", "p": 1e-9, "deviations": 40.0, "of": 500, "count": 7, "label": "day",
            "values": [[place, f"2024-01-0{place + 1}", 9000.0 + place] for place in range(7)],
            "median": 10.0, "low": 1.0, "high": 30.0, "points": [1.0, 10.0, 30.0],
        }
    ],
}  # fmt: skip


async def test_the_rows_behind_a_finding_stand_below_it_as_a_table() -> None:
    said = await content(texts(leaders=LEADERS, outliers=OUTLIERS))
    assert (
        "| region | amount | share |\n| --- | --- | --- |\n| East\\|West | 500.0 | 50% |\n| North | 300.0 | 30% |"
        in said
    )
    assert "| row | day | amount |\n| --- | --- | --- |\n| 1 | 2024-01-01 | 9,000 |" in said
    assert "| 7 | 2024-01-07 | 9,006 |" in said
    assert "9,005" not in said.partition("| row |")[0]  # a sentence names the first five


async def test_the_tables_are_written_to_a_workbook_which_the_report_offers() -> None:
    printed = texts(leaders=LEADERS) | {"tables-1": json.dumps({"tests": 0, "file": "report_tables.xlsx"})}
    said, rounds = await report(task(), printed)
    assert rounds[-1] == ["questions-1", "tables-1"]
    assert said["action"]["download_links"] == ["report_tables.xlsx"]


async def test_no_workbook_is_offered_that_was_not_written() -> None:
    said, rounds = await report(task(), texts(leaders=LEADERS))
    assert rounds[-1] == ["questions-1", "tables-1"]
    assert "download_links" not in said["action"]
    said, rounds = await report(task(), texts())
    assert rounds[-1] == ["questions-1"]
    assert "download_links" not in said["action"]


async def test_what_would_not_hold_after_all_tests_is_not_claimed() -> None:
    assert "None of the tests" in await content(texts(relations=relations(p=0.008)))


async def test_a_call_that_failed_is_named_and_what_it_measures_left_out() -> None:
    said = await content({**texts(), "relations-1": None})
    assert "`relations-1`" in said


async def test_output_that_was_cut_is_named_and_left_out() -> None:
    whole = texts(relations=relations())["relations-1"] or ""
    said = await content({**texts(), "relations-1": whole[: len(whole) // 2]})
    assert "came back incomplete" in said
    assert "0.71" not in said


async def test_if_the_first_look_fails_the_report_says_that_there_is_nothing() -> None:
    said, _ = await report(task(), {})
    assert "nothing here" in said["action"]["content"]
    assert "`look-1`" in said["action"]["content"]


async def test_names_from_the_table_are_text_in_the_report_and_in_charts() -> None:
    evil = "<script>alert(1)</script>"
    said = await content(texts(relations=relations(a=evil)))
    assert evil not in said
    assert said.count("</script>") == 1


CORRELATION = "What is the correlation between amount and price?"


def trial(*rows: list[Any], question: str = CORRELATION, number: int | None = None) -> dict[str, str | None]:
    """Outcomes with a correlation, after which the trial of a question gave `rows`."""
    count = len(rows) if number is None else number
    found = {question: {"rows": count, "columns": ["correlation"], "cells": [*rows]}}
    return {**texts(relations=relations()), "questions-1": json.dumps({"tests": 0, "questions": found})}


async def recommended(printed: dict[str, str | None], **fields: Any) -> list[str]:
    said, rounds = await report(task(**fields), printed)
    assert sum("questions-1" in calls for calls in rounds) <= 1
    return list(said["action"].get("recommended_questions", []))


@pytest.mark.requirement("report-questions-tried")
async def test_a_question_is_recommended_once_it_has_given_a_result() -> None:
    assert await recommended(trial([0.71])) == [CORRELATION]


@pytest.mark.requirement("report-questions-tried")
@pytest.mark.parametrize(
    "printed",
    [
        trial(),
        trial([None]),
        trial([0.71], question="What is something else?"),
        {**texts(relations=relations()), "questions-1": None},
        {**texts(relations=relations()), "questions-1": '{"tests": 0, "questions": {"What is the corr'},
    ],
    ids=["no rows", "no value", "another question", "the call failed", "the output was cut"],
)
async def test_a_question_that_gave_nothing_is_not_recommended(printed: dict[str, str | None]) -> None:
    assert await recommended(printed) == []


@pytest.mark.requirement("report-questions-tried")
async def test_where_no_round_is_left_to_try_questions_none_is_recommended() -> None:
    assert await recommended(trial([0.71]), max_rounds=3) == []


@pytest.mark.requirement("report-questions-tried")
async def test_nothing_is_tried_where_no_call_worked() -> None:
    _, rounds = await report(task(), {})
    assert ["questions-1"] not in rounds


@pytest.mark.parametrize(("p", "tests", "holds"), [(0.019, 1, True), (0.019, 2, False), (0.0099, 2, True)])
def test_a_single_finding_holds_by_the_number_of_all_tests(p: float, tests: int, holds: bool) -> None:
    assert bool(holding([_finding(p=p)], tests)) is holds


def test_the_second_of_two_findings_is_held_against_one_test_less() -> None:
    found = [_finding(p=LEVEL / 2), _finding(p=LEVEL)]
    assert holding(found, 2) == found
    assert holding(found, 3) == []


def test_what_was_counted_and_not_tested_always_holds() -> None:
    assert len(holding([_finding(p=None)], 1000)) == 1


def test_at_most_so_many_findings_are_told_and_not_all_of_one_kind() -> None:
    many = [_finding(p=None, weight=0.9) for _ in range(9)]
    other = Finding(kind="missing", columns=(), text="", weight=0.1, step="look-1")
    kept = ranked([*many, other], 8)
    assert len(kept) == 8
    assert kept[2] is other


def test_markup_is_escaped_and_lines_are_joined() -> None:
    assert escaped("a*b\n<c>") == r"a\*b &lt;c>"


async def test_values_in_another_unit_are_said_to_be_left_out_of_the_rest() -> None:
    unit = {"power": 3, "count": 12, "p": 1e-8, "column": "amount", "of": 500, "median": 5.2, "examples": [5200.0]}
    said = await content(texts(look={**LOOK, "units": [unit]}))
    assert "12 are about 1,000 times the others" in said
    assert "left out of all other figures" in said
    assert "| median of the others | 5.2 |\n| suspicious value | 5,200.0 |" in said
    assert "<div" not in said


FEE = ColumnFacts(
    name="fee", kind="mixed", distinct=90, irregular=(Irregularity(kind="marks", cells=15, examples=("a|b",)),),
    clean=CleanFacts(
        kind="number", notation="thousands", marks=("a|b",), marked=15, distinct=89, minimum=1.5, maximum=90.5
    ),
)  # fmt: skip


async def test_a_column_with_marks_is_measured_and_what_is_left_out_is_said() -> None:
    cleaned = replace(ORDERS, columns=(*ORDERS.columns, FEE), read=replace(ORDERS.read, totals_row=501))
    said = await content(texts(), datasets=(cleaned,))
    assert "Measures: amount, price, fee." in said
    assert r"orders: one row of orders sums the others and is left out; 15 cells of fee (“a\|b”) are no values" in said
    assert "mixed with text" not in said


async def test_of_several_tables_a_finding_and_a_note_name_theirs() -> None:
    visits = replace(ORDERS, id="t2", name="visits")
    printed = texts(relations={**relations(), "computed": [["price", "amount", 0.999]]})
    other = texts(look={**LOOK, "constant": ["region"], "repeated": 9, "repeated_p": 1e-9})
    printed |= {name.replace("-1", "-2"): found for name, found in other.items()}
    said = await content(printed, datasets=(ORDERS, visits), max_rounds=9)
    assert "Relation: amount, price (orders)\n" in said
    assert "Duplicate rows (visits)\n" in said
    assert '- orders: "price" and "amount" are nearly the same' in said
    assert "- visits: Columns with one value or none: region." in said
    assert "(orders)" not in await content(printed)


async def test_one_test_is_one() -> None:
    assert "1 test was made" in await content({"look-1": json.dumps({**LOOK, "tests": 1})})


def _finding(*, p: float | None, weight: float = 0.5) -> Finding:
    return Finding(kind="outlier", columns=("a",), text="", weight=weight, step="outliers-1", p=p)
