"""Questions whose answer is wanted on a new sheet: read as questions are, computed there by the code of their plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.operating.instructing import destination_of
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.scene import Scene
from tablewright.analyst.writing.writer import write_steps
from tablewright.data.base import ValueLookup
from tablewright.domain.operations.code import WORKBOOK_PATH
from tablewright.domain.task import PlanOperations
from tablewright.texts.catalogue import text

_WORD = "left:word"
_APART = 0.5
"""How much better than any other a reading is that is planned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSheet:
    """A step that computes an answer on a new sheet; `said` is what was understood, and `unread` what was not."""

    op: Op
    said: str
    unread: tuple[str, ...]


async def answer_sheet(task: PlanOperations, scene: Scene, values: ValueLookup) -> AnswerSheet | None:
    """Return the step that writes the answer of a question to a new sheet; None if none is wanted, or if more of the
    question is unread than a word of which nothing is known, such as a verb."""
    place = await destination_of(task.question, scene, values)
    if place is None:
        return None
    found = await readings(place.wish, task.language, task.datasets, values, relations=task.relations)
    best = _surest(found)
    if best is None:
        return None
    wanted = place.sheet or text("operating.new_sheet", task.language)
    there = [replace(dataset, path=WORKBOOK_PATH) for dataset in task.datasets]
    segments = write_steps(best.plan, there, task.language)
    code = "\n".join(line for segment in segments for line in (f"# {segment.name}", *segment.lines))
    target = {"target": "A1", "target_sheet": scene.free_sheet(wanted)}
    op = Op(function="run_python", parameters={"sheet": scene.places[0].sheet, "code": code, **target})
    return AnswerSheet(op=op, said=best.said, unread=best.unread)


def _surest(found: Sequence[GrammarReading]) -> GrammarReading | None:
    """Return the best reading, if it is one table, and no other is nearly as good."""
    best = next(iter(found), None)
    if best is None or not _read(best) or len(best.plan.parts) != 1 or best.plan.parts[0].drawing is not None:
        return None
    others = [one for one in found[1:] if one.said != best.said and one.plan.parts[0].drawing is None]
    return best if not others or best.score - others[0].score >= _APART else None


def _read(reading: GrammarReading) -> bool:
    """Return whether all words are read, or all but one that no vocabulary knows."""
    return not reading.unread or (len(reading.unread) == 1 and reading.features.get(_WORD, 0.0) == 1.0)
