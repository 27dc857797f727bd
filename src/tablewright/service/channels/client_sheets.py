"""Cells from the view of a client of the workbook rounds: what it sends, what it last had, and what it changed.

Pure functions. A client sends whole sheets with every request. Its changes are the differences from what it sent
before; the workbook of record is only asked whether a cell has that content already.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, cell_name, parse_area

Place = tuple[int, int]
Cells = Mapping[Place, Cell]
CELLS_TAKEN = 200_000
"""The number of cells read from one request."""
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  # a sheet's day zero has no zone


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSheet:
    """A sheet as sent: cells within `area` that are not in `cells` are empty."""

    name: str
    area: Area
    cells: Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSheet:
    """What a client is known to have of a sheet: cells within `areas` that are not in `cells` are empty."""

    areas: tuple[Area, ...] = ()
    cells: Cells = field(default_factory=dict[Place, Cell])

    def knows(self, place: Place) -> bool:
        """Return whether the client has ever sent the cell."""
        return any(area.holds(*place) for area in self.areas)

    def then(self, sent: ClientSheet) -> SeenSheet:
        """Return what is known after the client has sent `sent`."""
        kept = {place: value for place, value in self.cells.items() if not sent.area.holds(*place)}
        areas = [area for area in self.areas if not area.within(sent.area)]
        return SeenSheet(areas=(*areas, sent.area), cells={**kept, **sent.cells})


def client_sheet(name: str, rows: Sequence[Sequence[Cell]], wanted: str | None, *, where: str) -> ClientSheet:
    """Read a sheet as sent.

    `wanted` is its range, whose top-left cell is `rows[0][0]`. Raises `InvalidInput`, naming a field below `where`.
    """
    area = Area(1, 1, 1, 1)
    if wanted and wanted.strip():
        try:
            area = parse_area(wanted)[1]
        except ValueError as error:
            raise InvalidInput("excel_range_wrong", field=f"{where}.range", range=wanted) from error
    width = max((len(row) for row in rows), default=0)
    top, left = area.first_row, area.first_column
    if rows and width:
        try:
            area = area.joined(
                parse_area(f"{cell_name(top, left)}:{cell_name(top + len(rows) - 1, left + width - 1)}")[1]
            )
        except ValueError as error:
            raise InvalidInput("sheet_too_long", field=f"{where}.data") from error
    cells = {
        (top + down, left + right): value
        for down, row in enumerate(rows)
        for right, value in enumerate(row)
        if value is not None and value != ""
    }
    return ClientSheet(name=name, area=area, cells=cells)


def changed(sent: ClientSheet, seen: SeenSheet) -> dict[Place, Cell]:
    """Return the cells of `sent` that differ from what the client had; None stands for a cell that it emptied."""
    found = {place: value for place, value in sent.cells.items() if not same(value, seen.cells.get(place))}
    for place in seen.cells:
        if place not in sent.cells and sent.area.holds(*place):
            found[place] = None
    return found


def same(one: Cell, other: Cell) -> bool:
    """Return whether two contents sent by a client are equal, numbers up to rounding."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


def alike(sent: Cell, kept: Cell, formula: str | None = None) -> bool:
    """Return whether sent content matches what the workbook holds: `1,200` matches 1200, a date its serial number."""
    if isinstance(sent, str) and formula is not None and sent.startswith("="):
        return sent.replace(" ", "").upper() == formula.replace(" ", "").upper()
    if same(sent, kept):
        return True
    if isinstance(sent, bool) or isinstance(kept, bool):
        return str(sent).strip().upper() == str(kept).strip().upper()
    numbers = _number(sent), _number(kept)
    if numbers[0] is not None and numbers[1] is not None:
        return math.isclose(numbers[0], numbers[1], rel_tol=1e-9, abs_tol=1e-12)
    return isinstance(sent, str) and isinstance(kept, str) and sent.strip() == kept.strip()


def typed(value: Cell, kept: Cell) -> Cell:
    """Return the value as the cell should hold it: a number sent as text is a number if the cell holds one."""
    if isinstance(value, str) and isinstance(kept, int | float) and not isinstance(kept, bool):
        number = _plain_number(value)
        return value if number is None else number
    return value


def _number(value: Cell) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    return _plain_number(value) if _plain_number(value) is not None else _day(value)


def _plain_number(text: str) -> float | None:
    cleaned = text.strip().replace(",", "")
    percent = cleaned.endswith("%")
    try:
        number = float(cleaned.rstrip("%"))
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return number / 100 if percent else number


def _day(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (moment.replace(tzinfo=None) - _EPOCH) / timedelta(days=1)


def to_stored(seen: Mapping[str, SeenSheet]) -> dict[str, Any]:
    """Return what is known of a client's sheets as a JSON object."""
    return {
        name: {
            "areas": [area.text for area in sheet.areas],
            "rows": [place[0] for place in sheet.cells],
            "columns": [place[1] for place in sheet.cells],
            "values": list(sheet.cells.values()),
        }
        for name, sheet in seen.items()
    }


def from_stored(stored: Mapping[str, Any]) -> dict[str, SeenSheet]:
    """Read what `to_stored` wrote."""
    return {
        name: SeenSheet(
            areas=tuple(parse_area(text)[1] for text in sheet["areas"]),
            cells=dict(zip(zip(sheet["rows"], sheet["columns"], strict=True), sheet["values"], strict=True)),
        )
        for name, sheet in stored.items()
    }


def bounding_area(places: Iterable[Place]) -> Area:
    """Return the smallest area that contains `places`, which must not be empty."""
    rows, columns = zip(*places, strict=True)
    return Area(min(rows), min(columns), max(rows), max(columns))
