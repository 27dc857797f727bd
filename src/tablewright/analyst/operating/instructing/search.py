"""Fills the slots of operations with parts that cover different words, and judges what is left."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.operating.instructing import areas, groupings, lists, naming, written
from tablewright.analyst.operating.instructing import parts as made
from tablewright.analyst.operating.instructing.cases import cases
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.expressions import formulas
from tablewright.analyst.operating.instructing.formats import formats
from tablewright.analyst.operating.instructing.lettering import columns_beyond
from tablewright.analyst.operating.instructing.parts import Part
from tablewright.analyst.operating.instructing.value_orders import ordered_keys

BEAM = 24
MOST_PARTS = 22
PER_WORD = 3
MOST_IN_A_SLOT = 7
MOST_TRIGGERS = 3
_MOST_KNOWN = 400
_TAKEN = 1.0
"""What it costs to pass over a column of numbers behind a word that says how it is added up."""
_SAYS = 0.3
"""Words that cost no more hardly say anything."""
_LIKELY = 0.8
"""Words whose link scores so much may well name a column."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An operation in words: what must be said (`triggers`, alternatives of words by type), its slots as (name, type,
    how many: `1`, `?`, `+`, `*`), words that belong to it without a slot, and what is asked for when that alone is
    missing, as (slot, question, function); `reads` if it writes nothing."""

    name: str
    triggers: tuple[tuple[str, ...], ...]
    slots: tuple[tuple[str, str, str], ...]
    helps: tuple[str, ...]
    prior: float
    asks: tuple[str, str, str] = ("", "", "")
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """A frame with its slots filled; `cost` counts the words that nothing covers; `said` is whether it has a verb."""

    frame: Frame
    slots: dict[str, list[Any]]
    mask: int
    parts: float
    cost: float
    said: bool = True


_MAKERS: dict[str, Callable[[Clause], Iterable[Part]]] = {
    "column": made.columns, "cells": made.cells_of, "spoken": made.spoken_of,
    "sort_key": lambda clause: [*made.sort_keys(clause), *ordered_keys(clause)], "rows": made.rows, "top": made.tops,
    "directed": lambda clause: [
        *(part for part in made.sort_keys(clause) if _directed(clause, part)), *ordered_keys(clause)
    ],
    "spoken_number": lambda clause: [part for part in made.spoken_of(clause) if clause.place.numeric(part.value)],
    "name": naming.names, "text": naming.texts, "place": naming.places, "colour": made.said("colour"),
    "separator": lists.separators, "unit": lists.units, "shown": lists.shown,
    "how": made.said("how"), "keep_which": made.said("keepwhich"),
    "chart_type": made.said("charttype"), "round": made.said("round"), "new_sheet": naming.new_sheets,
    "sheet": made.known_sheets, "group": groupings.groups, "across": groupings.spread, "measure": groupings.measures,
    "formula": formulas, "case": cases, "format": formats, "listed": lists.listed, "looked_up": lists.looked_up,
    "number": lists.numbers, "blank": lists.blanks, "rank_key": lists.rank_keys,
    "cell": areas.cells, "range": areas.ranges, "area": areas.areas, "spoken_area": areas.spoken_areas,
    "numbered_rows": areas.numbered_rows, "column_list": areas.column_lists, "letter": columns_beyond,
    "top_row": areas.top_rows, "formula_text": written.formula_texts, "title": written.titles, "note": written.notes,
    "constant": written.constants, "face": written.faces, "alignment": written.alignments, "places": written.roundings,
    "halign": written.alignments, "font_size": written.font_sizes, "quoted": written.quotes, "derived": written.derived,
    "defined_name": written.defined_names, "aggregation": made.said("agg"),
    "orientation": made.said("page"), "editable": made.editable,
    "date_part": made.said("datepart"), "side": made.said("side"), "axis": made.said("axis"),
    "legend_side": made.said("legend"), "borderstyle": made.said("borderstyle"), "borderside": made.said("borderside"),
}  # fmt: skip


def _directed(clause: Clause, part: Part) -> bool:
    return any(not words & ~part.mask for _, _, words, _, _ in made.directions(clause))


@cache
def frames() -> tuple[Frame, ...]:
    """Return the operations that can be asked for in words."""
    rows = json.loads(files(__package__).joinpath("frames.json").read_text(encoding="utf-8"))
    return tuple(
        Frame(
            row["name"], tuple(map(tuple, row["triggers"])), tuple(map(tuple, row["slots"])), tuple(row["helps"]),
            row.get("prior", 0.0), tuple(row.get("asks", ("", "", ""))),
            row.get("reads", False),
        )
        for row in rows
    )  # fmt: skip


def filled(clause: Clause) -> list[Filled]:
    """Return the fillings of every operation, the cheapest first."""
    base = 0
    for name, mask in clause.sheets:
        if name == clause.place.sheet:
            base |= mask
    found = [one for frame in frames() for trigger in frame.triggers for one in _fill(clause, frame, trigger, base)]
    return sorted(found, key=lambda one: one.cost)


def unfilled(clause: Clause) -> Iterator[tuple[Frame, int]]:
    """Yield the operations that are asked for without the slot that they ask about, with the words they cover."""
    for frame in frames():
        rest = tuple(slot for slot in frame.slots if slot[0] != frame.asks[0])
        if len(rest) == len(frame.slots):
            continue
        for trigger in frame.triggers if frame.asks[0] else ():
            for one in _fill(clause, replace(frame, slots=rest), trigger, 0):
                yield frame, one.mask


def _fill(clause: Clause, frame: Frame, trigger: tuple[str, ...], base: int) -> Iterator[Filled]:
    states: list[tuple[float, int, dict[str, list[Any]]]] = [(0.0, mask, {}) for mask in _triggered(clause, trigger)]
    for slot, kind, need in frame.slots:
        if not states:
            return
        states = _extended(clause, states, slot, _parts(clause, kind), need)
    helps = 0
    for kind in frame.helps:
        for word in clause.of(kind):
            helps |= word.mask
    for parts, mask, slots in states[:BEAM]:
        whole = mask | helps | base | _restated(clause, slots) | _named_again(clause, slots)
        whole |= _whole(clause, trigger, mask)
        extra = 0.7 * (not trigger and bool(frame.triggers))
        if "measures" in slots:
            extra += _TAKEN * _passed_over(clause, whole, slots)
        cost = clause.left(whole) + parts + frame.prior + extra
        yield Filled(frame, slots, whole, parts + frame.prior, cost, bool(trigger))


def _passed_over(clause: Clause, mask: int, slots: dict[str, list[Any]]) -> int:
    """Return how many words are covered that say how the column right behind them is added up, while it is not."""
    numeric = [link for link in made.links_of(clause) if link.column.role == "number" and link.score >= _LIKELY]
    used = repr(slots)
    count = 0
    for word in clause.of("agg"):
        behind = [link.column.name for link in numeric if link.start == word.end]
        covered = bool(behind) and not word.mask & ~mask
        count += covered and not any(repr(name) in used for name in behind)
    return count


def _restated(clause: Clause, slots: dict[str, list[Any]]) -> int:
    """Return the words that name columns again which fill a slot already."""
    used = repr(slots)
    mask = 0
    for link in made.links_of(clause):
        if link.score >= SURE and repr(link.column.name) in used:
            mask |= link.mask
    return mask


def _named_again(clause: Clause, slots: dict[str, list[Any]]) -> int:
    """Return the words that say a new name again: `the fee per hour … in the column “fee per hour”`."""
    mask = 0
    said = [token.lemma for token in clause.tokens]
    for name in slots.get("name", ()):
        words = [*lemmas(name)] if isinstance(name, str) else []
        for start in range(len(said) - len(words) + 1) if words else ():
            if said[start : start + len(words)] == words:
                mask |= mask_of(start, start + len(words))
    return mask


def _triggered(clause: Clause, trigger: tuple[str, ...]) -> list[int]:
    masks = [0]
    names = [link.mask for link in made.links_of(clause) if link.score >= SURE]
    refused = {word.end for word in clause.of("not") if not any(word.mask & mask for mask in names)}
    for kind in trigger:
        words = [word for word in clause.of(kind) if word.type != "act" or word.start not in refused][:MOST_TRIGGERS]
        masks = [mask | word.mask for mask in masks for word in words if not mask & word.mask]
    return masks


def _whole(clause: Clause, trigger: tuple[str, ...], mask: int) -> int:
    """Return the verbs and directions that share signs with one that is covered: `重新排` and `排一下`."""
    whole = 0
    for kind in (*trigger, "direction"):
        words = clause.of(kind) if kind.startswith("act:") or kind == "direction" else []
        used = [word for word in words if word.mask & mask == word.mask]
        for word in words:
            whole |= word.mask if any(word.mask & one.mask for one in used) else 0
    return whole


def _parts(clause: Clause, kind: str) -> list[Part]:
    if kind not in clause.parts:
        found = made.some(list(_MAKERS[kind](clause)), _MOST_KNOWN)
        found.sort(key=lambda part: part.cost - _worth(clause, part.mask))
        clause.parts[kind] = tuple(_chosen(clause, found))
    return [part for part in clause.parts[kind] if isinstance(part, Part)]


def _chosen(clause: Clause, parts: list[Part]) -> list[Part]:
    """Return the best parts, and of the others those whose words hardly any better one covers."""
    kept = parts[:MOST_PARTS]
    covering = [sum(part.mask >> at & 1 for part in kept) for at in range(len(clause.tokens))]
    for part in parts[MOST_PARTS:]:
        said = [at for at, cost in enumerate(clause.costs) if cost > _SAYS and part.mask >> at & 1]
        if len(kept) < 2 * MOST_PARTS and any(covering[at] < PER_WORD for at in said):
            kept.append(part)
            for at in said:
                covering[at] += 1
    return kept


def _worth(clause: Clause, mask: int) -> float:
    return sum(cost for place, cost in enumerate(clause.costs) if mask >> place & 1)


State = tuple[float, int, dict[str, list[Any]]]


def _extended(clause: Clause, states: list[State], slot: str, parts: list[Part], need: str) -> list[State]:
    """Return the states with a slot filled: once, or with several parts in the order in which they are said."""
    done: list[State] = list(states) if need in "?*" else []
    open_: list[tuple[State, int]] = [(state, -1) for state in states]
    for _ in range(MOST_IN_A_SLOT if need in "+*" else 1):
        further: list[tuple[State, int]] = []
        for (cost, mask, slots), last in open_:
            for part in parts:
                if part.mask & mask or part.start < last or (last >= 0 and not part.mask):
                    continue
                known = slots.get(slot, [])
                if part.value in known:
                    continue
                more = {**slots, slot: [*known, part.value]}
                further.append(((cost + part.cost, mask | part.mask, more), part.start))
        further.sort(key=lambda one: one[0][0] + clause.left(one[0][1]))
        open_ = further[:BEAM]
        done += [state for state, _ in open_]
        if not open_:
            break
    done.sort(key=lambda state: state[0] + clause.left(state[1]))
    return done[:BEAM]
