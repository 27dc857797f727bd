"""Durations, columns against columns, shares of groups, yes and no, both ends, and months that name columns."""

from __future__ import annotations

import asyncio

import pytest

from tablewright.analyst.evaluating.memory import StoredTable, evaluate_all
from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.plan import Col, Func, Math
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.language import language_of
from tablewright.domain.table import Cell, Table
from tablewright.domain.table_facts import TableForm

_COLUMNS: tuple[tuple[ColumnFacts, tuple[Cell, ...]], ...] = (
    (ColumnFacts(name="fitter", kind="text", distinct=2), ("Ann", "Ann", "Bob", "Bob")),
    (
        ColumnFacts(name="reported", kind="datetime", distinct=4),
        ("2024-03-01T08:00:00", "2024-03-02T10:00:00", "2024-03-03T09:00:00", "2024-03-04T09:00:00"),
    ),
    (
        ColumnFacts(name="repaired", kind="datetime", distinct=4),
        ("2024-03-01T14:00:00", "2024-03-03T12:00:00", "2024-03-03T10:00:00", "2024-03-04T11:00:00"),
    ),
    (ColumnFacts(name="parts Mar", kind="integer", minimum=1, maximum=9, distinct=4), (4, 5, 6, 5)),
    (ColumnFacts(name="parts Apr", kind="integer", minimum=1, maximum=9, distinct=4), (5, 4, 7, 9)),
)
REPAIRS = DatasetFacts(
    id="r",
    name="repairs",
    file_name="repairs.csv",
    path="/data/shared/repairs.csv",
    read=ReadOptions(kind="csv"),
    rows=4,
    columns=tuple(column for column, _ in _COLUMNS),
    sample=Table(columns=(), rows=(), total_rows=4),
    profile_ref="c" * 64,
)
_STORED = {"r": StoredTable(columns=tuple(cells for _, cells in _COLUMNS))}


class Fitters:
    """Distinct values of the table's words."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return DistinctValues(values=("Ann", "Bob"), counts=(2, 2), complete=True) if column == "fitter" else None


def _read(question: str, most: int = 80) -> tuple[GrammarReading, ...]:
    return asyncio.run(readings(question, language_of(question), [REPAIRS], Fitters(), most=most))


def _rows_of(question: str, said: str) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows that the first reading gives that says of itself what it understood so."""
    found = {reading.said: reading for reading in reversed(_read(question))}
    assert said in found, [*found][:8]
    ran = evaluate_all([found[said].plan], _STORED, [REPAIRS])[0]
    assert ran.failure is None
    return ran.tables[-1].rows


@pytest.mark.parametrize(
    ("question", "said", "rows"),
    [
        ("average hours from reported to repaired", "average hours from reported to repaired", ((8.75,),)),
        ("how many repairs took more than 5 hours", "count, where hours from reported to repaired > 5", ((2,),)),
        ("how many needed more parts in Apr than in Mar", "count, where parts Apr > parts Mar", ((3,),)),
        ("change in parts from Mar to Apr", "change from parts Mar to parts Apr (%)", ((25.0,),)),
        ("share of parts Mar by fitter", "share (%) of total parts Mar per fitter", (("Ann", 45.0), ("Bob", 55.0))),
        ("earliest and latest reported", "lowest and highest reported", None),
        (
            "which fitters used more parts Apr than average",
            "fitter whose total parts Apr is > the average of all",
            None,
        ),
        (
            "is there any repair with more than 8 parts Apr?",
            "whether there are rows, where parts Apr > 8",
            (("yes",),),
        ),
        (
            "is there any repair with more than 9 parts Apr?",
            "whether there are rows, where parts Apr > 9",
            (("no",),),
        ),
    ],
)
def test_an_operator_says_itself_and_computes(
    question: str, said: str, rows: tuple[tuple[Cell, ...], ...] | None
) -> None:
    found = _rows_of(question, said)
    kept = tuple(tuple(round(cell, 6) if isinstance(cell, float) else cell for cell in row) for row in found)
    assert kept == rows if rows is not None else len(found) == 1


def test_the_share_of_the_first_few_is_added_up() -> None:
    rows = _rows_of(
        "what share of parts Apr do the top 2 fitters have",
        "share (%) of total parts Apr of the 2 fitter with the highest",
    )
    assert rows == ((100.0,),)


def test_hours_are_asked_for_in_chinese_too() -> None:
    wanted = Func(name="hours", of=Math(op="-", left=Col(name="repaired"), right=Col(name="reported")))
    assert any(wanted in nodes(reading.plan) for reading in _read("平均多久修好,几小时"))


def test_the_tables_of_one_form_are_told_apart_by_name() -> None:
    march, april = (
        DatasetFacts(
            id=name, name=name, file_name="marks.xlsx", path="/data/shared/marks.xlsx", read=ReadOptions(kind="csv"),
            rows=2, columns=(ColumnFacts(name="数学", kind="integer", minimum=1, maximum=9, distinct=2),),
            sample=Table(columns=(), rows=(), total_rows=2), profile_ref="d" * 64,
        )
        for name in ("3月月考", "4月月考")
    )  # fmt: skip
    form = TableForm(tables=(march.id, april.id), parts=(march.name, april.name))
    found = asyncio.run(readings("4月数学平均分", "zh", [march, april], Fitters(), (), [form], most=30))
    assert "平均数学，条件：表 = 4月月考" in [reading.said for reading in found]
    assert "数学最高" not in {reading.said for reading in found[:1]}
