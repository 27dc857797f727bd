"""What a question does to its table before it asks: fill or drop missing values, scale columns, remove outliers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.plan import (
    Case,
    Col,
    Compare,
    Derive,
    Expr,
    Fill,
    Func,
    Lit,
    Math,
    Named,
    Procedure,
    Project,
    Relation,
    Statistic,
)
from tablewright.analyst.reading.tagged.columns_said import is_numeric, numeric_said, said_columns
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Cell

Kind = Literal["duplicates", "fill", "transform", "outliers"]
_SENTENCE = re.compile(r"(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|\n|;|,\s*(?:and\s+)?then\b|\bAfter that,", re.IGNORECASE)
_FILLS = re.compile(r"\b(?:fill|imput|replac|interpolat)\w*|\b(?:mean|median|mode) imputation", re.IGNORECASE)
_MISSING = re.compile(r"\bmissing|\bnulls?\b|\bnan\b|\bna\b|\bempty\b|imputation|\bimput", re.IGNORECASE)
_DROPS = re.compile(r"\b(?:drop|remov|delet|discard|eliminat)\w*|\bdropna\b", re.IGNORECASE)
_HOWS: tuple[tuple[str, Literal["mean", "median", "mode", "forward", "backward", "interpolate"]], ...] = (
    (r"\binterpolat\w*", "interpolate"),
    (r"\bbackward[- ]?fill|\bbfill\b|next (?:valid |available )?(?:value|observation)", "backward"),
    (r"\bmedians?\b", "median"),
    (r"\bmeans?\b|\baverages?\b", "mean"),
    (r"\bmodes?\b|most (?:frequent|common)", "mode"),
    (r"\bforward[- ]?fill|\bffill\b|last observation|previous value", "forward"),
)
_CONSTANT = re.compile(
    r"\b(?:with|by)\s+(?:a\s+|the\s+)?(?:constant\s+)?(?:value\s+(?:of\s+)?)?(?:[\"'“‘]([^\"'”’]{1,30})[\"'”’]"
    r"|(-?\d+(?:\.\d+)?)|(zeros?))",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:within|for|of|by|in|on)\s+(?:the\s+|their\s+|its\s+)?(?:each|every|same|respective|corresponding|own"
    r"|\w+['’]s)\s+(?:group of\s+)?(.{2,40})|\bgrouped by\s+(.{2,40})",
    re.IGNORECASE,
)
_ANY_GAP = re.compile(
    r"\b(?:all|any|every|each)\s+(?:of\s+)?(?:the\s+)?rows?\s+(?:with|containing|having|that (?:have|has"
    r"|contains?))\s+(?:any\s+|at least one\s+|one or more\s+)?(?:missing|null|nan)\w*(?:\s+values?)?\s*(?:$|[,;.]"
    r"|and\b|from\b)|\brows?\s+(?:with|containing|that (?:have|contain))\s+(?:any|at least one)\s+(?:missing|null"
    r"|nan)",
    re.IGNORECASE,
)
_SCALES: tuple[tuple[str, str, Cell], ...] = (
    (r"\bmin[- ]?max|\bMinMaxScaler", "minmax", None),
    (r"\bz-?[ ]?scores? (?:normali[sz]|standardi[sz]|scal)|\bstandardi[sz]\w*|\bStandardScaler", "zscore", 0),
    (r"\blog1p\b|\blog\s*\(\s*(?:x\s*)?\+\s*1|\blog\s*\(\s*1\s*\+", "log1p", None),
    (r"\blog(?:arithm\w*)?[- ]?(?:10|base 10)|\blog10", "log10", None),
    (r"\b(?:natural )?log(?:arithm\w*)?[- ]?(?:transform|scal)\w*|\bnatural log|\blogarithm of\b", "log", None),
    (r"\bsquare[- ]root (?:transform|of)|\bsqrt\b", "sqrt", None),
    (r"\bbox-?cox", "", None),
)
_REPEATED = re.compile(
    r"\b(?:remov|drop|delet|discard|eliminat)\w*\s+(?:\w+\s+){0,3}?duplicate"
    r"|\bduplicates?\b[^.\n]{0,30}\b(?:removed|dropped|deleted)\b|\bdrop_duplicates",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\breplac\w*\s+(?:\w+\s+){0,4}?(?:outliers?|them|these|those)[^.]{0,30}?\b(?:mean|median|bounds?|limits?)"
    r"|\b(?:cap|clip|winsori[sz]e)\w*\b[^.]{0,40}(?:outliers?|values)",
    re.IGNORECASE,
)
_REMOVED = re.compile(
    r"\b(?:remov|exclud|drop|filter(?:ing|ed)? out|eliminat|delet|discard|handl|clean)\w*[^.]{0,60}\boutliers?"
    r"|\boutliers?[^.]{0,40}\b(?:removed|excluded|dropped|eliminated)|\b(?:remov|exclud|dropp?|discard)\w* (?:them"
    r"|these|those)\b|\bwithout (?:the |these )?outliers",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """One step on whole rows; `how` and `options` are those of `Fill`, `Func` or the procedure `outliers`. Rows are
    duplicates if they are equal in all the columns `within`."""

    kind: Kind
    column: str
    how: str
    options: tuple[tuple[str, Cell], ...] = ()
    within: tuple[str, ...] = ()

    def applied(self, relation: Relation) -> Relation:
        """Return the rows after this step."""
        options = dict(self.options)
        if self.kind == "duplicates":
            every = tuple(Named(name=name, of=Col(name=name)) for name in self.within)
            return Project(source=relation, columns=every, distinct=True)
        if self.kind == "outliers" and self.how != "iqr":
            return Derive(
                source=relation, columns=(Named(name=self.column, of=_replaced(self.column, self.how, options)),)
            )
        if self.kind == "outliers":
            kept: dict[str, Cell] = {**options, "keep": "inliers"}
            return Procedure(source=relation, name="outliers", columns=(self.column,), options=kept)
        if self.kind == "transform":
            value = Func(name=self.how, of=Col(name=self.column), argument=options.get("argument"))
            return Derive(source=relation, columns=(Named(name=self.column, of=value),))
        return Fill(
            source=relation,
            column=self.column,
            how=self.how,  # type: ignore[arg-type]  # written by this module alone, from the words it knows
            value=options.get("value"),
            within=self.within,
        )


def _replaced(column: str, how: str, options: dict[str, Cell]) -> Expr:
    """Return a column with its outliers replaced by its mean or median, or by the nearest bound."""
    of = Col(name=column)
    lower, upper = bounds(of, options)
    low: Expr = lower if how == "capped" else Statistic(name="mean" if how == "mean" else "median", of=of)
    high: Expr = upper if how == "capped" else low
    branches = ((Compare(op="<", left=of, right=lower), low), (Compare(op=">", left=of, right=upper), high))
    return Case(branches=branches, otherwise=of)


def bounds(of: Col, options: dict[str, Cell]) -> tuple[Expr, Expr]:
    """Return the lowest and the highest value of a column that are not outliers."""
    if options.get("method") == "zscore":
        centre: Expr = Statistic(name="mean", of=of)
        deviation = Statistic(name="std", of=of, argument=None if options.get("ddof") else 0)
        reach = Math(op="*", left=Lit(value=options.get("threshold") or 3), right=deviation)
        return Math(op="-", left=centre, right=reach), Math(op="+", left=centre, right=reach)
    first = Statistic(name="quantile", of=of, argument=0.25)
    third = Statistic(name="quantile", of=of, argument=0.75)
    spread = Math(op="*", left=Lit(value=options.get("factor") or 1.5), right=Math(op="-", left=third, right=first))
    return Math(op="-", left=first, right=spread), Math(op="+", left=third, right=spread)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; each step of a numbered instruction counts as one."""
    return [part for part in _SENTENCE.split(text) if part.strip()]


def preparations(
    text: str, facts: DatasetFacts, used: Sequence[str], outlier_options: dict[str, Cell]
) -> tuple[Preparation, ...]:
    """Return the steps in the order of the text, except that duplicates are dropped first and outliers removed last.
    A step that names no column applies to `used`, the columns of the question."""
    found: dict[tuple[str, str], Preparation] = {}
    if _REPEATED.search(text):
        every = tuple(column.name for column in facts.columns)
        found["duplicates", ""] = Preparation(kind="duplicates", column="", how="drop", within=every)
    for sentence in sentences(text):
        for step in [*_filled(sentence, facts, used), *_scaled(sentence, facts)]:
            known = found.get((step.kind, step.column))
            if known is None or (step.within and not known.within):
                found[step.kind, step.column] = step
    removed = _removed(text, facts, used, outlier_options)
    steps = [*found.values(), *([removed] if removed is not None else [])]
    return tuple(step for step in steps if step.how)


def _filled(sentence: str, facts: DatasetFacts, used: Sequence[str]) -> list[Preparation]:
    if not _MISSING.search(sentence):
        return []
    if _FILLS.search(sentence):
        return _filling(sentence, facts, used)
    drop = _DROPS.search(sentence)
    if drop is None or re.search(r"\boutlier", sentence, re.IGNORECASE):
        return []
    gaps = [column.name for column in facts.columns if column.missing]
    said = [column for column in said_columns(sentence, facts, least=0.75) if column in gaps]
    if _ANY_GAP.search(sentence):
        return [Preparation(kind="fill", column=column, how="drop") for column in gaps]
    columns = said or ([] if said_columns(sentence, facts, least=0.9) else [c for c in gaps if c in used] or gaps)
    return [Preparation(kind="fill", column=column, how="drop") for column in columns]


def _filling(sentence: str, facts: DatasetFacts, used: Sequence[str]) -> list[Preparation]:
    start = _FILLS.search(sentence)
    constant = _CONSTANT.search(sentence, start.start() if start else 0)
    said_of = sentence[: constant.start()] if constant else sentence
    how = next((name for pattern, name in _HOWS if re.search(pattern, said_of, re.IGNORECASE)), None)
    value: Cell = None
    if how is None:
        if constant is None:
            return []
        value = constant.group(1) or (float(constant.group(2)) if constant.group(2) else 0.0)
    grouped = _WITHIN.search(sentence)
    within = said_columns(grouped.group(1) or grouped.group(2), facts, least=0.7)[:1] if grouped else []
    gaps = {column.name for column in facts.columns if column.missing}
    said = [column for column in said_columns(sentence, facts, least=0.7) if column not in within]
    numeric = {column.name for column in facts.columns if is_numeric(column)}
    columns = [column for column in (said or used) if column in gaps and (how != "mean" or column in numeric)]
    return [
        Preparation(
            kind="fill",
            column=column,
            how=how or "constant",
            options=(("value", value),) if how is None else (),
            within=tuple(within),
        )
        for column in columns
    ]


def _scaled(sentence: str, facts: DatasetFacts) -> list[Preparation]:
    for pattern, how, argument in _SCALES:
        if re.search(pattern, sentence, re.IGNORECASE):
            options = () if argument is None else (("argument", argument),)
            said = numeric_said(re.sub(pattern, " ", sentence, flags=re.IGNORECASE), facts, least=0.7)
            return [Preparation(kind="transform", column=column, how=how, options=options) for column in said]
    return []


def _removed(text: str, facts: DatasetFacts, used: Sequence[str], options: dict[str, Cell]) -> Preparation | None:
    changed = _CHANGED.search(text)
    if _REMOVED.search(text) is None and changed is None:
        return None
    about = [sentence for sentence in sentences(text) if re.search(r"outlier", sentence, re.IGNORECASE)]
    if not about:
        return None
    said = [column for sentence in about for column in numeric_said(sentence, facts, least=0.7)]
    numeric = {column.name for column in facts.columns if column.kind in {"number", "integer"}}
    column = next(iter([*said, *(column for column in used if column in numeric)]), None)
    if column is None:
        return None
    how = "iqr"
    if changed is not None:
        way = changed.group(0).lower()
        how = "mean" if "mean" in way else "median" if "median" in way else "capped"
    return Preparation(kind="outliers", column=column, how=how, options=tuple(options.items()))
