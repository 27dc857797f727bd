"""Revises a plan that a person rejected with words of correction.

The words are taken apart into clauses, and each edits the steps of the plan: it drops steps, keeps only those it names,
replaces a slot of a step by a part of the same type, or is read as a step of its own, which takes the place of the one
with its function or is added. Every word has to be accounted for; where one is not, the person is asked, since a plan
that does half of what they said would be a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tablewright.analyst.operating.instructing import Memory, read, trust_of
from tablewright.analyst.operating.instructing.clause import Clause, clause_of
from tablewright.analyst.operating.instructing.editing import (
    changes_of,
    named_steps,
    refused_words,
    reply_words,
    takes,
    with_change,
)
from tablewright.analyst.operating.instructing.segments import segments_of
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.scene import Scene
from tablewright.data.base import ValueLookup
from tablewright.domain.rounds.plan import OperationPlan, RejectedPlan

_LEFT = 0.4
_LOOKS = frozenset({"color", "title", "name"})
"""Parameters that say how a step's outcome looks, which a step said anew keeps unless it says them too."""


class _Unclear(Exception):
    """A part of the words that cannot be merged with the plan."""


async def corrected(
    wished: Sequence[Op],
    rejected: Sequence[RejectedPlan],
    scene: Scene,
    values: ValueLookup,
    answers: Sequence[str] = (),
) -> list[Op] | None:
    """Return the steps after all corrections, in order; each corrects the plan left by the one before. None if it is
    not clear what should be different.

    `wished` are the steps of the wish, for a plan that was not kept; `answers` are what the person said when asked what
    should be different, in order: each stands for words before it that could not be merged with the plan.
    """
    said = list(answers)
    ops: list[Op] | None = _ops(rejected[0].plan) or list(wished)
    for at, one in enumerate(rejected):
        plan = (_ops(one.plan) or ops or []) if at else ops or []
        ops = await _correct(plan, one.words, scene, values)
        while ops is None and said:
            ops = await _correct(plan, said.pop(0), scene, values)
    return ops


def _ops(plan: OperationPlan) -> list[Op]:
    return [Op(function=step.function, parameters=dict(step.parameters)) for step in plan.steps]


async def _correct(plan: list[Op], words: str, scene: Scene, values: ValueLookup) -> list[Op] | None:
    correction = _Correction(plan=list(plan), scene=scene, values=values)
    try:
        ops = await correction.of(words)
    except _Unclear:
        return None
    return ops if ops and ops != plan else None


@dataclass(slots=True, kw_only=True)
class _Correction:
    """One correction of a plan, clause by clause: `plan` is what is left of it, `dropped` what was taken out, `named`
    the steps that were only named, and `touched` whether any clause said what is to be different."""

    plan: list[Op]
    scene: Scene
    values: ValueLookup
    dropped: list[Op] = field(default_factory=list[Op])
    named: list[Op] = field(default_factory=list[Op])
    touched: bool = False

    async def of(self, words: str) -> list[Op]:
        """Return the corrected steps. Raises `_Unclear`."""
        parts = [words[start:end] for start, end in segments_of(words)]
        for part in parts:
            clause = await self._clause(part)
            if self._drops(clause) or self._changes(clause):
                continue
            await self._merge(part, clause, alone=len(parts) == 1)
        if self.named and not self.touched:
            return [op for op in self.plan if op in self.named]
        return self.plan

    async def _clause(self, words: str) -> Clause:
        tables = [place for place in self.scene.places if place.names] or list(self.scene.places)
        sheets = {op.parameters.get("sheet") for op in self.plan + self.dropped}
        place = next((one for one in tables if one.sheet in sheets), tables[0])
        return await clause_of(words, self.scene, place, self._memory(), self.values)

    def _drops(self, clause: Clause) -> bool:
        """Take out the steps that a clause refuses by name; return whether it refuses any."""
        refused = refused_words(clause)
        if not refused:
            return False
        named = named_steps(clause, self.plan)
        if not named or clause.left(refused | _masks(named) | reply_words(clause)) > _LEFT:
            raise _Unclear
        gone = {at for at, _ in named}
        self.dropped += [op for at, op in enumerate(self.plan) if at in gone]
        self.plan = [op for at, op in enumerate(self.plan) if at not in gone]
        return True

    def _changes(self, clause: Clause) -> bool:
        """Replace slots of steps by the parts of a clause that says nothing else; return whether it is one."""
        changes, named = changes_of(clause), named_steps(clause, self.plan)
        fitting = [one for one in changes if any(takes(op, one) for op in self.plan)]
        mask = reply_words(clause) | _masks(named)
        for one in fitting:
            mask |= one.mask
        if not (fitting or named) or clause.left(mask) > _LEFT:
            return False
        for one in fitting:
            takers = [at for at, op in enumerate(self.plan) if takes(op, one)]
            chosen = [at for at in takers if any(at == place for place, _ in named)] or takers
            for at in chosen:
                self.plan[at] = with_change(self.plan[at], one)
        self.named += [] if fitting else [self.plan[at] for at, _ in named]
        self.touched |= bool(fitting)
        return True

    async def _merge(self, words: str, clause: Clause, *, alone: bool) -> None:
        """Merge a clause that says a step in full. Raises `_Unclear` if it cannot be read as a step of its own."""
        found = await read(words, self.scene, self.values, self._memory())
        if found is None or trust_of(found) != "sure":
            raise _Unclear
        added = [op for op in found.ops if not self._replaced(op)]
        if added and alone and not (self.dropped or self.touched or clause.of("also")):
            if len(self.plan) > 1:
                raise _Unclear
            self.plan = []
        self.plan += added
        self.touched = True

    def _replaced(self, op: Op) -> bool:
        """Put a step that is said anew in the place of the one with its function; return whether there is one."""
        same = [at for at, other in enumerate(self.plan) if _place(other) == _place(op)]
        if not same:
            return False
        if len(same) > 1:
            raise _Unclear
        looks = {name: value for name, value in self.plan[same[0]].parameters.items() if name in _LOOKS}
        self.plan[same[0]] = replace(op, parameters={**looks, **op.parameters})
        self.touched = True
        return True

    def _memory(self) -> Memory:
        """Return what the steps dropped, or else those of the plan, spoke of."""
        memory = Memory()
        for op in self.dropped or self.plan:
            given = op.parameters
            memory.where = given.get("where") if isinstance(given.get("where"), dict) else memory.where
            column = given.get("column") or given.get("top_column")
            memory.columns = (column,) if isinstance(column, str) else memory.columns
        return memory


def _masks(named: Sequence[tuple[int, int]]) -> int:
    mask = 0
    for _, one in named:
        mask |= one
    return mask


def _place(op: Op) -> tuple[str, Any]:
    return op.function, op.parameters.get("sheet")
