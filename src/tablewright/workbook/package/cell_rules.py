"""The conditional formats of a sheet as they are stored: where each holds, what it asks, how what it meets looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tablewright.workbook.areas import Area, areas_of
from tablewright.workbook.package.looks import Looks
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import Element, child, children
from tablewright.workbook.views import RuleLook

_PLAIN = RuleLook()
_MOST_RULES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An end of a scale: `kind` is `min`, `max`, `num`, `percent`, `percentile` or `formula`."""

    kind: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRule:
    """One rule. `kind` and `operator` are named as in the format; formulas stand for the first cell of `areas`."""

    kind: str
    areas: tuple[Area, ...]
    operator: str = ""
    formulas: tuple[str, ...] = ()
    text: str = ""
    rank: int = 10
    percent: bool = False
    bottom: bool = False
    above: bool = True
    equal: bool = False
    stops: bool = False
    bounds: tuple[Bound, ...] = ()
    colors: tuple[str, ...] = ()
    icons: str = ""
    reverse: bool = False
    hides_value: bool = False
    look: RuleLook = _PLAIN

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell is among those that it looks at."""
        return any(area.holds(row, column) for area in self.areas)


def rules_of(sheet: WorkbookSheet, looks: Looks) -> list[CellRule]:
    """Return the rules of a sheet, the first in rank first."""
    found: list[tuple[int, CellRule]] = []
    for holder in children(sheet.frame, "conditionalFormatting"):
        try:
            areas = tuple(areas_of(holder.get("sqref", "")))
        except ValueError:
            continue
        found += [(_whole(rule.get("priority"), 0), _rule(rule, areas, looks)) for rule in children(holder, "cfRule")]
    found.sort(key=lambda entry: entry[0])
    return [rule for _, rule in found[:_MOST_RULES]]


def _rule(rule: Element, areas: tuple[Area, ...], looks: Looks) -> CellRule:
    kind = rule.get("type", "")
    scale = child(rule, kind)
    return CellRule(
        kind=kind,
        areas=areas,
        operator=rule.get("operator", ""),
        formulas=tuple(entry.text or "" for entry in children(rule, "formula")),
        text=rule.get("text", ""),
        rank=_whole(rule.get("rank"), 10),
        percent=_is_on(rule, "percent"),
        bottom=_is_on(rule, "bottom"),
        above=_is_on(rule, "aboveAverage", "1"),
        equal=_is_on(rule, "equalAverage"),
        stops=_is_on(rule, "stopIfTrue"),
        bounds=tuple(_bounds(scale)) if scale is not None else (),
        colors=tuple(_colors(scale, looks)) if scale is not None else (),
        icons=scale.get("iconSet", "3TrafficLights1") if scale is not None else "",
        reverse=scale is not None and _is_on(scale, "reverse"),
        hides_value=scale is not None and not _is_on(scale, "showValue", "1"),
        look=looks.differential(_whole(rule.get("dxfId"), -1)),
    )


def _bounds(scale: Element) -> Iterator[Bound]:
    for entry in children(scale, "cfvo"):
        yield Bound(kind=entry.get("type", ""), value=entry.get("val", ""))


def _colors(scale: Element, looks: Looks) -> Iterator[str]:
    for entry in children(scale, "color"):
        yield looks.colors.rgb(entry) or "FFFFFF"


def _is_on(element: Element, name: str, usual: str = "0") -> bool:
    return element.get(name, usual) in {"1", "true"}


def _whole(text: str | None, usual: int) -> int:
    return int(text) if text and text.isdigit() and len(text) < 8 else usual
