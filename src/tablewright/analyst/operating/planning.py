"""The plan for a wish, as the JSON that every planner writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tablewright.analyst.operating.answer_sheets import AnswerSheet, answer_sheet
from tablewright.analyst.operating.correcting import corrected
from tablewright.analyst.operating.describing import described
from tablewright.analyst.operating.instructing import Memory, Reading, about_workbook, lacking_of, read, trust_of
from tablewright.analyst.operating.instructing.nearest import Lacking, Parts, parts_of
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.retrying import retried
from tablewright.analyst.operating.scene import Scene, scene_of
from tablewright.analyst.operating.stories import Told, read_story
from tablewright.analyst.operating.talk import asks_how, talk
from tablewright.data.base import ValueLookup
from tablewright.domain.language import Language
from tablewright.domain.task import PlanOperations
from tablewright.texts.catalogue import text

_NEAR = 4.0
"""What may be unread of a wish whose nearest reading is told."""


async def planned(task: PlanOperations, values: ValueLookup) -> str:
    """Return the plan for a task, as the JSON that every planner writes."""
    return json.dumps(await _plan(task, values), ensure_ascii=False)


async def _plan(task: PlanOperations, values: ValueLookup) -> dict[str, Any]:
    if task.rounds:
        return _next_round(task)
    said = talk(task.question)
    if said is not None and not task.asked:
        return _talked(text(f"operating.{said}", task.language))
    scene = scene_of(task.outline, task.datasets, task.language)
    if not scene.places and not scene.sheets:
        return {"execution_plan": [], "error": text("operating.no_table", task.language)}
    if task.rejected:
        return await _corrected(task, scene, values)
    memory = await _memory(task, scene, values)
    reading = await _answered(task, scene, values, memory)
    trust = trust_of(reading)
    if asks_how(task.question) and not task.asked:
        return _talked(_way(reading.ops if reading and trust == "sure" else [], task.language))
    if reading is not None and trust != "declined":
        return {"execution_plan": doubted(reading, task.language, sure=trust == "sure")}
    if not task.asked and (answer := await answer_sheet(task, scene, values)) is not None:
        return {"execution_plan": [on_sheet(answer, task.language)]}
    return await _declined(task, scene, values, reading)


async def _memory(task: PlanOperations, scene: Scene, values: ValueLookup) -> Memory:
    """Return what the wish before this one spoke of."""
    earlier = await read(task.history[-1].question, scene, values) if task.history else None
    return earlier.memory if earlier is not None else Memory()


async def _answered(task: PlanOperations, scene: Scene, values: ValueLookup, memory: Memory) -> Reading | None:
    """Return how the wish is read, completed by the answers that were given to questions about it."""
    wish = task.question
    if not task.asked:
        return await read(wish, scene, values, memory)
    answer = " ".join(pair.answer for pair in task.asked)
    column = text("operating.column_word", task.language, name=answer)
    for said in (f"{wish} {answer}", f"{wish} {column}", answer):
        reading = await read(said, scene, values, memory)
        if trust_of(reading) != "declined":
            return reading
    return None


async def _corrected(task: PlanOperations, scene: Scene, values: ValueLookup) -> dict[str, Any]:
    asked = text("operating.ask.change", task.language)
    answers = [pair.answer for pair in task.asked if pair.question == asked]
    wished = await read(task.question, scene, values)
    ops = await corrected(wished.ops if wished else [], task.rejected, scene, values, answers)
    if ops is None:
        return {"execution_plan": [], "need_info": True, "message": asked}
    return {"execution_plan": steps(ops, task.language)}


async def _declined(task: PlanOperations, scene: Scene, values: ValueLookup, reading: Reading | None) -> dict[str, Any]:
    """Return what is missing, or which parts are understood and which are not, for a wish that is not planned."""
    wish = task.question
    told = await read_story(wish, scene, values) if not task.asked else None
    if told is not None:
        return {"execution_plan": alone(told, task.language)}
    lacking = await lacking_of(wish, scene, values)
    if lacking is not None:
        return {"execution_plan": [], "need_info": True, "message": _question(lacking, task.language)}
    parts = await parts_of(wish, scene, values)
    if not parts.ops and reading is not None and all(step.left <= _NEAR and not step.reads for step in reading.steps):
        parts = Parts(ops=reading.ops, unread=reading.unread)
    if parts.ops:
        understood = _listed([described(op, task.language) for op in parts.ops], task.language)
        unread = _listed(parts.unread, task.language)
        words = text("operating.not_all", task.language, part=unread, understood=understood)
        return {"execution_plan": [], "error": words}
    error = text("operating.not_understood", task.language)
    if not await about_workbook(wish, scene, values):
        return _talked("", error=error)
    return {"execution_plan": [], "error": error}


def _talked(response: str, **more: str) -> dict[str, Any]:
    """Return a reply to what is no wish for a change; with an `error`, to what was not understood at all."""
    return {"execution_plan": [], "is_conversational": True, "response": response, **more}


def _way(ops: Sequence[Op], language: Language) -> str:
    """Return how to have something done: by saying it."""
    if ops:
        return text(
            "operating.how_steps", language, steps=_listed([described(op, language) for op in ops], language)
        )  # fmt: skip
    return text("operating.how_to", language)


def steps(ops: Sequence[Op], language: Language) -> list[dict[str, Any]]:
    """Return steps in the form of a plan, numbered from 1 and with descriptions."""
    return [
        {"step": number, "function": op.function, "parameters": op.parameters, "description": described(op, language)}
        for number, op in enumerate(ops, 1)
    ]


def doubted(reading: Reading, language: Language, *, sure: bool = True) -> list[dict[str, Any]]:
    """Return the steps of a reading; those of a clause that is not understood in full say so, and all do where every
    word is read and yet the reading is not sure."""
    found = steps(reading.ops, language)
    if not sure and not reading.unread:
        return [{**made, "description": text("operating.check", language, step=made["description"])} for made in found]
    at = 0
    aside = [words for one in reading.steps if not one.ops for words in one.unread]
    if aside and found:
        part = _listed(aside, language)
        found[-1]["description"] = text("operating.aside", language, step=found[-1]["description"], part=part)
    for one in reading.steps:
        part = _listed(one.unread, language)
        for made in found[at : at + len(one.ops)] if one.unread else ():
            made["description"] = text("operating.doubtful", language, step=made["description"], part=part)
        at += len(one.ops)
    return found


def on_sheet(answer: AnswerSheet, language: Language) -> dict[str, Any]:
    """Return the step that writes an answer to a new sheet; it says what was understood, and what was not."""
    given = answer.op.parameters
    said = text("operating.on_sheet", language, answer=answer.said, sheet=given["target_sheet"])
    part = _listed(answer.unread, language)
    doubt = (
        text("operating.doubtful", language, step=said, part=part)
        if answer.unread
        else text("operating.check", language, step=said)
    )
    return {"step": 1, "function": answer.op.function, "parameters": given, "description": doubt}


def alone(told: Told, language: Language) -> list[dict[str, Any]]:
    """Return the steps of one sentence of a message, each of which says that nothing else of it was read."""
    found = steps(told.reading.ops, language)
    for made in found:
        made["description"] = text("operating.alone", language, step=made["description"], part=told.sentence)
    return found


def _question(lacking: Lacking, language: Language) -> str:
    what = text(f"operating.do.{lacking.function}", language, what="…")
    return text(f"operating.ask.{lacking.what}", language, what=what)


def _listed(parts: Sequence[str], language: Language) -> str:
    return ("；" if language == "zh" else "; ").join(parts) or text("operating.nothing_understood", language)


def _next_round(task: PlanOperations) -> dict[str, Any]:
    """Return another plan for failed steps if their errors suggest one; else say which steps failed: the request is not
    done."""
    failed = task.rounds[-1].failed
    if not failed:
        return {"execution_plan": [], "completed": True}
    ops = retried(task.rounds[-1], task.outline)
    if ops:
        return {"execution_plan": steps(ops, task.language)}
    names = _listed([result.step.description or result.step.function for result in failed], task.language)
    return {"execution_plan": [], "error": text("operating.retry_none", task.language, steps=names)}
