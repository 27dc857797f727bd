"""Questions of offices of other trades (visits to a site, a clinic, an account, a survey, a works): one amount per
another, a part against the whole, two questions in one, weekends, bands, kinds of rows that name amounts; and what is
declined rather than answered with something else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from tests.integration.analyst.asking import Asked
from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.test_business_questions import Row, Rows, by, csv_of, told, where

VISITS: list[Row] = [
    {
        "Date": str(date.fromordinal(date(2024, 1, 1).toordinal() + at)),
        "Page": ("/home", "/pricing", "/blog", "/docs")[(at * 3 + at // 5) % 4],
        "Source": ("Organic", "Paid Search", "Email")[at * 5 // 3 % 3],
        "Device": ("Desktop", "Mobile", "Tablet")[at * 7 // 4 % 3],
        "Sessions": 20 + (at * 37) % 400,
        "Pageviews": 90 + (at * 91) % 1400,
        "Bounce Rate": 20 + (at * 13) % 60,
        "Revenue": 30 + (at * 53) % 700,
    }
    for at in range(120)
]
CLINIC: list[Row] = [
    {
        "就诊编号": f"MZ{at:04}",
        "患者姓名": "张王李赵"[at % 4] + "伟芳娜"[at % 3],
        "性别": "男女"[at * 3 // 2 % 2],
        "年龄": 20 + (at * 17) % 60,
        "科室": ("内科", "外科", "眼科")[(at * 2 + at // 7) % 3],
        "医生": ("王医生", "李医生", "赵医生", "钱医生", "冯医生")[(at * 3 + at // 9) % 5],
        "就诊日期": f"{2023 + at // 60}-{at % 12 + 1:02}-{at % 27 + 1:02}",
        "费用": 50 + (at * 173) % 1900,
        "满意度": 1 + (at * 7 // 3) % 5,
    }
    for at in range(120)
]
ACCOUNT: list[Row] = [
    {
        "流水号": f"T{at:04}",
        "交易时间": str(date.fromordinal(date(2023, 9, 1).toordinal() + at * 3)),
        "交易类型": "收入" if at % 4 == 0 else "支出",
        "类别": ("工资", "理财")[at // 4 % 2] if at % 4 == 0 else ("餐饮", "房租", "购物")[at * 5 // 3 % 3],
        "渠道": ("微信", "支付宝", "网银")[at * 7 // 5 % 3],
        "金额": 20 + (at * 331) % 4000,
        "余额": 30000 + (at * 711) % 9000,
    }
    for at in range(150)
]
SURVEY: list[Row] = [
    {
        "Respondent ID": f"R{at:03}",
        "Age": 21 + (at * 11) % 40,
        "Department": ("Sales", "Engineering", "Support")[(at * 2 + at // 5) % 3],
        "Work Mode": ("Onsite", "Remote")[at * 3 // 2 % 2],
        "Pay Satisfaction": 1 + (at * 5 // 3) % 5,
        "I trust my manager": ("Disagree", "Neutral", "Agree", "Strongly agree")[at * 7 // 3 % 4],
        "I would recommend the company": ("Disagree", "Neutral", "Agree", "Strongly agree")[at * 3 // 4 % 4],
        "Planning to leave": "Yes" if at % 3 == 0 else "No",
    }
    for at in range(90)
]
WORKS: list[Row] = [
    {
        "车间": ("一车间", "二车间", "三车间")[at % 3],
        "产品": ("轴承", "齿轮", "螺栓", "阀门")[at // 3 % 4],
        "一月": 200 + (at * 371) % 900,
        "二月": 200 + (at * 517) % 900,
        "三月": 200 + (at * 743) % 900,
        "合格率": 90 + (at * 7) % 9,
    }
    for at in range(24)
]

Table = list[Row]
Ask = Callable[[Table, str], Rows | str]


@pytest.fixture
def asked(interpreter: Interpreter, tmp_path: Path) -> Callable[[Table], Asked]:
    return lambda rows: Asked(interpreter, tmp_path / "table.csv", csv_of(rows))


@pytest.fixture
def ask(asked: Callable[[Table], Asked]) -> Ask:
    return lambda rows, question: asked(rows).rows(question)


def total(rows: Table, of: str) -> float:
    return float(sum(row[of] for row in rows))


def one(value: float) -> list[list[Any]]:
    return [[pytest.approx(value, abs=0.01)]]


def test_one_amount_is_told_per_another(ask: Ask) -> None:
    expected = by(VISITS, "Device", lambda rows: total(rows, "Pageviews") / total(rows, "Sessions"))
    assert told(ask(VISITS, "pageviews per session by device")) == expected


def test_a_name_is_not_taken_for_the_number_that_begins_like_it(ask: Ask) -> None:
    views = by(VISITS, "Page", lambda rows: total(rows, "Pageviews"))
    first = sorted(views, key=lambda page: -views[page])[:3]
    assert ask(VISITS, "top 3 pages by pageviews") == [[page] for page in first]


def test_a_word_behind_a_cell_is_no_part_of_another(ask: Ask) -> None:
    share = 100 * total(where(VISITS, Source="Organic"), "Sessions") / total(VISITS, "Sessions")
    assert ask(VISITS, "What share of sessions came from organic search?") == one(share)


def test_an_amount_that_bounds_the_rows_is_not_what_is_asked(ask: Ask) -> None:
    number = len([row for row in CLINIC if 500 <= row["费用"] <= 1000])
    assert ask(CLINIC, "费用在500到1000之间的有多少") == [[number]]


def test_rows_are_counted_where_they_are_said_to_happen(ask: Ask) -> None:
    counts = by(CLINIC, "医生", len)
    bound = int(sorted(counts.values())[2])
    found = ask(CLINIC, f"接诊超过{bound}次的医生")
    assert isinstance(found, list)
    assert {row[0] for row in found} == {name for name, number in counts.items() if number > bound}


def test_a_percentage_in_each_group_is_of_that_group(ask: Ask) -> None:
    expected = by(SURVEY, "Department", lambda rows: 100 * len(where(rows, **{"Planning to leave": "Yes"})) / len(rows))
    assert told(ask(SURVEY, "percentage planning to leave in each department")) == expected


def test_the_lowest_mark_is_a_number(ask: Ask) -> None:
    lowest = min(row["Pay Satisfaction"] for row in where(SURVEY, Department="Sales"))
    assert ask(SURVEY, "lowest pay satisfaction score in Sales") == [[lowest]]


def test_what_a_column_counts_is_added_up_for_each(ask: Ask) -> None:
    assert told(ask(VISITS, "How many sessions did each device have?")) == by(
        VISITS, "Device", lambda rows: total(rows, "Sessions")
    )


def test_the_doctor_who_is_asked_for_is_no_patient(ask: Ask) -> None:
    averages = by(CLINIC, "医生", lambda rows: mean(row["费用"] for row in rows))
    assert ask(CLINIC, "哪位医生的平均费用最低") == [[min(averages, key=lambda name: averages[name])]]


def test_years_of_age_are_those_of_the_persons(ask: Ask) -> None:
    women = [row for row in where(CLINIC, 性别="女") if row["年龄"] <= 40]
    assert ask(CLINIC, "40岁以下女性的就诊人次") == [[len(women)]]


def test_a_share_said_of_each_group_is_within_it(ask: Ask) -> None:
    expected = by(CLINIC, "科室", lambda rows: 100 * len(where(rows, 性别="女")) / len(rows))
    assert told(ask(CLINIC, "各科室女性占比")) == expected
    remote = by(SURVEY, "Department", lambda rows: 100 * len(where(rows, **{"Work Mode": "Remote"})) / len(rows))
    assert told(ask(SURVEY, "percentage of remote workers by department")) == remote


def test_levels_that_are_compared_have_an_average_each(ask: Ask) -> None:
    expected = by(SURVEY, "Work Mode", lambda rows: mean(row["Pay Satisfaction"] for row in rows))
    assert told(ask(SURVEY, "compare pay satisfaction between remote and onsite workers")) == expected
