"""The procedure neighbour."""

from __future__ import annotations

from tablewright.analyst.plan import Col, Compare, Lit, Procedure
from tablewright.analyst.writing.columns import Frame
from tablewright.analyst.writing.script import Script


def neighbour(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the row a number of places after the last row with a value, or before the first one; empty beyond the
    ends."""
    offset = relation.options.get("offset")
    steps = int(offset) if isinstance(offset, int | float) else 1
    wanted = Compare(op="=", left=Col(name=relation.columns[0]), right=Lit(value=relation.options.get("value")))
    places, place = script.names.fresh(otherwise="places"), script.names.fresh(otherwise="place")
    script.emit(
        f"{places} = ({script.conditions(frame).write(wanted)}).to_numpy().nonzero()[0]",
        (
            f"{place} = {places}[{-1 if steps > 0 else 0}] {'+' if steps > 0 else '-'} {abs(steps)} if len({places}) "
            f"else -1"
        ),
    )
    code = f"{frame.name}.iloc[[{place}]] if {place} in range(len({frame.name})) else {frame.name}.head(0)"
    return script.define(frame.columns, code, otherwise="neighbour")
