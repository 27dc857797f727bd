"""Tags about the highest and lowest: which row, group or column has it, and its value."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Case,
    Col,
    Derive,
    Filter,
    Lit,
    Measure,
    Named,
    Project,
    Relation,
    Sort,
    Tag,
    TimeUnit,
    Top,
)
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.tagged.columns_said import is_numeric, numeric_said, said_columns
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.grouping import flag_values
from tablewright.analyst.reading.tagged.models import metric_of
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.stated import rated
from tablewright.analyst.reading.tagged.statistics import FUNCTIONS, function_in

_MOST = r"(?:highest|lowest|largest|smallest|greatest|most|least|maximum|minimum|fewest|busiest)"
_GROUPS = re.compile(
    rf"\b(?:which|what|the)\s+(?P<group>[\w -]{{2,40}}?)\s+(?:has|had|have|with|shows?|saw|recorded|is"
    rf"|was)\b[^.?]{{0,20}}?\b{_MOST}\s+(?P<function>average|mean|median|total|sum|variance|std|standard deviation"
    rf"|number|count)\b",
    re.IGNORECASE,
)
_GROUPS_TURNED = re.compile(
    rf"\b(?:which|what)\s+(?P<group>[\w -]{{2,40}}?)\s+(?:has|had|is|was|does|do|did)\s+the\s+(?P<function>average"
    rf"|mean|median|total|standard deviation)\b[^.?]{{2,60}}?\b{_MOST}",
    re.IGNORECASE,
)
_RATED = re.compile(
    rf"\b(?:which|what)\s+(?P<group>[\w -]{{2,40}}?)\s+(?:has|had|have"
    rf"|with)\s+the\s+{_MOST}\s+(?P<what>\w+)\s+(?:rate|percentage|proportion)\b",
    re.IGNORECASE,
)
_COUNTED_MOST = re.compile(
    r"\b(?:which|what)\s+(?P<group>[\w -]{2,40}?)\s+(?:has|had|have|with)\s+the\s+(?:most|fewest"
    r"|least)\s+(?P<function>(?P<rows>\w+))",
    re.IGNORECASE,
)
_ROWS = frozenset({"record", "row", "entry", "observation", "reading", "sample", "item"})
_UNITS: tuple[tuple[str, TimeUnit], ...] = (
    (r"\bday of (?:the )?week\b|\bweekday\b", "weekday"),
    (r"\bmonth\b", "month_of_year"),
    (r"\bquarter\b", "quarter"),
    (r"\byear\b", "year"),
    (r"\bhour\b", "hour"),
)
_OTHER = frozenset(
    {"duplicate", "duplicates", "missing", "null", "outlier", "outliers", "unique", "distinct", "p", "pvalue"}
)
_HIGH = frozenset(
    {
        "max",
        "highest",
        "maximum",
        "most",
        "largest",
        "top",
        "best",
        "longest",
        "biggest",
        "greatest",
        "oldest",
        "busiest",
    }
)
_LOW = frozenset({"min", "lowest", "minimum", "least", "smallest", "worst", "shortest", "youngest", "fewest"})


def ranked(scene: Scene, wanted: Wanted, plain: Offer | None) -> Tag | None:
    """Read the name of the highest (`Which brand has the highest rating?`), including all that tie; a second tag is
    the value that they are ranked by."""
    if plain is None or plain.family != "ranking" or plain.parse.confidence() < 0.6 or metric_of(wanted) is not None:
        return None
    relation = plain.part.relation
    if not isinstance(relation, Project) or wanted.options or _OTHER & set(wanted.words):
        return None
    names = {word for column in relation.columns for word in lemmas(column.name)}
    valued = (
        wanted.decimals is not None or function_in(wanted.words) not in {None, "max", "min"} or "value" in wanted.words
    )
    if not valued and (
        len(scene.form.wanted) == 1 or names & set(wanted.words) or set(wanted.words) & {"name", "names"}
    ):
        return scene.tag(wanted, relation, every=True)
    top = _top(relation)
    if len(scene.form.wanted) > 1 and top is not None and valued:
        value = Project(source=relation.source, columns=(Named(name=top.by, of=Col(name=top.by)),))
        return scene.tag(wanted, value)
    return None


def _top(relation: Relation) -> Top | None:
    below = relation
    while isinstance(below, Project | Sort | Filter | Derive):
        below = below.source
    return below if isinstance(below, Top) else None


def row_of_extreme(scene: Scene, wanted: Wanted) -> Tag | None:
    """Read a tag for a column of the row with the extreme (`@max_price_city`, `On which date was the price
    highest?`), or for the group with the extreme figure."""
    direction = _direction(wanted.words) or _direction(tokens_of(scene.form.question))
    if direction is None or wanted.options or _OTHER & set(wanted.words):
        return None
    grouped = _of_rates(scene, wanted, descending=direction > 0)
    grouped = grouped or _of_groups(scene, wanted, descending=direction > 0)
    if grouped is not None:
        return grouped
    column = _told(scene, wanted)
    number = next((name for name in _measured(scene) if name != column), None)
    if column is None or number is None or set(lemmas(column)) & set(lemmas(number)):
        return None
    top = Top(source=scene.source_for(wanted), by=number, count=1, descending=direction > 0)
    return scene.tag(wanted, Project(source=top, columns=(Named(name=column, of=Col(name=column)),)))


def _measured(scene: Scene) -> list[str]:
    """Return the columns whose extreme may be meant; those that the question makes come first."""
    return [*(made.name for made in reversed(scene.made) if not made.labels), *scene.numeric]


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words of the sentence that asks for one of several; empty if there is none."""
    asked = re.search(r"\b(?:which|what|who|identify|find|when|report|determine|return)\b[^.?\n]*", text, re.IGNORECASE)
    return tuple(re.findall(r"[a-z]+", asked.group().lower())) if asked else ()


def asks_for_extreme(text: str) -> bool:
    """Return whether a question asks for the one with the most or the least."""
    return _direction(tokens_of(text)) is not None


def _direction(words: Sequence[str]) -> int | None:
    return 1 if set(words) & _HIGH else -1 if set(words) & _LOW else None


def _told(scene: Scene, wanted: Wanted) -> str | None:
    """Return the column whose name ends the tag's name, if the tag asks for no statistic of it."""
    if function_in(tuple(word for word in wanted.words if word not in _HIGH | _LOW)) is not None:
        return None
    for facts in scene.facts.columns:
        words = lemmas(facts.name)
        if wanted.decimals and facts.kind in {"number", "integer"}:
            continue
        if words and (words == wanted.words[-len(words) :] or "".join(words) == "".join(wanted.words)):
            return facts.name
    return None


def _of_groups(scene: Scene, wanted: Wanted, *, descending: bool) -> Tag | None:
    """Read the group with the extreme figure, or the figure: `Which department has the highest average salary?`,
    `Which month had the most orders?`."""
    match = _asked(scene)
    group = _group(scene, match.group("group")) if match else None
    if match is None or group is None:
        return None
    function = "count" if "rows" in match.groupdict() else FUNCTIONS.get(match.group("function").lower(), "std")
    number = next((name for name in _measured(scene) if name != group.name), None)
    if function == "count":
        number = next(iter(numeric_said(match.string[match.end() :], scene.facts)), None)
        if number is not None and flag_values(scene.parse.facts(number), scene) == (1, 0):
            function = "sum"
    if (number is None) != (function == "count"):
        return None
    measure = Measure(name="count", function="count")
    if number is not None:
        measure = Measure(name=f"{function}_{number}", function=function, of=Col(name=number))
    figures = Aggregate(source=scene.source_for(wanted), groups=(group,), measures=(measure,))
    top = Top(source=figures, by=measure.name, count=1, descending=descending)
    if _names_group(wanted, group.name):
        return scene.tag(wanted, top, 0, every=True)
    return scene.tag(wanted, top, 1) if wanted.decimals is not None or len(scene.form.wanted) == 2 else None


def _asked(scene: Scene) -> re.Match[str] | None:
    """Return the match where the question asks for one of several groups, by a figure or by number of rows."""
    text = scene.form.question
    match = _GROUPS.search(text) or _GROUPS_TURNED.search(text)
    if match is not None:
        return match
    match = _COUNTED_MOST.search(text)
    rows = lemmas(match.group("rows")) if match is not None else ()
    return match if rows and (rows[0] in _ROWS or rows[0] in lemmas(scene.facts.name)) else None


def _of_rates(scene: Scene, wanted: Wanted, *, descending: bool) -> Tag | None:
    """Read the group with the extreme share of a flag, or the share: `Which airline has the highest cancellation
    rate?`."""
    match = _RATED.search(scene.form.question)
    group = _group(scene, match.group("group")) if match else None
    flag = rated(scene, (match.group("what").lower(),)) if match else None
    if group is None or flag is None:
        return None
    percent = re.search(r"percent", f"{scene.form.text} {wanted.about}", re.IGNORECASE) is not None
    counted = Case(branches=((flag.condition, Lit(value=100 if percent else 1)),), otherwise=Lit(value=0))
    measure = Measure(name="rate", function="mean", of=counted)
    figures = Aggregate(source=scene.source_for(wanted), groups=(group,), measures=(measure,))
    top = Top(source=figures, by=measure.name, count=1, descending=descending)
    if _names_group(wanted, group.name):
        return scene.tag(wanted, top, 0, every=True)
    return scene.tag(wanted, top, 1) if wanted.decimals is not None else None


def _names_group(wanted: Wanted, group: str) -> bool:
    """Return whether a tag wants the name of the group rather than its figure."""
    about = set(lemmas(group))
    if about & set(lemmas(wanted.placeholder)) and not wanted.decimals:
        return True
    named = about & set(wanted.words) and function_in(wanted.words) in {None, "max", "min"}
    return bool(named) or bool(set(wanted.words) & {"name", "names"})


def _group(scene: Scene, said: str) -> Named | None:
    """Return the column of categories that the words name, or a part of the table's dates."""
    found = [
        name
        for name in said_columns(said, scene.facts)
        if name not in scene.numeric or not is_numeric(scene.parse.facts(name))
    ]
    if found:
        return Named(name=found[0], of=Col(name=found[0]))
    dates = [column.name for column in scene.facts.columns if column.kind in {"date", "datetime"}]
    unit = next((unit for pattern, unit in _UNITS if re.search(pattern, said, re.IGNORECASE)), None)
    if unit is None or len(dates) != 1:
        return None
    return Named(name="month" if unit == "month_of_year" else unit, of=Bucket(of=Col(name=dates[0]), unit=unit))
