"""Floating objects on a sheet: place and find charts, look for free space."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from tablewright.workbook.areas import Area
from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.xml import (
    CHART,
    DRAWING,
    RELATIONS,
    SHAPES,
    Element,
    child,
    coded,
    local,
    parse,
    placed,
    serialized,
)

_DRAWING_TYPE = "application/vnd.openxmlformats-officedocument.drawing+xml"
_CHART_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
_EMU_PER_CM = 360_000
_COLUMN_CM, _ROW_CM = 1.7, 0.53
WIDTH_CM, HEIGHT_CM = 15.0, 7.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedChart:
    """A chart on a sheet: its name, its part, and the cells it covers (approximate if the file gives only a size)."""

    name: str
    part: str
    area: Area


def charts_of(book: Book, sheet: WorkbookSheet) -> list[PlacedChart]:
    """Return a sheet's charts in order of creation."""
    found: list[PlacedChart] = []
    for drawing in relations.related(book.archive, sheet.part, "drawing"):
        links = {
            entry.id: entry.target for entry in relations.relations(book.archive, drawing) if entry.kind == "chart"
        }
        for anchor in parse(book.archive[drawing]):
            for element in anchor.iter():
                if local(element) == "chart" and (part := links.get(element.get(f"{{{RELATIONS}}}id"))):
                    named = next((entry.get("name", "") for entry in anchor.iter() if local(entry) == "cNvPr"), "")
                    found.append(PlacedChart(name=named, part=part, area=covered_area(anchor)))
    return found


def covered_areas(book: Book, sheet: WorkbookSheet) -> list[Area]:
    """Return the areas covered by floating objects."""
    return [
        covered_area(anchor)
        for drawing in relations.related(book.archive, sheet.part, "drawing")
        for anchor in parse(book.archive[drawing])
        if local(anchor).endswith("Anchor") and child(anchor, "from") is not None
    ]


def place_chart(book: Book, sheet: WorkbookSheet, xml: bytes, name: str, area: Area, *, exact: bool) -> str:
    """Place a chart and return its part.

    It covers `area` if `exact`; otherwise it has the default size and starts at the first cell of `area`.
    """
    drawing = _drawing_part(book, sheet)
    part = relations.free_part(book.archive, f"{book.folder}/charts/chart{{}}.xml".lstrip("/"))
    book.archive[part] = xml
    relations.declare(book.archive, part, _CHART_TYPE)
    link = relations.relate(book.archive, drawing, "chart", part)
    root = parse(book.archive[drawing])
    number = max([int(entry.get("id", "0") or 0) for entry in root.iter() if local(entry) == "cNvPr"], default=1) + 1
    root.append(_frame(area, number, name, link, exact=exact))
    book.archive[drawing] = serialized(root)
    sheet.changed = True
    return part


def resize(
    book: Book, sheet: WorkbookSheet, chart: PlacedChart, width_cm: float | None, height_cm: float | None
) -> None:
    """Resize a chart; its top left corner stays in place."""
    for drawing in relations.related(book.archive, sheet.part, "drawing"):
        root = parse(book.archive[drawing])
        links = {entry.id for entry in relations.relations(book.archive, drawing) if entry.target == chart.part}
        for anchor in root:
            if any(
                element.get(f"{{{RELATIONS}}}id") in links for element in anchor.iter() if local(element) == "chart"
            ):
                _sized(anchor, chart.area, width_cm, height_cm)
                book.archive[drawing] = serialized(root)


def usual_area(row: int, column: int) -> Area:
    """Return approximately the cells that a chart of the default size covers."""
    return Area(row, column, row + round(HEIGHT_CM / _ROW_CM), column + round(WIDTH_CM / _COLUMN_CM))


def _drawing_part(book: Book, sheet: WorkbookSheet) -> str:
    found = relations.related(book.archive, sheet.part, "drawing")
    if found:
        return found[0]
    part = relations.free_part(book.archive, f"{book.folder}/drawings/drawing{{}}.xml".lstrip("/"))
    book.archive[part] = serialized(etree.Element(f"{{{DRAWING}}}wsDr", nsmap={"xdr": DRAWING, "a": SHAPES}))
    relations.declare(book.archive, part, _DRAWING_TYPE)
    link = relations.relate(book.archive, sheet.part, "drawing", part)
    placed(sheet.frame, "drawing", ORDER).set(f"{{{RELATIONS}}}id", link)
    return part


def _frame(area: Area, number: int, name: str, link: str, *, exact: bool) -> Element:
    anchor = etree.Element(f"{{{DRAWING}}}{'twoCellAnchor' if exact else 'oneCellAnchor'}")
    _corner(anchor, "from", area.first_row - 1, area.first_column - 1)
    if exact:
        _corner(anchor, "to", area.last_row, area.last_column)
    else:
        size = {"cx": str(round(WIDTH_CM * _EMU_PER_CM)), "cy": str(round(HEIGHT_CM * _EMU_PER_CM))}
        etree.SubElement(anchor, f"{{{DRAWING}}}ext", size)
    frame = etree.SubElement(anchor, f"{{{DRAWING}}}graphicFrame", macro="")
    about = etree.SubElement(frame, f"{{{DRAWING}}}nvGraphicFramePr")
    etree.SubElement(about, f"{{{DRAWING}}}cNvPr", id=str(number), name=coded(name))
    etree.SubElement(about, f"{{{DRAWING}}}cNvGraphicFramePr")
    place = etree.SubElement(frame, f"{{{DRAWING}}}xfrm")
    etree.SubElement(place, f"{{{SHAPES}}}off", x="0", y="0")
    etree.SubElement(place, f"{{{SHAPES}}}ext", cx="0", cy="0")
    graphic = etree.SubElement(frame, f"{{{SHAPES}}}graphic")
    data = etree.SubElement(graphic, f"{{{SHAPES}}}graphicData", uri=CHART)
    etree.SubElement(data, f"{{{CHART}}}chart", nsmap={"c": CHART, "r": RELATIONS}).set(f"{{{RELATIONS}}}id", link)
    etree.SubElement(anchor, f"{{{DRAWING}}}clientData")
    return anchor


def _corner(anchor: Element, name: str, row: int, column: int) -> None:
    corner = etree.SubElement(anchor, f"{{{DRAWING}}}{name}")
    for part, value in (("col", column), ("colOff", 0), ("row", row), ("rowOff", 0)):
        etree.SubElement(corner, f"{{{DRAWING}}}{part}").text = str(value)


def covered_area(anchor: Element) -> Area:
    """Return the cells that a floating object covers."""
    start, end, size = child(anchor, "from"), child(anchor, "to"), child(anchor, "ext")
    row, column = _place(start)
    if end is not None:
        last_row, last_column = _place(end)
        return Area(row, column, max(last_row, row), max(last_column, column))
    width = int(size.get("cx", "0")) / _EMU_PER_CM / _COLUMN_CM if size is not None else 1
    height = int(size.get("cy", "0")) / _EMU_PER_CM / _ROW_CM if size is not None else 1
    return Area(row, column, row + round(height), column + round(width))


def _place(corner: Element | None) -> tuple[int, int]:
    if corner is None:
        return (1, 1)
    row, column = child(corner, "row"), child(corner, "col")
    return (
        int(row.text or 0) + 1 if row is not None else 1,
        int(column.text or 0) + 1 if column is not None else 1,
    )


def _sized(anchor: Element, area: Area, width_cm: float | None, height_cm: float | None) -> None:
    size = child(anchor, "ext")
    if size is None:
        start = child(anchor, "from")
        end = child(anchor, "to")
        if start is None or end is None:
            return
        size = anchor.makeelement(
            f"{{{DRAWING}}}ext",
            {
                "cx": str(round(area.width * _COLUMN_CM * _EMU_PER_CM)),
                "cy": str(round(area.height * _ROW_CM * _EMU_PER_CM)),
            },
        )
        anchor.replace(end, size)
        anchor.tag = f"{{{DRAWING}}}oneCellAnchor"
        anchor.attrib.pop("editAs", None)
    for key, value in (("cx", width_cm), ("cy", height_cm)):
        if value is not None:
            size.set(key, str(round(value * _EMU_PER_CM)))
