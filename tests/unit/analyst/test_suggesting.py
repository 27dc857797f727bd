"""Questions that are made from a table's facts, and those of them that the analyst would answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import BILLS, VISITS, Words

from tablewright.analyst import grammar
from tablewright.analyst.base import NotUnderstood
from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.evaluating.heads import HEAD_ROWS, head_of
from tablewright.analyst.model import BuiltinAnalyst
from tablewright.analyst.plan import Plan
from tablewright.analyst.suggesting import questions, suggestions
from tablewright.analyst.understanding import understand
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language


def with_columns(facts: DatasetFacts, *columns: ColumnFacts) -> DatasetFacts:
    return replace(facts, columns=columns)


def test_questions_show_first_what_makes_charts_and_each_is_there_once() -> None:
    found = questions("en", VISITS)
    assert found[:4] == (
        "What is the total fee by vet? Draw a bar chart.",
        "How does the total fee develop by month? Show it as a line chart.",
        "Which 3 values of insured have the highest average fee?",
        "What share of the total fee does each vet have?",
    )
    assert len(set(found)) == len(found) > 5
    assert questions("zh", BILLS)[0] == "各医生的金额合计是多少？画一个柱状图。"


def test_numbers_that_number_rows_or_years_or_are_all_the_same_are_no_measures() -> None:
    number = ColumnFacts(name="visit id", kind="integer", minimum=1, maximum=90, distinct=90, mean=45.0)
    year = ColumnFacts(name="year", kind="integer", minimum=2019, maximum=2024, distinct=6, mean=2021.0)
    same = ColumnFacts(name="copies", kind="integer", minimum=2, maximum=2, distinct=1, mean=2.0)
    table = with_columns(VISITS, number, year, same, *VISITS.columns[:2])
    assert not any(word in question for question in questions("en", table) for word in ("id", "year", "copies"))
    assert questions("en", table)[0] == "How many rows are there for each vet? Draw a bar chart."


def test_what_numbers_things_groups_rows_only_if_nothing_else_does() -> None:
    code = ColumnFacts(name="room code", kind="text", distinct=9)
    table = with_columns(VISITS, code, *VISITS.columns)
    assert "by vet" in questions("en", table)[0]
    assert "by room code" in questions("en", with_columns(VISITS, code, VISITS.columns[2]))[0]


def test_a_name_too_long_to_be_said_is_not_said() -> None:
    long = "how satisfied were you with the visit in every respect"
    table = with_columns(VISITS, ColumnFacts(name=long, kind="number", minimum=1, maximum=5, distinct=5))
    assert questions("en", table) == ("How many rows are there?", "How many missing values does each column have?")


@pytest.mark.parametrize(("language", "name", "number"), [("en", "city", "visitors"), ("zh", "城市", "人数")])
async def test_a_small_table_whose_rows_form_no_groups_has_five_questions_too(
    language: Language, name: str, number: str
) -> None:
    table = replace(
        VISITS,
        rows=4,
        columns=(
            ColumnFacts(name=name, kind="text", distinct=4, samples=("Bath", "Hull", "Leeds", "York")),
            ColumnFacts(name=number, kind="integer", minimum=3, maximum=90, distinct=4, mean=40.0),
        ),
    )
    offered = questions(language, table)
    assert len(offered) >= 5
    analyst = BuiltinAnalyst(Words())
    found = await analyst.suggested(language, [table], 5)
    assert len(found) == 5, set(offered) - set(found)


class Evaluations:
    """A `PlanEvaluator` that notes how many rows it was to read, and gives nothing."""

    def __init__(self) -> None:
        self.rows: set[int] = set()

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        self.rows |= {facts.rows for facts in datasets}
        assert all(facts.read.last_row == HEAD_ROWS for facts in datasets if facts.rows == HEAD_ROWS), language
        return tuple(Evaluated(failure="type") for _ in plans)


async def test_of_a_large_table_the_first_rows_show_whether_a_question_is_answered() -> None:
    evaluations = Evaluations()
    analyst = BuiltinAnalyst(Words(), evaluator=evaluations)
    assert len(await analyst.suggested("en", [replace(VISITS, rows=300_000)], 5)) == 5
    assert evaluations.rows == {HEAD_ROWS}
    assert await analyst.suggested("en", [VISITS], 1)
    assert evaluations.rows == {HEAD_ROWS, VISITS.rows}


def test_the_first_rows_of_a_table_are_found_only_where_each_row_of_the_file_is_one() -> None:
    large = replace(VISITS, rows=50)
    assert head_of(large, 10).read.last_row == 10
    titled = replace(large, read=replace(large.read, header_rows=(3,), first_row=5))
    assert head_of(titled, 10).read.last_row == 14
    bare = replace(large, read=replace(large.read, header_rows=()))
    assert head_of(bare, 10).read.last_row == 9
    for whole in (
        replace(large, rows=10),
        replace(large, read=replace(large.read, kind="parquet")),
        replace(large, read=replace(large.read, inner_totals=(4,))),
        replace(large, read=replace(large.read, blank_rows=True)),
    ):
        assert head_of(whole, 10) is whole


def test_a_refusal_names_three() -> None:
    assert len(suggestions("en", [VISITS, BILLS])) == 3
    assert suggestions("en", [], ["fee"]) == ()
    assert "outcome" in suggestions("en", [VISITS], ["outcome"])[0]


@pytest.mark.requirement("analyst-suggestions-understood")
async def test_only_what_would_be_answered_is_suggested() -> None:
    analyst = BuiltinAnalyst(Words())
    found = await analyst.suggested("en", [BILLS, VISITS], 5)
    assert set(found) <= set(questions("en", VISITS))
    assert len(found) == 5
    assert len(await analyst.suggested("en", [VISITS], 2)) == 2
    assert await analyst.suggested("en", [], 5) == ()


@pytest.mark.requirement("analyst-suggestions-understood")
@pytest.mark.parametrize(("language", "facts"), [("en", VISITS), ("zh", VISITS), ("zh", BILLS)])
async def test_none_of_what_a_refusal_suggests_is_refused(language: Language, facts: DatasetFacts) -> None:
    offered = suggestions(language, [facts])
    assert len(offered) == 3
    for question in offered:
        found = await understand(question, language, (facts,), Words(), grammar=grammar, evaluator=None)
        assert not isinstance(found, NotUnderstood), question
