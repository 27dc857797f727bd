"""Formulas with columns of another sheet, and the names of the columns that they fill."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.analyst.operating.instructing.shop import CELLS, scene_of_text

from tablewright.analyst.operating.instructing import read
from tablewright.analyst.operating.scene import Scene
from tablewright.domain.dataset import ColumnFacts


def _with_rates(text: str) -> Scene:
    """The workbook with a rate for each mechanic or reader on its second sheet."""
    scene = scene_of_text(text, two_sheets=True)
    first, second = scene.places
    rate = ColumnFacts(
        name="Rate" if scene.language == "en" else "费率", kind="number", minimum=1, maximum=9, distinct=3
    )
    key = replace(second.facts.columns[0], distinct=3)
    facts = replace(second.facts, rows=3, columns=(key, rate))
    return replace(scene, places=(first, replace(second, facts=facts, letters={key.name: "A", rate.name: "B"})))


def _added(text: str) -> list[tuple[str, str]]:
    reading = asyncio.run(read(text, _with_rates(text), CELLS))
    assert reading is not None
    added = [op.parameters for op in reading.ops if op.function == "add_column"]
    return [(given["header"], given.get("formula", "").split("INDEX(")[0]) for given in added]


@pytest.mark.parametrize(
    ("text", "header", "formula"),
    [
        ("加一列提成:押金乘以通讯录表里各人的费率", "提成", "=[押金]*"),
        ("最后加一列“提成”，拿押金乘「通讯录」表里该读者的费率", "提成", "=[押金]*"),
        ("add a column Pay: price times the mechanic's rate", "Pay", "=[Price]*"),
        ("add price times the mechanic's rate as a new column", "Price*Rate", "=[Price]*"),
    ],
)
def test_words_lead_to_a_column_of_another_sheet(text: str, header: str, formula: str) -> None:
    assert _added(text) == [(header, formula)]


def test_a_name_is_all_that_stands_between_the_column_and_the_next_mark() -> None:
    assert _added("插一列到账额，押金加罚款就是了") == [("到账额", "=[押金]+[罚款]")]


def test_a_name_that_is_said_twice_is_read_twice() -> None:
    reading = asyncio.run(read("算一下余额(押金-罚款)写在新列“余额”里", scene_of_text("余额"), CELLS))
    assert reading is not None
    assert all(not step.unread for step in reading.steps)


def test_brackets_around_all_of_a_formula_say_nothing() -> None:
    assert _added("add a column Left: (price - cost)") == [("Left", "=[Price]-[Cost]")]
