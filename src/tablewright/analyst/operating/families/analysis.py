"""Read-only requests: summaries of columns, extremes, aggregates, outliers, gaps, correlations."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.filters import rows_code, where
from tablewright.analyst.operating.measures import grouping, measured
from tablewright.analyst.operating.ranking import ranked
from tablewright.analyst.operating.wish import Lacking, Read, Wish
from tablewright.analyst.operating.words import aggregation, asks

MOST_WORDS = 40
"""Longer parts describe a situation and are not read as one of these requests."""


def read_only(wish: Wish) -> Read:
    """Read a question that one of the reading functions can answer."""
    if len(wish.tokens) > MOST_WORDS:
        return None
    if wish.has(r"\bcorrelat\w*|相关性|相关系数|相关"):
        columns = wish.numeric(wish.said())
        return [wish.op("correlation", columns=columns if len(columns) > 1 else None)]
    if wish.has(r"\boutliers?\b|\banomal\w+|异常值|离群|异常"):
        columns = wish.numeric(wish.said()) or measured(wish)[:1]
        return [wish.op("find_outliers", column=name) for name in columns] or Lacking(
            what="column", function="find_outliers"
        )
    if wish.has(r"\b(?:missing|blanks?|empty|nulls?|gaps)\b|缺失|空值|空缺|空单元格|为空|缺少"):
        return [wish.op("find_missing", columns=wish.said() or None)]
    if wish.has(
        r"\bdescribe\b|\bdescriptive|\bstatistics\b|\bstats\b|\bsummary of\b|\bprofile\b|描述|统计信息|概况|概览|统计量"
    ):
        return [wish.op("describe", columns=wish.numeric(wish.said()) or None)]
    return _figures(wish)


def _figures(wish: Wish) -> Read:
    most = _most_rows(wish)
    if most is not None:
        return most
    top = ranked(wish)
    together = _by_group(wish) if top is not None else None
    if together is not None:
        return together
    found = where(wish) if top is None else None
    if found is not None:
        return _of_rows(wish, found)
    if top is not None and top[0] is not None and (top[1] > 1 or wish.has(r"\bwhich|\bwho|哪|谁|什么")):
        labels = [name for name in wish.said() if name in wish.place.names and not wish.place.numeric(name)]
        return [
            wish.op(
                "identify_top",
                column=top[0],
                count=top[1],
                largest=None if top[2] else False,
                label=labels[0] if labels else None,
            )
        ]
    kind = aggregation(wish.low)
    if kind is None or not (
        asks(wish.low) or wish.has(r"^\W*(?:the )?(?:total|sum|average|mean|count|max|min)|计算|求|统计")
    ):
        return None
    groups = grouping(wish)
    rows = list(groups.columns) if groups else []
    numeric = [name for name in wish.numeric(wish.said()) if name not in rows]
    column = numeric[0] if numeric else wish.place.names[0] if kind == "count" else next(iter(measured(wish)), None)
    if column is None:
        return Lacking(what="column", function="aggregate")
    return [wish.op("aggregate", column=column, aggregation=kind, groups=rows or None)]


def _most_rows(wish: Wish) -> Read:
    """Read a count of rows by group: `which city has the most orders`."""
    if not wish.has(r"\b(?:most|fewest|least)\b|最多|最少") or wish.numeric(wish.said(least=0.8)):
        return None
    groups = [name for name in wish.said() if name in wish.place.names and not wish.place.numeric(name)]
    if not groups:
        return None
    return [wish.op("aggregate", column=groups[0], aggregation="count", groups=groups[:1])]


def _by_group(wish: Wish) -> Read:
    """Read an aggregate by group: `which region has the highest total revenue`."""
    kind = (
        "mean"
        if wish.has(r"\b(?:average|mean)\b|平均")
        else "sum"
        if wish.has(r"\b(?:total|sum|combined|overall)\b|合计|总")
        else None
    )
    said = [name for name in wish.said() if name in wish.place.names]
    groups = [name for name in said if not wish.place.numeric(name) and not wish.place.dated(name)]
    numeric = wish.numeric(said)
    if kind is None or not groups or not numeric:
        return None
    return [wish.op("aggregate", column=numeric[0], aggregation=kind, groups=groups[:1])]


_PANDAS = {"sum": "sum", "mean": "mean", "count": "count", "max": "max", "min": "min", "median": "median", "std": "std",
    "count_distinct": "nunique"}  # fmt: skip


def _of_rows(wish: Wish, found: dict[str, Any]) -> Read:
    """Read an aggregate of the rows that a condition selects, by group if groups are named, as code that changes
    nothing."""
    kind = aggregation(wish.low)
    if not asks(wish.low):
        return None
    if kind is None:
        code = f"result = df[{rows_code(found)}]"
        return [wish.op("run_python", code=code, range=wish.body())]
    tested = {test["column"] for test in found["tests"]}
    groups = grouping(wish)
    rows = [name for name in (groups.columns if groups else ()) if name not in tested]
    numeric = [name for name in wish.numeric(wish.said()) if name not in rows]
    measuring = [name for name in numeric if name not in tested] or numeric or measured(wish)[:1]
    column = wish.place.names[0] if kind == "count" or not measuring else measuring[0]
    by = f".groupby({rows!r})" if rows else ""
    lines = [f"rows = {rows_code(found)}", f"found = df[rows]{by}[{column!r}].{_PANDAS[kind]}()"]
    lines.append("result = found.reset_index()" if rows else f"result = pd.DataFrame({{{column!r}: [found]}})")
    return [wish.op("run_python", code="\n".join(["import pandas as pd", "", *lines]), range=wish.body())]
