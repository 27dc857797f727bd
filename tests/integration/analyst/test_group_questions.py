"""Lists of measures, groups chosen by what they come to, and whom a superlative means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from tests.integration.analyst.asking import Asked
from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.test_business_questions import ORDERS, Ask, Row, Rows, by, csv_of, told, where

PUPILS: list[Row] = [
    {
        "Student": f"{('Ann', 'Bob', 'Cid', 'Eve', 'Gus')[at % 5]} {('Lee', 'Moss', 'Park', 'West')[at % 4]} {at}",
        "Grade": 9 + at % 3,
        "Class": "ABC"[at * 5 // 2 % 3],
        "Gender": ("Male", "Female")[at * 3 // 2 % 2],
        "Math": 40 + (at * 17) % 61,
        "English": 40 + (at * 29) % 59,
        "Club": ("Chess", "Drama", "Robotics")[at * 7 // 4 % 3],
        "Birth date": f"200{7 + at % 3}-{at % 12 + 1:02}-{at % 28 + 1:02}",
    }
    for at in range(70)
]
CLAIMS: list[Row] = [
    {
        "报销单号": f"BX{at:04}",
        "申请人": ("王强", "李娜", "张伟", "刘洋")[(at * 3 + at // 5) % 4],
        "部门": ("销售部", "技术部", "行政部")[at % 3],
        "费用类型": ("差旅费", "招待费", "办公费")[at * 5 // 3 % 3],
        "金额": 60 + (at * 431) % 3000,
        "申请日期": f"2023-{at % 12 + 1:02}-15",
        "是否超标": "是" if at % 4 == 0 else "否",
    }
    for at in range(100)
]


@pytest.fixture
def ask(interpreter: Interpreter, tmp_path: Path) -> Ask:
    def asked(rows: list[Row], question: str) -> Rows | str:
        return Asked(interpreter, tmp_path / "table.csv", csv_of(rows)).rows(question)

    return asked


def total(of: str) -> Callable[[list[Row]], float]:
    return lambda rows: sum(row[of] for row in rows)


def best(sums: dict[Any, float]) -> Any:
    return max(sums, key=lambda name: sums[name])


def test_scores_are_those_of_the_subject_and_a_grade_is_a_year(ask: Ask) -> None:
    assert told(ask(PUPILS, "average math score by grade")) == by(
        PUPILS, "Grade", lambda rows: mean(row["Math"] for row in rows)
    )


def test_the_oldest_was_born_first(ask: Ask) -> None:
    first = min(row["Birth date"] for row in PUPILS)
    assert ask(PUPILS, "oldest student") == [[row["Student"]] for row in PUPILS if row["Birth date"] == first]


def test_groups_are_chosen_by_their_number_of_rows(ask: Ask) -> None:
    counts = by(ORDERS, "product", len)
    bound = sorted(counts.values())[1]
    found = ask(ORDERS, f"products with more than {bound:.0f} orders")
    assert isinstance(found, list)
    assert {row[0] for row in found} == {name for name, number in counts.items() if number > bound}


def test_groups_are_chosen_by_their_sum(ask: Ask) -> None:
    sums = by(CLAIMS, "申请人", total("金额"))
    bound = int(sorted(sums.values())[1])
    found = ask(CLAIMS, f"哪些申请人的总金额超过{bound}")
    assert isinstance(found, list)
    assert {row[0] for row in found} == {name for name, amount in sums.items() if amount > bound}


def test_the_group_with_the_highest_rate_is_one_group(ask: Ask) -> None:
    rates = by(CLAIMS, "部门", lambda rows: len(where(rows, 是否超标="是")) / len(rows))
    assert ask(CLAIMS, "超标率最高的部门") == [[best(rates)]]
