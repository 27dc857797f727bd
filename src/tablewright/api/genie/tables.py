"""Tables as Genie's page knows them: models with columns, rows by column, and answers that it draws itself. Pure."""

from __future__ import annotations

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
DATE_CHARS = 10


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
    """Return a table as the page draws it. What is a measure decides how: what the first chart says, else numbers.

    Every dimension and measure is a column of the list, and no order is null, not left out: the page breaks on the one
    and draws something else for the other.
    """
    guids = [f"c{number}" for number in range(1, len(table.columns) + 1)]
    types = [_type_of([row[number] for row in table.rows]) for number in range(len(table.columns))]
    measures = {guid for guid, kind in zip(guids, types, strict=True) if kind == "DECIMAL"}
    if (named := _dimension(table, charts)) is not None:
        measures.discard(guids[named])
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
    return "DATE" if known and all(isinstance(value, str) and _is_date(value) for value in known) else TEXT


def _is_date(value: str) -> bool:
    """Return whether a text begins like a date of ours: tables have dates as ISO 8601."""
    day = value[:DATE_CHARS]
    return len(day) == DATE_CHARS and day[4] == day[7] == "-" and day.replace("-", "").isdecimal()


def _unique(names: Sequence[str]) -> list[str]:
    taken: dict[str, int] = {}
    made: list[str] = []
    for name in names:
        taken[name] = taken.get(name, 0) + 1
        made.append(name if taken[name] == 1 else f"{name} ({taken[name]})")
    return made
