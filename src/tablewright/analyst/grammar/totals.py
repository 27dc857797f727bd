"""Lines of a table that only add up others: they are none of its rows, unless they are asked for."""

from __future__ import annotations

from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.search import State
from tablewright.analyst.linking.linker import total_lines
from tablewright.analyst.linking.values import TextColumn
from tablewright.analyst.plan import Col, Filter, Not, OneOf, Relation


def without_totals(source: Relation, seen: Scene, state: State) -> Relation:
    """Return the rows of a table without the lines that add up others."""
    columns = [TextColumn(column=name, values=cells) for name, cells in seen.known.items()]
    lines = total_lines(seen.facts, columns)
    if lines is None:
        return source
    if any(test.column == lines.column and set(test.values) & set(lines.values) for test in state.conditions):
        return source
    return Filter(source=source, where=Not(of=OneOf(of=Col(name=lines.column), values=tuple(lines.values))))
