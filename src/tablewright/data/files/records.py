"""JSON files: a list of records, one record per line, or columns. Nested objects become columns `a.b`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from tablewright.data.column_naming import column_names
from tablewright.data.files.dialect import detect_encoding
from tablewright.data.files.region import TableRegion
from tablewright.domain.dataset import ReadOptions
from tablewright.errors import FileEmpty, FileUnreadable

_DEEPEST = 3
_MOST_TABLES = 20
_SCALARS = str | int | float | bool | None


def read_json(path: Path, name: str) -> list[TableRegion]:
    """Read the tables of a JSON file. Errors: `FileEmpty`, `FileUnreadable`."""
    encoding = detect_encoding(path)
    text = path.read_bytes().decode(encoding.name, "replace").strip()
    if not text:
        raise FileEmpty(name=name)
    stem = Path(name).stem
    try:
        whole = orjson.loads(text)
    except orjson.JSONDecodeError:
        rows = _lines(text, name)
        return [_records(stem, stem, rows, (), encoding.name, lines=True)]
    tables: list[tuple[tuple[str, ...], Any]] = [((), whole)]
    if isinstance(whole, dict):
        tables = _tables(whole)[:_MOST_TABLES] or [((), [whole])]
    regions = [region for keys, table in tables if (region := _region(stem, keys, table, encoding.name)) is not None]
    if not regions:
        raise FileUnreadable("json_without_records", name=name)
    return regions


def _lines(text: str, name: str) -> list[Any]:
    try:
        rows = [orjson.loads(line) for line in text.splitlines() if line.strip()]
    except orjson.JSONDecodeError as error:
        raise FileUnreadable("json_malformed", name=name) from error
    if not all(isinstance(row, dict) for row in rows):
        raise FileUnreadable("json_without_records", name=name)
    return rows


def _tables(value: dict[str, Any], keys: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Find the lists of records in an object and its nested objects; an object of columns is a table itself."""
    if _is_columns(value):
        return [(keys, value)]
    found: list[tuple[tuple[str, ...], Any]] = []
    for key, part in value.items():
        if _is_records(part):
            found.append(((*keys, key), part))
        elif isinstance(part, dict) and len(keys) + 1 < _DEEPEST:
            found += _tables(part, (*keys, key))
    return found


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _is_columns(value: dict[str, Any]) -> bool:
    """Return whether an object holds columns: lists of scalars of equal length, or objects with the same keys."""
    columns = list(value.values())
    if not columns:
        return False
    if all(isinstance(column, list) for column in columns):
        lengths = {len(column) for column in columns}
        return len(lengths) == 1 and lengths != {0} and all(isinstance(cell, _SCALARS) for c in columns for cell in c)
    if all(isinstance(column, dict) for column in columns):
        keys = list(columns[0])
        numbered = keys == [str(number) for number in range(len(keys))] and bool(keys)
        return numbered and all(list(column) == keys for column in columns)
    return False


def _region(stem: str, keys: tuple[str, ...], table: Any, encoding: str) -> TableRegion | None:
    region_id, name = ".".join(keys) or stem, keys[-1] if keys else stem
    if isinstance(table, dict):
        columns = [list(part.values()) if isinstance(part, dict) else part for part in table.values()]
        read = ReadOptions(kind="json", encoding=encoding, record_path=keys, by_column=True)
        return _named(region_id, name, list(table), columns, read)
    if not _is_records(table):
        return None
    return _records(region_id, name, table, keys, encoding)


def _records(
    region_id: str,
    name: str,
    rows: Sequence[dict[str, Any]],
    keys: tuple[str, ...],
    encoding: str,
    *,
    lines: bool = False,
) -> TableRegion:
    flat = [_flattened(row) for row in rows]
    names = list(dict.fromkeys(key for row in flat for key in row))
    columns = [[row.get(key) for row in flat] for key in names]
    return _named(
        region_id, name, names, columns, ReadOptions(kind="json", encoding=encoding, record_path=keys, lines=lines)
    )


def _named(region_id: str, name: str, keys: list[str], columns: list[list[Any]], read: ReadOptions) -> TableRegion:
    names = column_names([keys], len(keys))
    cells = tuple([_cell(cell) for cell in column] for column in columns)
    renamed = replace(read, renamed=list(names) != keys)
    return TableRegion(id=region_id, name=name, read=renamed, names=names, columns=cells)


def _flattened(row: dict[str, Any]) -> dict[str, Any]:
    """Flatten like `pandas.json_normalize`: plain values first, then the values of nested objects in order."""
    plain = {key: value for key, value in row.items() if not isinstance(value, dict)}
    nested = {key: value for key, value in row.items() if isinstance(value, dict)}
    return {**plain, **dict(_walk(nested, ""))}


def _walk(value: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for key, part in value.items():
        named = f"{path}.{key}" if path else key
        if isinstance(part, dict):
            yield from _walk(part, named)
        else:
            yield named, part


def _cell(cell: Any) -> Any:
    """Return scalars unchanged and lists as JSON text."""
    return orjson.dumps(cell).decode() if isinstance(cell, list | dict) else cell
