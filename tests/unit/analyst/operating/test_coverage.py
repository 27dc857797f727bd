"""Steps that leave out what was said are found."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.analyst.linking.linker import link
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.coverage import left_out
from tablewright.analyst.operating.reading import KnownValues
from tablewright.analyst.operating.scene import scene_of
from tablewright.analyst.operating.wish import Memory, Op, Wish
from tablewright.domain.dataset import DistinctValues
from tablewright.domain.outline import ColumnOutline, RegionOutline, SheetOutline, WorkbookOutline


class _NoValues:
    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return None


async def _wish(text: str) -> Wish:
    columns = (
        ColumnOutline(letters="A", header="Team", kind="text", filled=3, samples=("Red", "Blue", "Red")),
        ColumnOutline(letters="B", header="Points", kind="number", filled=3, samples=(3, 9, 5)),
        ColumnOutline(letters="C", header="Fouls", kind="number", filled=3, samples=(1, 0, 2)),
    )
    region = RegionOutline(range="A1:C4", header_rows=(1, 1), data_rows=(2, 4), columns=columns)
    sheet = SheetOutline(name="League", state="visible", kind="worksheet", used="A1:C4", regions=(region,))
    scene = scene_of(WorkbookOutline(sheets=(sheet,)), (), "en")
    tokens = tokenize(text)
    linked = await link(text, tokens, scene.places[0].facts, KnownValues(_NoValues()), ())
    return Wish(
        text=text, whole=text, scene=scene, place=scene.places[0], memory=Memory(), tokens=tokens, linked=linked
    )


def _op(function: str, **parameters: Any) -> Op:
    return Op(function=function, parameters={"sheet": "League", **parameters})


@pytest.mark.requirement("analyst-names-what-it-could-not-read")
@pytest.mark.parametrize(
    ("text", "op", "words"),
    [
        ("sort by Points descending", _op("sort_rows", by=[{"column": "Points", "descending": True}]), []),
        ("sort by Points and Fouls", _op("sort_rows", by=[{"column": "Points", "descending": False}]), ["Fouls"]),
        ("sort by Points and print it", _op("sort_rows", by=[{"column": "Points", "descending": False}]), ["print"]),
        ("delete rows with Points over 7 and under 20",
            _op("delete_rows", where={"tests": [{"column": "Points", "op": ">", "value": 7}]}), ["20"]),
        ("write the sum of Points in E9", _op("set_formula", range="E9", formula="=SUM($B$2:$B$4)"), []),
        ("write the sum of Points in E9", _op("set_formula", range="E8", formula="=SUM($B$2:$B$4)"), ["E9"]),
        ("add a Mean column that averages Points and Fouls",
            _op("add_column", header="Mean", formula="=AVERAGE([Points]:[Fouls])"), []),
        ("add a Mean column that weighs Points", _op("add_column", header="Mean"), ["Points", "that weighs"]),
        ("把Points加粗并居中", _op("set_font", range="B2:B4", bold=True), ["居中"]),
        ("sort by Points for Jamie", _op("sort_rows", by=[{"column": "Points", "descending": False}]), ["Jamie"]),
        ("write the mean of Points in column E", _op("aggregate", column="Points", aggregation="mean"), ["E", "write"]),
        ("color the second largest Points red and blue",
            _op("highlight_cells", top_column="Points", top_count=2, top_from=2, color="red"), ["blue"]),
        ("replace dots with nothing in all columns, not just column A", _op("find_replace", find=".", replace=""), []),
        ("add a column Rate: Points divided by Fouls", _op("add_column", header="Rate", formula="=[Points]/[Fouls]"),
            []),
        ("add a column Rate: Points divided by Fouls", _op("add_column", header="Rate", formula="=[Points]+[Fouls]"),
            ["divided by"]),
        ("add a column Gap with Points and another with Fouls",
            _op("add_column", header="Gap", formula="=[Points]-[Fouls]"), ["another with"]),
        ("color the top 10% of Points red", _op("highlight_cells", top_column="Points", top_count=10, color="red"),
            ["top 10%"]),
        ("which Team has the most Points? highlight its rows", _op("highlight_cells", top_column="Points", top_count=1),
            ["its rows"]),
        ("insert a column before Points called Rank", _op("add_column", header="Rank", after="A"), []),
        ("add a column Net = Points - Fouls, only for red cards",
            _op("add_column", header="Net", formula="=[Points]-[Fouls]"), ["only"]),
        ("add a column Net = Points - Fouls and sort by Points",
            _op("sort_rows", by=[{"column": "Points"}, {"column": "Fouls"}]), ["Net"]),
        ("新增一列净分=Points-Fouls，负数另外处理", _op("add_column", header="净分", formula="=[Points]-[Fouls]"),
            ["负数"]),
        ("只保留Points最大的2行", _op("identify_top", column="Points", count=2), ["只保留"]),
    ],
)  # fmt: skip
async def test_words_that_no_step_takes_up_are_told(text: str, op: Op, words: list[str]) -> None:
    assert left_out(await _wish(text), [op]) == words
