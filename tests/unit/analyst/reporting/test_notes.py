"""What the notes of a report say of its tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.analyst.reporting.rounds import ORDERS, report, task, texts

from tablewright.domain.table_facts import Irregularity


async def content(printed: dict[str, str | None], **fields: Any) -> str:
    said, _ = await report(task(**fields), printed)
    return str(said["action"]["content"])


async def test_cells_that_say_that_there_is_no_value_are_counted_with_what_they_say() -> None:
    absent = Irregularity(kind="absent", cells=12, examples=("N/A", "-"))
    day, *others = ORDERS.columns
    table = replace(ORDERS, columns=(day, *others[:-1], replace(others[-1], irregular=(absent,))))
    said = await content(texts(), datasets=(table,))
    assert 'orders: of "price", 12 cells say that there is no value (“N/A”, “-”); they count as missing.' in said
    told = await content(texts(), datasets=(table,), language="zh")
    assert "orders：“price”有12个单元格写明没有值（“N/A”、“-”），按缺失计。" in told


@pytest.mark.parametrize(
    ("longest", "told"),
    [
        ([14, "M"], "orders covers 14 months, fewer than the 16 that it takes to test change over time."),
        ([0, "W"], "The dates of orders have too many gaps for change over time to be tested."),
        ([40, "D"], None),
    ],
)
async def test_too_few_periods_are_told_with_their_number_and_only_where_there_are(
    longest: list[Any], told: str | None
) -> None:
    said = await content(texts(time={"tests": 0, "longest": longest}))
    assert ("change over time" in said) == (told is not None)
    assert told is None or told in said
