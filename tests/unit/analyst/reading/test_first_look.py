"""What is asked first of a table that nobody knows yet."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import SHOPS, Values

from tablewright.analyst.base import Understood
from tablewright.analyst.plan import Aggregate, Plan, Position, Procedure
from tablewright.analyst.reading import read
from tablewright.analyst.reading.first_look import looked_at
from tablewright.domain.language import language_of


def rows(plan: Plan | None) -> int | None:
    """Return how many rows the plan shows, those at the end as a negative number."""
    if plan is None or not isinstance(shown := plan.parts[0].relation, Position):
        return None
    return shown.count


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("Show the first 3 rows", 3),
        ("what are the first two records?", 2),
        ("Could you please show me the top 12 rows of the table?", 12),
        ("give me the last 4 lines of data", -4),
        ("the bottom ten rows", -10),
        ("show me a few rows", 5),
        ("Preview the data.", 5),
        ("Take a look at this file", 5),
        ("What is this spreadsheet about?", 5),
        ("What does the data look like?", 5),
        ("前3行", 3),
        ("请帮我显示这个表的前十行数据", 10),
        ("看一下最后两条记录", -2),
        ("预览一下数据", 5),
        ("这个表格是什么内容？", 5),
        ("这份数据里有哪些数据", 5),
    ],
)
async def test_rows_from_the_start_or_the_end_are_shown(question: str, count: int) -> None:
    reading = await read(question, language_of(question), (SHOPS,), Values())
    assert isinstance(reading, Understood)
    assert rows(reading.plan) == count


@pytest.mark.parametrize(
    "question",
    [
        "What columns are there?",
        "which fields does the table have",
        "How many columns are there?",
        "How many columns does this file have?",
        "list all the columns",
        "show me the column names of the table",
        "what are the columns?",
        "有哪些列",
        "这个表一共有几列？",
        "列出所有字段",
        "表头是什么",
        "这份数据有多少个字段",
    ],
)
async def test_the_columns_are_listed(question: str) -> None:
    reading = await read(question, language_of(question), (SHOPS,), Values())
    assert isinstance(reading, Understood)
    shown = reading.plan.parts[0].relation
    assert isinstance(shown, Procedure)
    assert shown.name == "columns"


@pytest.mark.parametrize(
    "question",
    [
        "总结一下这个表",
        "概括一下这份数据",
        "请帮我分析一下这份数据",
        "描述一下数据",
        "介绍一下这张表的基本情况",
        "对这份数据进行分析",
        "Analyze this data",
        "Could you please summarize the table?",
    ],
)
async def test_what_the_columns_hold_is_told(question: str) -> None:
    reading = await read(question, language_of(question), (SHOPS,), Values())
    assert isinstance(reading, Understood)
    shown = reading.plan.parts[0].relation
    assert isinstance(shown, Procedure)
    assert shown.name == "describe"


@pytest.mark.parametrize(
    "question",
    [
        "How many rows and columns are there?",
        "what is the shape of the data",
        "有多少行多少列",
        "这个表一共有几行几列？",
    ],
)
async def test_a_size_is_told_in_rows_and_columns(question: str) -> None:
    reading = await read(question, language_of(question), (SHOPS,), Values())
    assert isinstance(reading, Understood)
    rows_, columns = (part.relation for part in reading.plan.parts)
    assert isinstance(rows_, Aggregate)
    assert isinstance(columns, Procedure)
    assert columns.name == "columns"


def test_a_table_that_is_named_is_the_one_that_is_shown() -> None:
    named = f"show the first 3 rows of {SHOPS.name}"
    assert rows(looked_at(named, (SHOPS,))) == 3
    assert rows(looked_at(f"{SHOPS.name}表的前三行", (SHOPS,))) == 3
    assert looked_at("show the first 3 rows of nothing", (SHOPS,)) is None


@pytest.mark.parametrize(
    "question",
    [
        "show the top 5 rows by revenue",
        "show the first 3 paid rows",
        "first 5 rows where the region is East",
        "show the first 0 rows",
        "销售额前5行",
        "销售额的前5行",
        "look at revenue per region",
        "which columns have missing values",
        "how many columns are numeric",
        "哪些列有缺失值",
        "各列的平均值",
    ],
)
def test_whatever_asks_for_more_is_no_first_look(question: str) -> None:
    assert looked_at(question, (SHOPS,)) is None
