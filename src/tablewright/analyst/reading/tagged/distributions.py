"""Tags about outliers, and about whether a column is normally distributed."""

from __future__ import annotations

from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Case,
    Col,
    Compare,
    Derive,
    Expr,
    Lit,
    Measure,
    Named,
    Procedure,
    Project,
    Relation,
    Sort,
    Tag,
)
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.rules import negative, positive
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.statistics import function_in
from tablewright.domain.table import Cell

_WITHOUT = {"without", "after", "post", "new", "removed", "excluding", "cleaned"}
_METHODS = (
    ("kolmogorov", "ks"),
    ("anderson", "anderson"),
    ("d'agostino", "dagostino"),
    ("d’agostino", "dagostino"),
    ("normaltest", "dagostino"),
    ("jarque", "jarque_bera"),
    ("shapiro", "shapiro"),
)


def outlier(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag of a question about outliers."""
    column = scene.column_for(wanted)
    if column is None:
        return None
    words = set(wanted.words)
    function = function_in(wanted.words)
    if function is not None and function != "count":
        return _statistic(scene, wanted, column, function)
    found = _outliers(scene, column, "outliers")
    if words & {"upper", "high"} or words & {"lower", "low"}:
        bounds = Procedure(source=scene.source(), name="outlier_bounds", columns=(column,), options=_options(scene))
        return scene.tag(wanted, bounds, 1 if words & {"upper", "high"} else 0)
    if words & {"count", "number", "num", "total", "no"} or wanted.decimals == 0:
        return scene.tag(
            wanted, Aggregate(source=found, groups=(), measures=(Measure(name="count", function="count"),))
        )
    return _listed(scene, wanted, found, column)


def _outliers(scene: Scene, column: str, keep: str) -> Relation:
    return Procedure(
        source=scene.source(), name="outliers", columns=(column,), options={**_options(scene), "keep": keep}
    )


def _options(scene: Scene) -> dict[str, Cell]:
    if scene.holds("z-score", "zscore", "z score"):
        return {
            "method": "zscore",
            "threshold": scene.number_near(r"(?:threshold|greater than|exceed\w*|above|>)") or 3.0,
        }
    factor = scene.number_near(r"(?:below q1\s*-|q1\s*-|above q3\s*\+|iqr method \()")
    return {"method": "iqr", "factor": factor if factor is not None and factor < 10 else 1.5}


def _statistic(scene: Scene, wanted: Wanted, column: str, function: AggregateName) -> Tag:
    kept = bool(set(wanted.words) & _WITHOUT)
    source = _outliers(scene, column, "inliers") if kept else scene.source()
    measure = Measure(name=wanted.name, function=function, of=Col(name=column))
    return scene.tag(wanted, Aggregate(source=source, groups=(), measures=(measure,)))


def _listed(scene: Scene, wanted: Wanted, found: Relation, column: str) -> Tag:
    """The outliers themselves: their rows' numbers, their ids, or their values."""
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


def normality(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag of a question about normality."""
    column = scene.column_for(wanted)
    words = set(wanted.words)
    if column is None:
        return None
    function = function_in(wanted.words)
    if function is not None and not words & {"normal", "normality"}:
        measure = Measure(name=wanted.name, function=function, of=Col(name=column))
        return scene.tag(wanted, Aggregate(source=scene.source(), groups=(), measures=(measure,)))
    if scene.holds("skewness") and not scene.holds(
        "shapiro", "kolmogorov", "anderson", "agostino", "normaltest", "p-value"
    ):
        return _by_skewness(scene, wanted, column)
    method = next((name for said, name in _METHODS if scene.holds(said)), "shapiro")
    alpha = scene.number_near(r"(?:alpha\)?|significance level)") or 0.05
    relation = Procedure(
        source=scene.source(), name="normality", columns=(column,), options={"method": method, "alpha": alpha}
    )
    if words & {"p", "pvalue"}:
        return scene.tag(wanted, relation, 1)
    if words & {"statistic", "stat", "w"} and not wanted.options:
        return scene.tag(wanted, relation, 0)
    options = wanted.options or ("yes", "no")
    yes, no = positive(options), negative(options)
    if yes is None or no is None:
        return None
    verdict = Case(
        branches=((Compare(op="=", left=Col(name="normal"), right=Lit(value=True)), Lit(value=yes)),),
        otherwise=Lit(value=no),
    )
    return scene.tag(wanted, _labelled(relation, verdict))


def _by_skewness(scene: Scene, wanted: Wanted, column: str) -> Tag | None:
    options = wanted.options or ("Yes", "No")
    yes, no = positive(options), negative(options)
    bound = scene.number_near(r"skewness[^\d\n]*")
    if yes is None or no is None or bound is None:
        return None
    relation = Aggregate(
        source=scene.source(), groups=(), measures=(Measure(name="skewness", function="skew", of=Col(name=column)),)
    )
    value = Col(name="skewness")
    branches = (
        (Compare(op=">", left=value, right=Lit(value=bound)), Lit(value=no)),
        (Compare(op="<", left=value, right=Lit(value=-bound)), Lit(value=no)),
    )
    return scene.tag(wanted, _labelled(relation, Case(branches=branches, otherwise=Lit(value=yes))))


def _labelled(relation: Relation, expression: Expr) -> Relation:
    named = Derive(source=relation, columns=(Named(name="label", of=expression),))
    return Project(source=named, columns=(Named(name="label", of=Col(name="label")),))
