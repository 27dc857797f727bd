"""What was learned from labelled messages: the weights of features, the thresholds, and messages whose kind is known.

`learned.json` is written by `benchmarks/routing_training.py` and by nobody else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """`fit` weighs the features of a workflow, `none` those of no workflow, `style` what speaks for none in how a
    message is put; a workflow is chosen from `threshold` on, and from `threshold_with_tables` where there are tables
    that the message may be about.

    Two messages whose likeness is `near` or more mean the same: a correction of one holds for the other. `strangers`
    are messages that are for no workflow, `requests` such as are for one, whichever.
    """

    fit: tuple[float, ...]
    none: tuple[float, ...]
    style: dict[str, float]
    threshold: float
    threshold_with_tables: float
    near: float
    strangers: tuple[str, ...]
    requests: tuple[str, ...]


@cache
def learned() -> Learned:
    """Return what ships with the product."""
    text = files(__package__).joinpath("learned.json").read_text(encoding="utf-8")
    return TypeAdapter(Learned).validate_python(json.loads(text))
