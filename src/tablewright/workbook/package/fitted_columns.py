"""How wide the columns of a text file are, which has no widths of its own: fitted to its first rows, within bounds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice

from tablewright.workbook.package.delimited import DelimitedText
from tablewright.workbook.views import Span

_ROWS = 200
_LEAST_PX, _MOST_PX = 64.0, 320.0
_PADDING_PX, _SIGN_PX, _WIDE_PX = 16.0, 7.5, 14.0
_WIDE = frozenset("WF")


def fitted_columns(text: DelimitedText) -> Iterator[Span]:
    """Yield the columns of a text file with widths that hold what their first rows have."""
    widths: dict[int, float] = {}
    for fields in text.first_rows(_ROWS):
        for column, field in enumerate(fields, 1):
            widths[column] = max(widths.get(column, 0.0), _width_px(field))
    for column, width in sorted(widths.items()):
        yield Span(first=column, last=column, size_px=min(max(width, _LEAST_PX), _MOST_PX))


def _width_px(field: str) -> float:
    signs = islice(field, int(_MOST_PX / _SIGN_PX))
    return _PADDING_PX + sum(_WIDE_PX if unicodedata.east_asian_width(sign) in _WIDE else _SIGN_PX for sign in signs)
