"""The procedures describe, columns, missing and duplicates."""

from __future__ import annotations

from tablewright.analyst.plan import Procedure
from tablewright.analyst.writing.columns import Column, Frame, Value
from tablewright.analyst.writing.literals import listed
from tablewright.analyst.writing.procedures.columns import number_columns, numeric
from tablewright.analyst.writing.script import Script

_DESCRIBED = ("count", "mean", "std", "min", "25%", "50%", "75%", "max")


def describe(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write a row per column with its count, mean, standard deviation, extremes and quartiles."""
    names = relation.columns or number_columns(frame)
    table = numeric(script, frame, names)
    columns = [Column(name="column", kind="text"), *[Column(name=name, kind="number") for name in _DESCRIBED]]
    return script.define(
        columns, f"{table.name}[{listed(names)}]", ".describe()", ".T", '.rename_axis("column")', ".reset_index()",
        otherwise="description",
    )  # fmt: skip


def columns_of(script: Script, _relation: Procedure, frame: Frame) -> Frame:
    """Write a row per column with its number of filled cells and of distinct values."""
    columns = [
        Column(name="column", kind="text"),
        Column(name="filled", kind="integer", missing=False),
        Column(name="distinct", kind="integer", missing=False),
    ]
    return script.define(
        columns,
        f'{frame.name}.agg(["count", "nunique"])',
        ".T",
        '.rename(columns={"count": "filled", "nunique": "distinct"})',
        '.rename_axis("column")',
        ".reset_index()",
        otherwise="columns",
    )


def missing(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write a row per column with its number of empty cells and their share of the rows."""
    part = f"[{listed(relation.columns)}]" if relation.columns else ""
    columns = [
        Column(name="column", kind="text"),
        Column(name="missing", kind="integer", missing=False),
        Column(name="percent", kind="number", unit="%"),
    ]
    return script.define(
        columns,
        f"{frame.name}{part}.isna().sum()",
        '.rename_axis("column")',
        '.reset_index(name="missing")',
        f'.assign(percent=lambda table: table["missing"] / max(len({frame.name}), 1) * 100)',
        otherwise="missing_cells",
    )


def duplicates(script: Script, relation: Procedure, frame: Frame) -> Value:
    """Write the number of rows that repeat an earlier one."""
    name = script.names.fresh(otherwise="repeated_rows")
    script.emit(
        f"{name} = {frame.name}.duplicated({f'subset={listed(relation.columns)}' if relation.columns else ''}).sum()"
    )
    return Value(name=name, column=Column(name="count", kind="integer"))
