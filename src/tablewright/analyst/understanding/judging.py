"""Puts together the readings that give the same, and gathers what speaks for the best of them. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablewright.analyst.evaluating.base import Evaluated
from tablewright.domain.table import Cell

SCORE = "score"
"""The feature with a reading's score after its evaluation."""
LOOSE = ("how:", "value:stem", "value:part", "value:concept", "unit:")
"""How the features begin that say how loosely words are linked."""
WORD = "left:word"
"""Words that say something, and are no more known than that: beside what is only implied or loosely linked they are
likely to be what was asked for."""
COUNTS_ALL = "ran:count_all"
"""The feature of readings that count all rows: what is left of a question that was not understood."""
KIND = "frame:"
"""How the features begin that say which kind of answer a reading gives."""
LEFT = "left:"
"""How the features begin that count words without a part in the reading, by their class."""
FREE = frozenset({"left:stop", "left:rows", "left:wh"})
"""Words that need no part: they say nothing, name the rows, or ask."""
NEVER_FREE = tuple(
    f"{LEFT}{word}"
    for word in (
        "not", "compare", "number", "unit", "per", "period", "duration", "column", "value", "superlative", "opposite",
        "top", "aggregate", "distinct", "share", "difference", "growth", "cumulative", "relation", "missing", "before",
        "after", "between", "half",
    )
)  # fmt: skip
"""Who leaves out a negation, a comparison, a number, a time, a name from the table, what is to be computed, or one of
two questions has not understood what is asked."""
TELLING = frozenset(
    {
        "ran:empty", "link:loss", "value:loss", SCORE, "ran:all_missing", "ran:zero", "ran:one",
        "ran:some_missing", "ran:all_rows", "ran:constant", "ran:ones", "ran:repeats", "ran:one_cell",
    }
)  # fmt: skip
"""Features of a reading that say how far it can be trusted, whatever kind of answer it is; the others are too many to
be learned from as few questions."""
UNASKED = "drawing:unsaid"
"""The feature of readings with a chart that no word asks for."""
IMPLIED = "implied"
"""What the names of features have in common that count parts which no word names."""
SPEAKING_FOR = ("only", "hinted", "adds")
"""How those of them end that speak for such a part."""
FAR = 3.0
"""How far ahead the only result is, as the logarithm of a score."""
OFFERED = 3
"""So many readings are offered at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A reading's features, `score` among them, and the key of its result; `place` is where it stood."""

    features: Mapping[str, float]
    key: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Readings with the same result, best first, and the probability that one of them is meant."""

    members: tuple[Judged, ...]
    mass: float

    @property
    def best(self) -> Judged:
        """The reading that speaks for the group."""
        return self.members[0]


def key_of(evaluated: Evaluated, features: Mapping[str, float]) -> str:
    """Return a key that equal results have in common, whatever their columns are called and their rows' order is; a
    chart that nobody asked for, by the reading's features, makes no difference."""
    tables = [[table.total_rows, sorted(_row(row) for row in table.rows)] for table in evaluated.tables]
    charts = [
        [chart.kind, sorted(zip(*map(_row, (chart.x, chart.y, chart.series or chart.x)), strict=True))]
        for chart in (() if features.get(UNASKED) else evaluated.charts)
    ]
    return json.dumps([tables, charts], ensure_ascii=False)


def grouped(judged: Sequence[Judged], *, temperature: float) -> tuple[Group, ...]:
    """Return the groups, likeliest first."""
    if not judged:
        return ()
    top = max(each.features[SCORE] for each in judged)
    parts = [math.exp((each.features[SCORE] - top) / temperature) for each in judged]
    whole = sum(parts)
    by_key: dict[str, list[tuple[float, Judged]]] = {}
    for each, part in zip(judged, parts, strict=True):
        by_key.setdefault(each.key, []).append((part / whole, each))
    groups = [
        Group(
            members=tuple(each for _, each in sorted(members, key=lambda one: -one[0])),
            mass=sum(share for share, _ in members),
        )
        for members in by_key.values()
    ]
    return tuple(sorted(groups, key=lambda group: (-group.mass, group.best.place)))


def evidence(groups: Sequence[Group], around: Mapping[str, float]) -> dict[str, float]:
    """Return what is known of the best group, by name: its own features begin with `best.`, and `around` them are the
    circumstances of the question."""
    best, others = groups[0], groups[1:]
    features = best.best.features
    left = {name: value for name, value in features.items() if name.startswith(LEFT) and name not in FREE}
    told = {name: value for name, value in features.items() if name in TELLING or name.startswith(LOOSE)} | left
    implied = _guessed(features)
    loose = sum(value for name, value in told.items() if name.startswith(LOOSE))
    words = min(2.0, left.get(WORD, 0.0))
    rivals = [group.mass for group in others if _proven(group) and _guessed(group.best.features) <= implied]
    return {
        **around,
        "mass": best.mass,
        "margin": best.mass - (others[0].mass if others else 0.0),
        "proven_mass": best.mass / (best.mass + sum(rivals)),
        "proven_margin": (best.mass - max(rivals, default=0.0)) / (best.mass + sum(rivals)),
        "counts_all": features.get(COUNTS_ALL, 0.0) * (bool(left) + (implied > 0)),
        "offered_mass": sum(group.mass for group in groups[:OFFERED]),
        "groups": math.log(len(groups)),
        "entropy": -sum(group.mass * math.log(group.mass) for group in groups if group.mass > 0),
        "alike_mass": _of_one_kind(groups),
        "left_share": min(1.0, sum(left.values()) / max(1.0, math.expm1(around.get("asked:words", 0.0)))),
        "alike": math.log(len(best.members)),
        "implied": implied,
        "unsaid": words * (implied > 0),
        "loosely": words * (loose > 0),
        "left": sum(left.values()),
        "clean": float(not left),
        "plain": float(not left and not implied and not loose),
        "ahead": math.log1p(max(0.0, features[SCORE] - others[0].best.features[SCORE])) if others else FAR,
        **{f"best.{name}": value for name, value in told.items()},
    }


def _guessed(features: Mapping[str, float]) -> float:
    """Return how many parts of a reading no word names."""
    return sum(
        value for name, value in features.items() if IMPLIED in name and not name.endswith(SPEAKING_FOR) and value > 0
    )


def _of_one_kind(groups: Sequence[Group]) -> float:
    """Return the probability that the kind of answer is that of the best reading."""
    kinds = {name for name in groups[0].best.features if name.startswith(KIND)}
    return sum(group.mass for group in groups if kinds & group.best.features.keys())


def is_proven(groups: Sequence[Group]) -> bool:
    """Whether the best reading leaves out nothing that is never free."""
    return _proven(groups[0])


def _proven(group: Group) -> bool:
    return not any(group.best.features.get(name) for name in NEVER_FREE)


def _row(row: Sequence[Cell]) -> list[str]:
    return [_cell(cell) for cell in row]


def _cell(cell: Cell) -> str:
    """Return a cell as it would be read: readings differ in how far they round."""
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return "" if cell is None else " ".join(str(cell).split()).casefold()
    return f"{cell + 0.0:.2f}" if abs(cell) >= 1 else f"{cell + 0.0:.4g}"
