"""Which steps of a plan depend on what an earlier step creates: sheets, columns, names, charts, cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.roles import Role, raw_texts, texts_with_roles
from tablewright.domain.rounds.plan import PlanStep, kind_of
from tablewright.workbook.areas import Area, parse_area

_NAMES = re.compile(r"\[([^\[\]]+)\]|'((?:[^']|'')+)'!|([\w.]+)!")
_CELLS = re.compile(r"(?:'(?:[^']|'')+'!|[\w.]+!)?\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?")


@dataclass(frozen=True, slots=True)
class SheetArea:
    """Cells of a sheet; `sheet` is None if the step does not give one."""

    sheet: str | None
    area: Area

    def meets(self, other: SheetArea) -> bool:
        """Return whether the two share a cell, as far as can be known."""
        return (self.sheet or other.sheet) == (other.sheet or self.sheet) and self.area.meets(other.area)

    def within(self, other: SheetArea) -> bool:
        """Return whether `other` contains all of these cells."""
        return self.sheet == other.sheet and self.area.within(other.area)


@dataclass(slots=True)
class MissingEffects:
    """What steps that were not executed would have created, with the number of the step."""

    names: dict[str, int] = field(default_factory=dict[str, int])
    areas: list[tuple[SheetArea, int]] = field(default_factory=list[tuple[SheetArea, int]])
    chart: int | None = None

    def add(self, step: PlanStep) -> None:
        """Add what `step` would have created."""
        for name in _created(step):
            self.names.setdefault(name, step.step)
        self.areas.extend((area, step.step) for area in _filled(step))
        if _chart(step) == "creates":
            self.chart = step.step

    def remove(self, step: PlanStep) -> None:
        """Remove what `step` has created after all."""
        for name in _created(step):
            self.names.pop(name, None)
        for done in _filled(step):
            self.areas = [(area, maker) for area, maker in self.areas if not area.within(done)]
        if _chart(step) == "creates":
            self.chart = None

    def needed_by(self, step: PlanStep) -> int | None:
        """Return the number of the step that `step` depends on, or None."""
        operation = step.operation
        if _chart(step) == "changes" and self.chart is not None:
            return self.chart
        if operation is None:
            return None
        for name in _mentioned(operation):
            if (maker := self.names.get(name)) is not None:
                return maker
        read = list(_read(operation))
        return next((maker for area, maker in self.areas if any(area.meets(other) for other in read)), None)


def _chart(step: PlanStep) -> str | None:
    kind = kind_of(step)
    return None if kind is None else kind.chart


def _created(step: PlanStep) -> Iterator[str]:
    return map(_plain, _texts(step, Role.CREATES))


def _filled(step: PlanStep) -> Iterator[SheetArea]:
    given = step.parameters if step.operation is None else {}
    sheets = (getattr(step.operation, name, None) or given.get(name) for name in ("target_sheet", "sheet"))
    return _areas(_texts(step, Role.FILLS), next((sheet for sheet in sheets if isinstance(sheet, str)), None))


def _texts(step: PlanStep, role: Role) -> Iterator[str]:
    """Yield the texts of a step that have a role, also where its parameters do not fit."""
    kind = kind_of(step)
    if step.operation is not None:
        yield from (text for found, text in texts_with_roles(step.operation) if found is role)
    elif kind is not None:
        yield from raw_texts(kind, step.parameters, role)


def _mentioned(operation: AnyOperation) -> Iterator[str]:
    for role, text in texts_with_roles(operation):
        if role is Role.REFERS:
            yield _plain(text)
        if role in {Role.REFERS, Role.FORMULA, Role.CODE}:
            for found in _NAMES.finditer(text):
                yield _plain(next(group for group in found.groups() if group).strip("\"'"))


def _read(operation: AnyOperation) -> Iterator[SheetArea]:
    """Yield the cells that an operation reads or shows. One that changes the structure reads none: it moves them."""
    for role, text in texts_with_roles(operation):
        if role is Role.READS and operation.effect != "structure":
            yield from _areas((text,), operation.sheet)
        elif role is Role.FORMULA:
            yield from _areas((found.group() for found in _CELLS.finditer(text)), operation.sheet)


def _areas(texts: Iterable[str], sheet: str | None) -> Iterator[SheetArea]:
    for text in texts:
        try:
            named, area = parse_area(text)
        except ValueError:
            continue
        home = named or sheet
        yield SheetArea(_plain(home) if home else None, area)


def _plain(name: str) -> str:
    return "".join(name.split()).casefold()
