"""How far the reading of a task with a form can be trusted, from what is known of all its tags."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tablewright.analyst.grammar.forms.cells import Scored

_UNFIT = ("verdict:unfit", "text:unfit", "whole:unfit")
_UNSAID = ("role:unsaid", "means:unsaid")
_CLOSE = 0.15
_USUAL = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class FormTrust:
    """A probability from evidence, and the least of it from which a reading is answered."""

    bias: float
    weights: Mapping[str, float]
    least: float

    def of(self, known: Mapping[str, float]) -> float:
        """Return the probability that every tag is right, 0 to 1."""
        total = self.bias + sum(weight * known.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-total))


@cache
def shipped() -> FormTrust:
    """Return the trust that ships."""
    data = json.loads(files(__package__).joinpath("trust.json").read_text(encoding="utf-8"))
    return FormTrust(bias=data["bias"], weights=data["weights"], least=data["least"])


def evidence(tags: Sequence[Sequence[Scored]], *, linked: Mapping[str, float], unread: int) -> dict[str, float]:
    """Return what is known of a reading, of each tag's cells best first: what its words leave out, what no word says,
    what does not fit, whether another cell is as likely. `unread` counts the numbers of the task that select rows and
    that no part accounts for; `linked` says how well the task names each column."""
    best = [cells[0].features for cells in tags if cells]
    close = [
        len(cells) > 1 and cells[0].score - cells[1].score < _CLOSE and _differ(cells[0], cells[1]) for cells in tags
    ]
    return {
        "left:word": max((one.get("left:word", 0.0) for one in best), default=0.0),
        "left:meaning": max((one.get("left:meaning", 0.0) for one in best), default=0.0),
        "left:weightless": sum(one.get("left:weightless", 0.0) for one in best),
        "unfit": sum(one.get(name, 0.0) for one in best for name in _UNFIT),
        "unsaid": sum(one.get(name, 0.0) for one in best for name in _UNSAID),
        "distant": sum(one.get(f"role:{where}", 0.0) for one in best for where in ("question", "constraints")),
        "close": float(any(close)),
        "weak": sum(_weak(cells[0], linked) for cells in tags if cells),
        "low": max(0.0, -min((cells[0].score for cells in tags if cells), default=0.0)),
        "unread": float(unread),
    }


def _weak(one: Scored, linked: Mapping[str, float]) -> float:
    """Return how loosely the columns of a cell are named, beyond what is usual."""
    names = [key.partition(":")[2] for key in one.candidate.means if key.startswith("column:")]
    return sum(max(0.0, _USUAL - linked.get(name, 1.0)) for name in names)


def _differ(one: Scored, other: Scored) -> bool:
    return one.candidate.relation != other.candidate.relation or one.candidate.column != other.candidate.column
