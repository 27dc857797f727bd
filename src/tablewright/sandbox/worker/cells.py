"""Table values in plain form: text, integer, number, boolean or None."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import numbers
from typing import Any

TEXT_CHARS = 32_767
_LARGEST = 2**63


def _number(value: Any) -> Any:
    if isinstance(value, numbers.Integral):
        whole = int(value)
        return whole if -_LARGEST <= whole < _LARGEST else str(whole)
    number = float(value)
    return number if math.isfinite(number) else None


def _decimal(value: decimal.Decimal) -> Any:
    if not value.is_finite():
        return None
    return int(value) if value == value.to_integral_value() and abs(value) < 2**53 else float(value)


def _nested(value: Any) -> str:
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    try:
        return json.dumps(value, ensure_ascii=False, default=plain_or_text)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def plain_or_text(value: Any) -> Any:
    """Convert an object that contains several values for JSON."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return plain(value)


def _is_missing(value: Any) -> bool:
    # NaT, pandas.NA and NaN: each is unequal to itself, or refuses the comparison.
    try:
        return bool(value != value)  # noqa: PLR0124
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def plain(value: Any) -> Any:
    """Return `value` as str, int, float, bool or None; dates as ISO 8601 text, NaN and infinities as None."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value[:TEXT_CHARS]
    if isinstance(value, list | tuple | dict | set | frozenset):
        return _nested(value)[:TEXT_CHARS]
    value = unwrapped(value)
    if isinstance(value, bool | str):
        return value
    if _is_missing(value):
        return None
    return _rest(value)


def unwrapped(value: Any) -> Any:
    """Return a numpy scalar as a Python or pandas value, anything else unchanged."""
    if type(value).__module__ != "numpy" or not hasattr(value, "ndim") or value.ndim:
        return value
    kind = value.dtype.kind
    if kind in "mM":
        import pandas

        return pandas.Timestamp(value) if kind == "M" else pandas.Timedelta(value)
    return value.item()


def _rest(value: Any) -> Any:
    if isinstance(value, decimal.Decimal):
        return _decimal(value)
    if isinstance(value, numbers.Real):
        return _number(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode(errors="replace")[:TEXT_CHARS]
    if hasattr(value, "tolist") and hasattr(value, "ndim") and value.ndim:
        return _nested(value.tolist())[:TEXT_CHARS]
    return str(value)[:TEXT_CHARS]
