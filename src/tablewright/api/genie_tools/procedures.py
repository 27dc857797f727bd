"""Procedures as the text that a planner is given: numbered steps in the form that it writes its own plan in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tablewright.api.schemas.genie_schemas import ProcedureGiven
from tablewright.domain.language import Language
from tablewright.models.lenient_json import read_object
from tablewright.texts.catalogue import text

_NUMBER = re.compile(r"^\d+[.、，。]\s*")


def procedures_text(mode: str, procedures: Sequence[ProcedureGiven], language: Language) -> str:
    """Return how procedures are to be used, and their steps."""
    if not procedures:
        return ""
    lead = text("sop_follow" if mode == "HIGH_MODE" else "sop_examples", language)
    return "\n\n".join((lead, *(_written(one, place, language) for place, one in enumerate(procedures, start=1))))


def said_of(procedure: ProcedureGiven) -> str:
    """Return all words of a procedure's steps."""
    return procedure.text or procedure.steps or ""


def _written(procedure: ProcedureGiven, place: int, language: Language) -> str:
    read = read_object(procedure.steps or "") or {}
    name = procedure.name or _named(read, "sop_name", "sopName")
    told = procedure.description or _named(read, "sop_desc", "sopDesc")
    head = text("sop_name", language, number=place, name=name)
    if told and told != name:
        head = f"{head}: {told}"
    steps = list(_steps(read.get("sop_steps", read.get("sopSteps"))))
    lines = [text("sop_step", language, number=at, stage=stage, step=step) for at, (stage, step) in enumerate(steps, 1)]
    return "\n".join((head, *(lines or [said_of(procedure).strip()])))


def _steps(stages: Any) -> Iterator[tuple[str, str]]:
    for stage in stages if isinstance(stages, list) else ():
        if isinstance(stage, dict):
            title = _NUMBER.sub("", str(stage.get("title", "")))
            steps = stage.get("steps")
            yield from ((title, str(step)) for step in (steps if isinstance(steps, list) else ()))


def _named(read: dict[str, Any], *names: str) -> str:
    return next((str(read[name]) for name in names if read.get(name)), "")
