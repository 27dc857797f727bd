"""Tags about plain statistics: mean, median, deviation, counts, missing values, of all rows or of one group."""

from __future__ import annotations

import re

from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Col,
    Compare,
    Condition,
    Filter,
    Lit,
    Measure,
    Missing,
    Not,
    Procedure,
    Relation,
    Tag,
)
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.domain.table import Cell

FUNCTIONS: dict[str, AggregateName] = {
    "mean": "mean", "average": "mean", "avg": "mean", "median": "median", "std": "std", "stddev": "std", "sd": "std", "deviation": "std",
    "dev": "std", "variance": "var", "var": "var", "min": "min", "minimum": "min", "max": "max", "maximum": "max", "total": "sum", "sum": "sum",
    "count": "count", "number": "count", "skewness": "skew", "skew": "skew", "kurtosis": "kurtosis", "range": "range", "mode": "mode",
}  # fmt: skip


def function_in(words: tuple[str, ...]) -> AggregateName | None:
    """Return the aggregate that a tag's name tells; `standard deviation` before `mean deviation`."""
    found = [FUNCTIONS[word] for word in words if word in FUNCTIONS]
    if "std" in found:
        return "std"
    return next((name for name in found if name not in {"count", "sum", "range", "mode"}), found[0] if found else None)


def statistic(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag that names an aggregate."""
    words = set(wanted.words)
    if words & {"missing", "null", "nan"} or (words & {"percentage", "percent"} and scene.holds("missing values")):
        return missing(scene, wanted)
    if words & {"duplicate", "duplicated"}:
        return scene.tag(wanted, Procedure(source=scene.source(), name="duplicates", columns=()))
    function = function_in(wanted.words) or _only_function(scene)
    column = scene.column_for(wanted)
    if function is None:
        return None
    if function == "count":
        return _count(scene, wanted)
    if function == "sum" and column is None:
        return _count(scene, wanted)
    if column is None:
        return None
    if function == "sum" and not scene.holds("total", "sum"):
        return None
    argument = (
        0.0
        if function == "std" and scene.holds("population standard deviation", "population std", "ddof=0", "ddof = 0")
        else None
    )
    source = _part(scene, wanted)
    measure = Measure(name=wanted.name, function=function, of=Col(name=column), argument=argument)
    return scene.tag(wanted, Aggregate(source=source, groups=(), measures=(measure,)))


def _only_function(scene: Scene) -> AggregateName | None:
    """The one aggregate that the question itself names."""
    lower = scene.form.question.lower()
    found = {
        name for word, name in FUNCTIONS.items() if re.search(rf"\b{word}\b", lower) and name not in {"count", "sum"}
    }
    return found.pop() if len(found) == 1 else None


def _count(scene: Scene, wanted: Wanted) -> Tag | None:
    """Rows that fulfil the question's conditions; without any there is nothing certain to count."""
    if scene.parse.where() is None and not scene.holds(
        "how many rows", "number of rows", "row count", "total number of rows"
    ):
        return None
    return scene.tag(
        wanted, Aggregate(source=scene.source(), groups=(), measures=(Measure(name=wanted.name, function="count"),))
    )


def _part(scene: Scene, wanted: Wanted) -> Relation:
    """The rows of the group that a tag's name ends with: `mean_fare_class1`, `average_fare_female`, `mean_fare_child`."""
    condition = _group(scene, wanted)
    source = scene.source()
    return Filter(source=source, where=condition) if condition is not None else source


def _group(scene: Scene, wanted: Wanted) -> Condition | None:
    made = scene.made
    labels = getattr(made.of, "labels", ()) if made is not None else ()
    for text in labels:
        if made is not None and text.lower() in wanted.words:
            return Compare(op="=", left=Col(name=made.name), right=Lit(value=text))
    for column in scene.facts.columns:
        if column.kind in {"text", "boolean"} and (column.distinct or 99) <= 30:
            value: Cell = max(
                (sample for sample in column.samples if _said(sample, wanted)),
                key=lambda sample: len(str(sample)),
                default=None,
            )
            if value is not None:
                return Compare(op="=", left=Col(name=column.name), right=Lit(value=value))
    number = next((int(word) for word in wanted.words if word.isdigit()), None)
    grouped = next((column for column in scene.every if _few(scene, column)), None)
    if number is not None and grouped is not None and str(number) not in (scene.column_for(wanted) or ""):
        return Compare(op="=", left=Col(name=grouped), right=Lit(value=number))
    return None


def _said(sample: Cell, wanted: Wanted) -> bool:
    said = str(sample).lower().replace(" ", "_")
    return len(said) > 1 and (
        said in wanted.words or wanted.name.lower().startswith(f"{said}_") or wanted.name.lower().endswith(f"_{said}")
    )


def _few(scene: Scene, column: str) -> bool:
    facts = scene.parse.facts(column)
    return facts.kind == "integer" and facts.distinct is not None and facts.distinct <= 12


def missing(scene: Scene, wanted: Wanted) -> Tag | None:
    """Missing values: how many or what share, of one column or of all."""
    words = set(wanted.words)
    column = scene.column_for(wanted) or next(iter(scene.every), None)
    if column is None:
        return None
    share = bool(words & {"percentage", "percent", "share", "ratio"}) or scene.holds("percentage of missing")
    function: AggregateName = "missing_percent" if share else "missing"
    scene.parse.clauses = [clause for clause in scene.parse.clauses if not isinstance(clause.condition, Missing | Not)]
    measure = Measure(name=wanted.name, function=function, of=Col(name=column))
    return scene.tag(wanted, Aggregate(source=scene.source(), groups=(), measures=(measure,)))
