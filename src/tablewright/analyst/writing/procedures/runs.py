"""The procedure longest_run."""

from __future__ import annotations

from tablewright.analyst.plan import Col, Procedure
from tablewright.analyst.writing.columns import Column, Frame, Value
from tablewright.analyst.writing.script import Script


def longest_run(script: Script, relation: Procedure, frame: Frame) -> Value:
    """Write the largest number of consecutive rows in which a column is above zero."""
    marks = script.expressions(frame).numbers(Col(name=relation.columns[0]))
    flags, length = script.names.fresh(otherwise="flags"), script.names.fresh(otherwise="longest_run")
    script.emit(
        f"{flags} = ({marks.bracketed} > 0).reset_index(drop=True)",
        f"{length} = int({flags}.groupby(({flags} != {flags}.shift()).cumsum()).sum().max()) if len({flags}) else 0",
    )
    return Value(name=length, column=Column(name="count", kind="integer"))
