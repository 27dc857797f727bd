"""Tags about plain statistics: mean, median, deviation, quantiles, over all rows or a group, before or after a step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    AllOf,
    Col,
    Condition,
    Filter,
    Lit,
    Math,
    Measure,
    Named,
    Relation,
    Tag,
    Top,
)
from tablewright.analyst.reading.tagged.choosing import column_for
from tablewright.analyst.reading.tagged.columns_said import numeric_said, said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.grouping import Group, flag_values, groups_of, named_pair
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.stated import flagged, one_against_other, stated

FUNCTIONS: dict[str, AggregateName] = {
    "mean": "mean", "average": "mean", "avg": "mean", "median": "median", "std": "std", "stddev": "std", "sd": "std",
    "stdev": "std",
    "deviation": "std", "dev": "std", "variance": "var", "var": "var", "min": "min", "minimum": "min", "max": "max",
    "maximum": "max",
    "lowest": "min", "smallest": "min", "highest": "max", "largest": "max", "total": "sum", "sum": "sum",
    "count": "count", "number": "count", "num": "count",
    "skewness": "skew", "skew": "skew", "kurtosis": "kurtosis", "kurt": "kurtosis", "range": "range", "mode": "mode",
    "q1": "quantile", "q3": "quantile", "quantile": "quantile", "percentile": "quantile", "quartile": "quantile",
    "iqr": "quantile",
}  # fmt: skip
SPOKEN: dict[AggregateName, tuple[str, ...]] = {
    "mean": ("mean", "average", "avg"), "median": ("median",), "std": ("standard deviation", "std", "deviation"),
    "var": ("variance",),
    "min": ("min", "lowest", "smallest"), "max": ("max", "highest", "largest"), "sum": ("sum", "total"),
    "skew": ("skew",),
    "kurtosis": ("kurtosis",), "range": ("range",), "mode": ("mode",),
    "quantile": ("quartile", "percentile", "quantile", "iqr"),
}  # fmt: skip
_LATE = frozenset({"count", "sum", "range", "mode", "min", "max"})
_COUNTS = frozenset({"count", "number", "num", "total", "frequency", "size", "no", "n", "rows"})


def function_in(words: tuple[str, ...]) -> AggregateName | None:
    """Return the aggregate that a tag's words name, or None; `standard deviation` takes precedence over `mean
    deviation`."""
    found = [FUNCTIONS[word] for word in words if word in FUNCTIONS]
    if "count" in found and {"above", "below", "over", "under", "exceeding"} & set(words):
        return "count"
    if "std" in found:
        return "std"
    return next((name for name in found if name not in _LATE), found[0] if found else None)


def statistic(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag that names an aggregate of a column."""
    function = function_in(_own_words(scene, wanted)) or _told(scene, wanted)
    if function is None or function == "count" or (wanted.options and not _numeric_options(wanted)):
        return None
    column = column_for(scene, wanted, *SPOKEN.get(function, ()))
    apart = [group.column for group in groups_of(scene, wanted)]
    if column in apart:
        column = next((name for name in scene.numeric if name not in apart), None)
    if column is None or (function == "sum" and not scene.holds("total", "sum")):
        return None
    if set(wanted.words) & {"difference", "diff", "gap"} and all(column != made.name for made in scene.made):
        return between_groups(scene, wanted, Measure(name="value", function=function, of=Col(name=column)))
    source = rows_of(scene, wanted)
    measures = _measures(scene, wanted, function, column)
    relation = Aggregate(source=source, groups=(), measures=measures)
    if len(measures) == 2:
        return scene.value(wanted, relation, Math(op="-", left=Col(name="q3"), right=Col(name="q1")))
    return scene.tag(wanted, relation)


def _own_words(scene: Scene, wanted: Wanted) -> tuple[str, ...]:
    """Return the words of a tag without those of the column that it names (`highest_average` for a column `average
    score`)."""
    names = [lemmas(made.name) for made in scene.made]
    names += [words for facts in scene.facts.columns if set(words := lemmas(facts.name)) <= {*wanted.words}]
    words = wanted.words
    if any(step.how == "zscore" for step in scene.preparations):
        names.insert(0, ("std", "standardized", "standardised"))
    for name in names:
        rest = tuple(word for word in words if word not in name)
        if function_in(rest) is not None:
            words = rest
    return words


def _numeric_options(wanted: Wanted) -> bool:
    return all(re.fullmatch(r"[-+]?[\d.]+%?", option) for option in wanted.options)


def _measures(scene: Scene, wanted: Wanted, function: AggregateName, column: str) -> tuple[Measure, ...]:
    of = Col(name=column)
    if function == "quantile":
        ends = quantiles(wanted)
        return tuple(
            Measure(name=name, function="quantile", of=of, argument=end)
            for name, end in zip(("q1", "q3") if len(ends) == 2 else ("quantile",), ends, strict=True)
        )
    return (Measure(name=f"{function}_{column}", function=function, of=of, argument=_argument(scene, function)),)


def quantiles(wanted: Wanted) -> tuple[float, ...]:
    """Return the quantile that a tag names, or both quartiles for their range."""
    words = set(wanted.words)
    if "iqr" in words or {"interquartile", "range"} <= words:
        return (0.25, 0.75)
    said = re.search(r"(\d{1,2})", wanted.name)
    if words & {"q1", "first", "lower"}:
        return (0.25,)
    if words & {"q3", "third", "upper"}:
        return (0.75,)
    number = int(said.group(1)) if said else 50
    return (number / 100,) if number > 4 else (number / 4,)


def _argument(scene: Scene, function: AggregateName) -> float | None:
    """Return 0 if the question wants the population's figure, or scipy's convention for the higher moments; else
    None."""
    if function in {"std", "var"}:
        said = (
            "population standard deviation",
            "population variance",
            "population std",
            "ddof=0",
            "ddof = 0",
            "pstdev",
            "pvariance",
        )
        return 0.0 if scene.holds(*said) else None
    if function in {"skew", "kurtosis"} and re.search(r"\bscipy|\bstats\.(?:skew|kurt)", scene.text, re.IGNORECASE):
        return 0.0
    return None


def _told(scene: Scene, wanted: Wanted) -> AggregateName | None:
    """Return the aggregate that is named unambiguously by the placeholder, else by what is said about the tag, else
    by the question."""
    if {"p", "pvalue", "statistic", "stat"} & set(wanted.words):
        return None
    placed = function_in(tuple(re.split(r"[\W_]+", wanted.placeholder.lower())))
    if placed is not None and placed != "count":
        return placed
    for text in (wanted.about, scene.form.question):
        lower = text.lower()
        found = {name for name, said in SPOKEN.items() if any(re.search(rf"\b{word}", lower) for word in said)}
        found -= {"sum", "range"} if text == wanted.about else {"sum", "range", "min", "max", "mode"}
        if len(found) == 1:
            return found.pop()
    return None


def rows_of(scene: Scene, wanted: Wanted) -> Relation:
    """Return the rows that a tag is about: those of its groups, before or after the question's steps."""
    known = [clause.condition for clause in scene.parse.clauses]
    return within(
        scene.source_for(wanted), [group for group in groups_of(scene, wanted) if group.condition not in known]
    )


def within(source: Relation, groups: Sequence[Group]) -> Relation:
    """Return the rows that belong to all the groups."""
    parts = tuple(group.condition for group in groups)
    return source if not parts else Filter(source=source, where=parts[0] if len(parts) == 1 else AllOf(parts=parts))


def counted(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag that counts rows (of a group, of those the question selects, or all), their share, or distinct
    values."""
    words = {*wanted.words, *wanted.placeholder.lower().split("_")}
    share = bool(words & {"proportion", "percentage", "percent", "pct", "share", "fraction", "rate"})
    if "ratio" in words:
        return between_groups(scene, wanted, Measure(name="value", function="count"))
    if words & {"unique", "distinct"}:
        return _distinct(scene, wanted)
    groups = groups_of(scene, wanted)
    whole = wanted.decimals == 0 and bool(groups) and not wanted.options and function_in(wanted.words) is None
    if not share and not whole and not words & _COUNTS:
        return None
    if groups and not share:
        return scene.tag(wanted, _rows(rows_of(scene, wanted)))
    where = scene.parse.where() or one_against_other(scene)
    if share:
        told = _told_share(scene, wanted, groups) or _share_of_amount(scene, wanted, groups)
        if told is not None:
            return told
        if len(groups) > 1 or (where is None and not groups):
            return None
        part = groups[0].condition if groups else where
        return None if part is None else _share(scene, wanted, part, of_all=part == where or not groups)
    everything = (
        r"how many (?:rows|records|entries)|number of (?:rows|records|entries|remaining)|(?:row|record) count"
        r"|remaining rows"
    )
    if where is None and not re.search(everything, scene.text.lower()):
        return None
    rows = scene.source_for(wanted)
    against = scene.parse.where() is None and where is not None
    return scene.tag(wanted, _rows(Filter(source=rows, where=where) if against and where else rows))


def _told_share(scene: Scene, wanted: Wanted, groups: Sequence[Group]) -> Tag | None:
    """Read the share, within the tag's groups, of rows counted by a flag (`return_rate`) or by a stated rule."""
    flags = [group for group in groups if group.column and flag_values(scene.parse.facts(group.column), scene)]
    if len(groups) == 2 and len(flags) == 1:
        rest = [group for group in groups if group is not flags[0]]
        return _share(scene, wanted, flags[0].condition, rows=within(scene.source_for(wanted), rest))
    flag = flagged(scene, wanted)
    condition = flag.condition if flag is not None else stated(scene)
    if condition is None or any(group.condition == condition for group in groups if len(groups) == 1):
        return None
    return _share(scene, wanted, condition, rows=within(scene.source_for(wanted), groups))


def between_groups(scene: Scene, wanted: Wanted, measure: Measure) -> Tag | None:
    """Read the difference or ratio of a measure between the two groups of the question: `the difference between the
    average price in A and in B`, `the ratio of A to B`."""
    pair = named_pair(scene)
    if pair is None:
        return None
    scene.parse.clauses = [clause for clause in scene.parse.clauses if clause.column != pair[0].column]
    measures = tuple(
        replace(measure, name=name, where=group.condition) for name, group in zip(("one", "other"), pair, strict=True)
    )
    relation = Aggregate(source=scene.source_for(wanted), groups=(), measures=measures)
    op: Literal["/", "-"] = "/" if "ratio" in wanted.words else "-"
    return scene.value(wanted, relation, Math(op=op, left=Col(name="one"), right=Col(name="other")))


def _rows(source: Relation) -> Aggregate:
    return Aggregate(source=source, groups=(), measures=(Measure(name="count", function="count"),))


def _share(
    scene: Scene, wanted: Wanted, where: Condition, *, of_all: bool = False, rows: Relation | None = None
) -> Tag:
    source = rows or (scene.parse.base() if of_all else scene.source_for(wanted))
    measures = (Measure(name="part", function="count", where=where), Measure(name="whole", function="count"))
    relation = Aggregate(source=source, groups=(), measures=measures)
    return scene.value(wanted, relation, _ratio(scene, wanted))


def _ratio(scene: Scene, wanted: Wanted) -> Math:
    """Return the part divided by the whole, times 100 if the question wants a percentage."""
    ratio = Math(op="/", left=Col(name="part"), right=Col(name="whole"))
    percent = {"percentage", "percent", "pct"} & set(wanted.words) or re.search(
        r"percentage|in percent", f"{wanted.about} {scene.form.constraints} {_in_percent(scene)}", re.IGNORECASE
    )
    if percent and not re.search(r"between 0 and 1\b", wanted.about):
        return Math(op="*", left=ratio, right=Lit(value=100))
    return ratio


def _in_percent(scene: Scene) -> str:
    """Return the words in which the question asks for percentages; empty if it does not."""
    said = re.search(r"\bin percent\b|\bas a percentage\b", scene.form.question, re.IGNORECASE)
    return said.group() if said else ""


def _share_of_amount(scene: Scene, wanted: Wanted, groups: Sequence[Group]) -> Tag | None:
    """Read a share of a column's sum rather than of the rows: `what share of the total population do they
    represent`."""
    match = re.search(
        r"\b(?:share|percentage|proportion|fraction) of (?:the |all )?(?:\w+ ){0,2}?(?:total |overall "
        r"|world )([^.?,\n]{3,40})",
        scene.form.question,
        re.IGNORECASE,
    )
    said = numeric_said(match.group(1), scene.facts) if match else []
    part = groups[0].condition if groups else scene.parse.where()
    if not said or part is None or len(groups) > 1:
        return None
    of = Col(name=said[0])
    measures = (Measure(name="part", function="sum", of=of, where=part), Measure(name="whole", function="sum", of=of))
    relation = Aggregate(source=scene.parse.base(), groups=(), measures=measures)
    return scene.value(wanted, relation, _ratio(scene, wanted))


def _distinct(scene: Scene, wanted: Wanted) -> Tag | None:
    named = said_columns(wanted.name.replace("_", " "), scene.facts, least=0.7)
    column = next(iter([*named, *scene.every]), None)
    if column is None:
        return None
    measure = Measure(name="count", function="count_distinct", of=Col(name=column))
    return scene.tag(wanted, Aggregate(source=scene.source_for(wanted), groups=(), measures=(measure,)))


def frequent(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag about the most or least frequent value of a column: the value, or how often it occurs."""
    match = re.search(
        r"\b(most|least)[ _](?:common|frequent\w*|popular|often)",
        f"{wanted.name} {scene.text}".replace("_", " "),
        re.IGNORECASE,
    )
    if match is None or function_in(wanted.words) not in {None, "count", "mode"}:
        return None
    column = next((name for name in scene.every if name not in scene.numeric), next(iter(scene.every), None))
    if column is None:
        return None
    return _frequency(scene, wanted, column, descending=match.group(1).lower() == "most")


def _frequency(scene: Scene, wanted: Wanted, column: str, *, descending: bool) -> Tag:
    groups = Aggregate(
        source=scene.source_for(wanted),
        groups=(Named(name=column, of=Col(name=column)),),
        measures=(Measure(name="count", function="count"),),
    )
    top = Top(source=groups, by="count", count=1, descending=descending)
    wants_count = function_in(wanted.words) == "count" or set(wanted.words) & {"frequency", "times"}
    return scene.tag(wanted, top, 1 if wants_count else 0, every=not wants_count)
