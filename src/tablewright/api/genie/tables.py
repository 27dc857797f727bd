"""Tables as Genie's page knows them: models with columns, rows by column, and answers that it draws itself. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tablewright.domain.chart import Chart
from tablewright.domain.dataset import ColumnKind, DatasetFacts, StoredFile
from tablewright.domain.table import Cell, Table

TYPES: dict[ColumnKind, str] = {
    "number": "DECIMAL",
    "integer": "DECIMAL",
    "date": "DATE",
    "datetime": "DATE",
}
TEXT = "VARCHAR"
BETWEEN = "~"
"""Between the id of a file and the number of a table in it, which the first one goes without."""
_TIME = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2}.*)?|\d{4}-?Q[1-4]|\d{4}-W\d{2}", re.DOTALL)
"""Dates, months, quarters and weeks as our tables have them."""
YEARS = range(1900, 2101)


def models_of(files: Iterable[StoredFile]) -> list[dict[str, Any]]:
    """Return the tables of files as models."""
    return [_model(file, number) for file in files for number in range(len(file.datasets))]


def place_of(code: str) -> tuple[str, int]:
    """Return the file and the number of the table that a code stands for."""
    file_id, _, number = code.partition(BETWEEN)
    return file_id, int(number) if number.isdecimal() and len(number) < 6 else 0


def rows_of(table: Table) -> dict[str, Any]:
    """Return the rows of a table by their columns."""
    columns = _unique(table.columns)
    listed = [{"columnId": column, "columnName": column} for column in columns]
    return {"dataList": [dict(zip(columns, row, strict=True)) for row in table.rows], "columnList": listed}


def answer_data(question: str, table: Table, charts: Sequence[Chart] = ()) -> dict[str, Any]:
    """Return a table as the page draws it. What is a measure decides how: what the first chart says, else numbers that
    are no years by which the rows are told apart. What stands for a time is a date, or the page would draw a pie of it.

    Every dimension and measure is a column of the list, and no order is null, not left out: the page breaks on the one
    and draws something else for the other.
    """
    guids = [f"c{number}" for number in range(1, len(table.columns) + 1)]
    values = [[row[number] for row in table.rows] for number in range(len(table.columns))]
    types = [_type_of(column) for column in values]
    named = _dimension(table, charts)
    for number in _year_keys(values, types) if named is None else [named]:
        types[number] = "DATE" if _are_years(values[number]) else types[number]
    measures = {guid for number, guid in enumerate(guids) if types[number] == "DECIMAL" and number != named}
    columns = [
        {
            "col": name,
            "agg": None,
            "order": None,
            "guid": guid,
            "name": name,
            "dataType": kind,
            "colType": "MEASURE" if guid in measures else "DIM",
        }
        for guid, name, kind in zip(guids, table.columns, types, strict=True)
    ]
    return {
        "question": question,
        "dataList": [dict(zip(guids, row, strict=True)) for row in table.rows],
        "columnList": columns,
        "filters": [],
        "dimCols": [guid for guid in guids if guid not in measures],
        "measureCols": [guid for guid in guids if guid in measures],
        "nl2sqlResult": None,
        "modelCode": None,
        "modelName": table.title,
        "limit": len(table.rows),
    }


def _model(file: StoredFile, number: int) -> dict[str, Any]:
    facts = file.datasets[number]
    code = file.id if number == 0 else f"{file.id}{BETWEEN}{number}"
    name = file.name if len(file.datasets) == 1 else f"{file.name} · {facts.name}"
    return {
        "modelCode": code,
        "modelName": name,
        "usePrompt": "",
        "businessPrompt": "",
        "type": "table",
        "content": facts.name,
        "schemaList": _columns(code, facts),
    }


def _columns(code: str, facts: DatasetFacts) -> list[dict[str, Any]]:
    return [
        {
            "modelCode": code,
            "columnId": column.name,
            "columnName": column.name,
            "columnComment": "",
            "fewShot": "",
            "dataType": TYPES.get(column.kind, TEXT),
            "synonyms": "",
            "vectorUuid": "",
            "defaultRecall": 0,
            "analyzeSuggest": 0,
        }
        for column in facts.columns
    ]


def _dimension(table: Table, charts: Sequence[Chart]) -> int | None:
    """Return the column that the first chart has along its axis, if it is one of the table's."""
    axis = charts[0].labels.get("x") if charts else None
    return table.columns.index(axis) if axis in table.columns else None


def _type_of(values: Sequence[Cell]) -> str:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        return "DECIMAL"
    return "DATE" if known and all(isinstance(value, str) and _TIME.fullmatch(value) for value in known) else TEXT


def _year_keys(values: Sequence[Sequence[Cell]], types: Sequence[str]) -> list[int]:
    """Return the columns of years that are keys: those of a grouping stand before its measures and tell, with the other
    keys, the rows apart. A single row is a row of numbers."""
    keys: list[int] = []
    for number, column in enumerate(values):
        if types[number] == "DECIMAL" and not _are_years(column):
            break
        keys.append(number)
    years = [number for number in keys if types[number] == "DECIMAL"]
    rows = list(zip(*(values[number] for number in keys), strict=True))
    measured = "DECIMAL" in types[len(keys) :]
    return years if measured and 1 < len(rows) == len(set(rows)) else []


def _are_years(values: Sequence[Cell]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(
        isinstance(value, int | float) and not isinstance(value, bool) and value in YEARS for value in known
    )


def _unique(names: Sequence[str]) -> list[str]:
    taken: dict[str, int] = {}
    made: list[str] = []
    for name in names:
        taken[name] = taken.get(name, 0) + 1
        made.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return made
