"""Values of database drivers as cells of our tables."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from tablewright.data.sql.base import CELL_CHARS
from tablewright.domain.table import Cell

MOST_BYTES = 16 * 1024**2
"""How much text one result may hold, beyond which it is cut after the row that reaches it."""


def cell(value: Any) -> Cell:
    """Return a driver's value as a cell. A decimal stays exact: it is text where no number of ours is equal to it."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, str):
        return value[:CELL_CHARS]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return "0x" + bytes(value[: CELL_CHARS // 2]).hex()
    if isinstance(value, set | frozenset):
        value = sorted(map(str, value))
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)[:CELL_CHARS]
    return str(value)[:CELL_CHARS]


def weight(row: tuple[Cell, ...]) -> int:
    """Return about how many bytes a row holds."""
    return sum(len(one) if isinstance(one, str) else 8 for one in row)


def _number(value: Decimal) -> Cell:
    if not value.is_finite():
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)
