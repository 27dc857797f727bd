"""Native charts, and changes to them."""

from __future__ import annotations

import re
from dataclasses import replace

from tablewright.analyst.operating.cells_said import quoted
from tablewright.analyst.operating.families.summaries import summarized
from tablewright.analyst.operating.measures import Grouping, grouping, measured
from tablewright.analyst.operating.wish import Lacking, Op, Read, Wish
from tablewright.analyst.operating.words import aggregation

CHART = (
    r"\b(?:charts?|graphs?|plots?|histograms?|scatter ?plots?|visuali[sz]e|diagram)\b|图表|柱状图|柱形图|条形图|折线图"
    r"|曲线图|饼图|环形图|散点图|面积图|直方图|组合图|趋势图|占比图|对比图|画图|作图|绘图|图$|图[，。]"
)
KINDS = (
    ("combo", r"\bcombo|\bcombination|组合图"),
    ("histogram", r"\bhistogram|\bdistribution (?:of|chart)|直方图|分布图"),
    ("scatter", r"\bscatter|散点"),
    ("doughnut", r"\bdoughnut|\bdonut|环形图|圆环"),
    ("pie", r"\bpie\b|饼图|饼状图|占比图"),
    ("area", r"\barea (?:chart|graph|plot)|面积图"),
    ("line", r"\bline\b|\btrend\b|折线|曲线|趋势"),
    ("bar", r"\bhorizontal bar|条形图|横向"),
    ("column", r"\bbar\b|\bcolumn (?:chart|graph)|柱"),
)
_PARTS = (
    r"\bchart(?:'s)? title\b|\btitle of the chart|\btitle the chart|\b[xy][- ]?axis\b|\baxis titles?\b|\blegend\b"
    r"|\bdata labels?\b|图表?(?:的)?标题|坐标轴|[xy]轴|横轴|纵轴|图例|数据标签"
)


def chart_parts(wish: Wish) -> Read:
    """Read changes to a chart: `set the chart title to Sales`, `move the legend to the bottom`, `y轴从0到100`."""
    if not wish.has(_PARTS) or (
        wish.has(r"\b(?:create|draw|make|plot|add a .*chart)\b|绘制|画|创建|生成|做")
        and not wish.has(r"legend|图例|label|标签")
    ):
        return None
    legend = next(
        (
            place
            for place, word in (
                ("none", r"\b(?:remove|hide|no|delete)\b|去掉|隐藏|删除"),
                ("bottom", r"bottom|底|下"),
                ("top", r"\btop\b|顶|上"),
                ("left", r"\bleft|左"),
                ("right", r"\bright|右"),
            )
            if wish.has(word)
        ),
        "right",
    )
    if wish.has(r"\blegend\b|图例"):
        return [_chart_op(wish, "set_chart_style", legend=legend)]
    if wish.has(r"\bdata labels?\b|数据标签"):
        return [_chart_op(wish, "set_chart_style", data_labels=legend != "none")]
    words = _words(wish.text)
    if wish.has(r"[xy][- ]?axis|axis|轴"):
        return _axes(wish, words)
    return (
        [_chart_op(wish, "set_chart_title", title=words)] if words else Lacking(what="name", function="set_chart_title")
    )


def _chart_op(wish: Wish, function: str, **given: object) -> Op:
    sheet = wish.memory.chart_sheet or next(
        (one.name for one in wish.scene.outline.sheets if one.extras.get("charts")), wish.place.sheet
    )
    return Op(
        function=function,
        parameters={"sheet": sheet, **{key: value for key, value in given.items() if value is not None}},
    )


def _words(text: str) -> str | None:
    marks = quoted(text)
    if marks:
        return marks[0]
    match = re.search(
        r"\b(?:to|as|called|named|:)\s+(?P<en>.+)$|(?:设为|设置为|改成|改为|为|叫|[:：])\s*(?P<zh>.+)$",
        text,
        re.IGNORECASE,
    )
    return next(group for group in match.groups() if group).strip(" .。") if match else None


def _axes(wish: Wish, words: str | None) -> Read:
    bounds = re.search(r"(?:from|between|从)\s*(-?\d+(?:\.\d+)?)\s*(?:to|and|到|至)\s*(-?\d+(?:\.\d+)?)", wish.low)
    if bounds:
        return [_chart_op(wish, "set_chart_axes", y_minimum=float(bounds[1]), y_maximum=float(bounds[2]))]
    if words is None:
        return Lacking(what="name", function="set_chart_axes")
    axis = "x_title" if wish.has(r"\bx[- ]?axis|x轴|横轴") else "y_title"
    return [_chart_op(wish, "set_chart_axes", **{axis: words})]


def chart(wish: Wish) -> Read:
    """Read a chart of a range, of columns as they are, or of a summary if rows share values on the base axis."""
    if not wish.has(CHART):
        return None
    kind = next((name for name, pattern in KINDS if wish.has(pattern)), "column")
    ranges = [one for one in wish.ranges() if ":" in one]
    title = _title(wish.text)
    wish = replace(wish, text=wish.text.replace(title, " ")) if title else wish
    if ranges:
        return [wish.op("create_chart", type=kind, data_range=ranges[0], title=title)]
    if wish.memory.chart_sheet and not wish.said() and grouping(wish) is None:
        return [Op(function="create_chart", parameters={"sheet": wish.memory.chart_sheet, "type": kind})]
    columns = wish.said()
    numeric = wish.numeric(columns)
    if kind in {"scatter", "histogram"}:
        return _of_numbers(wish, kind, numeric, title)
    groups = grouping(wish) or _implied(wish, kind, columns)
    if groups is None:
        return _as_it_stands(wish, kind, numeric, title)
    wish.memory.columns = [*columns, *(numeric[-1:])]
    return _grouped(wish, groups, kind, title)


_TITLE = re.compile(
    r"\b(?:titled|entitled|(?:with|and) (?:the |a )?title(?: of)?|called"
    r"|named)\s+[\"“'‘]?(?P<en>[^\"”,，.]+?)[\"”'’]?\s*(?:[,，.]|$)"
    r"|(?:标题(?:为|是|叫|设为)?|命名为|名为|取名)\s*[:：]?\s*[\"“「]?(?P<zh>[^\"”」，。]+)", re.IGNORECASE
)  # fmt: skip


def _title(text: str) -> str | None:
    match = _TITLE.search(text)
    return next(group for group in match.groups() if group).strip() if match else None


def _implied(wish: Wish, kind: str, columns: list[str]) -> Grouping | None:
    """Return the category that is named without `by`, or the date for a trend; None if there is neither."""
    other = [name for name in columns if name in wish.place.names and not wish.place.numeric(name)]
    if other:
        return Grouping(columns=(other[0],))
    dates = [name for name in wish.place.names if wish.place.dated(name)]
    return Grouping(columns=(dates[0],)) if kind in {"line", "area"} and dates else None


def _of_numbers(wish: Wish, kind: str, numeric: list[str], title: str | None) -> Read:
    if kind == "histogram":
        found = numeric or measured(wish)[:1]
        return (
            [wish.op("create_chart", type=kind, values=found[:1], title=title)]
            if found
            else Lacking(what="column", function="create_chart")
        )
    if len(numeric) < 2:
        return Lacking(what="column", function="create_chart")
    swapped = wish.has(r"\bagainst\b|\bvs\b|\bversus\b|\bover\b|随")
    x, y = (numeric[1], numeric[0]) if swapped else (numeric[0], numeric[1])
    return [wish.op("create_chart", type=kind, category=x, values=[y], title=title)]


def _as_it_stands(wish: Wish, kind: str, numeric: list[str], title: str | None) -> Read:
    values = numeric or measured(wish)[:1]
    if not values:
        return Lacking(what="column", function="create_chart")
    texts = [name for name in wish.place.names if wish.place.fact(name).kind in {"text", "date", "datetime"}]
    repeated = [name for name in texts if _repeats(wish, name)]
    unique = [name for name in texts if name not in repeated]
    wish.memory.columns = values
    if not unique and repeated:
        return _grouped(wish, Grouping(columns=(repeated[-1],)), kind, title)
    return [wish.op("create_chart", type=kind, category=unique[0] if unique else None, values=values, title=title)]


def _repeats(wish: Wish, name: str) -> bool:
    """Return whether several rows share a value of a column; if unknown, text columns are assumed to."""
    fact = wish.place.fact(name)
    if fact.distinct is None:
        return fact.kind in {"text", "boolean", "mixed"}
    return fact.distinct < wish.place.facts.rows - fact.missing


def _grouped(wish: Wish, groups: Grouping, kind: str, title: str | None) -> Read:
    said = wish.numeric(wish.said())
    how = aggregation(wish.low)
    plain = (
        groups.unit is None
        and len(groups.columns) == 1
        and not _repeats(wish, groups.columns[0])
        and how in {None, "sum"}
    )
    if plain:
        values = [name for name in said if name not in groups.columns] or measured(wish)[:1]
        wish.memory.columns = values or wish.memory.columns
        return [wish.op("create_chart", type=kind, category=groups.columns[0], values=values, title=title)]
    steps = summarized(wish, groups, how)
    sheet = wish.memory.chart_sheet
    wish.memory.columns = said or wish.memory.columns
    return [
        *steps,
        Op(function="create_chart", parameters={"sheet": sheet, "type": kind, **({"title": title} if title else {})}),
    ]
