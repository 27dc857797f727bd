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
from tests.integration.analyst.asking import DECLINED, Asked
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


def test_working_days_are_set_against_weekends(ask: Ask) -> None:
    free = [row for row in VISITS if date.fromisoformat(row["Date"]).weekday() > 4]
    worked = [row for row in VISITS if row not in free]
    assert told(ask(VISITS, "average sessions on weekdays vs weekends")) == {
        "weekend": mean(row["Sessions"] for row in free),
        "weekday": mean(row["Sessions"] for row in worked),
    }
    assert ask(VISITS, "total revenue on weekends") == one(total(free, "Revenue"))


def test_a_name_is_not_taken_for_the_number_that_begins_like_it(ask: Ask) -> None:
    views = by(VISITS, "Page", lambda rows: total(rows, "Pageviews"))
    first = sorted(views, key=lambda page: -views[page])[:3]
    assert ask(VISITS, "top 3 pages by pageviews") == [[page] for page in first]


def test_the_measure_may_stand_at_the_end(ask: Ask) -> None:
    found = ask(VISITS, "best page for each device by revenue")
    assert isinstance(found, list)
    assert len(found) == 3
    for device, page in found:
        sums = by(where(VISITS, Device=device), "Page", lambda rows: total(rows, "Revenue"))
        assert sums[page] == max(sums.values())


def test_a_word_behind_a_cell_is_no_part_of_another(ask: Ask) -> None:
    share = 100 * total(where(VISITS, Source="Organic"), "Sessions") / total(VISITS, "Sessions")
    assert ask(VISITS, "What share of sessions came from organic search?") == one(share)


@pytest.mark.requirement("analyst-leaves-nothing-out")
@pytest.mark.parametrize(
    "question",
    [
        "conversion rate by source",
        "average revenue by visitor type",
        "revenue per kg by device",
        "Which device had the largest revenue growth from Q1 to Q2?",
        "what about Tablet?",
    ],
)
def test_what_would_be_left_out_is_declined(ask: Ask, question: str) -> None:
    assert ask(VISITS, question) == DECLINED


def test_visits_of_persons_are_counted_as_visits(ask: Ask) -> None:
    women = len(where(CLINIC, 科室="内科", 性别="女"))
    assert ask(CLINIC, "内科女性患者有多少人次") == [[women]]


def test_an_amount_that_bounds_the_rows_is_not_what_is_asked(ask: Ask) -> None:
    number = len([row for row in CLINIC if 500 <= row["费用"] <= 1000])
    assert ask(CLINIC, "费用在500到1000之间的有多少") == [[number]]


def test_marks_that_many_share_rank_by_their_average(ask: Ask) -> None:
    found = ask(CLINIC, "每个科室满意度最高的医生")
    assert isinstance(found, list)
    for unit, doctor in found:
        marks = by(where(CLINIC, 科室=unit), "医生", lambda rows: mean(row["满意度"] for row in rows))
        assert marks[doctor] == max(marks.values())


def test_rows_are_counted_where_they_are_said_to_happen(ask: Ask) -> None:
    counts = by(CLINIC, "医生", len)
    bound = int(sorted(counts.values())[2])
    found = ask(CLINIC, f"接诊超过{bound}次的医生")
    assert isinstance(found, list)
    assert {row[0] for row in found} == {name for name, number in counts.items() if number > bound}


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("外科的平均费用比全院平均高吗", where(CLINIC, 科室="外科")),
        ("外科的平均费用低于整体平均吗", where(CLINIC, 科室="外科")),
    ],
)
def test_a_part_is_set_against_the_whole(ask: Ask, question: str, rows: Table) -> None:
    part, whole = (mean(row["费用"] for row in chosen) for chosen in (rows, CLINIC))
    yes = part < whole if "低于" in question else part > whole
    assert ask(CLINIC, question) == [
        ["是" if yes else "否", pytest.approx(part, abs=0.01), pytest.approx(whole, abs=0.01)]
    ]


def test_a_part_is_set_against_the_whole_in_english(ask: Ask) -> None:
    part, whole = (mean(row["Revenue"] for row in rows) for rows in (where(VISITS, Device="Mobile"), VISITS))
    assert ask(VISITS, "Is the average revenue on mobile above the overall average?") == [
        ["yes" if part > whole else "no", pytest.approx(part, abs=0.01), pytest.approx(whole, abs=0.01)]
    ]


@pytest.mark.parametrize(
    "question", ["按年龄段20-40、40-60、60以上统计就诊人次", "number of visits by age group 20-39, 40-59, 60+"]
)
def test_bands_that_are_named_are_groups(ask: Ask, question: str) -> None:
    found = ask(CLINIC, question)
    ends = ((20, 40), (40, 60), (60, 200))
    assert isinstance(found, list)
    assert [row[-1] for row in found] == [
        len([row for row in CLINIC if low <= row["年龄"] < high]) for low, high in ends
    ]


def test_kinds_of_rows_name_the_amount(ask: Ask) -> None:
    spent = where(ACCOUNT, 交易类型="支出")
    assert ask(ACCOUNT, "总支出是多少") == one(total(spent, "金额"))
    assert told(ask(ACCOUNT, "各类别的支出金额")) == by(spent, "类别", lambda rows: total(rows, "金额"))
    sums = by(spent, "渠道", lambda rows: total(rows, "金额"))
    assert ask(ACCOUNT, "支出最多的渠道是哪个") == [[max(sums, key=lambda name: sums[name])]]


def test_the_whole_of_a_share_stands_behind_the_verb(ask: Ask) -> None:
    spent = where(ACCOUNT, 交易类型="支出")
    share = 100 * total(where(spent, 类别="购物"), "金额") / total(spent, "金额")
    assert ask(ACCOUNT, "购物占支出的比例") == one(share)


def test_a_quarter_is_written_with_a_letter_behind_a_chinese_year(ask: Ask) -> None:
    earned = [row for row in where(ACCOUNT, 交易类型="收入") if "2023-10" <= row["交易时间"] < "2024"]
    assert ask(ACCOUNT, "2023年Q4的收入") == one(total(earned, "金额"))


@pytest.mark.parametrize("question", ["上半年支出比下半年多吗", "哪些渠道只出现过收入"])
def test_a_comparison_that_is_not_made_is_declined(ask: Ask, question: str) -> None:
    assert ask(ACCOUNT, question) == DECLINED


def test_who_plans_is_a_condition(ask: Ask) -> None:
    leaving = where(SURVEY, **{"Planning to leave": "Yes"})
    assert ask(SURVEY, "average age of people who plan to leave") == one(mean(row["Age"] for row in leaving))


def test_a_percentage_in_each_group_is_of_that_group(ask: Ask) -> None:
    expected = by(SURVEY, "Department", lambda rows: 100 * len(where(rows, **{"Planning to leave": "Yes"})) / len(rows))
    assert told(ask(SURVEY, "percentage planning to leave in each department")) == expected


def test_an_answer_belongs_to_the_statement_that_is_spoken_of(ask: Ask) -> None:
    agreeing = [row for row in SURVEY if row["I trust my manager"] in {"Agree", "Strongly agree"}]
    question = "how many respondents agree or strongly agree that they trust their manager"
    assert ask(SURVEY, question) == [[len(agreeing)]]


def test_the_lowest_mark_is_a_number(ask: Ask) -> None:
    lowest = min(row["Pay Satisfaction"] for row in where(SURVEY, Department="Sales"))
    assert ask(SURVEY, "lowest pay satisfaction score in Sales") == [[lowest]]


@pytest.mark.parametrize("question", ["what is the average salary", "how many engineers work remotely"])
def test_what_is_only_alike_is_not_the_same(ask: Ask, question: str) -> None:
    assert ask(SURVEY, question) == DECLINED


def test_months_side_by_side_are_amounts(ask: Ask) -> None:
    assert told(ask(WORKS, "各车间三月的产量")) == by(WORKS, "车间", lambda rows: total(rows, "三月"))
    sums = by(WORKS, "产品", lambda rows: total(rows, "三月"))
    assert ask(WORKS, "三月产量前二的产品") == [[name] for name in sorted(sums, key=lambda name: -sums[name])[:2]]


@pytest.mark.requirement("analyst-answers-both-questions")
@pytest.mark.parametrize(
    ("rows", "question", "key", "of"),
    [
        (VISITS, "Which device has the highest revenue and which has the lowest?", "Device", "Revenue"),
        (CLINIC, "费用最高的科室是哪个，最低的是哪个", "科室", "费用"),
        (ACCOUNT, "哪个渠道支出最高，哪个最低？", "渠道", "金额"),
    ],
)
def test_two_questions_in_one_are_both_answered(
    asked: Callable[[Table], Asked], rows: Table, question: str, key: str, of: str
) -> None:
    counted = where(rows, 交易类型="支出") if "支出" in question else rows
    sums = by(counted, key, lambda group: total(group, of))
    ordered = sorted(sums, key=lambda name: sums[name])
    found = asked(rows).parts(question)
    assert isinstance(found, list)
    assert [table[0][0] for table in found] == [ordered[-1], ordered[0]]


def test_rows_that_are_named_are_shared_out_by_a_column_of_their_table(
    interpreter: Interpreter, tmp_path: Path
) -> None:
    carriers: Table = [
        {"Carrier ID": f"C{at}", "Carrier Name": f"{name} Lines", "Mode": mode}
        for at, (name, mode) in enumerate((("North", "Road"), ("Blue", "Sea"), ("Aero", "Air"), ("Rapid", "Road")))
    ]
    shipments: Table = [
        {"Shipment ID": f"S{at:03}", "Carrier ID": f"C{at * 7 // 3 % 4}", "Freight Cost": 40 + (at * 91) % 700}
        for at in range(60)
    ]
    both = Asked(
        interpreter, tmp_path / "Shipments.csv", csv_of(shipments), (tmp_path / "Carriers.csv", csv_of(carriers))
    )
    full = [{**row, **next(line for line in carriers if line["Carrier ID"] == row["Carrier ID"])} for row in shipments]
    assert told(both.rows("total freight cost by carrier name")) == by(
        full, "Carrier Name", lambda rows: total(rows, "Freight Cost")
    )
    assert told(both.rows("share of shipments by mode")) == by(full, "Mode", lambda rows: 100 * len(rows) / len(full))
    assert told(both.rows("freight cost by mode")) == by(full, "Mode", lambda rows: total(rows, "Freight Cost"))


def test_what_a_column_counts_is_added_up_for_each(ask: Ask) -> None:
    assert told(ask(VISITS, "How many sessions did each device have?")) == by(
        VISITS, "Device", lambda rows: total(rows, "Sessions")
    )


def test_the_day_with_the_most_is_told_by_all_its_rows(ask: Ask) -> None:
    twice = [*VISITS, *({**row, "Revenue": 700 - row["Revenue"] % 97} for row in VISITS)]
    sums = by(twice, "Date", lambda rows: total(rows, "Revenue"))
    found = ask(twice, "which day had the highest revenue")
    assert isinstance(found, list)
    assert [str(row[0])[:10] for row in found] == [day for day, amount in sums.items() if amount == max(sums.values())]


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


def test_the_latest_is_told_by_its_date(ask: Ask) -> None:
    latest = max(row["交易时间"] for row in where(ACCOUNT, 交易类型="收入"))
    found = ask(ACCOUNT, "最近一笔收入是什么时候")
    assert isinstance(found, list)
    assert [str(row[0])[:10] for row in found] == [latest]


@pytest.mark.parametrize(
    ("rows", "question"),
    [
        (VISITS, "How does revenue in Q2 compare to Q1?"),
        (VISITS, "Which device has above average revenue?"),
        (ACCOUNT, "收入来源有哪些"),
        (CLINIC, "费用比例最高的科室"),
        (WORKS, "二月比一月产量高的车间"),
        (CLINIC, "为什么眼科的费用这么高"),
    ],
)
def test_a_figure_of_something_else_is_not_given(ask: Ask, rows: Table, question: str) -> None:
    assert ask(rows, question) == DECLINED


@pytest.mark.parametrize(
    ("rows", "question", "day", "of"),
    [
        (VISITS, "average revenue per month", "Date", "Revenue"),
        (where(ACCOUNT, 交易类型="支出"), "平均每月金额多少", "交易时间", "金额"),
    ],
)
def test_the_average_per_month_is_of_what_months_add_up_to(
    ask: Ask, rows: Table, question: str, day: str, of: str
) -> None:
    months = by([{"month": row[day][:7], of: row[of]} for row in rows], "month", lambda group: total(group, of))
    assert ask(rows, question) == one(mean(months.values()))
