"""The relations Sort, Top and Position."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import Aggregate, Col, Position, Sort, Top
from tablewright.analyst.writing.coded import Coded
from tablewright.analyst.writing.columns import Column, Frame, date_code, seconds_code
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.analyst.writing.script import Held, Script


def sort(script: Script, relation: Sort, below: Held) -> Frame:
    """Write `sort_values`, stable and with missing values last; text columns of dates are compared as dates."""
    words = script.words
    keys = words.joined(
        words.say("step.descending", key=key) if descending else key for key, descending in relation.keys
    )
    script.step("step.sort", keys=keys)
    frame = script.as_frame(below)
    names = [key for key, _ in relation.keys]
    ascending = [not descending for _, descending in relation.keys]
    arguments = [quoted(names[0]) if len(names) == 1 else listed(names)]
    if not all(ascending):
        arguments.append(f"ascending={repr(ascending[0]) if len(set(ascending)) == 1 else repr(ascending)}")
    arguments.append('kind="stable"')
    if key := _key(frame, names):
        arguments.append(f"key={key}")
    return script.define(frame.columns, f"{frame.name}.sort_values({', '.join(arguments)})", otherwise="ordered")


def _key(frame: Frame, names: list[str]) -> str:
    """Return the function that makes sort keys comparable; empty if they already are."""
    columns = [frame.column(name) for name in names]
    if all(_comparable(column) for column in columns):
        return ""
    if len(columns) == 1:
        return f"lambda values: {_as_comparable(columns[0], 'values')}"
    odd = [column for column in columns if not _comparable(column)]
    if len(odd) == 1:
        return f"lambda values: {_as_comparable(odd[0], 'values')} if values.name == {quoted(odd[0].name)} else values"
    chosen = " else ".join(
        f"{_as_comparable(column, 'values')} if values.name == {quoted(column.name)}" for column in odd
    )
    return f"lambda values: {chosen} else values"


def _comparable(column: Column) -> bool:
    return column.kind not in {"mixed", "time"} and (not column.is_date or column.date_format is None)


def _as_comparable(column: Column, values: str) -> str:
    if column.is_date:
        return date_code(values, column.date_format or "")
    if column.kind == "time":
        return seconds_code(values, column.date_format)
    return f'pd.to_numeric({values}.astype("str").str.replace(",", ""), errors="coerce")'


def top(script: Script, relation: Top, below: Held) -> Frame:
    """Write the first rows by a column, including ties with the last, or ranks counted on distinct values."""
    script.open(_top_name(script, relation))
    frame = script.as_frame(below)
    column = frame.column(relation.by)
    measure = script.expressions(frame)
    by = measure.write(Col(name=relation.by)) if column.kind == "text" else measure.measured(Col(name=relation.by))
    if relation.within or relation.offset:
        return _by_rank(script, relation, frame, by)
    if relation.count == 1 and relation.ties and by.kind != "text":
        best = "max" if relation.descending else "min"
        name = "highest" if relation.descending else "lowest"
        return script.define(frame.columns, f"{frame.name}[{by.code} == {by.bracketed}.{best}()]", otherwise=name)
    if by.code != f"{frame.name}[{quoted(relation.by)}]" or by.kind in {"text", "boolean"}:
        return _by_rank(script, relation, frame, by)
    method = "nlargest" if relation.descending else "nsmallest"
    ties = ', keep="all"' if relation.ties else ""
    name = f"top_{relation.count}" if relation.descending else f"bottom_{relation.count}"
    ranked = frame.name
    if column.missing and not _is_sum(relation):  # pandas would fill up with missing values
        ranked += f".dropna(subset=[{quoted(relation.by)}])"
    code = f"{ranked}.{method}({relation.count}, {quoted(relation.by)}{ties})"
    return script.define(frame.columns, code, named=(name,), otherwise="top_rows")


def _is_sum(relation: Top) -> bool:
    """Return whether rows are ranked by a sum of each group, which is never missing."""
    below = relation.source
    measures = below.measures if isinstance(below, Aggregate) else ()
    return any(measure.name == relation.by and measure.function == "sum" for measure in measures)


def _by_rank(script: Script, relation: Top, frame: Frame, by: Coded) -> Frame:
    series = by.bracketed
    if relation.within:
        if by.is_date and by.missing:  # in groups pandas takes missing dates for the first, where a key is missing too
            series += ".rank()"
        series += f".groupby([{', '.join(f'{frame.name}[{quoted(name)}]' for name in relation.within)}])"
    method = "dense" if relation.offset else "min" if relation.ties else "first"
    rank = script.names.fresh(otherwise="rank")
    script.emit(f'{rank} = {series}.rank(method="{method}", ascending={not relation.descending})')
    last = relation.offset + relation.count
    wanted = f"{rank}.between({relation.offset + 1}, {last})" if relation.offset else f"{rank} <= {last}"
    if relation.offset and relation.count == 1:
        wanted = f"{rank} == {last}"
    code = f"{frame.name}[{wanted}]"
    if last > 1 and not relation.within:
        code = f'{frame.name}.assign(_rank={rank})[{wanted}].sort_values("_rank", kind="stable").drop(columns="_rank")'
    return script.define(frame.columns, code, otherwise="top_rows" if relation.descending else "bottom_rows")


def _top_name(script: Script, relation: Top) -> str:
    words = script.words
    if relation.offset:
        said = words.say("step.rank", first=relation.offset + 1, last=relation.offset + relation.count, by=relation.by)
    elif relation.count == 1:
        said = words.say("step.highest" if relation.descending else "step.lowest", by=relation.by)
    else:
        said = words.say("step.top" if relation.descending else "step.bottom", count=relation.count, by=relation.by)
    return words.say("step.within", what=said, within=words.joined(relation.within)) if relation.within else said


def position(script: Script, relation: Position, below: Held) -> Frame:
    """Write the selection of rows by position."""
    count, offset = relation.count, relation.offset
    if offset:
        first = offset + 1
        script.step("step.rows_at", first=first, last=offset + abs(count))
    else:
        script.step("step.first" if count >= 0 else "step.last", count=abs(count))
    frame = script.as_frame(below)
    if count >= 0:
        code = f"{frame.name}.iloc[{offset}:{offset + count}]" if offset else f"{frame.name}.head({count})"
    else:
        code = f"{frame.name}.iloc[{count - offset}:{-offset}]" if offset else f"{frame.name}.tail({-count})"
    name = script.define(frame.columns, code, otherwise="picked")
    return replace(name, columns=frame.columns)
