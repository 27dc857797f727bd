"""`Describe the data`, `每列有多少缺失值`, `the correlation between A and B`, outliers, duplicates, normality."""

from __future__ import annotations

import re
from collections.abc import Callable

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention
from tablewright.analyst.plan import Aggregate, Compare, Lit, Measure, Part, Position, Procedure, Relation
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families import significance
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.parse import Parse
from tablewright.domain.table import Cell

_SPEAK = ("wh", "count", "and", "each", "yes", "share", "distinct", "times")


def procedures(parse: Parse) -> Offer | None:
    """Offer a statistical procedure, by the word that names it."""
    for code, build in _PROCEDURES.items():
        words = parse.words(code)
        if not words or (code == "relation" and _drawn(parse)):
            continue
        part = build(parse)
        if part is not None:
            parse.take(*words, *parse.words(*_SPEAK))
            targets(parse)
            return Offer(part=part, parse=parse, family="procedures", fit=1.02)
    return None


def _drawn(parse: Parse) -> bool:
    """Return whether a relationship is to be drawn, which it is unless a number is asked for."""
    text = parse.question.lower()
    return parse.has("chart") or not any(said in text for said in ("correlation", "correlate", "相关系数", "相关性"))


def _columns(parse: Parse, *, numeric: bool) -> tuple[str, ...]:
    """Return the columns named, else, if `numeric`, all numeric columns."""
    mentions = [mention for mention in parse.free(ColumnMention) if mention.score >= 0.55]
    named = [parse.numeric_reading(mention) if numeric else mention.column for mention in mentions]
    parse.take(*mentions)
    found = tuple(dict.fromkeys(column for column in named if column))
    if found or not numeric:
        return found
    return tuple(column.name for column in parse.table.facts.columns if parse.numeric(column.name))


def _missing(parse: Parse) -> Part:
    return Part(relation=Procedure(source=parse.source(), name="missing", columns=_columns(parse, numeric=False)))


def _describe(parse: Parse) -> Part | None:
    columns = _columns(parse, numeric=True)
    return Part(relation=Procedure(source=parse.source(), name="describe", columns=columns)) if columns else None


def _duplicates(parse: Parse) -> Part:
    return Part(relation=Procedure(source=parse.source(), name="duplicates", columns=_columns(parse, numeric=False)))


def _outliers(parse: Parse) -> Part | None:
    columns = _columns(parse, numeric=True)
    if not columns:
        return None
    options: dict[str, Cell] = {"method": "iqr"}
    if deviations := re.search(
        r"(\d(?:\.\d+)?)\s*(?:倍标准差|个标准差|σ|sigma|standard deviations)|z[- ]?(?:score|分数|值)",
        parse.question,
        re.IGNORECASE,
    ):
        options = {"method": "zscore", "threshold": float(deviations.group(1) or 3)}
        parse.take(*parse.free(NumberMention), *parse.words("deviations"))
    found = Procedure(source=parse.source(), name="outliers", columns=columns[:1], options=options)
    if parse.has("count"):
        return Part(relation=Aggregate(source=found, groups=(), measures=(Measure(name="count", function="count"),)))
    return Part(relation=found)


def _far_off(parse: Parse) -> Part | None:
    """Return the number of rows further from the mean than a number of standard deviations."""
    said = parse.words("deviations")[0]
    clause = next((clause for clause in parse.clauses if clause.end == said.start), None)
    test = clause.condition if clause is not None else None
    if clause is None or not isinstance(test, Compare) or test.op != ">" or not isinstance(test.right, Lit):
        return None
    parse.clauses.remove(clause)
    parse.take_span(clause.start, clause.end)
    parse.take(*parse.words("count"), *[word for word in parse.words("aggregate") if word.value == "mean"])
    options: dict[str, Cell] = {"method": "zscore", "threshold": test.right.value, "ddof": 1}
    found = Procedure(source=parse.source(), name="outliers", columns=(clause.column,), options=options)
    return Part(relation=Aggregate(source=found, groups=(), measures=(Measure(name="count", function="count"),)))


def _normality(parse: Parse) -> Part | None:
    columns = _columns(parse, numeric=True)
    if len(columns) != 1:
        return None
    return Part(
        relation=Procedure(source=parse.source(), name="normality", columns=columns, options={"method": "shapiro"})
    )


def _correlation(parse: Parse) -> Part | None:
    mentions = [mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)]
    columns = tuple(dict.fromkeys(parse.numeric_reading(mention) or "" for mention in mentions))
    if len(columns) == 1 and parse.has("superlative"):
        parse.take(*mentions, *parse.words("superlative", "wh"))
        options: dict[str, Cell] = {"method": _method(parse)}
        every = Procedure(source=parse.source(), name="correlations", columns=columns, options=options)
        return show(Position(source=every, count=1), ["column"], ["correlation", "p_value"])
    if len(columns) < 2:
        return None
    parse.take(*mentions)
    name = "correlation" if len(columns) == 2 else "correlation_matrix"
    relation: Relation = Procedure(
        source=parse.source(), name=name, columns=columns, options={"method": _method(parse)}
    )
    if name != "correlation":
        return Part(relation=relation)
    return show(relation, ["correlation"], ["p_value", "count"])


def _method(parse: Parse) -> str:
    """Return the correlation coefficient that the question names; by default `pearson`."""
    said = parse.words("method")
    parse.take(*said)
    return said[0].value if said else "pearson"


_PROCEDURES: dict[str, Callable[[Parse], Part | None]] = {
    "missing": _missing,
    "describe": _describe,
    "duplicates": _duplicates,
    "outliers": _outliers,
    "deviations": _far_off,
    "normality": _normality,
    "quantile": significance.quantile,
    "test": significance.test,
    "regression": significance.regression,
    "relation": _correlation,
}
