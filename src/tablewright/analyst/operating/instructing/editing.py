"""Parts of a clause as edits of planned steps: the steps it names, and values for their slots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from tablewright.analyst.grammar.scene import gap
from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.parts import directions, links_of
from tablewright.analyst.operating.op import Op

_ORDINALS = frozenset({"first", "second", "third", "fourth", "fifth"})
_REPLIES = ("reply", "also", "filler", "else", "noun:row")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A new value for a slot of a step, with the words that say it."""

    slot: str
    value: Any
    mask: int


@cache
def _names() -> dict[str, list[str]]:
    """Return the functions that a kind of word names, by `type:meaning`."""
    found: dict[str, list[str]] = json.loads(files(__package__).joinpath("steps.json").read_text(encoding="utf-8"))
    return found


def named_steps(clause: Clause, plan: Sequence[Op]) -> list[tuple[int, int]]:
    """Return the steps that a clause names by what they do, as (place in the plan, words)."""
    found: list[tuple[int, int]] = []
    for kind, functions in _names().items():
        for word in clause.of(kind):
            found += [(at, word.mask) for at, op in enumerate(plan) if op.function in functions]
    return found


def refused_words(clause: Clause) -> int:
    """Return the words that refuse what a clause names."""
    names = [link.mask for link in links_of(clause) if link.score >= SURE]
    mask = 0
    for word in [*clause.of("not"), *clause.of("refuse")]:
        mask |= 0 if any(word.mask & one for one in names) else word.mask
    return mask


def reply_words(clause: Clause) -> int:
    """Return the words of a reply that only say that something is to be different."""
    mask = 0
    for kind in _REPLIES:
        for word in clause.of(kind):
            mask |= word.mask
    return mask


def changes_of(clause: Clause) -> list[Change]:
    """Return the values for slots that a clause gives."""
    found = [Change(slot="descending", value=down, mask=mask) for _, _, mask, down, _ in directions(clause)[:1]]
    found += [Change(slot="color", value=word.meaning, mask=word.mask) for word in clause.of("colour")[:1]]
    found += [Change(slot="type", value=word.meaning, mask=word.mask) for word in clause.of("charttype")[:1]]
    counts = [one for one in clause.linked.numbers if clause.tokens[one.start].norm not in _ORDINALS]
    for number in counts[:1]:
        mask = mask_of(number.start, number.end)
        found.append(Change(slot="count", value=int(number.value), mask=mask))
        for size in clause.of("size"):
            if gap(number.start, number.end, size.start, size.end) <= 1:
                found.append(Change(slot="largest", value=size.meaning == "desc", mask=size.mask))
                break
    return found


def takes(op: Op, change: Change) -> bool:
    """Return whether a step has the slot that a change fills."""
    given = op.parameters
    match change.slot:
        case "count" | "largest":
            return "top_column" in given or op.function == "identify_top"
        case "type":
            return op.function == "create_chart"
        case "color":
            return op.function in {"highlight_cells", "set_fill"} or (op.function == "set_font" and "color" in given)
        case _:
            return op.function == "sort_rows"


def with_change(op: Op, change: Change) -> Op:
    """Return a step with a slot filled anew."""
    given = dict(op.parameters)
    if change.slot == "descending":
        given["by"] = [{**key, "descending": change.value} for key in given["by"]]
    elif change.slot == "count" and "top_column" in given:
        given["top_count"] = change.value
    elif change.slot != "largest" or change.value is not given.get("largest", True):
        given[change.slot] = change.value
    return replace(op, parameters=given)
