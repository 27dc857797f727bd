"""Tags about outliers: how many, which, their bounds, and statistics with or without them."""

from __future__ import annotations

import re
from typing import Literal

from tablewright.analyst.plan import (
    Aggregate,
    Case,
    Col,
    Combine,
    Compare,
    Filter,
    Lit,
    Measure,
    Named,
    Procedure,
    Project,
    Relation,
    Sort,
    Tag,
)
from tablewright.analyst.reading.tagged.choosing import column_for
from tablewright.analyst.reading.tagged.form import Form, Wanted
from tablewright.analyst.reading.tagged.grouping import group_of
from tablewright.analyst.reading.tagged.preparing import bounds
from tablewright.analyst.reading.tagged.rules import negative, positive
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.statistics import function_in
from tablewright.domain.table import Cell

_WITHOUT = frozenset(
    {"without", "after", "post", "new", "removed", "excluding", "cleaned", "no", "remaining", "filtered"}
)
_COUNTS = frozenset({"count", "number", "num", "total", "no", "n"})
_SHARES = frozenset({"percentage", "percent", "proportion", "share", "ratio"})


def outlier_options(form: Form) -> dict[str, Cell]:
    """Return the options of the procedure `outliers` for the method that a question names."""
    text = form.text
    if re.search(r"z[- ]?scores?", text, re.IGNORECASE) and not re.search(
        r"\biqr\b|interquartile", text, re.IGNORECASE
    ):
        said = re.search(
            r"(?:threshold|z[- ]?scores?[^.\n]{0,30}?(?:greater|exceed\w*|above|larger|more|>)[^.\n\d]{0,25}?"
            r"|greater than|exceed\w*|above|>|±|beyond)[^\d\n.]{0,30}?(\d+(?:\.\d+)?)",
            text,
            re.IGNORECASE,
        )
        return {"method": "zscore", "threshold": float(said.group(1)) if said else 3.0}
    deviations = re.search(r"(\d+(?:\.\d+)?|two|three)\s+standard deviations?", text, re.IGNORECASE)
    if deviations and not re.search(r"\biqr\b|interquartile", text, re.IGNORECASE):
        number = {"two": 2.0, "three": 3.0}.get(deviations.group(1).lower()) or float(deviations.group(1))
        return {"method": "zscore", "threshold": number, "ddof": 1}
    factor = re.search(r"(\d(?:\.\d+)?)\s*(?:\*|x|×|times)?\s*(?:the\s+)?(?:iqr|interquartile)", text, re.IGNORECASE)
    return {"method": "iqr", "factor": float(factor.group(1)) if factor else 1.5}


def outlier(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about outliers."""
    words = set(wanted.words)
    function = function_in(wanted.words)
    bound = words & {"bound", "limit", "fence", "threshold"} and words & {"upper", "lower"}
    if function == "quantile" and not bound:
        return None
    column = column_for(scene, wanted, "outliers?")
    if column is None:
        return None
    if bound:
        bounds = Procedure(
            source=scene.source("before_outliers"),
            name="outlier_bounds",
            columns=(column,),
            options=outlier_options(scene.form),
        )
        return scene.tag(wanted, bounds, 1 if "upper" in words else 0)
    if function is not None and function != "count":
        return _statistic(scene, wanted, column)
    if not any(word.startswith("outlier") or word == "anomaly" for word in words) and not words & _COUNTS:
        return None
    found = _found(scene, wanted, column, "outliers")
    if wanted.options:
        return _whether(scene, wanted, found)
    if words & _SHARES:
        return _share(scene, wanted, found)
    listed = re.search(r"\blists?\b|\.\.\.|…|\bids\b", f"{wanted.about} {wanted.placeholder}".replace("_", " "))
    if (
        words & _COUNTS
        or (wanted.decimals == 0 and not listed)
        or re.search(r"\b(?:number|count|integer|how many)\b", wanted.placeholder.replace("_", " "))
    ):
        rows = found
        if words & {"remaining", "after"} and not any(word.startswith("outlier") for word in words):
            rows = _found(scene, wanted, column, "inliers")
        return scene.tag(wanted, _count(rows))
    return _listed(scene, wanted, found, column)


def _extreme(scene: Scene, wanted: Wanted, column: str) -> Tag | None:
    """Read the smallest or the largest outlier: `outlier_range_low`, `outlier_range_high`."""
    words = set(wanted.words)
    low, high = words & {"low", "lower", "min"}, words & {"high", "upper", "max"}
    if bool(low) == bool(high) or "outlier" not in words:
        return None
    options = {**outlier_options(scene.form), "keep": "outliers"}
    found = Procedure(source=scene.source("before_outliers"), name="outliers", columns=(column,), options=options)
    measure = Measure(name=wanted.name, function="min" if low else "max", of=Col(name=column))
    return scene.tag(wanted, Aggregate(source=found, groups=(), measures=(measure,)))


def _count(source: Relation) -> Aggregate:
    return Aggregate(source=source, groups=(), measures=(Measure(name="count", function="count"),))


def _found(scene: Scene, wanted: Wanted, column: str, keep: str) -> Relation:
    source = scene.source("before_outliers")
    group = group_of(scene, wanted)
    if group is not None:
        source = Filter(source=source, where=group.condition)
    options: dict[str, Cell] = {**outlier_options(scene.form), "keep": keep}
    side = _side(wanted)
    if side is not None and keep == "outliers":
        lower, upper = bounds(Col(name=column), options)
        return Filter(
            source=source, where=Compare(op=side, left=Col(name=column), right=upper if side == ">" else lower)
        )
    return Procedure(source=source, name="outliers", columns=(column,), options=options)


def _side(wanted: Wanted) -> Literal["<", ">"] | None:
    """Return on which side of the bounds outliers are meant, or None for both: `high_outliers`, `lower_outliers`."""
    words = set(wanted.words)
    high, low = words & {"high", "upper", "above"}, words & {"low", "lower", "below"}
    return None if bool(high) == bool(low) else ">" if high else "<"


def _statistic(scene: Scene, wanted: Wanted, column: str) -> Tag | None:
    """Read a statistic over the rows without outliers, if the tag says so; other statistics are read elsewhere."""
    function = function_in(wanted.words)
    extreme = _extreme(scene, wanted, column) if function == "range" else None
    if extreme is not None:
        return extreme
    if function is None or function == "quantile" or not set(wanted.words) & _WITHOUT or scene.removes_outliers():
        return None
    measure = Measure(name=wanted.name, function=function, of=Col(name=column))
    source = _found(scene, wanted, column, "inliers")
    return scene.tag(wanted, Aggregate(source=source, groups=(), measures=(measure,)))


def _whether(scene: Scene, wanted: Wanted, found: Relation) -> Tag | None:
    """Read whether there are any outliers."""
    yes, no = positive(wanted.options), negative(wanted.options)
    if yes is None or no is None:
        return None
    any_there = Compare(op=">", left=Col(name="count"), right=Lit(value=0))
    return scene.value(wanted, _count(found), Case(branches=((any_there, Lit(value=yes)),), otherwise=Lit(value=no)))


def _share(scene: Scene, wanted: Wanted, found: Relation) -> Tag:
    whole = _count(scene.source("before_outliers"))
    percent = bool(set(wanted.words) & {"percentage", "percent"})
    return scene.tag(
        wanted, Combine(op="percent" if percent else "ratio", left=_count(found), right=whole, name=wanted.name)
    )


def _listed(scene: Scene, wanted: Wanted, found: Relation, column: str) -> Tag:
    """Read the outliers themselves: their row numbers, ids or values."""
    shown = column
    if scene.holds("row number", "row index", "indices", "index of"):
        shown = "row"
    for facts in scene.facts.columns:
        if facts.name.lower().endswith("id") and (
            set(wanted.words) & {"id", "ids", "identifier"} or facts.name.lower() in scene.text.lower()
        ):
            shown = facts.name
    relation: Relation = Project(source=found, columns=(Named(name=shown, of=Col(name=shown)),))
    if scene.holds("ascending", "sorted"):
        relation = Sort(source=relation, keys=((shown, False),))
    return scene.tag(wanted, relation, 0, every=True)
