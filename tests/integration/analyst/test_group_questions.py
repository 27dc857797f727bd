"""Lists of measures, groups chosen by what they come to, and whom a superlative means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from tests.integration.analyst.asking import DECLINED, Asked
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


def test_each_column_of_a_list_has_its_average(ask: Ask) -> None:
    found = ask(PUPILS, "average of math and english by class")
    assert isinstance(found, list)
    for name, math, english in found:
        rows = where(PUPILS, Class=name)
        assert math == pytest.approx(mean(row["Math"] for row in rows))
        assert english == pytest.approx(mean(row["English"] for row in rows))


def test_scores_are_those_of_the_subject_and_a_grade_is_a_year(ask: Ask) -> None:
    assert told(ask(PUPILS, "average math score by grade")) == by(
        PUPILS, "Grade", lambda rows: mean(row["Math"] for row in rows)
    )


def test_a_class_of_one_letter_is_a_value(ask: Ask) -> None:
    names = [row["Student"] for row in where(PUPILS, Club="Drama", Class="A")]
    assert ask(PUPILS, "list the names of drama club members in class A") == [[name] for name in names]


def test_a_share_in_a_group_is_of_that_group(ask: Ask) -> None:
    club = where(PUPILS, Club="Chess")
    share = 100 * len(where(club, Gender="Male")) / len(club)
    assert ask(PUPILS, "percentage of boys in the chess club") == [[pytest.approx(share, abs=0.01)]]


def test_the_first_three_of_each_grade_are_ranked_by_the_subject(ask: Ask) -> None:
    found = ask(PUPILS, "top 3 students in math in each grade")
    assert isinstance(found, list)
    for grade in (9, 10, 11):
        marks = {row["Student"]: row["Math"] for row in where(PUPILS, Grade=grade)}
        third = sorted(marks.values(), reverse=True)[2]
        assert {name for year, name in found if year == grade} == {
            name for name, mark in marks.items() if mark >= third
        }


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


def test_what_is_highest_of_a_kind_is_the_one_amount(ask: Ask) -> None:
    sums = by(where(CLAIMS, 费用类型="差旅费"), "部门", total("金额"))
    assert ask(CLAIMS, "哪个部门的差旅费最高？") == [[best(sums)]]


def test_the_group_with_the_highest_rate_is_one_group(ask: Ask) -> None:
    rates = by(CLAIMS, "部门", lambda rows: len(where(rows, 是否超标="是")) / len(rows))
    assert ask(CLAIMS, "超标率最高的部门") == [[best(rates)]]


def test_what_is_added_up_is_not_told_apart(ask: Ask) -> None:
    amount = sum(row["金额"] for row in CLAIMS if row["费用类型"] in {"差旅费", "招待费"})
    assert ask(CLAIMS, "差旅费和招待费合计是多少") == [[pytest.approx(amount)]]


def test_rows_are_counted_beside_an_average(ask: Ask) -> None:
    found = ask(CLAIMS, "各费用类型的平均金额和笔数")
    assert isinstance(found, list)
    for kind, average, number in found:
        rows = where(CLAIMS, 费用类型=kind)
        assert (average, number) == (pytest.approx(mean(row["金额"] for row in rows)), len(rows))


@pytest.mark.parametrize("question", ["技术部有哪些人报销过招待费", "技术部报销招待费的是谁"])
def test_persons_are_named_where_the_rows_have_numbers(ask: Ask, question: str) -> None:
    found = ask(CLAIMS, question)
    assert isinstance(found, list)
    assert {row[0] for row in found} == {row["申请人"] for row in where(CLAIMS, 部门="技术部", 费用类型="招待费")}


def test_half_a_year_is_read_behind_other_words(ask: Ask) -> None:
    later = [row for row in where(CLAIMS, 部门="销售部") if row["申请日期"] >= "2023-07"]
    amount = sum(row["金额"] for row in later)
    assert later
    assert ask(CLAIMS, "销售部下半年的报销金额是多少") == [[pytest.approx(amount)]]


@pytest.mark.parametrize(
    "question", ["报销金额超过该部门平均值的有多少", "上半年和下半年的报销金额", "上半年和下半年的报销金额合计"]
)
def test_what_has_no_plan_is_declined(ask: Ask, question: str) -> None:
    assert ask(CLAIMS, question) == DECLINED
