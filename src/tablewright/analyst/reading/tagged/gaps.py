"""Tags about missing values: how many, what share, in which columns, before or after they are filled."""

from __future__ import annotations

import re

from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Col,
    Compare,
    Filter,
    Lit,
    Measure,
    Missing,
    Named,
    Not,
    Procedure,
    Project,
    Relation,
    Sort,
    Tag,
    Top,
)
from tablewright.analyst.reading.tagged.columns_said import quoted_columns, said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.grouping import groups_of
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.statistics import function_in, within

_ABOUT = frozenset({"missing", "null", "nulls", "nan", "na", "missingness"})
_SHARE = frozenset({"percentage", "percent", "pct", "share", "ratio", "proportion", "rate"})
_COLUMNS = frozenset(
    {"column", "columns", "feature", "features", "variable", "variables", "name", "names", "attribute"}
)


def missing(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about missing values or duplicate rows."""
    words = set(wanted.words)
    if words & {"duplicate", "duplicates", "duplicated"}:
        return scene.tag(wanted, Procedure(source=scene.source("raw"), name="duplicates", columns=()))
    if function_in(wanted.words) not in {None, "count", "sum", "max"} and not words & _SHARE:
        return None
    if wanted.options or not scene.holds("missing", "null", "nan") or not _concerned(scene, wanted):
        return None
    scene.parse.clauses = [clause for clause in scene.parse.clauses if not isinstance(clause.condition, Missing | Not)]
    grouped = _by_group(scene, wanted)
    if grouped is not None:
        return grouped
    if words & _COLUMNS and function_in(wanted.words) is None and not words & _SHARE:
        return _which(scene, wanted)
    if function_in(wanted.words) == "count" and re.search(
        r"which (?:column|variable|feature|attribute)", scene.text, re.IGNORECASE
    ):
        gaps = Procedure(source=scene.source("raw"), name="missing", columns=())
        return scene.tag(wanted, Top(source=gaps, by="missing", count=1), 1)
    share = bool(words & _SHARE) or (scene.holds("percentage of missing") and not words & {"count", "number", "num"})
    column = _column(scene, wanted)
    if column is None:
        return None if share else _all(scene, wanted)
    function: AggregateName = "missing_percent" if share else "missing"
    measure = Measure(name=wanted.name, function=function, of=Col(name=column))
    rows = within(_rows(scene, wanted), [group for group in groups_of(scene, wanted) if group.column])
    return scene.tag(wanted, Aggregate(source=rows, groups=(), measures=(measure,)))


def _by_group(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read the group with the most missing values, or their number: `For each station … which has the most missing
    values`."""
    each = re.search(r"\b(?:for each|per|which|by)\s+(\w+)", scene.form.question, re.IGNORECASE)
    said = said_columns(each.group(1), scene.facts) if each else []
    measured = next(
        (name for name in [*quoted_columns(scene.text, scene.facts), *scene.numeric] if name not in said), None
    )
    if not said or measured is None or not scene.holds("most missing", "highest number of missing"):
        return None
    measure = Measure(name="missing", function="missing", of=Col(name=measured))
    groups = Aggregate(
        source=scene.source("raw"), groups=(Named(name=said[0], of=Col(name=said[0])),), measures=(measure,)
    )
    top = Top(source=groups, by="missing", count=1, ties=False)
    return scene.tag(wanted, top, 1 if function_in(wanted.words) == "count" else 0)


def _concerned(scene: Scene, wanted: Wanted) -> bool:
    words = {*wanted.words, *re.split(r"[\W_]+", wanted.placeholder.lower())}
    if words & _COLUMNS and re.search(r"which (?:column|variable|feature)\w*[^.?]*missing", scene.text, re.IGNORECASE):
        return True
    if words & _ABOUT:
        return True
    asked = re.search(r"missing|null", scene.form.question, re.IGNORECASE) is not None
    return asked and bool(words & {*_SHARE, "count", "number", "num", "total"}) and not scene.preparations


def _rows(scene: Scene, wanted: Wanted) -> Relation:
    """Return the rows in which gaps are counted: as loaded, unless the tag means those after filling."""
    if scene.stage(wanted) == "raw":
        return scene.source("raw")
    late = {"after", "post", "filled", "imputed", "remaining", "final", "left"} & set(wanted.words)
    return scene.source() if late else scene.source("raw")


def _column(scene: Scene, wanted: Wanted) -> str | None:
    named = said_columns(re.sub(r"missing|null|count|percentage", " ", wanted.name.replace("_", " ")), scene.facts)
    quoted = quoted_columns(scene.text, scene.facts)
    if re.search(r"\b(?:entire|whole|total|overall|all)\b", wanted.name.replace("_", " ")) and not named:
        return None
    return next(iter([*named, *quoted, *scene.every]), None)


def _all(scene: Scene, wanted: Wanted) -> Tag:
    gaps = Procedure(source=_rows(scene, wanted), name="missing", columns=())
    measure = Measure(name=wanted.name, function="sum", of=Col(name="missing"))
    return scene.tag(wanted, Aggregate(source=gaps, groups=(), measures=(measure,)))


def _which(scene: Scene, wanted: Wanted) -> Tag:
    """Read the columns with gaps, or the one with the most if the tag says so."""
    gaps: Relation = Procedure(source=scene.source("raw"), name="missing", columns=())
    alone = sum(bool({*one.words} & _COLUMNS) for one in scene.form.wanted) == 1
    if {"most", "highest", "max", "maximum"} & set(wanted.words) or (
        alone and scene.holds("most missing", "highest number of missing")
    ):
        top = Top(source=gaps, by="missing", count=1)
        return scene.tag(
            wanted, Project(source=top, columns=(Named(name="column", of=Col(name="column")),)), every=True
        )
    if scene.holds("'object'", '"object"', "object type", "string columns", "text columns"):
        texts = tuple(
            column.name
            for column in scene.facts.columns
            if column.kind in {"text", "mixed", "date", "time", "datetime"}
        )
        gaps = Procedure(source=scene.source("raw"), name="missing", columns=texts)
    found: Relation = Filter(source=gaps, where=Compare(op=">", left=Col(name="missing"), right=Lit(value=0)))
    if scene.holds("alphabetical"):
        found = Sort(source=found, keys=(("column", False),))
    return scene.tag(wanted, Project(source=found, columns=(Named(name="column", of=Col(name="column")),)), every=True)
