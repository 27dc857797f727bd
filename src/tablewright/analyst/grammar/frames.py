"""The kinds of answers: which slots each has, and how its parts must agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.grammar import agreeing
from tablewright.analyst.grammar.agreeing import Agreement, Conditions, Parts, pair_of
from tablewright.analyst.grammar.semantics import AnyPart

Slot = Literal["measure", "key", "extreme", "sorting", "projection", "having", "operator"]


LOOKS = ("head", "tail", "columns", "size", "describe", "tables")
"""First looks at a table; `head` and `tail` have the number of rows as their option."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A kind of answer: its slots in the order in which they are filled, each with whether it may stay empty."""

    name: str
    slots: tuple[tuple[Slot, bool], ...]
    agrees: Agreement
    pairs: bool = False

    def takes(self, conditions: Conditions) -> bool:
        """Return whether the kind of answer fits these conditions."""
        return not self.pairs or pair_of(conditions) is not None

    def fits(self, conditions: Conditions, parts: Parts, part: AnyPart) -> bool:
        """Return whether a part agrees with those before it."""
        return self.agrees(conditions, parts, part)


CHANGES = Frame(
    name="changes",
    slots=(
        ("measure", True), ("key", True), ("extreme", True), ("sorting", True), ("projection", True),
        ("having", True),
    ),
    agrees=agreeing.said,
)  # fmt: skip
"""What a question may change in the one before it."""

FRAMES = (
    Frame(name="value", slots=(("measure", False),), agrees=agreeing.distinct),
    Frame(
        name="groups",
        slots=(("measure", False), ("key", False), ("key", True), ("sorting", True)),
        agrees=agreeing.grouped,
    ),
    Frame(name="best", slots=(("measure", False), ("key", False), ("extreme", False)), agrees=agreeing.ranked),
    Frame(
        name="rows",
        slots=(("projection", False), ("projection", True), ("projection", True), ("sorting", True)),
        agrees=agreeing.listed,
    ),
    Frame(
        name="extreme", slots=(("extreme", False), ("projection", False), ("projection", True)), agrees=agreeing.rows
    ),
    Frame(
        name="having",
        slots=(("measure", False), ("key", False), ("key", True), ("having", False)),
        agrees=agreeing.grouped,
    ),
    Frame(name="having_count", slots=(("measure", False), ("key", False), ("having", False)), agrees=agreeing.grouped),
    Frame(
        name="difference",
        slots=(("measure", False), ("operator", False)),
        agrees=agreeing.operated("difference"),
        pairs=True,
    ),
    Frame(
        name="change", slots=(("measure", False), ("operator", False)), agrees=agreeing.operated("growth"), pairs=True
    ),
    Frame(
        name="steps",
        slots=(("measure", False), ("key", False), ("operator", False)),
        agrees=agreeing.operated("growth", "cumulative"),
    ),
    Frame(
        name="related",
        slots=(("operator", False), ("projection", False), ("projection", False)),
        agrees=agreeing.operated("correlation"),
    ),
    Frame(name="values", slots=(("measure", False), ("measure", False)), agrees=agreeing.both),
    Frame(
        name="extreme_each",
        slots=(("extreme", False), ("key", False), ("projection", False)),
        agrees=agreeing.extreme_each,
    ),
    Frame(
        name="best_each",
        slots=(("measure", False), ("key", False), ("key", False), ("extreme", False)),
        agrees=agreeing.ranked,
    ),
    Frame(
        name="nested",
        slots=(("extreme", False), ("extreme", False), ("key", True), ("projection", False)),
        agrees=agreeing.nested,
    ),
    Frame(
        name="position", slots=(("operator", False), ("projection", False)), agrees=agreeing.operated("first", "last")
    ),
    Frame(
        name="several",
        slots=(("measure", False), ("measure", False), ("key", False)),
        agrees=agreeing.both,
    ),
    Frame(
        name="shares",
        slots=(("measure", False), ("key", False), ("operator", False), ("sorting", True)),
        agrees=agreeing.shared,
    ),
    Frame(
        name="top_share",
        slots=(("measure", False), ("key", False), ("extreme", False), ("operator", False)),
        agrees=agreeing.shared,
    ),
    Frame(name="mean_each", slots=(("measure", False), ("key", False), ("operator", False)), agrees=agreeing.averaged),
    Frame(name="of_first", slots=(("measure", False), ("extreme", False)), agrees=agreeing.of_rows),
    Frame(name="of_head", slots=(("measure", False), ("operator", False)), agrees=agreeing.of_head),
    Frame(
        name="step_most",
        slots=(("measure", False), ("key", False), ("operator", False), ("extreme", False)),
        agrees=agreeing.stepped_most,
    ),
    Frame(
        name="verdict",
        slots=(("measure", False), ("operator", False)),
        agrees=agreeing.operated("more_less"),
        pairs=True,
    ),
    Frame(
        name="verdict_yes",
        slots=(("measure", False), ("operator", False)),
        agrees=agreeing.operated("more_yes"),
        pairs=True,
    ),
    Frame(
        name="against_each",
        slots=(("measure", False), ("key", False), ("operator", False)),
        agrees=agreeing.against("growth", "difference"),
        pairs=True,
    ),
    Frame(
        name="against_most",
        slots=(("measure", False), ("key", False), ("operator", False), ("extreme", False)),
        agrees=agreeing.against("growth", "difference"),
        pairs=True,
    ),
    Frame(
        name="against_more",
        slots=(("measure", False), ("key", False), ("operator", False), ("having", True)),
        agrees=agreeing.against("growth", "more"),
        pairs=True,
    ),
    Frame(name="than_row", slots=(("operator", False), ("projection", False)), agrees=agreeing.than_row),
    Frame(name="than_row_count", slots=(("measure", False), ("operator", False)), agrees=agreeing.than_row),
    Frame(name="streak", slots=(("operator", False),), agrees=agreeing.streak),
    Frame(name="rising", slots=(("operator", False), ("projection", False)), agrees=agreeing.rising),
    Frame(
        name="alike",
        slots=(("operator", False), ("key", False), ("projection", False)),
        agrees=agreeing.alike,
    ),
    Frame(name="look", slots=(("operator", False),), agrees=agreeing.operated(*LOOKS)),
    Frame(
        name="opposites",
        slots=(("measure", False), ("key", False), ("extreme", False), ("extreme", False)),
        agrees=agreeing.opposite,
    ),
    Frame(
        name="extreme_opposites",
        slots=(("extreme", False), ("extreme", False), ("projection", False)),
        agrees=agreeing.opposite_rows,
    ),
    Frame(name="joined", slots=(("operator", False), ("sorting", True)), agrees=agreeing.operated("join")),
    Frame(name="exists", slots=(("measure", False), ("operator", False)), agrees=agreeing.exists),
    Frame(name="never", slots=(("operator", False), ("key", False)), agrees=agreeing.operated_with_column("never")),
    Frame(
        name="neighbour",
        slots=(("operator", False), ("projection", False)),
        agrees=agreeing.operated("next", "previous"),
    ),
)
