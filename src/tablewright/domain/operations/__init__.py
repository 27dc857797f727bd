"""Typed operations on a workbook, one family per file: what models, the analyst, the API and the page see.

An operation says what is wanted. Whether it fits a workbook, and what it changes, is the business of
`workbook/operations`.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter

from tablewright.domain.operations.analysis import AnalysisOperation
from tablewright.domain.operations.base import Operation
from tablewright.domain.operations.cells import CellOperation
from tablewright.domain.operations.charts import ChartOperation
from tablewright.domain.operations.code import CodeOperation
from tablewright.domain.operations.formats import FormatOperation
from tablewright.domain.operations.sheets import SheetOperation
from tablewright.domain.operations.structure import StructureOperation
from tablewright.domain.operations.tables import TableOperation

AnyOperation = Annotated[
    CellOperation
    | StructureOperation
    | TableOperation
    | AnalysisOperation
    | FormatOperation
    | SheetOperation
    | ChartOperation
    | CodeOperation,
    Field(discriminator="function"),
]


@cache
def operations() -> dict[str, type[Operation]]:
    """Return every operation's class by the name of its function."""
    return {kind.__dataclass_fields__["function"].default: kind for kind in get_args(get_args(AnyOperation)[0])}


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each operation's parameters, by function; `function` itself is not among them."""
    found: dict[str, dict[str, Any]] = {}
    for name, kind in operations().items():
        schema = TypeAdapter(kind).json_schema()
        schema["properties"].pop("function", None)
        found[name] = schema
    return found
