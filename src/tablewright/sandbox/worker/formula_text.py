"""Text of tables that a spreadsheet program would run as a formula when it opens a CSV file.

The rule is that of `tablewright.domain.formula_text`: a test compares them.
"""

from __future__ import annotations

import re
from typing import Any

_BEGINS = re.compile('[\\s"\u200b\ufeff]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]')
_HARMLESS = re.compile(
    " *[+\\-\uff0b\uff0d] ?[$¥€£\uffe5]? ?(?:[0-9][0-9,]*(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})? ?%? *"
    "| *[+\uff0b][0-9]{1,4}(?: [0-9]{7,12}|(?: [0-9]{2,12}){2,5}) *"
    "| *-?[0-9]{1,4}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]+)?)? *|[+\\-\uff0b\uff0d]+"
)


def is_formula_text(text: str) -> bool:
    """Return whether a cell with this text would be read as a formula; plain numbers, times and dashes are not."""
    return _BEGINS.match(text) is not None and _HARMLESS.fullmatch(text) is None


def changed_text(changed: int) -> str:
    """Return the line that says how many cells were changed."""
    return f"tw.guard: an apostrophe before {changed} cells that begin like formulas\n"


def frame_of(data: Any) -> Any:
    """Return `data`, a frame, a series or what makes one, as a frame."""
    import pandas

    if isinstance(data, pandas.DataFrame):
        return data
    if isinstance(data, pandas.Series | pandas.Index):
        return data.to_frame(name="value" if data.name is None else data.name)
    return pandas.DataFrame(data)


class Guard:
    """Puts an apostrophe before each text that would be read as a formula, and counts them."""

    def __init__(self) -> None:
        self.changed = 0
        self._touched = 0

    def frame(self, frame: Any) -> Any:
        """Return a frame with the same cells, guarded: also names of columns, and of rows if they are texts."""
        import pandas

        made = frame.copy(deep=False)
        for at in range(frame.shape[1]):
            column = frame.iloc[:, at]
            if not (pandas.api.types.is_numeric_dtype(column.dtype) or column.dtype.kind in "mM"):
                made.isetitem(at, self._column(column))
        made.columns = self._names(frame.columns)
        if not pandas.api.types.is_numeric_dtype(frame.index.dtype):
            made.index = self._names(frame.index)
        return made

    def _column(self, column: Any) -> Any:
        before = self._touched
        cells = [self.cell(value) for value in column]
        if self._touched == before:
            return column
        return type(column)(cells, index=column.index, name=column.name, dtype=object)

    def _names(self, names: Any) -> Any:
        before = self._touched
        levels = names.nlevels > 1
        cells = [tuple(map(self.cell, name)) if levels else self.cell(name) for name in names]
        if self._touched == before:
            return names
        return names.from_tuples(cells, names=names.names) if levels else type(names)(cells, name=names.name)

    def cell(self, value: Any) -> Any:
        """Return a cell as it is written."""
        if not isinstance(value, str):
            return value
        # pandas leaves a carriage return unquoted, and a spreadsheet program begins a row there.
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        if is_formula_text(value):
            self.changed += 1
            text = f"'{text}"
        self._touched += text != value
        return text
