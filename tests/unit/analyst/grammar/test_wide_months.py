"""Tables with a column for each month, read as rows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import VISITS, Words

from tablewright.analyst.grammar import readings
from tablewright.analyst.grammar.months import besides_month, month_of, month_within
from tablewright.analyst.grammar.wide_months import long_table
from tablewright.analyst.plan import Concat
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.writing.cleaning import use_of
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import language_of


def wide(months: Sequence[str], name: str = "takings", *more: ColumnFacts) -> DatasetFacts:
    """A table of shops with a column for each of these months."""
    columns = (
        ColumnFacts(name="animal", kind="text", distinct=3),
        *more,
        *(
            ColumnFacts(name=month, kind="integer", distinct=3, minimum=at, maximum=9)
            for at, month in enumerate(months)
        ),
    )
    return replace(VISITS, id="w", name=name, rows=3, columns=columns)


def names(facts: DatasetFacts) -> list[str]:
    found = long_table(facts)
    assert found is not None
    return [column.name for column in found.facts.columns]


def test_each_month_of_a_row_becomes_a_row() -> None:
    found = long_table(wide(["Jan", "Feb", "Mar"]))
    assert found is not None
    assert (found.facts.rows, found.month, found.labels) == (9, "Month", ("Jan", "Feb", "Mar"))
    assert [column.name for column in found.facts.columns] == ["animal", "Month", "takings"]
    assert isinstance(found.source, Concat)
    assert len(found.source.sources) == 3


def test_what_the_months_hold_is_called_by_their_names_or_by_the_table() -> None:
    assert names(wide(["Visits Jan", "Visits Feb", "Visits Mar"]))[-1] == "Visits"
    assert names(wide(["1月", "2月", "3月"], "课时"))[-2:] == ["月份", "课时"]
    assert names(wide(["1月", "2月", "3月"], "Sheet1"))[-1] == "数值"
    assert names(wide(["1月销量", "2月销量", "3月销量"], "Sheet1"))[-1] == "销量"


def test_a_name_that_is_taken_is_told_apart() -> None:
    month = ColumnFacts(name="Month", kind="text", distinct=2)
    assert names(wide(["Jan", "Feb", "Mar"], "animal", month))[-2:] == ["Month_", "animal_"]


def test_numbers_beside_the_months_stand_in_each_of_them_again() -> None:
    found = long_table(wide(["Jan", "Feb", "Mar"], "takings", ColumnFacts(name="fee", kind="integer", distinct=3)))
    assert found is not None
    assert found.repeated == {"fee"}


@pytest.mark.parametrize("months", [["Jan", "Feb"], ["Jan in", "Feb out", "Mar"], ["a", "b", "c"]])
def test_other_tables_stay_as_they_are(months: list[str]) -> None:
    assert long_table(wide(months)) is None


def test_a_half_or_a_quarter_of_a_year_is_its_months() -> None:
    language = language_of("first half")
    best = asyncio.run(
        readings("total takings of dogs in the first quarter", language, [wide(["Jan", "Feb", "Mar", "Apr"])], Words())
    )[0]
    assert "Month is Jan or Feb or Mar" in best.said or "Month is Jan, Feb" in best.said
    assert "animal = dog" in best.said


def test_a_month_is_within_a_period_of_its_year() -> None:
    march, quarter, other = (month_of(name)[0] for name in ("2024年3月", "3月", "2023年3月"))
    assert march is not None
    assert quarter is not None
    assert other is not None
    first = replace(quarter, month=None, months=(1, 2, 3))
    dated = replace(first, low="2024-01-01", high="2024-03-31")
    assert month_within(first, march)
    assert month_within(dated, march)
    assert month_within(dated, quarter)
    assert not month_within(dated, other)
    assert not month_within(march, quarter)


def test_a_name_without_its_month() -> None:
    assert [besides_month(name) for name in ("Visits Apr", "3月销量", "5月", "Apr to May", "fee")] == [
        "Visits", "销量", "", "", "",
    ]  # fmt: skip


def test_months_are_loaded_as_numbers_where_what_they_become_is_computed_with() -> None:
    tables = [wide(["Jan", "Feb", "Mar"])]
    best = asyncio.run(readings("total takings per animal", "en", tables, Words()))[0]
    assert any(isinstance(node, Concat) for node in nodes(best.plan))
    assert use_of(best.plan, tables).computed >= {"takings", "Jan", "Feb", "Mar"}
