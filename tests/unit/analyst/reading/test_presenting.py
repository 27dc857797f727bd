"""Questions that only say how the previous answer is to be shown."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.trade import JOBS, part_of

from tablewright.analyst.plan import Sort

TOTALS = "total income by depot"
FREIGHT = "各仓库的运费合计"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("And as a chart?", "bar"),
        ("plot it", "bar"),
        ("show it as a pie chart", "pie"),
        ("now as a line chart please", "line"),
    ],
)
async def test_the_answer_before_is_drawn(question: str, kind: str) -> None:
    drawing = (await part_of(question, earlier=[TOTALS])).drawing
    assert drawing is not None
    assert (drawing.kind, drawing.x, drawing.y) == (kind, "Depot", "sum_Income")


@pytest.mark.parametrize(("question", "kind"), [("画成图呢？", "bar"), ("用饼图表示", "pie"), ("改成折线图", "line")])
async def test_the_answer_before_is_drawn_when_asked_in_chinese(question: str, kind: str) -> None:
    drawing = (await part_of(question, JOBS, earlier=[FREIGHT])).drawing
    assert drawing is not None
    assert (drawing.kind, drawing.x) == (kind, "仓库")


async def test_another_kind_of_chart_takes_the_place_of_the_first() -> None:
    drawing = (await part_of("as a pie chart instead", earlier=["draw a line chart of total income by depot"])).drawing
    assert drawing is not None
    assert drawing.kind == "pie"


@pytest.mark.parametrize(
    ("earlier", "question", "descending"),
    [
        ([TOTALS], "sort it descending", True),
        ([TOTALS], "smallest first", False),
        ([TOTALS, "highest first"], "plot it", True),
        ([TOTALS, "as a bar chart"], "sort it from high to low", True),
        ([TOTALS, "as a bar chart", "sort it descending"], "now ascending", False),
        ([TOTALS, "sort it descending", "as a bar chart"], "and for Swift?", True),
    ],
)
async def test_the_values_of_the_answer_before_are_put_in_order(
    earlier: list[str], question: str, descending: bool
) -> None:
    relation = (await part_of(question, earlier=earlier)).relation
    assert isinstance(relation, Sort)
    assert relation.keys == (("sum_Income", descending),)


@pytest.mark.parametrize("earlier", [[FREIGHT], [FREIGHT, "画成饼图"]])
async def test_the_values_are_put_in_order_when_asked_in_chinese(earlier: list[str]) -> None:
    relation = (await part_of("从高到低排序", JOBS, earlier=earlier)).relation
    assert isinstance(relation, Sort)
    assert relation.keys == (("sum_运费", True),)


async def test_a_question_that_names_what_to_draw_stands_for_itself() -> None:
    question = "Draw a bar chart of the total cost by carrier"
    assert await part_of(question, earlier=[TOTALS]) == await part_of(question)
