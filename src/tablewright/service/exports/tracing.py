"""Which steps of a run the numbers of its answer come from, for documents. Pure."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.domain.answer import Answer
from tablewright.domain.events import CodeFinished, EventBody, StepAnnounced, ToolStarted
from tablewright.report.blocks import Origin
from tablewright.report.origins import OriginLink, linked, used
from tablewright.tools.query_database import NAME as QUERY

TRACING = ("code.finished", "step.announced", "tool.started")
"""The events that tell of steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """The steps that the numbers of an answer come from, and where these stand in its text."""

    origins: tuple[Origin, ...] = ()
    links: tuple[OriginLink, ...] = ()


def traced(answer: Answer, bodies: Sequence[EventBody]) -> Traced:
    """Return the origins of an answer's numbers among the steps of its run, which are numbered in their order."""
    steps = _steps(bodies)
    numbers = {id_: number for number, (_, ids) in enumerate(steps, 1) for id_ in ids}
    links = [
        OriginLink(start=source.start, end=source.end, number=numbers[source.step_id])
        for source in answer.sources
        if source.step_id is not None and source.step_id in numbers
    ]
    kept = linked(answer.text, links)
    origins = [
        Origin(number=number, name=step.name, code=step.code, language=step.language)
        for number, (step, _) in enumerate(steps, 1)
    ]
    return Traced(origins=used(origins, kept), links=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    name: str
    code: str
    language: str


def _steps(bodies: Sequence[EventBody]) -> list[tuple[_Step, set[str]]]:
    """Return the steps, each with the ids by which it is known: its own, and that of the call that it carries out."""
    names: dict[str, str] = {}
    steps: list[tuple[_Step, set[str]]] = []
    for body in bodies:
        if isinstance(body, StepAnnounced):
            names[body.step_id or ""] = body.name
        elif isinstance(body, ToolStarted) and (code := _code(body)):
            steps.append((_Step(name=body.name, code=code, language=_language(code)), {body.tool_call_id}))
        elif isinstance(body, CodeFinished) and body.step_id:
            step = _Step(name=names.get(body.step_id, ""), code=body.code, language=_language(body.code))
            _add(steps, step, body.step_id)
    return steps


def _add(steps: list[tuple[_Step, set[str]]], step: _Step, step_id: str) -> None:
    """Add a step, in the place of the call that it carries out if there is one."""
    for place, (known, ids) in enumerate(steps):
        if known.code == step.code and len(ids) == 1:
            steps[place] = (step, {*ids, step_id})
            return
    steps.append((step, {step_id}))


def _code(body: ToolStarted) -> str:
    """Return the code or the statement of a call; empty where it has none."""
    found = body.arguments.get("query" if body.name == QUERY else "code")
    return found if isinstance(found, str) else ""


def _language(code: str) -> str:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return "python"
