"""Which steps of a plan depend on what an earlier step creates: sheets, columns, names, charts, cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.operations import operations
from tablewright.domain.operations.aliases import translated
from tablewright.domain.rounds import PlanStep
from tablewright.workbook.areas import Area, parse_area

NAMED: Mapping[str, tuple[str, ...]] = {
    "add_sheet": ("name",),
    "copy_sheet": ("name",),
    "rename_sheet": ("name",),
    "summarize": ("target_sheet",),
    "transpose": ("target_sheet",),
    "run_python": ("target_sheet",),
    "add_column": ("header",),
    "join_columns": ("header",),
    "split_column": ("headers",),
    "lookup_join": ("columns",),
    "define_name": ("name",),
    "create_table": ("name",),
}
"""The parameters of each function that name what it creates."""
FILLED: Mapping[str, str] = {
    "set_values": "range",
    "set_formula": "range",
    "fill_down": "range",
    "transpose": "target",
    "run_python": "target",
}
"""The parameter of each function that gives the cells it fills."""
OF_CHARTS = frozenset({"set_chart_title", "set_chart_axes", "set_chart_style"})
RANGES = ("range", "data_range")
FREE = frozenset({"title", "x_title", "y_title", "find", "replace", "text", "value", "separator", "style"})
"""Parameters whose text never refers to anything by name."""
_WORDS = re.compile(r"\[([^\[\]]+)\]|'((?:[^']|'')+)'!|([\w.]+)!")
_CELLS = re.compile(r"(?:'(?:[^']|'')+'!|[\w.]+!)?\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """Cells of a sheet; `sheet` is None if the step does not give one."""

    sheet: str | None
    area: Area

    def meets(self, other: Place) -> bool:
        """Return whether the two share a cell, as far as can be known."""
        return (self.sheet or other.sheet) == (other.sheet or self.sheet) and self.area.meets(other.area)

    def within(self, other: Place) -> bool:
        """Return whether `other` contains all of these cells."""
        return self.sheet == other.sheet and self.area.within(other.area)


@dataclass(slots=True)
class Making:
    """What steps that were not executed would have created, with the number of the step."""

    names: dict[str, int] = field(default_factory=dict[str, int])
    cells: list[tuple[Place, int]] = field(default_factory=list[tuple[Place, int]])
    chart: int | None = None

    def add(self, step: PlanStep) -> None:
        """Add what `step` would have created."""
        function, given = translated(step.function, step.parameters)
        for name in _made(function, given):
            self.names.setdefault(name, step.step)
        if (place := _filled(function, given)) is not None:
            self.cells.append((place, step.step))
        if function == "create_chart":
            self.chart = step.step

    def forget(self, step: PlanStep) -> None:
        """Remove what `step` has created after all."""
        function, given = translated(step.function, step.parameters)
        for name in _made(function, given):
            self.names.pop(name, None)
        if (done := _filled(function, given)) is not None:
            self.cells = [(place, maker) for place, maker in self.cells if not place.within(done)]
        if function == "create_chart":
            self.chart = None

    def needed_by(self, step: PlanStep) -> int | None:
        """Return the number of the step that `step` depends on, or None."""
        function, given = translated(step.function, step.parameters)
        if function in OF_CHARTS and self.chart is not None:
            return self.chart
        unsaid = {key for key in NAMED.get(function, ()) if key != "columns"}
        unsaid |= {"values"} if function == "set_values" else set()
        said = {key: value for key, value in given.items() if key not in unsaid}
        for name in _mentioned(said):
            if (maker := self.names.get(name)) is not None:
                return maker
        return self._filling(function, given)

    def _filling(self, function: str, given: Mapping[str, Any]) -> int | None:
        read = list(_read(function, given))
        return next((maker for place, maker in self.cells if any(place.meets(other) for other in read)), None)


def _made(function: str, given: Mapping[str, Any]) -> Iterator[str]:
    for key in NAMED.get(function, ()):
        yield from map(_plain, _texts(given.get(key)))


def _filled(function: str, given: Mapping[str, Any]) -> Place | None:
    return _place(given.get(FILLED[function]), _sheet_of(function, given)) if function in FILLED else None


def _read(function: str, given: Mapping[str, Any]) -> Iterator[Place]:
    """Yield the cells that a step reads or shows, excluding those it only writes."""
    sheet = given.get("sheet") if isinstance(given.get("sheet"), str) else None
    kind = operations().get(function)
    writes_only = FILLED.get(function) == "range" and function != "fill_down"
    if kind is not None and not writes_only and kind.effect != "structure":
        for key in RANGES:
            if place := _place(given.get(key), sheet):
                yield place
    for text in _texts(given.get("formula")):
        for found in _CELLS.finditer(text):
            if place := _place(found.group(), sheet):
                yield place


def _mentioned(given: Mapping[str, Any]) -> Iterator[str]:
    for text in _texts(given):
        yield _plain(text)
        for found in _WORDS.finditer(text):
            yield _plain(next(group for group in found.groups() if group).strip("\"'"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts([entry for key, entry in value.items() if key not in FREE])
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _texts(entry)


def _sheet_of(function: str, given: Mapping[str, Any]) -> str | None:
    key = "target_sheet" if FILLED[function] == "target" and given.get("target_sheet") else "sheet"
    return next(_texts(given.get(key)), None)


def _place(text: Any, sheet: str | None) -> Place | None:
    try:
        named, area = parse_area(str(text)) if isinstance(text, str) else (None, None)
    except ValueError:
        return None
    home = named or sheet
    return None if area is None else Place(_plain(home) if home else None, area)


def _plain(name: str) -> str:
    return "".join(name.split()).casefold()
