"""Rows that only add up other rows are told from the rows themselves."""

from __future__ import annotations

import pytest
from tests.unit.analyst.known_tables import column, table

from tablewright.analyst.linking.linker import link
from tablewright.analyst.linking.tokens import tokenize
from tablewright.domain.dataset import DistinctValues


class Cells:
    def __init__(self, cells: tuple[str, ...]) -> None:
        self._cells = cells

    async def values(self, profile_ref: str, name: str) -> DistinctValues | None:
        if name != "Place":
            return None
        return DistinctValues(values=self._cells, counts=(1,) * len(self._cells), complete=True)


async def totals(*cells: str) -> tuple[str, ...]:
    facts = table("t", "t", len(cells), column("Place", "text", len(cells)), column("Amount", "number", 9, 1, 9))
    question = "total amount by place"
    linked = await link(question, tokenize(question), facts, Cells(cells), ())
    return linked.totals.values if linked.totals is not None else ()


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("North", "South", "Total"), ("Total",)),
        (("North", "Subtotal North", "South", "Subtotal South"), ("Subtotal North", "Subtotal South")),
        (
            ("North", "North Total", "South", "South total", "Grand total"),
            ("North Total", "South total", "Grand total"),
        ),
        (("北区", "北区小计", "南区", "南区 合计", "总计"), ("北区小计", "南区 合计", "总计")),
        (("North", "Total: North", "South"), ("Total: North",)),
    ],
)
async def test_totals_of_all_and_of_parts_are_found(cells: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert await totals(*cells) == expected


@pytest.mark.parametrize(
    "cells", [("North", "South"), ("Total Sports", "Alder Ltd"), ("Subtotal fees", "Rent"), ("合计科技", "东仓")]
)
async def test_a_name_with_such_a_word_is_no_total_unless_its_part_stands_there_too(cells: tuple[str, ...]) -> None:
    assert await totals(*cells) == ()
