"""Where a message wants its answer written, and what it says without the words for that."""

from __future__ import annotations

import asyncio

import pytest
from tests.unit.analyst.operating.instructing.shop import CELLS, scene_of_text

from tablewright.analyst.operating.instructing import destination_of


@pytest.mark.parametrize(
    ("text", "sheet", "wish"),
    [
        ("How much did each mechanic charge? Put it on its own sheet.", "", "How much did each mechanic charge"),
        ("on a new sheet: total price per bike", "", "total price per bike"),
        ("share of open repairs per mechanic, new sheet called Open", "Open", "share of open repairs per mechanic"),
        ("每个读者的罚款合计，放到新表里", "", "每个读者的罚款合计"),
    ],
)
def test_the_words_for_a_new_sheet_are_taken_out(text: str, sheet: str, wish: str) -> None:
    found = asyncio.run(destination_of(text, scene_of_text(text), CELLS))
    assert found is not None
    assert (found.sheet, found.wish) == (sheet, wish)


@pytest.mark.parametrize("text", ["total price per bike", "make a new sheet for each mechanic", "add a new sheet"])
def test_there_is_none_without_one_sheet_and_something_for_it(text: str) -> None:
    assert asyncio.run(destination_of(text, scene_of_text(text), CELLS)) is None
