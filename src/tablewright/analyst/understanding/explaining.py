"""What a person is shown beside what was asked for: the figures that rows were chosen by."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import Col, Named, Part, Plan, Position, Project, Relation, Sort, Top


def explained(plan: Plan) -> Plan:
    """Return the plan whose parts also show what their first or last rows are ranked by; results stay as they are."""
    return replace(plan, parts=tuple(map(_with_ranking, plan.parts)))


def _with_ranking(part: Part) -> Part:
    result = part.relation
    if part.shown is not None or part.drawing is not None or not isinstance(result, Project) or result.distinct:
        return part
    by = _ranked_by(result.source)
    names = {column.name for column in result.columns}
    if by is None or by in names or any(column.of == Col(name=by) for column in result.columns):
        return part
    shown = replace(result, columns=(*result.columns, Named(name=by, of=Col(name=by))))
    return replace(part, shown=shown)


def _ranked_by(relation: Relation) -> str | None:
    """Return the column that selects a relation's rows, or None."""
    while isinstance(relation, Position | Sort):
        relation = relation.source
    return relation.by if isinstance(relation, Top) and not relation.within else None
