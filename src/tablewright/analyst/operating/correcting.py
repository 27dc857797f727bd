"""Revises a plan that a person rejected with words of correction.

The words are taken apart, and each part is merged with the plan as operations: it drops steps, names them, changes a
detail of them, or says a step anew. Every word has to be accounted for; where one is not, the person is asked, since a
plan that does half of what they said would be a wrong one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.cells_said import said_color
from tablewright.analyst.operating.details import Span, changed, details_of, takes
from tablewright.analyst.operating.reading import Outcome, read_wishes
from tablewright.analyst.operating.scene import Scene
from tablewright.analyst.operating.splitting import clauses, triggers
from tablewright.analyst.operating.wish import Lacking, Memory, Op
from tablewright.data.base import ValueLookup
from tablewright.domain.rounds.plan import OperationPlan, RejectedPlan

_NOT = re.compile(
    r"(?:\b(?:do not|don't|dont|not|no|without|skip|never|leave out|forget|instead of)\b|不要|别|不用|不必|无需"
    r"|不需要|去掉计划里的|取消)\s*(?P<what>[^,，。;；.]*?)(?=\s*(?:[,，。;；.]|\bbut\b|\bjust\b|\bonly\b"
    r"|\binstead\b|而是|只|$))",
    re.IGNORECASE,
)
_FAMILIES: tuple[tuple[str, str], ...] = (
    (r"delet|remov|drop|删|去掉|去除", r"delete_|remove_|clear"),
    (r"chart|graph|plot|draw|图", r"chart"),
    (r"sort|order|排", r"sort_"),
    (r"highlight|colou?r|mark|标|高亮|颜色|色", r"highlight|set_fill|conditional"),
    (r"column|列", r"column"),
    (r"sheet|工作表|新表", r"sheet|summarize"),
    (r"total|合计|总计", r"set_formula|set_values"),
    (r"format|格式", r"format"),
    (r"bold|加粗", r"set_font"),
    (r"border|边框", r"border"),
    (r"filter|hide|筛选|隐藏", r"filter|hide"),
    (r"freeze|冻结", r"freeze"),
    (r"duplicat|重复", r"duplicat"),
)  # fmt: skip
_ALSO = re.compile(r"\balso\b|\bas well\b|\btoo\b|\badd\b|还|也|再加|另外|同时")
_LEAD = re.compile(r"^(?:but|just|only|rather|please|而是|只|只要|仅|改为|请)\s*", re.IGNORECASE)
_OF_REPLIES = frozenset({"instead", "rather", "改", "成", "换"})
"""Words of a reply that only say that something is to be different."""
_LOOKS = frozenset({"color", "title", "name"})
"""Parameters that say how a step's outcome looks, which a step said anew keeps unless it says them too."""


class _Unclear(Exception):
    """A part of the words that cannot be merged with the plan."""


async def corrected(
    question: str, rejected: Sequence[RejectedPlan], scene: Scene, values: ValueLookup, answers: Sequence[str] = ()
) -> Outcome:
    """Return the outcome of the wish after all corrections, in order; each corrects the plan left by the one before.

    `answers` are what the person said when asked what should be different, in order: each stands for words before it
    that could not be merged with the plan.
    """
    said = list(answers)
    outcome = Outcome(ops=_ops(rejected[0].plan))
    if not outcome.ops:
        outcome = await read_wishes(question, scene, values)
    for at, one in enumerate(rejected):
        plan = (_ops(one.plan) or outcome.ops) if at else outcome.ops
        outcome = await _correct(plan, one.words, scene, values)
        while outcome.lacking is not None and said:
            outcome = await _correct(plan, said.pop(0), scene, values)
    return outcome


def _ops(plan: OperationPlan) -> list[Op]:
    return [Op(function=step.function, parameters=dict(step.parameters)) for step in plan.steps]


async def _correct(plan: list[Op], words: str, scene: Scene, values: ValueLookup) -> Outcome:
    correction = _Correction(plan=list(plan), scene=scene, values=values)
    try:
        ops = await correction.of(words)
    except _Unclear:
        ops = []
    if not ops or ops == plan:
        return Outcome(ops=[], lacking=Lacking(what="change", function="set_values"))
    return Outcome(ops=ops)


@dataclass(slots=True, kw_only=True)
class _Correction:
    """One correction of a plan, part by part: `plan` is what is left of it, `dropped` what was taken out, `named` the
    steps that were only named, and `touched` whether any part said what is to be different."""

    plan: list[Op]
    scene: Scene
    values: ValueLookup
    dropped: list[Op] = field(default_factory=list[Op])
    named: list[Op] = field(default_factory=list[Op])
    touched: bool = False
    memory: Memory = field(default_factory=Memory)

    async def of(self, words: str) -> list[Op]:
        """Return the corrected steps. Raises `_Unclear`."""
        for match in _NOT.finditer(words):
            self._drop(match["what"])
        rest = _NOT.sub(" ", words).strip(" ,，。;；.")
        parts = [rest] if rest and self._adjusts(rest) else clauses(rest)
        for part in parts:
            if not self._adjust(part):
                await self._merge(part, alone=len(parts) == 1)
        if self.named and not self.touched:
            return [op for op in self.plan if op in self.named]
        return self.plan

    def _drop(self, what: str) -> None:
        found = list(dict.fromkeys(place for place, _ in _naming(what, self.plan)))
        if not found or _left(what, [span for _, span in _naming(what, self.plan)], [self.plan[at] for at in found]):
            raise _Unclear
        self.dropped += [self.plan[at] for at in found]
        self.plan = [op for at, op in enumerate(self.plan) if at not in found]

    def _adjusts(self, part: str) -> bool:
        """Return whether every word of a part is a detail of a step that is left, a name of one, or without content."""
        details, naming = details_of(part), list(_naming(part, self.plan))
        spans = [*(detail.span for detail in details), *(span for _, span in naming)]
        known = all(any(takes(op, detail) for op in self.plan) for detail in details)
        return bool(spans) and known and not _left(part, spans, ())

    def _adjust(self, part: str) -> bool:
        if not self._adjusts(part):
            return False
        details = details_of(part)
        named = list(dict.fromkeys(place for place, _ in _naming(part, self.plan)))
        for detail in details:
            takers = [at for at, op in enumerate(self.plan) if takes(op, detail)]
            for at in [place for place in takers if place in named] or takers:
                self.plan[at] = changed(self.plan[at], [detail])
        self.named += [] if details else [self.plan[at] for at in named]
        self.touched |= bool(details)
        return True

    async def _merge(self, part: str, *, alone: bool) -> None:
        """Merge a part that says a step in full. Raises `_Unclear` if it cannot be read as a step of its own."""
        text = _LEAD.sub("", part)
        read = await read_wishes(text, self.scene, self.values, self.memory)
        lacks = read.lacking is not None and any(op.function == read.lacking.function for op in self.plan)
        if lacks or read.unread:
            raise _Unclear
        ops = read.ops or await self._read_on(text)
        if not ops:
            raise _Unclear
        added = [op for op in ops if not self._replaced(op)]
        if added and alone and not (self.dropped or self.touched or _ALSO.search(fold(part))):
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

    async def _read_on(self, text: str) -> list[Op]:
        """Read what is wanted instead, for the rows and columns of the steps dropped, or else of the plan."""
        memory = Memory()
        steps = self.dropped or self.plan
        for op in steps:
            memory.where = op.parameters.get("where") or memory.where
            memory.target = op.parameters.get("range") or memory.target
            column = op.parameters.get("column") or op.parameters.get("top_column")
            memory.columns = [column] if isinstance(column, str) else memory.columns
        read = await read_wishes(text, self.scene, self.values, memory)
        if read.unread:
            raise _Unclear
        color = said_color(text)
        if read.ops or memory.where is None or color is None:
            return read.ops
        given: dict[str, Any] = {"sheet": steps[0].parameters.get("sheet"), "where": memory.where, "color": color}
        return [Op(function="highlight_cells", parameters=given)]


def _place(op: Op) -> tuple[str, Any]:
    return op.function, op.parameters.get("sheet")


def _naming(text: str, plan: Sequence[Op]) -> Iterator[tuple[int, Span]]:
    """Yield the places of the steps that a text names by their kind, each with where the name stands."""
    low = fold(text)
    for said, functions in _FAMILIES:
        places = [at for at, op in enumerate(plan) if re.search(functions, op.function)]
        for match in re.finditer(said, low) if places else ():
            span = next((one for one in triggers(low) if one[0] <= match.start() < one[1]), match.span())
            yield from ((at, span) for at in places)


def _left(text: str, spans: Sequence[Span], steps: Sequence[Op]) -> list[str]:
    """Return the words that nothing accounts for: no span, no parameter of the steps, no word without content."""
    plain = stopwords() | _OF_REPLIES
    said = fold(json.dumps([op.parameters for op in steps], ensure_ascii=False))
    return [
        token.text
        for token in tokenize(text)
        if token.kind != "mark"
        and token.norm not in plain
        and not any(start < token.end and token.start < end for start, end in spans)
        and token.norm not in said
    ]
