"""The relations Filter, Derive, Project, Share, Shift, Fill and Pivot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.plan import Col, Derive, Fill, Filter, Named, Pivot, Project, Share, Shift
from tablewright.analyst.writing.columns import Column, Frame, with_columns
from tablewright.analyst.writing.literals import LINE, call, keywords, listed, literal, quoted
from tablewright.analyst.writing.script import Held, Script
from tablewright.domain.dataset import ColumnKind


def filtered(script: Script, relation: Filter, below: Held) -> Frame:
    """Write `rows = table[condition]`, with one part of a conjunction per line if it is long."""
    frame = _opened(script, below, script.words.say("step.filter", where=script.words.condition(relation.where)))
    parts = script.conditions(frame).parts(relation.where)
    name = script.names.fresh(otherwise="rows")
    line = f"{name} = {frame.name}[{' & '.join(parts)}]"
    if len(line) <= LINE:
        script.emit(line)
    else:
        indented = [part.replace("\n", "\n    ") for part in parts]
        script.emit(
            f"{name} = {frame.name}[",
            *[f"    {'& ' if place else ''}{part}" for place, part in enumerate(indented)],
            "]",
        )
    script.emit(f"print(len({name}), {quoted(script.words.say('step.loaded'))})")
    return replace(frame, name=name, single=False)


def derive(script: Script, relation: Derive, below: Held) -> Frame:
    """Write `table.assign(new=…)`."""
    names = script.words.joined(named.name for named in relation.columns)
    frame = _opened(script, below, script.words.say("step.derive", columns=names))
    return with_values(script, frame, relation.columns, otherwise="extended")


def with_values(script: Script, frame: Frame, columns: Sequence[Named], *, otherwise: str) -> Frame:
    """Write `frame` with additional columns; return the resulting table."""
    expressions = script.expressions(frame)
    coded = [(named.name, expressions.write(named.of)) for named in columns]
    return script.define(
        with_columns(frame.columns, [value.named(name) for name, value in coded]),
        frame.name,
        call(".assign", keywords([(name, value.column_code) for name, value in coded])),
        named=("with", columns[0].name) if len(columns) == 1 else (),
        otherwise=otherwise,
    )


def project(script: Script, relation: Project, below: Held) -> Held:
    """Write `table[[…]]`, at the end of the previous step if one is open."""
    if relation.distinct or not script.continues:
        names = script.words.joined(named.name for named in relation.columns)
        script.step("step.distinct" if relation.distinct else "step.project", columns=names)
    return picked(script, relation, below)


def picked(script: Script, relation: Project, below: Held) -> Held:
    """Write `table[[…]]` in the open step, after adding values that are not columns yet."""
    if isinstance(below, Frame) or any(named.of != Col(name=below.column.name) for named in relation.columns):
        columns, head, calls = projection(script, relation, script.as_frame(below))
        return script.define(columns, head, *calls, otherwise="different" if relation.distinct else "selected")
    return replace(below, column=replace(below.column, name=relation.columns[0].name))


def projection(script: Script, relation: Project, frame: Frame) -> tuple[tuple[Column, ...], str, list[str]]:
    """Return the columns of a projection, and the head and calls of the chain that computes it."""
    new = [named for named in relation.columns if not isinstance(named.of, Col)]
    renamed = [named for named in relation.columns if isinstance(named.of, Col) and named.of.name != named.name]
    expressions = script.expressions(frame)
    coded = {named.name: expressions.write(named.of) for named in relation.columns}
    columns = tuple(value.named(name) for name, value in coded.items())
    added = [*new, *renamed] if new or _clashing(renamed, relation) else []
    chosen = [
        named.name if named in added or not isinstance(named.of, Col) else named.of.name for named in relation.columns
    ]
    calls = [
        call(".assign", keywords([(named.name, coded[named.name].column_code) for named in added])) if added else ""
    ]
    calls.append(f"[{listed(chosen)}]")
    if renamed and not added:
        calls.append(f".rename(columns={{{', '.join(f'{quoted(_name(n))}: {quoted(n.name)}' for n in renamed)}}})")
    if relation.distinct:
        calls.append(".drop_duplicates()")
    return columns, frame.name, calls


def _clashing(renamed: Sequence[Named], relation: Project) -> bool:
    """Return whether renaming would fail because one source column is shown under two names."""
    sources = [named.of.name for named in relation.columns if isinstance(named.of, Col)]
    return bool(renamed) and len(set(sources)) < len(sources)


def _name(named: Named) -> str:
    return named.of.name if isinstance(named.of, Col) else named.name


def share(script: Script, relation: Share, below: Held) -> Frame:
    """Write `part / whole × 100` as a new column."""
    within = script.words.joined(relation.within)
    code = "step.share_within" if within else "step.share"
    frame = _opened(script, below, script.words.say(code, column=relation.column, within=within))
    column = script.expressions(frame).numbers(Col(name=relation.column)).code
    whole = f"{column}.sum()"
    if relation.within:
        whole = (
            f"{column}.groupby([{', '.join(f'{frame.name}[{quoted(name)}]' for name in relation.within)}])."
            f'transform("sum")'
        )
    value = f"{column} / {whole}{' * 100' if relation.percent else ''}"
    added = Column(name=relation.name, kind="number", unit="%" if relation.percent else None)
    return script.define(
        with_columns(frame.columns, [added]),
        frame.name,
        call(".assign", keywords([(relation.name, value)])),
        otherwise="shares",
    )


_SHIFTS = {
    "difference": "{x}.diff({n})",
    "growth": "{x}.pct_change({n}).replace([np.inf, -np.inf], np.nan) * 100",
    "cumulative": "{x}.cumsum()",
}


def shift(script: Script, relation: Shift, below: Held) -> Frame:
    """Write the change from an earlier row, or the running sum, as a new column."""
    frame = _opened(script, below, script.words.say(f"step.{relation.how}", column=relation.column))
    column = script.expressions(frame).measured(Col(name=relation.column))
    periods = "" if relation.periods == 1 else literal(relation.periods)
    value = _SHIFTS[relation.how].format(x=column.bracketed, n=periods)
    if column.is_date:
        value = f"{value}.dt.days"
    added = Column(name=relation.name, kind="number", unit="%" if relation.how == "growth" else column.unit)
    return script.define(
        with_columns(frame.columns, [added]),
        frame.name,
        call(".assign", keywords([(relation.name, value)])),
        otherwise="running" if relation.how == "cumulative" else "changes",
    )


def fill(script: Script, relation: Fill, below: Held) -> Frame:
    """Write the replacement of missing cells, or the removal of their rows."""
    code = "step.drop_missing" if relation.how == "drop" else "step.fill"
    frame = _opened(script, below, script.words.say(code, column=relation.column))
    column = frame.column(relation.column)
    if relation.how == "drop":
        kept = with_columns(frame.columns, [replace(column, missing=False)])
        return script.define(kept, f"{frame.name}.dropna(subset=[{quoted(relation.column)}])", otherwise="complete")
    value = _filled(script, relation, frame)
    kept = with_columns(frame.columns, [replace(column, kind=_filled_kind(relation, column), missing=False)])
    return script.define(kept, frame.name, call(".assign", keywords([(relation.column, value)])), otherwise="filled")


def _filled_kind(relation: Fill, column: Column) -> ColumnKind:
    """Return the kind of a filled column: whole numbers stay so where what is filled in is one."""
    between = relation.how in {"mean", "median", "interpolate"}
    if column.kind == "integer" and (between or isinstance(relation.value, float)):
        return "number"
    return column.kind


_NEIGHBOURS = {"forward": "ffill", "backward": "bfill", "interpolate": "interpolate"}


def _filled(script: Script, relation: Fill, frame: Frame) -> str:
    expressions = script.expressions(frame)
    of = Col(name=relation.column)
    series = (
        expressions.numbers(of) if relation.how in {"mean", "median", "interpolate"} else expressions.write(of)
    ).code
    if relation.how in _NEIGHBOURS:
        return f"{series}.{_NEIGHBOURS[relation.how]}()"
    if relation.how == "constant":
        return f"{series}.fillna({literal(relation.value)})"
    if not relation.within:
        if relation.how == "mode":
            return f"{series}.fillna(next(iter({series}.mode()), np.nan))"
        return f"{series}.fillna({series}.{relation.how}())"
    groups = ", ".join(f"{frame.name}[{quoted(name)}]" for name in relation.within)
    how = "lambda values: next(iter(values.mode()), None)" if relation.how == "mode" else quoted(relation.how)
    last = "" if relation.how == "mode" else f".fillna({series}.{relation.how}())"
    return f"{series}.fillna({series}.groupby([{groups}]).transform({how})){last}"


def pivot(script: Script, relation: Pivot, below: Held) -> Frame:
    """Write a pivot of one column's values into columns; of the new table only the index columns are known in
    advance."""
    words = script.words
    said = words.say("step.pivot", value=relation.value, index=words.joined(relation.index), column=relation.column)
    frame = _opened(script, below, said)
    how = '"sum"' if frame.column(relation.value).is_number else '"first"'
    arguments = [
        f"index={listed(relation.index)}",
        f"columns={quoted(relation.column)}",
        f"values={quoted(relation.value)}",
        f"aggfunc={how}",
    ]
    return script.define(
        [frame.column(name) for name in relation.index],
        frame.name,
        call(".pivot_table", arguments),
        ".rename_axis(columns=None)",
        ".reset_index()",
        otherwise="crossed",
    )


def _opened(script: Script, below: Held, name: str) -> Frame:
    script.open(name)
    return script.as_frame(below)
