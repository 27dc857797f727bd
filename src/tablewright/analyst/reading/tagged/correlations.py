"""Tags about a correlation: the coefficient, its p-value, what to call it, and the strongest of many."""

from __future__ import annotations

import re

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import (
    Case,
    Col,
    Compare,
    Derive,
    Expr,
    Filter,
    Lit,
    Named,
    Position,
    Procedure,
    Project,
    Relation,
    Tag,
)
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.rules import label, negative, positive, signs
from tablewright.analyst.reading.tagged.scene import Scene

_BETWEEN = re.compile(
    r"between\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)(?:[?\n]|\.\s|\.$|,|\bfor\b|\bin the\b|$)", re.IGNORECASE
)
_COEFFICIENT = {"correlation", "corr", "coefficient", "pearson", "r", "coef", "spearman"}
_LABEL = {"relationship", "type", "significance", "significant", "strength", "status", "result", "direction"}


def correlation(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag of a question about correlations."""
    words = set(wanted.words)
    if len(scene.numeric) == 1 or (words & {"strongest", "highest"} and len(scene.numeric) < 2):
        return _strongest(scene, wanted)
    pair = _pair(scene, wanted)
    if pair is None:
        return None
    method = "spearman" if scene.holds("spearman") else "kendall" if scene.holds("kendall") else "pearson"
    relation: Relation = Procedure(
        source=_rows(scene, wanted), name="correlation", columns=pair, options={"method": method}
    )
    if words & {"p", "pvalue"} or wanted.placeholder.lower().startswith(("p_", "p-")):
        return scene.tag(wanted, relation, 1)
    named = words & (_COEFFICIENT - {"correlation"})
    if (wanted.options and not named) or (words & _LABEL and not words & {"coefficient", "value"}):
        return _labelled(scene, wanted, relation)
    if words & _COEFFICIENT or "correlation" in wanted.placeholder or wanted.placeholder in {"r", "corr"}:
        return scene.tag(wanted, relation, 0)
    return None


def _pair(scene: Scene, wanted: Wanted) -> tuple[str, str] | None:
    spoken = _spoken(scene)
    if spoken is not None and len(scene.form.wanted) <= 4:
        return spoken
    own = [column for column in scene.numeric if any(part in wanted.words for part in column.lower().split())]
    if len(scene.numeric) > 2 and len(own) == 1:
        partner = next(
            (column for column in scene.numeric if column not in own and _in_every_tag(scene, column)),
            scene.numeric[-1],
        )
        return own[0], partner
    return (scene.numeric[0], scene.numeric[1]) if len(scene.numeric) >= 2 else None


def _spoken(scene: Scene) -> tuple[str, str] | None:
    """`between A and B`: the best numeric column of each side, in the question or in its constraints."""
    for text in (scene.form.question, scene.form.constraints):
        match = _BETWEEN.search(text)
        sides = [_numeric(scene, side) for side in match.groups()] if match else []
        if len(sides) == 2 and sides[0] and sides[1] and sides[0] != sides[1]:
            return sides[0], sides[1]
    return None


def _numeric(scene: Scene, text: str) -> str | None:
    tokens = tokenize(text)
    found = sorted(columns(tokens, column_names(scene.facts.columns)), key=lambda mention: -mention.score)
    numeric = {column.name for column in scene.facts.columns if column.kind in {"number", "integer"}}
    return next((mention.column for mention in found if mention.column in numeric), None)


def _in_every_tag(scene: Scene, column: str) -> bool:
    return all(column.lower() in wanted.name.lower() for wanted in scene.form.wanted)


def _rows(scene: Scene, wanted: Wanted) -> Relation:
    """`correlation_male`: only the rows of the value that the tag's name ends with."""
    source = scene.source()
    for column in scene.facts.columns:
        if column.kind not in {"text", "boolean"} or (column.distinct or 0) > 12:
            continue
        value = next((sample for sample in column.samples if str(sample).lower() in wanted.words), None)
        if value is not None:
            return Filter(source=source, where=Compare(op="=", left=Col(name=column.name), right=Lit(value=value)))
    return source


def _labelled(scene: Scene, wanted: Wanted, relation: Relation) -> Tag | None:
    options = wanted.options or ("positive", "negative")
    columns = {"p": "p_value", "r": "correlation"}
    expression: Expr | None = signs(options, "correlation") if not _threshold_first(scene) else None
    expression = expression or label(scene.text, options, columns) or signs(options, "correlation")
    if expression is None:
        yes, no = positive(options), negative(options)
        if yes is None or no is None:
            return None
        alpha = scene.number_near(r"alpha\)?|significance level") or 0.05
        expression = Case(
            branches=((Compare(op="<", left=Col(name="p_value"), right=Lit(value=alpha)), Lit(value=yes)),),
            otherwise=Lit(value=no),
        )
    named = Derive(source=relation, columns=(Named(name="label", of=expression),))
    return scene.tag(wanted, Project(source=named, columns=(Named(name="label", of=Col(name="label")),)))


def _threshold_first(scene: Scene) -> bool:
    """A rule with numbers (`positive if r is at least 0.5`) goes before the bare sign."""
    return scene.number_near(r"(?:greater|less|above|below|>=|<=)[^.\n]{0,25}?(?=0\.\d)") is not None


def _strongest(scene: Scene, wanted: Wanted) -> Tag | None:
    """The column that correlates the most with the one of the question."""
    if not scene.numeric:
        return None
    target = scene.numeric[0]
    others = [
        column.name for column in scene.facts.columns if column.kind in {"number", "integer"} and column.name != target
    ]
    relation: Relation = Position(
        source=Procedure(source=scene.source(), name="correlations", columns=(target, *others)), count=1
    )
    words = set(wanted.words)
    if words & {"variable", "column", "feature", "name", "factor"}:
        return scene.tag(wanted, relation, 0)
    if words & {"p", "pvalue"}:
        return scene.tag(wanted, relation, 2)
    if words & _LABEL:
        return _labelled(scene, wanted, relation)
    return scene.tag(wanted, relation, 1) if words & _COEFFICIENT else None
