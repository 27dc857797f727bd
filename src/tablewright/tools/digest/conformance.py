"""Tests that every reader of pieces must pass.

Derive a test class and provide the fixtures that it names. They need only pytest with asyncio in automatic mode.
"""

from __future__ import annotations

import asyncio

import pytest

from tablewright.errors import ModelError
from tablewright.tools.digest.base import PieceReader

FAULT = "no tea today"
"""An order that the model behind `reader` fails on; for any other it writes the first name and text that it gets."""


class PieceReaderConformance:
    """Behaviour of `PieceReader`. Fixture: `reader`, over a model as `FAULT` describes it."""

    async def test_what_is_written_comes_from_the_order_and_the_materials(self, reader: PieceReader) -> None:
        words = await reader.read("what of tea?", [("part 1", "Tea rose."), ("part 2", "Coffee fell.")])
        assert "part 1" in words
        assert "Tea rose." in words

    async def test_a_model_that_fails_raises_its_error(self, reader: PieceReader) -> None:
        with pytest.raises(ModelError):
            await reader.read(FAULT, [("part 1", "Tea rose.")])

    async def test_a_fault_leaves_the_others_alone(self, reader: PieceReader) -> None:
        orders = ["tea", FAULT, "tea"]
        asked = (reader.read(order, [("part 1", "Tea rose.")]) for order in orders)
        read = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(one, ModelError) for one in read] == [False, True, False]
