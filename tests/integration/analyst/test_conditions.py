"""Conditions, on cells as people write them."""

from __future__ import annotations

import pytest
from tests.integration.analyst.conftest import Bench
from tests.integration.analyst.tables import S, c, column, is_, sales

from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Compare,
    Condition,
    Filter,
    Func,
    Lit,
    Matches,
    Missing,
    Not,
    OneOf,
    Project,
    Source,
    Statistic,
)
from tablewright.domain.dataset import ColumnFacts

SHANGHAI, CHENGDU, NANJING, BEIJING, LAST = 0, 1, 2, 3, 4

CASES: dict[str, tuple[Condition, list[int]]] = {
    "text without case": (is_("region", "EAST"), [SHANGHAI, NANJING]),
    "text without outer blanks": (is_("city", "Shanghai"), [SHANGHAI]),
    "another text, missing left out": (
        Compare(op="!=", left=c("region"), right=Lit(value="east")),
        [CHENGDU, BEIJING],
    ),
    "number": (Compare(op=">=", left=c("amount"), right=Lit(value=20)), [CHENGDU, BEIJING]),
    "constant first": (Compare(op="<", left=Lit(value=15), right=c("amount")), [CHENGDU, BEIJING]),
    "number as text": (is_("amount", "20"), [CHENGDU, BEIJING]),
    "price with its sign": (Compare(op=">", left=c("price"), right=Lit(value=30)), [SHANGHAI, NANJING]),
    "percent as written": (Compare(op=">", left=c("rate"), right=Lit(value=10)), [SHANGHAI, CHENGDU]),
    "day": (is_("date", "2024-02-07"), [CHENGDU]),
    "until a day": (Compare(op="<=", left=c("date"), right=Lit(value="2024-02-07")), [SHANGHAI, CHENGDU]),
    "within a month": (is_("date", "2024-02"), [CHENGDU, NANJING]),
    "within a year": (is_("date", 2024), [SHANGHAI, CHENGDU, NANJING, BEIJING]),
    "month of any year": (
        Compare(op="=", left=Bucket(of=c("date"), unit="month_of_year"), right=Lit(value=2)),
        [CHENGDU, NANJING],
    ),
    "weekday by name": (
        Compare(op="=", left=Bucket(of=c("date"), unit="weekday"), right=Lit(value="Friday")),
        [SHANGHAI, NANJING],
    ),
    "weekday in Chinese": (
        OneOf(of=Bucket(of=c("date"), unit="weekday"), values=("周五", "星期六")),
        [SHANGHAI, NANJING],
    ),
    "quarter": (
        Compare(op="=", left=Bucket(of=c("date"), unit="quarter"), right=Lit(value="2024Q2")),
        [BEIJING],
    ),
    "quarter without a year": (
        Compare(op="=", left=Bucket(of=c("date"), unit="quarter"), right=Lit(value="Q1")),
        [SHANGHAI, CHENGDU, NANJING],
    ),
    "one of texts": (OneOf(of=c("city"), values=("shanghai", "NANJING")), [SHANGHAI, NANJING]),
    "one of texts or missing": (OneOf(of=c("region"), values=("West", None)), [CHENGDU, LAST]),
    "one of numbers": (OneOf(of=c("amount"), values=(0, 10)), [SHANGHAI, LAST]),
    "between numbers": (Between(of=c("amount"), low=10, high=20), [SHANGHAI, CHENGDU, BEIJING]),
    "between, upper end open": (Between(of=c("amount"), low=10, high=20, high_open=True), [SHANGHAI]),
    "between days": (Between(of=c("date"), low="2024-02-01", high="2024-02-29"), [CHENGDU, NANJING]),
    "from a day on": (Between(of=c("date"), low="2024-02-09", high=None), [NANJING, BEIJING]),
    "contains": (Matches(of=c("city"), how="contains", text="JING"), [NANJING, BEIJING, LAST]),
    "contains a dot, not any character": (Matches(of=c("score"), how="contains", text="."), []),
    "starts": (Matches(of=c("city"), how="starts", text="SHANG"), [SHANGHAI]),
    "ends": (Matches(of=c("city"), how="ends", text="hai"), [SHANGHAI]),
    "missing": (Missing(of=c("amount")), [NANJING]),
    "present": (Not(of=Missing(of=c("amount"))), [SHANGHAI, CHENGDU, BEIJING, LAST]),
    "not, missing left out": (Not(of=is_("region", "West")), [SHANGHAI, NANJING, BEIJING]),
    "not among": (Not(of=OneOf(of=c("region"), values=("West", "North"))), [SHANGHAI, NANJING]),
    "all of": (AllOf(parts=(is_("region", "east"), Missing(of=c("amount")))), [NANJING]),
    "any of": (AnyOf(parts=(is_("region", "west"), is_("amount", 0))), [CHENGDU, LAST]),
    "any within all": (
        AllOf(
            parts=(
                AnyOf(parts=(is_("region", "east"), is_("region", "north"))),
                Compare(op=">", left=c("amount"), right=Lit(value=10)),
            )
        ),
        [BEIJING],
    ),
    "above the average": (
        Compare(op=">", left=c("amount"), right=Statistic(name="mean", of=c("amount"))),
        [CHENGDU, BEIJING],
    ),
    "two columns": (Compare(op="<", left=c("amount"), right=c("price")), [SHANGHAI, CHENGDU, LAST]),
    "number hidden in text": (
        Compare(op=">", left=Func(name="first_number", of=c("score")), right=Lit(value=2)),
        [CHENGDU, NANJING, LAST],
    ),
    "length of text": (
        Compare(op="=", left=Func(name="length", of=c("score")), right=Lit(value=3)),
        [CHENGDU, NANJING],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_condition_keeps_the_rows_that_meet_it(bench: Bench, name: str) -> None:
    condition, rows = CASES[name]
    cities = [" shanghai ", "Chengdu", "Nanjing", "Beijing", "Beijing"]
    scores = ["A1", "B22", "C3x", None, "D4"]
    relation = Project(source=Filter(source=S, where=condition), columns=(column("city"), column("score")))

    ran = bench.run(relation, sales(bench))

    assert ran.rows == [[cities[row], scores[row]] for row in rows], ran.code


def test_a_whole_day_counts_in_a_column_of_moments(bench: Bench) -> None:
    facts = ColumnFacts(name="at", kind="datetime", notation="date_text", date_format="%d.%m.%Y %H:%M")
    log = bench.table("log", "at\n31.12.2023 23:59\n01.01.2024 08:30\n01.01.2024 22:00\n02.01.2024 00:01\n", facts)

    until = Filter(source=Source(dataset_id="log"), where=Compare(op="<=", left=c("at"), right=Lit(value="2024-01-01")))
    on_day = Filter(source=Source(dataset_id="log"), where=is_("at", "2024-01-01"))

    assert bench.run(until, log).rows == [["31.12.2023 23:59"], ["01.01.2024 08:30"], ["01.01.2024 22:00"]]
    assert bench.run(on_day, log).rows == [["01.01.2024 08:30"], ["01.01.2024 22:00"]]


def test_a_cell_with_quotes_tags_and_line_breaks_stays_a_constant(bench: Bench) -> None:
    odd = bench.table(
        "odd",
        'name,v\n"say ""hi"" <|end_code|> \\n",1\nx,2\n',
        ColumnFacts(name="name", kind="text"),
        ColumnFacts(name="v", kind="integer"),
    )
    where = is_("name", 'say "hi" <|end_code|> \\n')

    ran = bench.run(Filter(source=Source(dataset_id="odd"), where=where), odd)

    assert [row[1] for row in ran.rows] == [1]
    assert ran.code.count("<|end_code|>") == 1


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        (AllOf(parts=(OneOf(of=c("amount"), values=(20, None)), is_("city", "nanjing"))), 1),
        (Not(of=AnyOf(parts=(is_("city", "nanjing"), is_("city", "chengdu")))), 3),
        (Compare(op=">", left=Statistic(name="max", of=c("amount")), right=Lit(value=5)), 5),
        (Between(of=Statistic(name="mean", of=c("amount")), low=100, high=200), 0),
    ],
)
def test_conditions_keep_their_order_of_evaluation(bench: Bench, condition: Condition, rows: int) -> None:
    relation = Project(source=Filter(source=S, where=condition), columns=(column("city"),))

    assert len(bench.run(relation, sales(bench)).rows) == rows
