"""How long things take: the time between two dates, two moments or two times of day, in the unit that is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from tablewright.analyst.grammar.columns import ColumnView
from tablewright.analyst.grammar.scene import Scene
from tablewright.analyst.grammar.semantics import Features, Word
from tablewright.analyst.plan import Col, Expr, Func, Lit, Math

Fine = Literal["date", "moment", "clock"]
DAY_S = 86_400
SIZES = {"hours": 3600, "minutes": 60, "seconds": 1}
_FEW = 4
_UNITS: dict[Fine, tuple[str, ...]] = {"date": ("days",), "moment": ("hours", "days"), "clock": ("hours",)}
"""Units that are meant where none is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """The time from one column to another; `mask` are the words, `start` and `end` the place of what says it."""

    of: Expr
    column: str
    mask: int
    start: int
    end: int
    features: Features


def durations(scene: Scene) -> Iterator[Duration]:
    """Yield the times between two columns that the question may mean."""
    pairs = list(_pairs(scene))
    if not pairs:
        return
    units = scene.of("time_unit")
    counted = [unit for unit in units if any(number.end == unit.start for number in scene.numbers)]
    free = [unit for unit in units if unit not in counted]
    linked = {
        link.column.name: link for link in reversed(scene.links) if link.column.role == "date" or link.column.clock
    }
    for fine, first, second in pairs:
        said = [linked[column.name] for column in (first, second) if column.name in linked]
        for word, unit in [*_asked(scene, free, fine), *((None, one.meaning) for one in counted[:2])]:
            of = elapsed(fine, second.name, first.name, unit)
            if of is None:
                continue
            mask = 0 if word is None else word[0].mask | word[1]
            features: Features = (
                ("amount:days_counted" if word is None else "amount:days", 1.0),
                ("days:said", float(len(said)) if word is not None else 0.0),
                (f"duration:{fine}:{unit}", 1.0),
            )
            for link in said if word is not None else ():
                mask |= link.mask
            start, end = (0, 0) if word is None else (word[0].start, word[0].end)
            yield Duration(of=of, column=second.name, mask=mask, start=start, end=end, features=features)


def elapsed(fine: Fine, later: str, earlier: str, unit: str) -> Expr | None:
    """Return the time between two columns as an expression, or None where the unit is too fine for dates; of two times
    of day the later one may be after midnight."""
    apart = Math(op="-", left=Col(name=later), right=Col(name=earlier))
    if unit == "days":
        return apart if fine != "clock" else None
    if fine == "moment":
        return Func(name=unit, of=apart)
    if fine == "date":
        return None
    whole = Math(op="%", left=apart, right=Lit(value=DAY_S))
    return whole if unit == "seconds" else Math(op="/", left=whole, right=Lit(value=SIZES[unit]))


def clock_of(expr: Math) -> tuple[str, Math] | None:
    """Return the unit and the difference of what `elapsed` makes of two times of day; None for anything else."""
    unit, inner = "seconds", expr
    if expr.op == "/" and isinstance(expr.left, Math) and isinstance(expr.right, Lit):
        unit, inner = next((name for name, size in SIZES.items() if size == expr.right.value), ""), expr.left
    whole = inner.op == "%" and inner.right == Lit(value=DAY_S)
    return (unit, inner.left) if unit and whole and isinstance(inner.left, Math) else None


def _pairs(scene: Scene) -> Iterator[tuple[Fine, ColumnView, ColumnView]]:
    kinds = {column.name: column.kind for column in scene.facts.columns}
    dates = [column for column in scene.columns if column.role == "date"][:_FEW]
    for first, second in combinations(dates, 2):
        exact = kinds[first.name] == kinds[second.name] == "datetime"
        yield "moment" if exact else "date", first, second
    clocks = [column for column in scene.columns if column.clock][:_FEW]
    for first, second in combinations(clocks, 2):
        yield "clock", first, second


def _asked(scene: Scene, units: list[Word], fine: Fine) -> Iterator[tuple[tuple[Word, int], str]]:
    """Yield the words that ask for a duration, with the words of a unit beside them, and the unit."""
    for unit in units[:2]:
        yield (unit, 0), unit.meaning
    for word in scene.of("duration")[:2]:
        apart = [unit for unit in units if not unit.mask & word.mask]
        within = [unit for unit in units if unit.mask & word.mask]
        if apart:
            yield (word, apart[0].mask), apart[0].meaning
        elif not within:
            for name in _UNITS[fine]:
                yield (word, 0), name
