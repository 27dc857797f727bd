"""Words of a tenant that stand for a test of rows or for a formula, found in a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablewright.analyst.grammar.conditions import conditions
from tablewright.analyst.grammar.coverage import classes_of
from tablewright.analyst.grammar.formulas import columns_of, formula
from tablewright.analyst.grammar.scene import DefinedFormula, DefinedTest, Scene, scene
from tablewright.analyst.grammar.semantics import ConditionPart, mask_of
from tablewright.analyst.grammar.weights import weighed, weights
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.linking.vocabulary import spans
from tablewright.analyst.plan import AllOf, Condition
from tablewright.data.base import ValueLookup

FREE = frozenset({"stop", "rows"})
"""Classes of words that a definition may have beside its tests."""
MOST_TESTS = 40
MOST_JOINED = 3


async def defined(seen: Scene, lookup: ValueLookup, repeated: frozenset[str]) -> Scene:
    """Return the scene with what the words of the tenant in it mean, of those that name no column and no cell.

    Formulas of columns that are `repeated` by a join are left out: their sums would be wrong.
    """
    tests: list[DefinedTest] = []
    formulas: list[DefinedFormula] = []
    named = {(link.start, link.end) for link in seen.links if link.score >= 1}
    named |= {(cell.start, cell.end) for cell in seen.cells if cell.score >= 1}
    for word in seen.facts.words:
        places = [span for span in spans(seen.tokens, word.phrase) if span not in named]
        if not places:
            continue
        meant = await scene(word.meaning, tokenize(word.meaning), seen.language, seen.facts, lookup)
        if (expr := formula(meant)) is not None:
            if not repeated.intersection(columns_of(expr)):
                formulas += [DefinedFormula(start=start, end=end, of=expr, phrase=word.phrase) for start, end in places]
        elif (test := _test(meant)) is not None:
            tests += [DefinedTest(start=start, end=end, where=test[0], column=test[1]) for start, end in places]
    return replace(seen, tests=tuple(tests), formulas=tuple(formulas)) if tests or formulas else seen


def _test(meant: Scene) -> tuple[Condition, str] | None:
    """Return the test that all words of a definition make together, and its column; the likeliest, if several."""
    needed = 0
    for place, (name, size) in enumerate(classes_of(meant)):
        if size and name not in FREE:
            needed |= mask_of(place, place + 1)
    if not needed:
        return None
    known = weights()
    parts = sorted(conditions(meant), key=lambda part: -weighed(part.features, known))[:MOST_TESTS]
    for size in range(1, MOST_JOINED + 1):
        for chosen in _disjoint(parts, size, 0):
            if not needed & ~sum(part.mask for part in chosen):
                where = chosen[0].where if size == 1 else AllOf(parts=tuple(part.where for part in chosen))
                return where, chosen[0].column
    return None


def _disjoint(parts: Sequence[ConditionPart], size: int, taken: int) -> Iterator[tuple[ConditionPart, ...]]:
    """Yield so many parts that cover different words, the likelier first."""
    if not size:
        yield ()
        return
    for place, part in enumerate(parts):
        if not part.mask & taken:
            for rest in _disjoint(parts[place + 1 :], size - 1, taken | part.mask):
                yield (part, *rest)
