"""The XML of native charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.workbook.package.xml import CHART, RELATIONS, SHAPES, escaped

ChartKind = Literal["bar", "column", "line", "area", "pie", "doughnut", "scatter", "combo", "histogram"]
COLORS = ("4472C4", "ED7D31", "A5A5A5", "FFC000", "5B9BD5", "70AD47", "264478", "9E480E", "636363", "997300")


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One series: references to its name, categories and values, each including the sheet.

    `line` draws it as a line over columns.
    """

    name: str | None
    categories: str | None
    values: str
    categories_are_numbers: bool = False
    line: bool = False


def chart_xml(
    kind: ChartKind, series: Sequence[Series], *, title: str | None, x_title: str | None, stacked: bool
) -> bytes:
    """Return the bytes of a chart part."""
    body = _plots(kind, series, stacked=stacked)
    if kind in {"pie", "doughnut"}:
        axes = ""
    elif kind == "scatter":
        axes = _value_axis(1, 2, "b", x_title) + _value_axis(2, 1, "l", None)
    else:
        sides = ("l", "b") if kind == "bar" else ("b", "l")
        axes = _category_axis(1, 2, sides[0], x_title, reverse=kind == "bar") + _value_axis(2, 1, sides[1], None)
    legend = (
        ""
        if len(series) == 1 and kind not in {"pie", "doughnut"}
        else '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<c:chartSpace xmlns:c="{CHART}" xmlns:a="{SHAPES}" xmlns:r="{RELATIONS}"><c:roundedCorners val="0"/><c:chart>'
        f'{title_xml(title) if title else ""}<c:autoTitleDeleted val="{0 if title else 1}"/>'
        f"<c:plotArea><c:layout/>{body}{axes}</c:plotArea>{legend}"
        '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>'
    ).encode()


def title_xml(text: str) -> str:
    """Return the XML of a chart's or an axis's title."""
    words = escaped(text).decode()
    return (
        f"<c:title><c:tx><c:rich><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr/></a:pPr><a:r><a:rPr/><a:t>{words}</a:t>"
        '</a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>'
    )


def _plots(kind: ChartKind, series: Sequence[Series], *, stacked: bool) -> str:
    numbered = list(enumerate(series))
    if kind == "combo":
        columns = [(at, entry) for at, entry in numbered if not entry.line]
        lines = [(at, entry) for at, entry in numbered if entry.line]
        return _plot("column", columns, stacked=stacked) + _plot("line", lines, stacked=False)
    return _plot(kind, numbered, stacked=stacked)


def _plot(kind: ChartKind, series: Sequence[tuple[int, Series]], *, stacked: bool) -> str:
    if not series:
        return ""
    drawn = "".join(_series(kind, at, entry) for at, entry in series)
    axes = '<c:axId val="1"/><c:axId val="2"/>'
    grouping = "stacked" if stacked else "standard"
    match kind:
        case "bar" | "column" | "histogram":
            direction = "bar" if kind == "bar" else "col"
            group = "stacked" if stacked else "clustered"
            overlap = '<c:overlap val="100"/>' if stacked else ""
            gap = "0" if kind == "histogram" else "80"
            return (
                f'<c:barChart><c:barDir val="{direction}"/><c:grouping val="{group}"/><c:varyColors val="0"/>{drawn}'
                f'<c:gapWidth val="{gap}"/>{overlap}{axes}</c:barChart>'
            )
        case "line":
            return (
                f'<c:lineChart><c:grouping val="{grouping}"/><c:varyColors val="0"/>{drawn}<c:marker '
                f'val="1"/>{axes}</c:lineChart>'
            )
        case "area":
            return f'<c:areaChart><c:grouping val="{grouping}"/><c:varyColors val="0"/>{drawn}{axes}</c:areaChart>'
        case "pie":
            return f'<c:pieChart><c:varyColors val="1"/>{drawn}<c:firstSliceAng val="0"/></c:pieChart>'
        case "doughnut":
            return (
                f'<c:doughnutChart><c:varyColors val="1"/>{drawn}<c:firstSliceAng val="0"/><c:holeSize '
                f'val="55"/></c:doughnutChart>'
            )
        case _:
            return (
                f'<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors '
                f'val="0"/>{drawn}{axes}</c:scatterChart>'
            )


def _series(kind: ChartKind, at: int, entry: Series) -> str:
    name = f"<c:tx><c:strRef><c:f>{_text(entry.name)}</c:f></c:strRef></c:tx>" if entry.name else ""
    color = COLORS[at % len(COLORS)]
    fill = f'<a:solidFill><a:srgbClr val="{color}"/></a:solidFill>'
    looks = ""
    if kind == "scatter":
        looks = (
            '<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:size '
            'val="6"/></c:marker>'
        )
    elif kind == "line":
        looks = f'<c:spPr><a:ln w="28575">{fill}</a:ln></c:spPr><c:marker><c:symbol val="none"/></c:marker>'
    elif kind not in {"pie", "doughnut"}:
        looks = f"<c:spPr>{fill}</c:spPr>"
    keys = ("c:xVal", "c:yVal") if kind == "scatter" else ("c:cat", "c:val")
    where = "numRef" if entry.categories_are_numbers else "strRef"
    categories = (
        f"<{keys[0]}><c:{where}><c:f>{_text(entry.categories)}</c:f></c:{where}></{keys[0]}>"
        if entry.categories
        else ""
    )
    values = f"<{keys[1]}><c:numRef><c:f>{_text(entry.values)}</c:f></c:numRef></{keys[1]}>"
    inverted = '<c:invertIfNegative val="0"/>' if kind in {"bar", "column", "histogram"} else ""
    smooth = '<c:smooth val="0"/>' if kind in {"line", "scatter"} else ""
    return f'<c:ser><c:idx val="{at}"/><c:order val="{at}"/>{name}{looks}{inverted}{categories}{values}{smooth}</c:ser>'


def _text(formula: str | None) -> str:
    return escaped(formula or "").decode()


def _category_axis(number: int, other: int, side: str, title: str | None, *, reverse: bool) -> str:
    order = "maxMin" if reverse else "minMax"
    return (
        f'<c:catAx><c:axId val="{number}"/><c:scaling><c:orientation val="{order}"/></c:scaling><c:delete val="0"/>'
        f'<c:axPos val="{side}"/>{title_xml(title) if title else ""}<c:numFmt formatCode="General" sourceLinked="1"/>'
        f'<c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="{other}"/>'
        '<c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/></c:catAx>'
    )


def _value_axis(number: int, other: int, side: str, title: str | None) -> str:
    return (
        f'<c:valAx><c:axId val="{number}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
        f'<c:axPos val="{side}"/><c:majorGridlines><c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr '
        f'val="D9D9D9"/></a:solidFill></a:ln>'
        f'</c:spPr></c:majorGridlines>{title_xml(title) if title else ""}<c:numFmt formatCode="General" '
        f'sourceLinked="1"/>'
        f'<c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="{other}"/>'
        '<c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx>'
    )
