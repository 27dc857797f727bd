"""The procedures outliers and outlier_bounds."""

from __future__ import annotations

from tablewright.analyst.plan import Procedure
from tablewright.analyst.writing.columns import Column, Frame
from tablewright.analyst.writing.literals import literal, quoted
from tablewright.analyst.writing.procedures.columns import numeric, one_row
from tablewright.analyst.writing.script import Script


def outliers(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the rows outside the bounds (`keep` inliers: within them), preceded by their position in the table as
    loaded."""
    table, lower, upper = _bounds(script, relation, frame)
    column = f"{table.name}[{quoted(relation.columns[0])}]"
    inliers = relation.options.get("keep") == "inliers"
    test = f"{column}.between({lower}, {upper})" if inliers else f"({column} < {lower}) | ({column} > {upper})"
    place = "row"
    while place in table.names:
        place += "_"
    name = script.names.fresh(otherwise="inliers" if inliers else "outliers")
    script.emit(f"{name} = {table.name}[{test}].reset_index(names={quoted(place)})")
    script.emit(f"print(len({name}), {quoted(script.words.say('step.loaded'))})")
    return Frame(name=name, columns=(Column(name=place, kind="integer", missing=False), *table.columns))


def outlier_bounds(script: Script, relation: Procedure, frame: Frame) -> Frame:
    """Write the lowest and highest values that are not outliers."""
    _, lower, upper = _bounds(script, relation, frame)
    return one_row(script, [("lower", lower, "number"), ("upper", upper, "number")], otherwise="bounds")


def _bounds(script: Script, relation: Procedure, frame: Frame) -> tuple[Frame, str, str]:
    """Return the table and the variables of its bounds: by quartiles, or by population standard deviations from the
    mean."""
    key = repr((frame.name, relation.columns[:1], {**relation.options, "keep": None}))
    if key not in script.bounds:
        script.bounds[key] = _computed(script, relation, frame)
    return script.bounds[key]


def _computed(script: Script, relation: Procedure, frame: Frame) -> tuple[Frame, str, str]:
    table = numeric(script, frame, relation.columns[:1])
    column = f"{table.name}[{quoted(relation.columns[0])}]"
    lower, upper = script.names.fresh(otherwise="lower"), script.names.fresh(otherwise="upper")
    options = relation.options
    if options.get("method") == "zscore":
        reach = f"{literal(options.get('threshold') or 3)} * {column}.std(ddof={literal(options.get('ddof') or 0)})"
        script.emit(f"{lower} = {column}.mean() - {reach}", f"{upper} = {column}.mean() + {reach}")
        return table, lower, upper
    factor = literal(options.get("factor") or 1.5)
    q1, q3 = script.names.fresh(otherwise="q1"), script.names.fresh(otherwise="q3")
    script.emit(
        f"{q1}, {q3} = {column}.quantile([0.25, 0.75])",
        f"{lower} = {q1} - {factor} * ({q3} - {q1})",
        f"{upper} = {q3} + {factor} * ({q3} - {q1})",
    )
    return table, lower, upper
