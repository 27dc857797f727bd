"""Numbers of a program's report come from the call that their part names."""

from __future__ import annotations

from tablewright.agent.structured.citations import by_citation
from tablewright.domain.answer import NumberSource

REPORT = (
    "# R\n\n363 rows\n\n### 1. A\n\n77% (from `a-1`)\n\n| 5.6% |\n\n### 2. B\n\n12 (from `a-1`, `b-1`) and `other`\n"
)
STEPS = {"a-1": "s1", "b-1": "s2"}


def source(words: str, step_id: str | None) -> NumberSource:
    start = REPORT.index(words)
    return NumberSource(value=1, start=start, end=start + len(words), step_id=step_id)


def test_a_part_that_names_one_call_has_its_numbers_from_it() -> None:
    given = [source("77%", None), source("5.6%", "s2"), source("12", "s2")]
    assert [one.step_id for one in by_citation(REPORT, given, STEPS)] == ["s1", "s1", "s2"]


def test_where_no_call_is_named_at_all_nothing_changes() -> None:
    given = (source("363", None), source("12", "s2"))
    assert by_citation(REPORT, given, {}) == given


def test_a_part_that_names_no_call_has_no_numbers_from_steps() -> None:
    assert [one.step_id for one in by_citation(REPORT, [source("363", "s9")], STEPS)] == [None]


def test_paragraphs_of_one_part_name_their_own_calls() -> None:
    report = "## Q\n\nWhy 1?\n\n2 (from `a-1`)\n\n| 3 |\n\n4 rows (from `b-1`)\n"
    given = [NumberSource(value=1, start=at, end=at + 1, step_id="s9") for at in map(report.index, "1234")]
    assert [one.step_id for one in by_citation(report, given, STEPS)] == ["s9", "s1", "s1", "s2"]
