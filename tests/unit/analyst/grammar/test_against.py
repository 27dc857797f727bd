"""Groups and rows under two conditions; times of day; units and labels that are said; two numbers asked for at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from tablewright.analyst.evaluating.memory import StoredTable, evaluate_all
from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.linking.periods import in_year, periods
from tablewright.analyst.linking.tokens import tokenize
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.language import language_of
from tablewright.domain.table import Cell, Table

_COLUMNS: tuple[tuple[ColumnFacts, tuple[Cell, ...]], ...] = (
    (
        ColumnFacts(name="店", kind="text", distinct=3),
        ("东店", "东店", "西店", "西店", "南店", "南店"),
    ),
    (
        ColumnFacts(name="日期", kind="datetime", distinct=6, minimum="2024-03-02", maximum="2024-06-30"),
        tuple(
            f"2024-{day}T{hour:02}:00:00"
            for day, hour in (
                ("03-02", 9), ("05-04", 21), ("03-04", 20), ("05-06", 8), ("03-09", 19), ("06-30", 22),
            )
        ),
    ),
    (ColumnFacts(name="销量(件)", kind="integer", minimum=1, maximum=90, distinct=6), (10, 30, 20, 25, 40, 5)),
    (ColumnFacts(name="楼", kind="integer", minimum=1, maximum=3, distinct=3, unit="号楼"), (1, 1, 2, 2, 3, 3)),
    (ColumnFacts(name="审核", kind="text", distinct=2, missing=2), ("甲", "无", None, "甲", None, "甲")),
    (ColumnFacts(name="加急", kind="text", distinct=2, missing=3), ("√", "是", None, None, "√", None)),
)  # fmt: skip
SALES = DatasetFacts(
    id="s",
    name="销售",
    file_name="销售.csv",
    path="/data/shared/销售.csv",
    read=ReadOptions(kind="csv"),
    rows=6,
    columns=tuple(column for column, _ in _COLUMNS),
    sample=Table(columns=(), rows=(), total_rows=6),
    profile_ref="e" * 64,
)
_STORED = {"s": StoredTable(columns=tuple(cells for _, cells in _COLUMNS))}
_KNOWN = {"店": ("东店", "西店", "南店"), "审核": ("甲", "无"), "加急": ("√", "是")}


class Known:
    """Distinct values of the table's words."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _KNOWN.get(column)
        return None if found is None else DistinctValues(values=found, counts=(2,) * len(found), complete=True)


def rows_by(question: str, meant: Callable[[GrammarReading], bool]) -> list[tuple[tuple[Cell, ...], ...]]:
    """Return what the readings that are meant give."""
    found = asyncio.run(readings(question, language_of(question), [SALES], Known(), most=80))
    kept = [one for one in found if meant(one)]
    assert kept, [one.said for one in found][:8]
    ran = evaluate_all([one.plan for one in kept], _STORED, [SALES], language=language_of(question))
    return [one.tables[-1].rows for one in ran if one.failure is None and one.tables]


def of_frame(name: str) -> Callable[[GrammarReading], bool]:
    return lambda one: any(feature.startswith(f"frame:{name}") for feature in one.features)


@pytest.mark.parametrize(
    ("question", "frame", "rows"),
    [
        ("各店5月销量比3月增长多少", "against_each", (("东店", 20), ("西店", 5))),
        ("5月比3月销量增长最多的是哪个店", "against_most", (("东店",),)),
        ("哪些店5月的销量比3月增长超过10", "against_more", (("东店",),)),
        ("which 店 had more 销量 in May than in March", "against_more", (("东店",), ("西店",))),
    ],
)
def test_groups_are_compared_under_two_conditions(
    question: str, frame: str, rows: tuple[tuple[Cell, ...], ...]
) -> None:
    assert rows in [tuple(sorted(one)) for one in rows_by(question, of_frame(frame))]


def test_rows_are_told_apart_by_which_of_two_tests_holds() -> None:
    found = rows_by("周末和工作日的销量各多少", lambda one: "key:cases" in one.features)
    assert (("周末", 85), ("工作日", 45)) in [tuple(sorted(one)) for one in found]
    found = rows_by("一季度和二季度的销量合计各多少", lambda one: "key:cases" in one.features)
    assert (("一季度", 70), ("二季度", 60)) in [tuple(sorted(one)) for one in found]


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("晚上8点以后有几条记录", 3),
        ("how many records after 8 pm", 3),
        ("how many records before 9 am", 1),
        ("how many records before 12 pm", 2),
        ("3月2号到4号有几条记录", 2),
        ("3月5日以后有几条记录", 4),
        ("审核没做的有几条", 3),
        ("加急的有几条", 3),
        ("2号楼有几条记录", 2),
    ],
)
def test_rows_are_counted_that_pass_what_is_said(question: str, count: int) -> None:
    tested = lambda one: "measure:count" in one.features and one.features.get("conditions") == 1  # noqa: E731
    assert ((count,),) in rows_by(question, tested)


def test_what_is_asked_for_in_the_unit_of_a_column_is_its_sum() -> None:
    assert ((130,),) in rows_by("一共卖了多少件", lambda one: "amount:unit" in one.features)


def test_two_numbers_asked_for_at_once_stand_in_one_row() -> None:
    found = rows_by("一共有几条记录,其中东店有几条", lambda one: "compound" in one.features)
    assert ((6, 2),) in found


def test_who_answers_one_of_two_questions_leaves_one_out() -> None:
    found = asyncio.run(readings("一共有几条记录,其中东店有几条", "zh", [SALES], Known(), most=80))
    assert {"left:half" in one.features for one in found if "compound" not in one.features} == {True}
    assert {"left:half" in one.features for one in found if "compound" in one.features} == {False}


def test_a_word_is_of_the_period_beside_it() -> None:
    found = asyncio.run(readings("which 店 grew most in 销量 from March to May", "en", [SALES], Known(), most=80))
    assert not any("≥ 2024-05-01" in one.said for one in found)


@pytest.mark.parametrize("question", ["2月29日以后有几条记录", "6月25号到31号有几条记录", "records after 31 June"])
def test_days_that_are_none_fail_nowhere(question: str) -> None:
    found = asyncio.run(readings(question, language_of(question), [SALES], Known(), most=80))
    ran = evaluate_all([one.plan for one in found], _STORED, [SALES])
    assert found
    assert not any("06-31" in one.said for one in found)
    assert any(one.failure is None for one in ran)


def test_a_day_that_its_year_lacks_is_no_date_of_it() -> None:
    said = periods("29 February", tokenize("29 February"))[0]
    assert in_year(said, 2024).low == "2024-02-29"
    assert in_year(said, 2023) is said
