"""Edit existing charts in their XML: titles, axes, legends, labels."""

from __future__ import annotations

from lxml import etree

from tablewright.workbook.package.chart_xml import title_xml
from tablewright.workbook.package.xml import CHART, SHAPES, Element, child, children, local, needed

_CHART_ORDER = (
    "title", "autoTitleDeleted", "pivotFmts", "view3D", "floor", "sideWall", "backWall", "plotArea", "legend",
    "plotVisOnly",
    "dispBlanksAs",
)  # fmt: skip
_SPACE_ORDER = (
    "date1904",
    "lang",
    "roundedCorners",
    "AlternateContent",
    "style",
    "clrMapOvr",
    "pivotSource",
    "protection",
    "chart",
)
_AXIS_ORDER = ("axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines", "title", "numFmt")
_SCALING_ORDER = ("logBase", "orientation", "max", "min")
_SERIES_ORDER = (
    "idx", "order", "tx", "spPr", "invertIfNegative", "explosion", "marker", "pictureOptions", "dPt", "dLbls",
    "trendline", "errBars",
    "cat", "xVal", "val", "yVal",
)  # fmt: skip
_SIDES = {"right": "r", "left": "l", "top": "t", "bottom": "b"}
_LABELS = ("showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")


def set_title(root: Element, title: str) -> None:
    """Set a chart's title."""
    chart = needed(root, "chart")
    _replace(chart, _made(title_xml(title)), _CHART_ORDER)
    _flag(chart, "autoTitleDeleted", "0", _CHART_ORDER)


def set_axes(root: Element, x_title: str | None, y_title: str | None, low: float | None, high: float | None) -> bool:
    """Set axis titles and bounds; return False when the chart has no axes."""
    plot = needed(needed(root, "chart"), "plotArea")
    axes = [element for element in plot if local(element) in {"catAx", "dateAx", "valAx", "serAx"}]
    values = [axis for axis in axes if local(axis) == "valAx"]
    across = next((axis for axis in axes if local(axis) in {"catAx", "dateAx"}), values[0] if len(values) > 1 else None)
    upright = next((axis for axis in values if axis is not across), None)
    if across is None and upright is None:
        return False
    for axis, title in ((across, x_title), (upright, y_title)):
        if axis is not None and title is not None:
            _replace(axis, _made(title_xml(title)), _AXIS_ORDER)
    if upright is not None:
        scaling = needed(upright, "scaling")
        for name, bound in (("max", high), ("min", low)):
            if bound is not None:
                _flag(scaling, name, f"{bound:.15g}", _SCALING_ORDER)
    return True


def set_style(root: Element, style: int | None, legend: str | None, *, labels: bool | None) -> None:
    """Set the style number, the position of the legend, and whether points are labelled with their values."""
    chart = needed(root, "chart")
    if style is not None:
        _flag(root, "style", str(style), _SPACE_ORDER)
    if legend is not None:
        if (old := child(chart, "legend")) is not None:
            chart.remove(old)
        if legend != "none":
            place = f'<c:legend><c:legendPos val="{_SIDES[legend]}"/><c:overlay val="0"/></c:legend>'
            _replace(chart, _made(place), _CHART_ORDER)
    if labels is not None:
        for plot in needed(chart, "plotArea"):
            for series in children(plot, "ser"):
                shown = "".join(f'<c:{name} val="{int(labels and name == "showVal")}"/>' for name in _LABELS)
                _replace(series, _made(f"<c:dLbls>{shown}</c:dLbls>"), _SERIES_ORDER)


def _made(xml: str) -> Element:
    return etree.fromstring(f'<c:x xmlns:c="{CHART}" xmlns:a="{SHAPES}">{xml}</c:x>')[0]


def _flag(parent: Element, name: str, value: str, order: tuple[str, ...]) -> None:
    found = child(parent, name)
    if found is None:
        found = _made(f"<c:{name}/>")
        _replace(parent, found, order)
    found.set("val", value)


def _replace(parent: Element, made: Element, order: tuple[str, ...]) -> None:
    """Insert an element, replacing the one of the same name, or at its place in the schema's sequence."""
    name = local(made)
    if (old := child(parent, name)) is not None:
        parent.replace(old, made)
        return
    before = set(order[: order.index(name)])
    index = 0
    for position, element in enumerate(parent):
        if local(element) in before:
            index = position + 1
    parent.insert(index, made)
