"""The last steps of each part: `result`, what a person is shown, the chart and the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TypeGuard

from tablewright.analyst.plan import Drawing, Part, Plan, Project, Relation, Tag
from tablewright.analyst.writing.columns import Frame, Value
from tablewright.analyst.writing.literals import assign, quoted
from tablewright.analyst.writing.relations import write
from tablewright.analyst.writing.reshaping import projection
from tablewright.analyst.writing.script import Held, Script

SHOWN_ROWS = 20


def part_output(script: Script, part: Part, *, last: bool, several: bool) -> Held:
    """Write the output of `part`; only the last part binds `result`."""
    for relation in (part.relation, part.shown):
        if relation is not None:
            write(script, relation.source if _picks(relation, script) else relation)
    if part.caption:
        script.step("step.result_named", what=part.caption)
    elif not (part.drawing and script.continues):
        script.step("step.result")
    held = _given(script, part.relation, "result" if last else "", part.decimals)
    shown = held
    if part.shown is not None:
        shown = _given(script, part.shown, "shown", part.decimals)
    if several or part.shown is not None:
        shown = script.as_frame(shown)
        script.emit(f"tw.table({shown.name})")
    _print(script, shown)
    if part.drawing:
        # a step of its own: a number of the answer leads to the one that computed it
        drawn = _drawn(part.drawing, script.as_frame(held), shown)
        script.step("step.chart")
        _draw(script, part.drawing, drawn)
    return held


def _picks(relation: Relation, script: Script) -> TypeGuard[Project]:
    """Return whether a projection is all that is left to do, which the last step writes itself."""
    return isinstance(relation, Project) and script.held(relation) is None


def _given(script: Script, relation: Relation, target: str, decimals: int | None) -> Held:
    """Bind the rounded output of `relation` to `target`; with an empty target it may keep its variable."""
    if _picks(relation, script):
        below = write(script, relation.source)
        if isinstance(below, Frame):
            columns, head, calls = projection(script, relation, below)
            frame = Frame(name=target or script.names.fresh(otherwise="selected"), columns=columns)
            script.emit(*assign(frame.name, head, *calls, _finish(frame, decimals)))
            return frame
    held = write(script, relation)
    code = _rounded(held, decimals)
    if code == held.name and (not target or (target == "shown" and isinstance(held, Frame))):
        return held
    bound = replace(held, name=target or script.names.fresh(otherwise="rounded"))
    script.emit(f"{bound.name} = {code}")
    return bound


def _drawn(drawing: Drawing, frame: Frame, shown: Held) -> Frame:
    """Return the table that has the chart's columns: the one shown if only that does, else the result."""
    wanted = {drawing.x, drawing.y}
    if isinstance(shown, Frame) and not wanted <= set(frame.names) and wanted <= set(shown.names):
        return shown
    return frame


def _rounded(held: Held, decimals: int | None) -> str:
    """Return the code of `held` as it is output: rounded, with whole numbers as integers."""
    if isinstance(held, Frame):
        return held.name + _finish(held, decimals)
    numeric = held.column.kind == "number" and decimals is not None
    return f"round({held.name}, {decimals})" if numeric else held.name


def _finish(frame: Frame, decimals: int | None) -> str:
    whole = [column.name for column in frame.columns if column.kind == "integer" and column.missing]
    code = ""
    if whole and decimals is None:
        types = ", ".join(f'{quoted(name)}: "Int64"' for name in whole)
        code = f".astype({{{types}}})"
    if decimals is not None and any(column.kind == "number" for column in frame.columns):
        code += f".round({decimals})"
    return code


def _print(script: Script, held: Held) -> None:
    if isinstance(held, Value):
        script.emit(f"print({quoted(f'{held.column.name}:')}, {held.name})")
    else:
        script.emit(f"print({held.name}.head({SHOWN_ROWS}).to_string(index=False))")


def _draw(script: Script, drawing: Drawing, frame: Frame) -> None:
    arguments = [quoted(drawing.kind), frame.name, f"x={quoted(drawing.x)}", f"y={quoted(drawing.y)}"]
    if drawing.series:
        arguments.append(f"series={quoted(drawing.series)}")
    if drawing.title:
        arguments.append(f"title={quoted(drawing.title)}")
    script.emit(f"tw.chart({', '.join(arguments)})")


def tag_output(script: Script, plan: Plan, parts: Sequence[Held]) -> None:
    """Write `result` as one row with a column per tag."""
    script.part = len(parts)
    script.step("step.tags")
    script.emit("result = pd.DataFrame({")
    for tag in plan.tags:
        script.emit(f"    {quoted(tag.name)}: [{_tagged(tag, parts[tag.part])}],")
    script.emit("})", "print(result.T.to_string(header=False))")


def _tagged(tag: Tag, held: Held) -> str:
    if isinstance(held, Value):
        return _rounded(held, tag.decimals)
    column = held.columns[min(tag.column, len(held.columns) - 1)]
    series = f"{held.name}[{quoted(column.name)}]"
    rounds = column.kind == "number" and tag.decimals is not None
    if held.single:
        return f"round({series}.iloc[0], {tag.decimals})" if rounds else f"{series}.iloc[0]"
    if rounds:
        series += f".round({tag.decimals})"
    if tag.every:
        return f'", ".join({series}.dropna().astype("str").str.strip())'
    return f"next(iter({series}), None)" if tag.row == 0 else f"{series}.reset_index(drop=True).get({tag.row})"


_GUARDED = frozenset({"csv", "tsv"})
"""Formats in which a spreadsheet program takes text for formulas."""
_WRITERS = {
    "csv": 'to_csv({path}, index=False, encoding="utf-8-sig")',
    "tsv": 'to_csv({path}, index=False, sep="\\t")',
    "json": 'to_json({path}, orient="records", force_ascii=False, indent=2)',
    "parquet": "to_parquet({path}, index=False)",
    "md": "to_markdown({path}, index=False)",
    "html": "to_html({path}, index=False)",
    "xlsx": 'to_excel({path}, index=False, engine="xlsxwriter", engine_kwargs={plain})',
}


def save(script: Script, plan: Plan, held: Held) -> None:
    """Write the file that the plan asks for; a name without a known extension gets `.xlsx`."""
    name = PurePosixPath((plan.save_as or "result.xlsx").replace("\\", "/")).name
    ending = name.rpartition(".")[2].lower()
    if ending not in _WRITERS:
        name, ending = f"{name}.xlsx", "xlsx"
    script.step("step.save", name=name)
    frame = script.as_frame(held)
    table, plain = (f"tw.guard({frame.name})" if ending in _GUARDED else frame.name), ""
    if ending == "xlsx":
        plain = script.names.fresh(otherwise="plain")
        script.emit(f'{plain} = {{"options": {{"strings_to_formulas": False, "strings_to_urls": False}}}}')
    script.emit(f"{table}.{_WRITERS[ending].format(path=quoted(name), plain=plain)}", f"tw.file({quoted(name)})")
