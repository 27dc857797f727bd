"""`Draw a bar chart of …`: which chart, what on which axis, counted or aggregated, and in which order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Aggregate, Bucket, Col, Drawing, Matches, Named, Part, Project, Relation, Sort
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.entities import entity
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.having import counted_bound, of_many_rows
from tablewright.analyst.reading.families.histograms import in_bins
from tablewright.analyst.reading.groups import named_apart, read_groups
from tablewright.analyst.reading.measures import Measured, measures_of, read_measures
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.rankings import Ranking, ranked, read_rankings
from tablewright.domain.chart import ChartKind

_SIGHT = re.compile(r"\b(?:show|display|comparison)\b|展示", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"\bcompar(?:e|ing|ison)|\bgrouped\b|\bside by side\b|\bstacked\b|对比|比较|分组|堆[积叠]")
_SERIES_KINDS = {"stacked bar", "grouping line", "grouping scatter"}
_FEW = 12
_SCATTER = {"scatter", "grouping scatter"}
_ONE_MARK_EACH = {"bar", "pie", "line", "area"}
"""Charts with one mark per value on the base axis, so that rows sharing a value must be combined."""
_WITH_SERIES: dict[str, ChartKind] = {"bar": "stacked bar", "line": "grouping line", "scatter": "grouping scatter"}


@dataclass(slots=True)
class Axes:
    """What was found for the chart; `bare` are columns without an aggregate, in order of place."""

    groups: list[Named]
    measures: list[Measured]
    bare: list[str] = field(default_factory=list)
    series: list[str] = field(default_factory=list)
    swapped: bool = False


def wants_chart(parse: Parse) -> bool:
    """Return whether a drawing is asked for, by name or by mentioning axes."""
    spoken = any(parse.has(code) for code in ("chart", "axis", "relation", "trend", "distribution", "series"))
    shared = parse.has("share") and "proportion" in parse.question.lower()
    return spoken or (parse.order is not None and parse.order.axis is not None) or shared


def wants_sight(parse: Parse) -> bool:
    """Return whether the question asks to show something, so that groups may be drawn beside their table."""
    return _SIGHT.search(parse.question) is not None


def charts(parse: Parse) -> Offer | None:
    """Offer a chart."""
    if not wants_chart(parse):
        return None
    kind = _kind(parse)
    limits = (
        [ranking for ranking in read_rankings(parse) if ranking.many]
        if parse.has("top") or parse.has("superlative")
        else []
    )
    parse, bound = counted_bound(parse)
    axes = _axes(parse, kind)
    if not parse.has("chart") and parse.order is not None and len(measures_of(axes.measures)) > 1:
        return None  # `订单数和总金额，按总金额降序` wants a table of both
    axes.bare = list(dict.fromkeys([*axes.bare, *(ranking.column for ranking in limits if ranking.column)]))
    part = _part(parse, kind, axes)
    if part is None:
        return None
    if limits:
        part = _limited(part, limits[0])
    if bound is not None:
        part = of_many_rows(part, bound)
    parse.take(
        *parse.words(
            "and", "by", "distinct", "wh", "share", "relation", "trend", "distribution", "each", "axis", "order"
        )
    )
    fit = 1.1 if parse.has("chart") else 1.0 if parse.has("axis") or parse.order else 0.9
    return Offer(part=part, parse=parse, family="charts", fit=fit)


def _limited(part: Part, ranking: Ranking) -> Part:
    """Return the part with only the first rows of what is drawn."""
    drawing = part.drawing
    if drawing is None or ranking.column not in {drawing.x, drawing.y}:
        return part
    return replace(part, relation=ranked(part.relation, ranking, ranking.column))


def _kind(parse: Parse) -> ChartKind:
    words = parse.words("chart")
    parse.take(*words)
    named = [word.value for word in words if word.value]
    grouping = [kind for kind in named if kind in _SERIES_KINDS]
    if grouping or named:
        kind = (grouping or named)[0]
        return "bar" if kind == "histogram" else kind  # type: ignore[return-value]
    if parse.has("relation"):
        return "scatter"
    if parse.has("trend"):
        return "line"
    return "pie" if parse.has("share") else "bar"


def _axes(parse: Parse, kind: ChartKind) -> Axes:
    over = _over(parse) if kind not in _SCATTER else _against(parse)
    axes = Axes(groups=[], measures=[])
    axes.series = _series(parse)
    axes.measures = read_measures(parse)
    axes.groups = read_groups(parse)
    axes.series = axes.series or _compared(parse, axes.groups)
    axes.bare = [mention.column for mention in parse.free(ColumnMention) if mention.score >= 0.5]
    parse.take(*[mention for mention in parse.free(ColumnMention) if mention.score >= 0.5])
    axes.bare = list(dict.fromkeys(axes.bare))
    keys = {group.name for group in axes.groups}
    if kind not in _SCATTER:
        axes.bare = [column for column in axes.bare if column not in keys]
    axes.swapped = over
    return axes


def _over(parse: Parse) -> bool:
    """Take `over` between two columns, and return whether the second is the base axis (`A over B`)."""
    for word in parse.words("by", "compare"):
        if parse.gap(word.start, word.end) != "over":
            continue
        left, right = parse.before(word.start, ColumnMention, 2), parse.after(word.end, ColumnMention, 2)
        if left is not None and right is not None and not parse.dated(right.column):
            parse.take(word)
            return True
    return False


def _against(parse: Parse) -> bool:
    """Take `against` or `versus` between two measures (`A versus B`), neither of which is a group. Always returns
    False."""
    for word in parse.words("by"):
        left, right = parse.before(word.start, ColumnMention, 2), parse.after(word.end, ColumnMention, 2)
        said = parse.gap(word.start, word.end) in {"against", "versus", "vs", "over"}
        if said and left is not None and right is not None and parse.numeric_reading(right):
            parse.take(word)
    return False


def _series(parse: Parse) -> list[str]:
    found = []
    for word in parse.words("series"):
        column = parse.after(word.end, ColumnMention, 3)
        if column is not None:
            found.append(column.column)
            parse.take(word, column)
    return found


def _compared(parse: Parse, groups: list[Named]) -> list[str]:
    """Return the series of a comparison: `compare the number of Basic and Premium members at each branch`."""
    if len(groups) != 1 or _SIDE_BY_SIDE.search(parse.question.lower()) is None:
        return []
    return [named.name for named in named_apart(parse) if isinstance(named.of, Col) and named.name != groups[0].name]


def _part(parse: Parse, kind: ChartKind, axes: Axes) -> Part | None:
    if len(axes.measures) == 2 and all(measured.column for measured in axes.measures):
        return _two_measures(parse, kind, axes)
    counted = [measured for measured in axes.measures if measured.column is None]
    valued = [measured for measured in axes.measures if measured.column is not None]
    if valued and (axes.groups or _repeated(parse, axes) or not valued[0].told):
        return _grouped(parse, kind, axes, valued[:1])
    if valued:
        return _raw(parse, kind, [*axes.bare, valued[0].column or ""], axes)
    if not counted and not valued and _parts_summed(parse, kind, axes):
        return _grouped(parse, kind, _without_measure(parse, axes), [_summed(parse, axes)])
    binned = None if counted else in_bins(parse, [*axes.bare, *(group.name for group in axes.groups)])
    if binned is not None:
        return _grouped(
            parse, kind, Axes(groups=[binned], measures=[]), [Measured(function="count", column=None, place=0, end=0)]
        )
    if not counted and kind == "bar" and _measured_alone(parse, axes):
        return _raw(parse, kind, [entity(parse), *axes.bare], axes)
    if counted or len(axes.bare) + len(axes.groups) == 1:
        return _grouped(parse, kind, axes, [Measured(function="count", column=None, place=0, end=0)])
    return _raw(parse, kind, axes.bare, axes)


def _measured_alone(parse: Parse, axes: Axes) -> bool:
    """Return whether a single measure is drawn for each thing, by the column that names the rows: `the elevation of
    the airports in a bar chart`."""
    if (
        len(axes.bare) != 1
        or axes.groups
        or axes.series
        or parse.has("distribution")
        or not _measures(parse, axes.bare[0])
    ):
        return False
    return (parse.facts(axes.bare[0]).distinct or 0) > _FEW and not parse.numeric(entity(parse))


def _parts_summed(parse: Parse, kind: ChartKind, axes: Axes) -> bool:
    """Return whether a measure must be summed because its groups have several rows: `sales by month`."""
    measures = [column for column in axes.bare if _measures(parse, column)]
    if not axes.groups or len(measures) != 1 or kind in _SCATTER:
        return False
    cut = isinstance(axes.groups[0].of, Bucket)
    distinct = None if cut else parse.facts(axes.groups[0].name).distinct
    return cut or (distinct is not None and distinct <= 0.5 * parse.table.facts.rows)


def _summed(parse: Parse, axes: Axes) -> Measured:
    column = next(column for column in axes.bare if _measures(parse, column))
    mean = any(word in column.lower() for word in ("price", "rate", "average", "单价", "均价", "率", "avg"))
    return Measured(function="mean" if mean else "sum", column=column, place=0, end=0)


def _without_measure(parse: Parse, axes: Axes) -> Axes:
    return replace(axes, bare=[column for column in axes.bare if not _measures(parse, column)])


def _repeated(parse: Parse, axes: Axes) -> bool:
    """Return whether values on the base axis repeat, so that rows must be combined."""
    base = next((column for column in axes.bare), None)
    facts = parse.facts(base) if base else None
    return facts is not None and facts.distinct is not None and facts.distinct < parse.table.facts.rows


def _keys(axes: Axes, kind: ChartKind) -> list[Named]:
    keys = [*axes.groups, *(Named(name=column, of=Col(name=column)) for column in axes.bare)]
    wanted = 2 if kind in _SERIES_KINDS or axes.series or (len(axes.groups) > 1 and kind != "pie") else 1
    keys = keys[:wanted] if axes.groups or kind in _SERIES_KINDS else keys[: wanted or 1]
    return [
        *keys,
        *(
            Named(name=column, of=Col(name=column))
            for column in axes.series
            if column not in {key.name for key in keys}
        ),
    ]


def _grouped(parse: Parse, kind: ChartKind, axes: Axes, measured: list[Measured]) -> Part | None:
    keys = _keys(axes, kind) or _of_condition(parse)
    if not keys:
        return None
    if kind in _SERIES_KINDS and not axes.series and len(keys) == 2 and len(axes.groups) >= 1:
        keys = keys[:2]
    measures = measures_of(measured)
    relation: Relation = Aggregate(source=parse.source(), groups=tuple(keys), measures=measures, keep_missing=False)
    y = measures[0].name
    x = keys[0].name
    series = keys[1].name if len(keys) > 1 else None
    return Part(
        relation=_ordered(parse, relation, x, y, kind),
        drawing=Drawing(kind=_with_series(kind, series), x=x, y=y, series=series),
    )


def _of_condition(parse: Parse) -> list[Named]:
    """Return the text column used as a condition, which then separates the rows: `for employees whose first name
    ends with m, sum their salary`."""
    chosen = [clause.column for clause in parse.clauses if isinstance(clause.condition, Matches)]
    return [Named(name=column, of=Col(name=column)) for column in chosen[:1]]


def _with_series(kind: ChartKind, series: str | None) -> ChartKind:
    if series is not None:
        return _WITH_SERIES.get(kind, kind)
    return kind


def _two_measures(parse: Parse, kind: ChartKind, axes: Axes) -> Part | None:
    """Return a part that plots two measures per group: `the average and minimum age in each class`."""
    keys = _keys(axes, "bar")
    if not keys:
        return None
    measures = measures_of(axes.measures)
    if len(measures) < 2:
        return _grouped(parse, kind, axes, axes.measures[:1])
    relation = Aggregate(source=parse.source(), groups=tuple(keys), measures=measures)
    if kind in _SCATTER:
        drawing = Drawing(kind="grouping scatter", x=measures[0].name, y=measures[1].name, series=keys[0].name)
    else:
        drawing = Drawing(kind=kind, x=keys[0].name, y=measures[0].name)
    return Part(relation=relation, drawing=drawing)


def _raw(parse: Parse, kind: ChartKind, bare: list[str], axes: Axes) -> Part | None:
    """Return a part that plots columns row by row."""
    columns = [column for column in dict.fromkeys(bare) if column]
    series = axes.series[0] if axes.series else None
    if kind in _SCATTER and axes.groups:
        series = axes.groups[0].name
        columns = [column for column in columns if column != series]
    elif axes.groups and isinstance(axes.groups[0].of, Col):
        columns = [axes.groups[0].name, *columns]
    if len(columns) < 2:
        return None
    x, y = _x_and_y(parse, kind, columns, swapped=axes.swapped)
    if not parse.numeric(y):
        return _grouped(parse, kind, axes, [Measured(function="count", column=None, place=0, end=0)])
    if series is None and kind in _ONE_MARK_EACH and _occurs_again(parse, x):
        base = Axes(groups=[Named(name=x, of=Col(name=x))], measures=[])
        function = aggregate_for(parse.facts(y)) or ("sum" if kind == "pie" else "mean")
        return _grouped(parse, kind, base, [Measured(function=function, column=y, place=0, end=0)])
    shown = [x, y, *([series] if series else [])]
    relation: Relation = Project(
        source=parse.source(), columns=tuple(Named(name=column, of=Col(name=column)) for column in dict.fromkeys(shown))
    )
    return Part(
        relation=_ordered(parse, relation, x, y, kind),
        drawing=Drawing(kind=_with_series(kind, series), x=x, y=y, series=series),
    )


def _occurs_again(parse: Parse, column: str) -> bool:
    distinct = parse.facts(column).distinct
    return distinct is not None and distinct < parse.table.facts.rows - parse.facts(column).missing


def _x_and_y(parse: Parse, kind: ChartKind, columns: list[str], *, swapped: bool) -> tuple[str, str]:
    first, second = columns[0], columns[1]
    if swapped:
        first, second = second, first
    if kind in _SCATTER:
        return first, second
    measured = [column for column in columns if _measures(parse, column)] or [
        column for column in columns if parse.numeric(column)
    ]
    texts = [column for column in columns if not parse.numeric(column)]
    if texts and measured:
        return texts[0], measured[0]
    return first, second


def _measures(parse: Parse, column: str) -> bool:
    facts = parse.facts(column)
    return parse.numeric(column) and not identifying(column, facts.minimum, facts.maximum)


def _ordered(parse: Parse, relation: Relation, x: str, y: str, kind: ChartKind) -> Relation:
    order = parse.order
    if order is None:
        return Sort(source=relation, keys=((x, False),)) if kind in {"line", "grouping line"} else relation
    key = y if order.axis == "y" or (order.column is not None and order.column != x) else x
    if order.axis == "x":
        key = x
    return Sort(source=relation, keys=((key, order.descending),))


def drawn(part: Part) -> Part:
    """Return a grouped part with a bar chart added, if it has one key and one measure; other parts are returned
    unchanged."""
    relation = part.relation.source if isinstance(part.relation, Sort) else part.relation
    if not isinstance(relation, Aggregate) or len(relation.groups) != 1 or len(relation.measures) != 1 or part.drawing:
        return part
    kind: ChartKind = "bar"
    drawing = Drawing(kind=kind, x=relation.groups[0].name, y=relation.measures[0].name)
    return Part(relation=part.relation, shown=part.shown, drawing=drawing, decimals=part.decimals, caption=part.caption)
