"""Aggregate: a single value, a single row, or one row per group."""

from __future__ import annotations

from tablewright.analyst.plan import Aggregate, Bucket, Col, Cut, Measure, Named
from tablewright.analyst.writing.coded import Coded
from tablewright.analyst.writing.columns import Column, Frame, Value, one_cell
from tablewright.analyst.writing.expressions import Expressions
from tablewright.analyst.writing.literals import assign, call, keywords, listed, quoted
from tablewright.analyst.writing.naming import slug
from tablewright.analyst.writing.results import result_column
from tablewright.analyst.writing.script import Held, Script
from tablewright.analyst.writing.statistics import (
    MISSING,
    UNTYPED,
    group_function,
    missing_marks,
    statistic,
)


def aggregate(script: Script, relation: Aggregate, below: Held) -> Held:
    """Write an aggregation; return a value for one measure without groups, else a table."""
    words = script.words
    measures = words.joined(words.measure(measure) for measure in relation.measures)
    groups = words.joined(_group_words(script, group) for group in relation.groups)
    if not relation.groups:
        script.step("step.aggregate", measures=measures)
        return _whole(script, relation, script.as_frame(below))
    script.step("step.group" if measures else "step.distinct_groups", measures=measures, groups=groups)
    return _grouped(script, relation, script.as_frame(below))


def _group_words(script: Script, group: Named) -> str:
    return group.name if isinstance(group.of, Col) else script.words.value(group.of)


def measured(expressions: Expressions, measure: Measure) -> Coded:
    """Return the Series that a measure aggregates. Raises ValueError for a measure of rows."""
    if measure.of is None:
        raise ValueError("rows are not a column")
    written = expressions.write(measure.of)
    as_it_is = measure.function in {"min", "max"} and written.kind in {"text", "time"}
    return expressions.series(written if measure.function in UNTYPED or as_it_is else expressions.measured(measure.of))


def _whole(script: Script, relation: Aggregate, frame: Frame) -> Held:
    if len(relation.measures) == 1:
        measure = relation.measures[0]
        if measure.function == "mode" and measure.of is not None:
            return _modes(script, measure, frame)
        code, column = _value(script, measure, frame)
        subject = slug(measure.of.name if isinstance(measure.of, Col) else measure.name)
        hints = (measure.function, subject) if measure.of is not None else ("row", "count")
        name = script.names.fresh(*hints, otherwise=measure.function)
        script.emit(f"{name} = {code}")
        return Value(name=name, column=column)
    coded = [_value(script, measure, frame) for measure in relation.measures]
    cells = [f"{quoted(column.name)}: {one_cell(code, column)}," for code, column in coded]
    name = script.names.fresh(otherwise="summary")
    script.emit(f"{name} = pd.DataFrame({{", *[f"    {cell}" for cell in cells], "})")
    return Frame(name=name, columns=tuple(column for _, column in coded), single=True)


def _modes(script: Script, measure: Measure, frame: Frame) -> Frame:
    """Write the most frequent values, including all that tie."""
    conditions = script.conditions(frame)
    of = measured(script.expressions(frame), measure)
    series = of.bracketed if measure.where is None else f"{of.bracketed}[{conditions.write(measure.where)}]"
    return script.define(
        (of.named(measure.name),), f"{series}.mode().to_frame({quoted(measure.name)})", otherwise="most_frequent"
    )


def _value(script: Script, measure: Measure, frame: Frame) -> tuple[str, Column]:
    where = None if measure.where is None else script.conditions(frame).write(measure.where)
    if measure.of is None:
        return (f"len({frame.name})" if where is None else f"({where}).sum()"), result_column(measure, None)
    of = measured(script.expressions(frame), measure)
    series = of.bracketed
    if where is not None:
        plain = of.source is not None and of.code == f"{frame.name}[{quoted(of.source)}]"
        series = f"{frame.name}.loc[{where}, {quoted(of.source or '')}]" if plain else f"{of.bracketed}[{where}]"
    return statistic(measure.function, series, measure.argument), result_column(measure, of)


def _grouped(script: Script, relation: Aggregate, frame: Frame) -> Frame:
    expressions = script.expressions(frame)
    conditions = script.conditions(frame)
    added: dict[str, str] = {}
    keys: list[str] = []
    columns: list[Column] = []
    for group in relation.groups:
        coded = expressions.write(group.of)
        columns.append(coded.named(group.name))
        keys.append(group.of.name if isinstance(group.of, Col) else group.name)
        if not isinstance(group.of, Col):
            added[group.name] = coded.column_code
    taken: list[tuple[str, str]] = []
    for measure in relation.measures:
        where = None if measure.where is None else conditions.write(measure.where)
        of = None if measure.of is None else measured(expressions, measure)
        column, function = _taken(measure, of, where, keys[0], frame, added)
        taken.append((measure.name, f"({quoted(column)}, {function})"))
        columns.append(result_column(measure, of))
    calls = [call(".assign", keywords(added.items())) if added else ""]
    if taken:
        calls += [_groupby(relation, keys), call(".agg", keywords(taken))]
    else:
        calls += [f"[{listed(keys)}]", "" if relation.keep_missing else ".dropna()", ".drop_duplicates()"]
    renamed = {key: group.name for key, group in zip(keys, relation.groups, strict=True) if key != group.name}
    if renamed:
        calls.append(
            f".rename(columns={{{', '.join(f'{quoted(old)}: {quoted(new)}' for old, new in renamed.items())}}})"
        )
    name = script.names.fresh("by", *[slug(group.name) for group in relation.groups[:2]], otherwise="groups")
    script.emit(*assign(name, frame.name, *calls))
    return Frame(name=name, columns=tuple(columns))


def _taken(
    measure: Measure, of: Coded | None, where: str | None, key: str, frame: Frame, added: dict[str, str]
) -> tuple[str, str]:
    """Return the column and the function of one measure; an expression is first stored as a column in `added`."""
    if of is None and where is None:
        return key, '"size"'
    marked = measure.function in MISSING
    whole = where is None and not marked
    if of is not None and whole and of.source is not None and of.code == f"{frame.name}[{quoted(of.source)}]":
        return of.source, group_function(measure.function, measure.argument)
    name = measure.name
    while name in frame.names or name in added:
        name += "_"
    if of is None:
        added[name] = where or ""
        return name, '"sum"'
    added[name] = of.code if where is None else f"{of.bracketed}.where({where})"
    if marked:
        # Marks are counted rather than cells: of no rows at all, a count over texts would be a column of texts.
        added[name], function = missing_marks(measure.function, of.bracketed if where is None else added[name])
        return name, function
    return name, group_function(measure.function, measure.argument)


def _groupby(relation: Aggregate, keys: list[str]) -> str:
    by = quoted(keys[0]) if len(keys) == 1 else listed(keys)
    options = ["as_index=False"]
    if relation.keep_missing:
        options.append("dropna=False")
    if any(
        isinstance(group.of, Cut) or (isinstance(group.of, Bucket) and group.of.unit == "weekday")
        for group in relation.groups
    ):
        options.append("observed=True")
    return f".groupby({by}, {', '.join(options)})"
