"""Tags about the shape of a distribution: tests of normality, and verdicts based on skewness and kurtosis."""

from __future__ import annotations

import re

from tablewright.analyst.plan import Aggregate, Case, Col, Compare, Expr, Lit, Measure, Procedure, Relation, Tag
from tablewright.analyst.reading.tagged.choosing import column_for
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.rules import label, negative, positive
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.statistics import function_in, rows_of

METHODS = (
    ("kolmogorov", "ks"),
    ("anderson", "anderson"),
    ("agostino", "dagostino"),
    ("normaltest", "dagostino"),
    ("jarque", "jarque_bera"),
    ("shapiro", "shapiro"),
)
NORMAL = re.compile(
    r"normal(?:ly)?[- ]distribut|normality|normalcy|adher\w* to a normal|follow\w* a (?:normal|gaussian)|正态"
    r"|shapiro|anderson-darling",
    re.IGNORECASE,
)
_SKEWED = re.compile(r"skewed|symmetr|skewness|kurtosis", re.IGNORECASE)


def shaped(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about the shape of a column's distribution."""
    words = set(wanted.words)
    tested = next((name for said, name in METHODS if scene.holds(said)), None)
    column = column_for(scene, wanted, r"distribution of", "normal", "shapiro", "skewness")
    if column is None:
        return None
    source = rows_of(scene, wanted)
    if wanted.options:
        return _verdict(scene, wanted, source, column, tested)
    if tested is None and not NORMAL.search(scene.text):
        return None
    relation = _test(scene, source, column, tested or "shapiro")
    if words & {"p", "pvalue", "pval"} or re.search(r"\bp[-_ ]?val", wanted.placeholder.lower()):
        return scene.tag(wanted, relation, 1)
    if words & {"statistic", "stat", "w"} and function_in(wanted.words) is None:
        return scene.tag(wanted, relation, 0)
    if function_in(wanted.words) is None and any("normal" in word for word in words):
        yes = Compare(op="=", left=Col(name="normal"), right=Lit(value=True))
        return scene.value(wanted, relation, Case(branches=((yes, Lit(value="Yes")),), otherwise=Lit(value="No")))
    return None


def _test(scene: Scene, source: Relation, column: str, method: str) -> Procedure:
    return Procedure(
        source=source, name="normality", columns=(column,), options={"method": method, "alpha": scene.alpha}
    )


def _verdict(scene: Scene, wanted: Wanted, source: Relation, column: str, tested: str | None) -> Tag | None:
    """Read a verdict on the shape: by the rule that the question states for the moments, else by the test."""
    if tested is None or not _of_normality(wanted):
        moments = {"skewness": "skewness", "kurtosis": "kurtosis"}
        rule = label(f"{scene.text}\n{wanted.about}", wanted.options, moments)
        if rule is not None and _SKEWED.search(scene.text):
            return scene.value(wanted, _moments(scene, source, column), rule)
    if tested is None and not NORMAL.search(scene.text):
        return None
    yes, no = positive(wanted.options), negative(wanted.options)
    if yes is None or no is None or len(wanted.options) != 2:
        return None
    normal = Compare(op="=", left=Col(name="normal"), right=Lit(value=True))
    said: Expr = Case(branches=((normal, Lit(value=yes)),), otherwise=Lit(value=no))
    if set(wanted.words) & {"significant", "significance", "reject", "rejected"} and "normal" not in wanted.words:
        said = Case(branches=((normal, Lit(value=no)),), otherwise=Lit(value=yes))
    return scene.value(wanted, _test(scene, source, column, tested or "shapiro"), said)


def _of_normality(wanted: Wanted) -> bool:
    return not any(re.search(r"skew|symmetr|heavy|kurt", option, re.IGNORECASE) for option in wanted.options)


def _moments(scene: Scene, source: Relation, column: str) -> Aggregate:
    argument = 0.0 if re.search(r"\bscipy", scene.text, re.IGNORECASE) else None
    return Aggregate(
        source=source,
        groups=(),
        measures=(
            Measure(name="skewness", function="skew", of=Col(name=column), argument=argument),
            Measure(name="kurtosis", function="kurtosis", of=Col(name=column), argument=argument),
        ),
    )
