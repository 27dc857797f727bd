"""Shared by all procedures: numeric columns and one-row results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.plan import Col
from tablewright.analyst.writing.columns import Column, Frame, with_columns
from tablewright.analyst.writing.literals import assign, call, keywords, quoted
from tablewright.analyst.writing.script import Script
from tablewright.domain.dataset import ColumnKind


def numeric(script: Script, frame: Frame, names: Sequence[str]) -> Frame:
    """Return `frame` with the columns `names` converted to numbers."""
    odd = [name for name in names if not frame.column(name).is_number]
    if not odd:
        return frame
    expressions = script.expressions(frame)
    pairs = [(name, expressions.numbers(Col(name=name)).code) for name in odd]
    target = script.names.fresh(frame.name, "numbers", otherwise="as_numbers")
    script.emit(*assign(target, frame.name, call(".assign", keywords(pairs))))
    changed = [replace(frame.column(name), kind="number", date_format=None) for name in odd]
    return Frame(name=target, columns=with_columns(frame.columns, changed))


def one_row(script: Script, cells: Sequence[tuple[str, str, ColumnKind]], *, otherwise: str) -> Frame:
    """Write `variable = pd.DataFrame({name: [code], …})`."""
    name = script.names.fresh(otherwise=otherwise)
    script.emit(f"{name} = pd.DataFrame({{", *[f"    {quoted(key)}: [{code}]," for key, code, _ in cells], "})")
    columns = tuple(Column(name=key, kind=kind, missing=kind == "number") for key, _, kind in cells)
    return Frame(name=name, columns=columns, single=True)


def number_columns(frame: Frame, *, but: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names of the numeric columns, except those in `but`."""
    return tuple(column.name for column in frame.columns if column.is_number and column.name not in but)
