"""Tags about a correlation: the coefficient, its p-value, the word for it, and the strongest of several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.tokens import lemmas, tokenize
from tablewright.analyst.plan import (
    Case,
    Col,
    Compare,
    Expr,
    Filter,
    Lit,
    Position,
    Procedure,
    Relation,
    Tag,
    Top,
)
from tablewright.analyst.reading.tagged.columns_said import is_numeric, numeric_said
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.grouping import group_of
from tablewright.analyst.reading.tagged.rules import label, negative, positive, signs
from tablewright.analyst.reading.tagged.scene import Scene

_BETWEEN = re.compile(
    r"between\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)(?:[?\n]|\.\s|\.$|,|\bfor\b|\bin the\b|$)", re.IGNORECASE
)
_THRESHOLD = re.compile(r"(?:greater|less|above|below|at least|>=?|<=?|≥|≤)[^.\n]{0,25}?[-−]?0\.\d")
_COEFFICIENT = {"correlation", "corr", "coefficient", "pearson", "r", "coef", "spearman", "rho", "tau", "kendall"}
_LABEL = {"relationship", "type", "significance", "significant", "strength", "status", "result", "direction"}
_PAIRS = re.compile(
    r"\bpairs?\b[^.]{0,80}\b(?:highest|strongest|most|largest|lowest|weakest)|(?:highest|strongest|most|largest"
    r"|lowest|weakest)[^.]{0,60}\bpairs?\b|two variables[^.]{0,40}(?:strongest|highest)",
    re.IGNORECASE,
)


def correlation(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag of a question about correlations."""
    words = set(wanted.words)
    if _PAIRS.search(scene.text):
        return _strongest_pair(scene, wanted)
    numbers = [*(made.name for made in scene.made if not made.labels), *scene.numeric]
    superlative = {"strongest", "highest", "most", "lowest", "weakest"}
    if (
        len(numbers) == 1
        or re.search(
            r"which [^.?]*(?:strongest|highest|most|largest)[^.?]*correlat|most[^.?]{0,20}correlated with",
            scene.form.question,
            re.IGNORECASE,
        )
        or (words & superlative and (len(numbers) < 2 or scene.holds("all other", "each of the other")))
    ):
        return _strongest(scene, wanted)
    pair = _pair(scene, wanted)
    if pair is None:
        return None
    relation: Relation = Procedure(
        source=_rows(scene, wanted), name="correlation", columns=pair, options={"method": method(scene)}
    )
    if words & {"p", "pvalue", "pval"} or wanted.placeholder.lower().startswith(("p_", "p-")):
        return scene.tag(wanted, relation, 1)
    named = words & (_COEFFICIENT - {"correlation"})
    if (wanted.options and not named) or (words & _LABEL and not words & {"coefficient", "value"}):
        return _labelled(scene, wanted, relation)
    if words & _COEFFICIENT or "correlation" in wanted.placeholder or wanted.placeholder in {"r", "corr", "r_value"}:
        return scene.tag(wanted, relation, 0)
    return None


def method(scene: Scene) -> str:
    """Return the correlation method that the question names; by default `pearson`."""
    return "spearman" if scene.holds("spearman") else "kendall" if scene.holds("kendall") else "pearson"


def _pair(scene: Scene, wanted: Wanted) -> tuple[str, str] | None:
    made = [made.name for made in scene.made if not made.labels]
    numbers = [*made, *(name for name in scene.numeric if name not in _parts(scene))]
    own = [name for name in numbers if _in_name(name, wanted)]
    own = own if len(own) == 2 else [name for name in numbers if name in own or _hinted(name, wanted, numbers)]
    if len(own) == 2:
        return own[0], own[1]
    if len(numbers) > 2 and len(own) == 1 and len(scene.form.wanted) > 1:
        partner = next((name for name in numbers if name not in own and _shared(scene, name)), None)
        partner = partner or next((name for name in made if name not in own), None)
        if partner is not None:
            return own[0], partner
    spoken = _spoken(scene)
    if spoken is not None:
        return spoken
    return (numbers[0], numbers[1]) if len(numbers) >= 2 else None


def _parts(scene: Scene) -> set[str]:
    """Return the columns that the question names only to make another one from them."""
    if not scene.made:
        return set()
    lower = scene.form.question.lower()
    lower = lower if "correlat" in lower else scene.form.text.lower()
    later = lower.rfind("correlat")
    return {name for name in scene.numeric if name.lower() not in lower[later:]} if later >= 0 else set()


def _in_name(column: str, wanted: Wanted) -> bool:
    spoken = "_".join(wanted.words)
    words = lemmas(column)
    return bool(words) and ("_".join(words) in spoken or (len(words[0]) > 2 and words[0] in wanted.words))


def _hinted(column: str, wanted: Wanted, among: Sequence[str]) -> bool:
    """Return whether the tag's name has a word that, among these columns, only this one has."""
    others = {word for other in among if other != column for word in lemmas(other)}
    return any(len(word) > 3 and word in wanted.words and word not in others for word in lemmas(column))


def _shared(scene: Scene, column: str) -> bool:
    return all(_in_name(column, wanted) for wanted in scene.form.wanted)


def _spoken(scene: Scene) -> tuple[str, str] | None:
    """Return the best numeric column of each side of `between A and B`, in the question or its constraints."""
    for text in (scene.form.question, scene.form.constraints):
        for match in _BETWEEN.finditer(text):
            if scene.made and not re.search(r"correlat|relation|associat", text[: match.start()][-60:], re.IGNORECASE):
                continue
            sides = [_numeric(scene, side) for side in match.groups()]
            if sides[0] and sides[1] and sides[0] != sides[1]:
                return sides[0], sides[1]
    return None


def _numeric(scene: Scene, text: str) -> str | None:
    for made in scene.made:
        spoken = re.sub(r"_", " ", made.name.lower())
        if not made.labels and (
            spoken in text.lower().replace("_", " ") or re.search(r"new (?:feature|column|variable)", text)
        ):
            return made.name
    tokens = tokenize(text)
    found = sorted(columns(tokens, column_names(scene.facts.columns)), key=lambda mention: -mention.score)
    numeric = {column.name for column in scene.facts.columns if is_numeric(column)}
    for mention in found:
        options = [mention.column, *(column for column, score in mention.others if score >= mention.score - 0.3)]
        if chosen := [column for column in options if column in numeric]:
            return chosen[0]
    return None


def _rows(scene: Scene, wanted: Wanted) -> Relation:
    """Return the rows of the group that the tag's name means: `correlation_male`."""
    source = scene.source_for(wanted)
    group = group_of(scene, wanted)
    return Filter(source=source, where=group.condition) if group is not None else source


def _labelled(scene: Scene, wanted: Wanted, relation: Relation) -> Tag | None:
    expression = _verdict(scene, wanted)
    return None if expression is None else scene.value(wanted, relation, expression)


def _verdict(scene: Scene, wanted: Wanted) -> Expr | None:
    """Return the verdict by the rule that the question states, else by sign, else by significance."""
    options = wanted.options or ("positive", "negative")
    signed = signs(options, "correlation")
    rule = label(f"{scene.text}\n{wanted.about}", options, {"p": "p_value", "r": "correlation"}, scene.alpha)
    if rule is not None and (signed is None or len(options) > 2 or _THRESHOLD.search(scene.text)):
        return rule
    if signed is not None or rule is not None:
        return signed or rule
    yes, no = positive(options), negative(options)
    if yes is None or no is None or len(options) != 2:
        return None
    below = Compare(op="<", left=Col(name="p_value"), right=Lit(value=scene.alpha))
    return Case(branches=((below, Lit(value=yes)),), otherwise=Lit(value=no))


def _strongest(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about the column with the strongest correlation with that of the question."""
    if not scene.numeric:
        return None
    after = re.search(
        r"correlat\w*\s+(?:coefficient\s+)?(?:with|to|between)\s+(?:the\s+)?([^?.\n]{2,60})", scene.text, re.IGNORECASE
    )
    said = numeric_said(after.group(1), scene.facts) if after else []
    target = next(iter([*said, *scene.numeric]))
    ignored = re.search(r"(?:ignor|exclud|except|other than)\w*\s+([^.\n]{2,60})", scene.text, re.IGNORECASE)
    left_out = numeric_said(ignored.group(1), scene.facts, least=0.9) if ignored else []
    others = [
        column.name for column in scene.facts.columns if is_numeric(column) and column.name not in {target, *left_out}
    ]
    options = {"method": method(scene)}
    found = Procedure(source=scene.source(), name="correlations", columns=(target, *others), options=dict(options))
    relation: Relation = Position(source=found, count=1)
    if re.search(r"(?:highest|strongest|most) positive", scene.text, re.IGNORECASE):
        relation = Top(source=found, by="correlation", count=1)
    elif re.search(r"(?:highest|strongest|most) negative", scene.text, re.IGNORECASE):
        relation = Top(source=found, by="correlation", count=1, descending=False)
    return _of_strongest(scene, wanted, relation)


def _strongest_pair(scene: Scene, wanted: Wanted) -> Tag | None:
    known = [name for name in scene.numeric if is_numeric(scene.parse.facts(name))]
    names = known if len(known) >= 3 else [column.name for column in scene.facts.columns if is_numeric(column)]
    signed = re.search(r"(?:highest|strongest|most|largest) (positive|negative)", scene.text, re.IGNORECASE)
    relation = Procedure(
        source=scene.source(), name="correlation_pairs", columns=tuple(names), options={"method": method(scene)}
    )
    order: Relation = Position(source=relation, count=1)
    if signed is not None:
        order = Top(source=relation, by="correlation", count=1, descending=signed.group(1).lower() == "positive")
    return _of_strongest(scene, wanted, order)


def _of_strongest(scene: Scene, wanted: Wanted, relation: Relation) -> Tag | None:
    words = set(wanted.words)
    if words & {"variable", "column", "feature", "name", "factor", "pair", "variables", "columns", "features"}:
        return scene.tag(wanted, relation, 0)
    if words & {"p", "pvalue"}:
        return scene.tag(wanted, relation, 2)
    if words & _LABEL:
        return _labelled(scene, wanted, relation)
    return scene.tag(wanted, relation, 1) if words & _COEFFICIENT else None
