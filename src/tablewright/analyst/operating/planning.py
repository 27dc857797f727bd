"""The plan for a wish, as the JSON that every planner writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tablewright.analyst.operating.correcting import corrected
from tablewright.analyst.operating.describing import described
from tablewright.analyst.operating.framing import request
from tablewright.analyst.operating.instructing import Reading, read, trust_of
from tablewright.analyst.operating.reading import Outcome, about_workbook, read_wishes
from tablewright.analyst.operating.retrying import retried
from tablewright.analyst.operating.scene import Scene, scene_of
from tablewright.analyst.operating.talk import asks_how, talk
from tablewright.analyst.operating.wish import Lacking, Memory, Op
from tablewright.data.base import ValueLookup
from tablewright.domain.language import Language
from tablewright.domain.task import PlanOperations
from tablewright.texts.catalogue import text


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
    reading = await _by_grammar(task, scene, values)
    trust = trust_of(reading)
    if reading is not None and trust == "sure":
        return {"execution_plan": doubted(reading, task.language)}
    planned = await _by_readers(task, scene, values)
    if reading is not None and trust == "unsure":
        whole = len(planned["execution_plan"]) > len(reading.ops)  # words that are not understood may be a step
        return planned if whole else {"execution_plan": doubted(reading, task.language)}
    if reading is not None and reading.unread and planned["execution_plan"]:
        return {**planned, "execution_plan": _disputed(planned["execution_plan"], reading.unread, task.language)}
    return planned


def _disputed(found: list[dict[str, Any]], unread: list[str], language: Language) -> list[dict[str, Any]]:
    """Return steps that say which words of the instruction the grammar does not understand."""
    part = _listed(unread, language)
    return [
        {**step, "description": text("operating.doubtful", language, step=step["description"], part=part)}
        for step in found
    ]


async def _by_grammar(task: PlanOperations, scene: Scene, values: ValueLookup) -> Reading | None:
    """Return what the grammar reads in an instruction that follows nothing else."""
    if task.rejected or task.asked or task.history or asks_how(task.question):
        return None
    return await read(request(task.question), scene, values)


async def _by_readers(task: PlanOperations, scene: Scene, values: ValueLookup) -> dict[str, Any]:
    """Return the plan of the readers of single operations."""
    memory = Memory(answers=[pair.answer for pair in task.asked])
    if task.history:
        earlier = await read_wishes(task.history[-1].question, scene, values)
        memory.columns, memory.where, memory.target = (
            earlier.memory.columns,
            earlier.memory.where,
            earlier.memory.target,
        )
    if task.rejected:
        asked = _question(Lacking(what="change", function="set_values"), [], task.language)
        answers = [pair.answer for pair in task.asked if pair.question == asked]
        outcome = await corrected(task.question, task.rejected, scene, values, answers)
    else:
        outcome = await read_wishes(request(task.question), scene, values, memory)
    if asks_how(task.question) and not (task.asked or task.rejected):
        return _talked(_way(outcome, task.language))
    if not _says_anything(outcome) and not await about_workbook(task.question, scene, values):
        return _talked("", error=text("operating.not_understood", task.language))
    return written(outcome, scene, task.language)


def _talked(response: str, **more: str) -> dict[str, Any]:
    """Return a reply to what is no wish for a change; with an `error`, to what was not understood at all."""
    return {"execution_plan": [], "is_conversational": True, "response": response, **more}


def _way(outcome: Outcome, language: Language) -> str:
    """Return how to have something done: by saying it."""
    if outcome.ops and not outcome.unread and outcome.lacking is None:
        steps = _listed([described(op, language) for op in outcome.ops], language)
        return text("operating.how_steps", language, steps=steps)
    return text("operating.how_to", language)


def _says_anything(outcome: Outcome) -> bool:
    return bool(outcome.ops or outcome.unread or outcome.lacking)


def written(outcome: Outcome, scene: Scene, language: Language) -> dict[str, Any]:
    """Return an outcome in the planner's form: a plan, a question for what is missing, or an error."""
    understood = _listed([described(op, language) for op in outcome.ops], language)
    if outcome.lacking is not None:
        return {"execution_plan": [], "need_info": True, "message": _question(outcome.lacking, outcome.ops, language)}
    if outcome.unread and not outcome.ops:
        return {"execution_plan": [], "error": text("operating.not_understood", language)}
    if outcome.unread:
        part = _listed(outcome.unread, language)
        words = text("operating.not_all", language, part=part, understood=understood)
        return {"execution_plan": [], "error": words}
    if not outcome.ops:
        code = "operating.not_understood" if any(place.names for place in scene.places) else "operating.no_table"
        return {"execution_plan": [], "error": text(code, language)}
    return {"execution_plan": steps(outcome.ops, language)}


def steps(ops: Sequence[Op], language: Language) -> list[dict[str, Any]]:
    """Return steps in the form of a plan, numbered from 1 and with descriptions."""
    return [
        {"step": number, "function": op.function, "parameters": op.parameters, "description": described(op, language)}
        for number, op in enumerate(ops, 1)
    ]


def doubted(reading: Reading, language: Language) -> list[dict[str, Any]]:
    """Return the steps of a reading; those of a clause that is not understood in full say so."""
    found = steps(reading.ops, language)
    at = 0
    for one in reading.steps:
        part = _listed(one.unread, language)
        for made in found[at : at + len(one.ops)] if one.unread else ():
            made["description"] = text("operating.doubtful", language, step=made["description"], part=part)
        at += len(one.ops)
    return found


def _question(lacking: Lacking, ops: list[Op], language: Language) -> str:
    what = text(f"operating.do.{lacking.function}", language, what="…")
    del ops
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
