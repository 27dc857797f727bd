"""Columns to sort by in the order in which their values are listed: `State: open, waiting, closed`."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.lists import JOINTS
from tablewright.analyst.operating.instructing.parts import Part, columns

_LONGEST = 4
_UNNAMED = 0.4
"""What it costs that the column is known by its values alone."""
_LISTED = -0.2
"""How much likelier it is that all values of a list are meant than that one is."""


def ordered_keys(clause: Clause) -> Iterator[Part]:
    """Yield (column, whether it falls, values in order) for each run of two or more values of a column that a clause
    lists."""
    helpers = clause.of("by:by") + clause.of("within")
    named = {part.value: part for part in columns(clause)}
    for name, cells in clause.linked.known.items():
        for mask, values in _runs(clause, {cell.casefold(): cell for cell in cells}):
            part = named.get(name)
            apart = part is not None and not part.mask & mask
            whole = mask | (part.mask if part is not None and apart else 0)
            for word in helpers:
                whole |= 0 if word.mask & whole else word.mask
            cost = (part.cost if part is not None and apart else _UNNAMED) + _LISTED
            yield Part(mask=whole, value=(name, False, values), cost=cost, start=(mask & -mask).bit_length() - 1)


def _runs(clause: Clause, cells: dict[str, str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the longest runs of different values, with nothing but commas and their like between them."""
    at, tokens = 0, clause.tokens
    while at < len(tokens):
        mask, values = 0, list[str]()
        while (found := _value(clause, at, cells)) is not None and cells[found[0]] not in values:
            values.append(cells[found[0]])
            mask |= mask_of(at, found[1])
            at = found[1]
            while at < len(tokens) and tokens[at].norm in JOINTS:
                mask |= mask_of(at, at + 1)
                at += 1
        if len(values) > 1:
            yield mask, tuple(values)
        at += not values


def _value(clause: Clause, start: int, cells: dict[str, str]) -> tuple[str, int] | None:
    """Return the longest value that begins at a token, and where it ends; None if there is none."""
    for end in range(min(start + _LONGEST, len(clause.tokens)), start, -1):
        said = clause.said(start, end).casefold()
        if said in cells:
            return said, end
    return None
