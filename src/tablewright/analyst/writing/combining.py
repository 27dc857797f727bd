"""Join, Concat and Combine: relations with several sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.plan import Col, Combine, Join
from tablewright.analyst.writing.columns import DATED, RIGHT_SUFFIX, Column, Frame, Value, nullable
from tablewright.analyst.writing.literals import assign, call, keywords, listed, quoted
from tablewright.analyst.writing.script import Held, Script

_COMBINED = {
    "difference": "{a} - {b}",
    "absolute_difference": "abs({a} - {b})",
    "sum": "{a} + {b}",
    "ratio": '{a} / {b} if {b} else float("nan")',
    "percent": '{a} / {b} * 100 if {b} else float("nan")',
    "percent_change": '({b} - {a}) / {a} * 100 if {a} else float("nan")',
}


def combine(script: Script, relation: Combine, left: Held, right: Held) -> Value:
    """Write one number computed from two cells: NaN if one is missing or a division is by zero."""
    script.step(f"step.combine.{relation.op}")
    first, second = _cell(script, left), _cell(script, right)
    name = script.names.fresh(otherwise=relation.op)
    code = _COMBINED[relation.op].format(a=first.name, b=second.name)
    if first.column.is_date and second.column.is_date:
        code = f"({code}).days"
    script.emit(f"{name} = {code}")
    percent = relation.op in {"percent", "percent_change"}
    unit = "%" if percent else first.column.unit if relation.op != "ratio" else None
    whole = first.column.kind == second.column.kind == "integer" and relation.op in {
        "difference",
        "absolute_difference",
        "sum",
    }
    return Value(name=name, column=Column(name=relation.name, kind="integer" if whole else "number", unit=unit))


def _cell(script: Script, held: Held) -> Value:
    if isinstance(held, Value):
        if held.column.is_number or held.column.is_date:
            return held
        held = script.as_frame(held)
    column = held.columns[0]
    coded = script.expressions(held).measured(Col(name=column.name))
    name = script.names.fresh(held.name, "value", otherwise="value")
    script.emit(f'{name} = next(iter({coded.code}), float("nan"))')
    kind = coded.kind if coded.kind in DATED or coded.is_number else "number"
    return Value(name=name, column=replace(column, kind=kind, date_format=None))


def concat(script: Script, parts: Sequence[Held]) -> Frame:
    """Write the tables one below the other, with the column names of the first."""
    script.step("step.concat")
    first = parts[0]
    if isinstance(first, Value) and all(isinstance(part, Value) for part in parts):
        code = f"pd.DataFrame({{{quoted(first.column.name)}: [{', '.join(part.name for part in parts)}]}})"
        return script.define((first.column,), code, otherwise="combined")
    frames = [script.as_frame(part) for part in parts]
    head = frames[0]
    pieces = [
        frame.name
        if frame.names == head.names or len(frame.names) != len(head.names)
        else f"{frame.name}.set_axis({head.name}.columns, axis=1)"
        for frame in frames
    ]
    code = call("pd.concat", [f"[{', '.join(pieces)}]", "ignore_index=True"])
    return script.define(nullable(head.columns), code, otherwise="combined")


def join(script: Script, relation: Join, left: Held, right: Held) -> Frame:
    """Write `left.merge(right)`; keys of different types are compared as text, and a missing key is equal to none."""
    keys = script.words.joined(one if one == other else f"{one} = {other}" for one, other in relation.on)
    script.step("step.join", keys=keys)
    first, second = script.as_frame(left), script.as_frame(right)
    odd = [pair for pair in relation.on if _differ(first.column(pair[0]), second.column(pair[1]))]
    if odd:
        first = _as_text(script, first, [one for one, _ in odd])
        second = _as_text(script, second, [other for _, other in odd])
    dated = [pair for pair in relation.on if _written_differently(first.column(pair[0]), second.column(pair[1]))]
    if dated:
        first = _as_dates(script, first, [one for one, _ in dated])
        second = _as_dates(script, second, [other for _, other in dated])
    arguments = [_keyed(relation, first, second), *_on(relation), f"how={quoted(relation.how)}"]
    shared = {one for one, other in relation.on if one == other}
    clash = (set(first.names) & set(second.names)) - shared
    if clash:
        arguments.append(f'suffixes=("", {quoted(RIGHT_SUFFIX)})')
    added = [
        replace(column, name=f"{column.name}{RIGHT_SUFFIX}" if column.name in clash else column.name)
        for column in second.columns
        if column.name not in shared
    ]
    columns = (*first.columns, *added)
    code = call(f"{first.name}.merge", arguments)
    return script.define(columns if relation.how == "inner" else nullable(columns), code, otherwise="joined")


def _keyed(relation: Join, left: Frame, right: Frame) -> str:
    """Return the right-hand table without the rows that pandas would match because both keys are missing."""
    empty = [other for one, other in relation.on if left.column(one).missing and right.column(other).missing]
    if not empty or relation.how == "outer":
        return right.name
    return f"{right.name}.dropna(subset={listed(empty)})"


def _on(relation: Join) -> list[str]:
    left, right = [one for one, _ in relation.on], [other for _, other in relation.on]
    if left == right:
        return [f"on={quoted(left[0]) if len(left) == 1 else listed(left)}"]
    if len(left) == 1:
        return [f"left_on={quoted(left[0])}", f"right_on={quoted(right[0])}"]
    return [f"left_on={listed(left)}", f"right_on={listed(right)}"]


def _differ(one: Column, other: Column) -> bool:
    return one.is_number != other.is_number or "mixed" in {one.kind, other.kind}


def _written_differently(one: Column, other: Column) -> bool:
    """Return whether dates of two columns are equal only once they are parsed."""
    return one.is_date and other.is_date and one.date_format != other.date_format


def _as_dates(script: Script, frame: Frame, names: Sequence[str]) -> Frame:
    expressions = script.expressions(frame)
    pairs = [(name, expressions.dates(Col(name=name)).code) for name in names]
    name = script.names.fresh(frame.name, "keyed", otherwise="keyed")
    script.emit(*assign(name, frame.name, call(".assign", keywords(pairs))))
    kept = (replace(column, date_format=None) if column.name in names else column for column in frame.columns)
    return Frame(name=name, columns=tuple(kept))


def _as_text(script: Script, frame: Frame, names: Sequence[str]) -> Frame:
    expressions = script.expressions(frame)
    pairs = [(name, f'{expressions.write(Col(name=name)).code}.astype("str").str.strip()') for name in names]
    name = script.names.fresh(frame.name, "keyed", otherwise="keyed")
    script.emit(*assign(name, frame.name, call(".assign", keywords(pairs))))
    kept = tuple(replace(column, kind="text") if column.name in names else column for column in frame.columns)
    return Frame(name=name, columns=kept)
