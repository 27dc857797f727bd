"""Requests that change a workbook, questions, and what may be either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablewright.analyst.operating.instructing.intent import asks_for_change, may_ask_for_change
from tablewright.domain.run import Mode
from tablewright.routing.policy import choose, unless_planned
from tablewright.routing.route import Route

SAMPLES = Path(__file__).parents[2] / "suites" / "samples" / "suite.jsonl"
CHANGES = [
    "按金额降序排序并高亮前3名",
    "把状态为取消的行标红",
    "在B列后插入一列，命名为税额，等于金额*0.13",
    "冻结首行",
    "将空缺的年龄用中位数填充",
    "去掉重复的订单号",
    "合并A1到D1",
    "为销售额列添加数据条",
    "把所有大于1000的金额加粗",
    "删除第3行",
    "把B2改成5",
    "删除状态为取消的行",
    "在工作表里画一个柱状图",
    "将金额列设置为两位小数",
    "delete rows where status is cancelled, add a column margin = revenue - cost, and chart it by month",
    "rename sheet Sheet1 to Sales",
    "format the amount column as currency with two decimals",
    "replace 北京市 with 北京 in city",
    "split name at the comma into first and last",
    "hide columns C to E",
    "add a total row",
    "convert to table",
    "look up price from sheet Products by sku",
    "Insert a row above row 3",
    "Set cell B2 to 5",
    "Please sort the sheet by date then amount",
    "Create a bar chart in the sheet",
    "sum of amount by region on a new sheet",
    "把状态为取消的行删除",
    "把A1:F1合并居中",
    "make the header row bold and center it",
    "clear the contents of H2:H8",
    "create a sales chart and highlight the top 3 products",
]
QUESTIONS = [
    "各地区的销售额是多少？",
    "去掉重复的订单号后有多少行",
    "画一个柱状图",
    "金额最高的前3名是谁",
    "哪些列有空值",
    "Create a bar chart of sales by region",
    "Draw a line chart of sales",
    "How many rows would be left if I delete the duplicates?",
    "What is the total of the column amount?",
    "List the top 3 products",
    "用折线图展示每月的金额",
    "金额保留一位小数是多少",
    "round the average to two decimals",
    "sales by region, sorted",
    "",
]


@pytest.mark.parametrize("said", CHANGES)
def test_a_plain_change_is_one(said: str) -> None:
    assert asks_for_change(said)
    assert choose(said, workbook=True) == Route(agent="rounds", reason="operation")
    assert choose(said, workbook=False) == choose(said, "chat", workbook=True)


@pytest.mark.parametrize("said", QUESTIONS)
def test_a_question_or_an_analysis_is_none(said: str) -> None:
    assert not asks_for_change(said)
    assert choose(said, workbook=True) == Route(agent="code_analyst", reason="tables")


@pytest.mark.requirement("rounds-plain-changes-only")
def test_no_question_of_the_samples_is_taken_for_a_change() -> None:
    prompts = [json.loads(line)["prompt"] for line in SAMPLES.read_text(encoding="utf-8").splitlines()]
    assert prompts
    assert [prompt for prompt in prompts if asks_for_change(prompt)] == []


@pytest.mark.parametrize("said", ["你好", *CHANGES[:2], *QUESTIONS[:2]])
def test_the_mode_edit_takes_whatever_is_said_of_a_workbook(said: str) -> None:
    assert choose(said, "edit", workbook=True) == Route(agent="rounds", reason="edit")


def test_without_a_workbook_the_mode_edit_still_answers_small_talk() -> None:
    assert choose("你好", "edit") == Route(agent="chat", reason="greeting")
    assert choose("冻结首行", "edit") == Route(agent="rounds", reason="edit")


@pytest.mark.parametrize("mode", ["analyze", "chat"])
def test_other_modes_change_no_workbook(mode: Mode) -> None:
    assert choose("冻结首行", mode, workbook=True).agent == "code_analyst"


@pytest.mark.parametrize(
    "said",
    [
        "show the fees as pounds with pence",
        "在K1计算华北的金额合计",
    ],
)
def test_what_may_be_a_question_is_planned_only_where_it_reads_as_a_change(said: str) -> None:
    route = choose(said, workbook=True)
    assert route.agent == "code_analyst"
    assert unless_planned(route, said, workbook=True) == Route(agent="rounds", reason="operation")
    assert may_ask_for_change(said)


@pytest.mark.parametrize("said", ["各地区的销售额是多少？", "How many orders were cancelled in May?", ""])
def test_a_question_is_not_even_tried_as_a_change(said: str) -> None:
    assert unless_planned(choose(said, workbook=True), said, workbook=True) is None


def test_without_a_workbook_or_in_another_mode_no_change_is_tried() -> None:
    said = "show the fees as pounds with pence"
    assert unless_planned(choose(said), said) is None
    assert unless_planned(choose(said, "chat", workbook=True), said, "chat", workbook=True) is None
