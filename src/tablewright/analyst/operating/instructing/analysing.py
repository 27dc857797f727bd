"""From filled slots to operations that only read."""

from __future__ import annotations

from tablewright.analyst.operating.instructing.building import Slots, builds, first, op, where_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.filters import in_code
from tablewright.analyst.operating.instructing.making import table_range
from tablewright.analyst.operating.op import Op

_PANDAS = {"sum": "sum", "mean": "mean", "count": "count", "max": "max", "min": "min", "median": "median",
           "count_distinct": "nunique"}  # fmt: skip


def _numeric(clause: Clause, columns: list[str]) -> bool:
    return all(clause.place.numeric(name) for name in columns)


@builds("describe")
def _describe(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "describe", columns=slots["columns"]) if slots.get("columns") else op(clause, "describe")]


@builds("correlate")
def _correlate(clause: Clause, slots: Slots) -> list[Op] | None:
    columns = slots.get("columns", [])
    if len(columns) == 1 or not _numeric(clause, columns):
        return None
    return [op(clause, "correlation", columns=columns) if columns else op(clause, "correlation")]


@builds("outliers")
def _outliers(clause: Clause, slots: Slots) -> list[Op] | None:
    return [op(clause, "find_outliers", column=slots["column"][0])] if _numeric(clause, slots["column"]) else None


@builds("find_blanks")
def _blanks(clause: Clause, slots: Slots) -> list[Op]:
    return [
        op(clause, "find_missing", columns=slots["columns"]) if slots.get("columns") else op(clause, "find_missing")
    ]


@builds("which_group")
def _which_group(clause: Clause, slots: Slots) -> list[Op] | None:
    """Compute a measure of each group, of which the reader sees the largest or the smallest."""
    sized = clause.of("size") or [word for word in clause.of("agg") if word.meaning in {"max", "min"}]
    how, column = slots["measure"][0]
    if not sized or how in {"max", "min"} or column is None or slots["groups"][0][1] is not None:
        return None
    return [op(clause, "aggregate", column=column, aggregation=how, groups=[slots["groups"][0][0]])]


@builds("which_top")
def _which_top(clause: Clause, slots: Slots) -> list[Op] | None:
    column, count, largest, *place = slots["top"][0]
    if place:
        return None
    given = {} if largest else {"largest": False}
    label = first(slots, "label")
    shown = {"label": label} if label and label != column else {}
    return [op(clause, "identify_top", column=column, count=count, **given, **shown)]


@builds("ask_total")
def _ask_total(clause: Clause, slots: Slots) -> list[Op] | None:
    """Compute a measure of all rows, of some, or of each group, and write nothing."""
    (how, column), groups = slots["measure"][0], [name for name, unit in slots.get("groups", []) if unit is None]
    if len(groups) != len(slots.get("groups", [])) or column in groups:
        return None
    where = where_of(clause, slots)
    if slots.get("where") and where is None:
        return None
    counted = column or clause.place.names[0]
    if where is None:
        by = {"groups": groups} if groups else {}
        return [
            op(clause, "aggregate", column=groups[0] if groups and column is None else counted, aggregation=how, **by)
        ]
    by_code = f".groupby({groups!r})" if groups else ""
    lines = ["import pandas as pd", f"rows = {in_code(where)}"]
    if column is None and not groups:
        lines.append("found = int(rows.sum())")
    else:
        lines.append(f"found = df[rows]{by_code}[{counted!r}].{_PANDAS[how]}()")
    lines.append("result = found.reset_index()" if groups else f"result = pd.DataFrame({{{counted!r}: [found]}})")
    return [op(clause, "run_python", code="\n".join(lines), range=table_range(clause))]


@builds("ask_rows")
def _ask_rows(clause: Clause, slots: Slots) -> list[Op] | None:
    """Show the rows that are meant, and write nothing."""
    where = where_of(clause, slots)
    if where is None:
        return None
    return [op(clause, "run_python", code=f"result = df[{in_code(where)}]", range=table_range(clause))]
