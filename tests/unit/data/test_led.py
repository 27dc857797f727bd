"""What the first column says of a block of rows holds for those below."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.data.files.led import fill_led

DAYS: list[list[Any]] = [
    ["1 May", "adult", 3], [None, "child", 4], ["2 May", "adult", 5], [None, "child", 1], [None, "dog", 2],
    ["3 May", "adult", 8], [None, "child", 9],
]  # fmt: skip


def first_column(rows: list[list[Any]]) -> tuple[int, list[Any]]:
    body = [list(row) for row in rows]
    return fill_led(body, range(len(body))), [row[0] for row in body]


def test_each_row_of_a_block_gets_what_its_first_says() -> None:
    filled, column = first_column(DAYS)
    assert filled == 4
    assert column == ["1 May"] * 2 + ["2 May"] * 3 + ["3 May"] * 2


@pytest.mark.parametrize(
    "rows",
    [
        [[None, "adult", 3], *DAYS],
        [*DAYS, ["1 May", "dog", 7], [None, "cat", 7]],
        [["a", "x", 1], ["b", "y", 2], ["c", "z", 3], [None, "w", 4]],
        [[row[0], None, None] for row in DAYS],
        DAYS[:4],
    ],
)
def test_other_empty_cells_stay_empty(rows: list[list[Any]]) -> None:
    assert first_column(rows) == (0, [row[0] for row in rows])
