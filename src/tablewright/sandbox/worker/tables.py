"""Convert any table-like value to plain form: columns, rows, total_rows."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Mapping
from typing import Any

from .cells import plain, unwrapped

MAX_ROWS = 10_000
MAX_CELLS = 500_000
_VALUE = "value"
_RESULT = "result"


def _limit(columns: int) -> int:
    return max(1, min(MAX_ROWS, MAX_CELLS // max(1, columns)))


def _made(columns: list[str], rows: list[list[Any]], total: int) -> dict[str, Any]:
    return {"columns": columns, "rows": rows, "total_rows": total}


def _label(name: Any) -> str:
    if isinstance(name, tuple):
        return " ".join(text for text in (_label(part) for part in name) if text)
    value = plain(name)
    return "" if value is None else str(value)


def _unique(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        result.append(name if count == 1 else f"{name}.{count - 1}")
    return result


def _is_day(value: Any) -> bool:
    return isinstance(value, datetime.datetime) and value.tzinfo is None and value.time() == datetime.time(0)


def _column(values: list[Any]) -> list[Any]:
    """Return the plain values of one column; timestamps that are all at midnight become dates."""
    values = [unwrapped(value) for value in values]
    cells = [plain(value) for value in values]
    moments = [index for index, value in enumerate(values) if cells[index] is not None]
    if moments and all(_is_day(values[index]) for index in moments):
        for index in moments:
            cells[index] = cells[index][:10]
    return cells


def means(index: Any, pandas: Any) -> bool:
    """Return whether an index is informative, rather than a counter or leftover row numbers."""
    if isinstance(index, pandas.MultiIndex):
        return True
    if index.name is not None:
        return True
    return not (isinstance(index, pandas.RangeIndex) or pandas.api.types.is_integer_dtype(index.dtype))


def _frame(frame: Any, pandas: Any) -> dict[str, Any]:
    total = len(frame)
    meaningful = means(frame.index, pandas)
    levels = frame.index.nlevels if meaningful else 0
    shown = frame.head(_limit(frame.shape[1] + levels))
    names: list[str] = []
    columns: list[list[Any]] = []
    for level in range(levels):
        name = shown.index.names[level]
        names.append(_label(name) if name is not None else ("index" if levels == 1 else f"level_{level}"))
        columns.append(_column(shown.index.get_level_values(level).astype(object).tolist()))
    for position in range(frame.shape[1]):
        names.append(_label(frame.columns[position]))
        columns.append(_column(shown.iloc[:, position].astype(object).tolist()))
    rows = [list(row) for row in zip(*columns, strict=True)] if columns else []
    return _made(_unique(names), rows, total)


def _pandas(value: Any) -> dict[str, Any] | None:
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return None
    if isinstance(value, pandas.DataFrame):
        return _frame(value, pandas)
    if isinstance(value, pandas.Series):
        name = _VALUE if value.name is None else value.name
        return _frame(value.to_frame(name), pandas)
    if isinstance(value, pandas.Index):
        return _frame(value.to_frame(index=False), pandas)
    return None


def _polars(value: Any) -> dict[str, Any] | None:
    polars = sys.modules.get("polars")
    if polars is None:
        return None
    if isinstance(value, polars.LazyFrame):
        value = value.collect()
    if isinstance(value, polars.Series):
        value = value.to_frame(value.name or _VALUE)
    if not isinstance(value, polars.DataFrame):
        return None
    shown = value.head(_limit(value.width))
    columns = [_column(shown.to_series(position).to_list()) for position in range(value.width)]
    return _made(list(value.columns), [list(row) for row in zip(*columns, strict=True)], value.height)


def _converted(value: Any) -> dict[str, Any] | None:
    """Convert tables of other libraries through the conversion that each provides."""
    module = type(value).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb") and hasattr(value, "df"):
        return _pandas(value.df())
    if module == "pyarrow" and hasattr(value, "to_pandas") and hasattr(value, "num_rows"):
        return _pandas(value.to_pandas())
    if module == "numpy" and hasattr(value, "ndim") and value.ndim:
        return _array(value)
    return None


def _array(value: Any) -> dict[str, Any]:
    if value.ndim == 1:
        shown = _column(list(value[: _limit(1)]))
        return _made([_RESULT], [[cell] for cell in shown], len(value))
    flat = value.reshape(len(value), -1)
    width = flat.shape[1]
    rows = [[plain(cell) for cell in row] for row in flat[: _limit(width)]]
    return _made([str(position) for position in range(width)], rows, len(flat))


def _mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    columns = list(value.items())[:1000]
    lists = [list(cells) for _, cells in columns if isinstance(cells, list | tuple)]
    if lists and len(lists) == len(columns) and len({len(cells) for cells in lists}) == 1:
        return _columns([_label(key) for key, _ in columns], lists)
    return _made(_unique([_label(key) for key, _ in columns]), [[plain(cell) for _, cell in columns]], 1)


def _columns(names: list[str], lists: list[list[Any]]) -> dict[str, Any]:
    shown = [_column(cells[: _limit(len(lists))]) for cells in lists]
    return _made(_unique(names), [list(row) for row in zip(*shown, strict=True)], len(lists[0]))


def _sequence(value: list[Any]) -> dict[str, Any]:
    if value and all(isinstance(row, Mapping) for row in value):
        keys = list(dict.fromkeys(key for row in value for key in row))[:1000]
        return _columns([_label(key) for key in keys], [[row.get(key) for row in value] for key in keys])
    if value and all(isinstance(row, list | tuple) and len(row) == len(value[0]) for row in value) and value[0]:
        names = getattr(value[0], "_fields", None) or [str(position) for position in range(len(value[0]))]
        return _columns([str(name) for name in names], [list(cells) for cells in zip(*value, strict=True)])
    return _columns([_RESULT], [list(value)])


def is_frame(value: Any) -> bool:
    """Return whether `value` is a table of pandas, polars or duckdb."""
    for module, names in (("pandas", ("DataFrame",)), ("polars", ("DataFrame", "LazyFrame"))):
        library = sys.modules.get(module)
        if library is not None and isinstance(value, tuple(getattr(library, name) for name in names)):
            return True
    return type(value).__name__ == "DuckDBPyRelation"


def is_styled(value: Any) -> bool:
    """Return whether `value` is a pandas frame with a style."""
    return type(value).__name__ == "Styler" and type(value).__module__.startswith("pandas.")


def table_of(value: Any) -> dict[str, Any] | None:
    """Return `value` as a table, or None for a drawing, a module, a function or None.

    A frame is taken as it is, a series with its index, a list as a column, a mapping as a row, and any other value as a
    single cell.
    """
    for convert in (_pandas, _polars, _converted):
        table = convert(value)
        if table is not None:
            return table
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple | range):
        return _sequence(list(value))
    if value is None or callable(value) or type(value).__module__.startswith("matplotlib"):
        return None
    return _made([_RESULT], [_column([value])], 1)
