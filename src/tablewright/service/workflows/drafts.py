"""Drafts of workflows: definitions as JSON values, which may have faults."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.domain.naming import storable
from tablewright.domain.workflow import Workflow
from tablewright.workflows.definition import DEPTH, Unreadable, read
from tablewright.workflows.faults import Fault, invalid

NAME_CHARS = 200
WORDS_CHARS = 2_000
EXAMPLES = 50
ID_CHARS = 64
UNKEPT = frozenset({"too_big", "too_deep", "not_json"})
"""The faults with which not even a draft is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What could be read of a definition: all of it as `workflow`, or else `faults`, and in any case its names."""

    values: dict[str, Any]
    workflow: Workflow | None
    faults: tuple[Fault, ...]
    definition_id: str
    name: str
    description: str
    examples: tuple[str, ...]


def draft_of(values: Mapping[str, Any]) -> Draft:
    """Read a definition as far as it can be. Raises `WorkflowInvalid` for one that is too large or nested too deep."""
    try:
        content = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")
        values = json.loads(content, parse_constant=lambda _: None, parse_float=_finite)
    except RecursionError as error:
        raise invalid((Fault(code="too_deep", place="", params={"limit": DEPTH}),)) from error
    workflow: Workflow | None = None
    faults: tuple[Fault, ...] = ()
    try:
        workflow = read(content)
    except Unreadable as unreadable:
        faults = unreadable.faults
        if any(fault.code in UNKEPT for fault in faults):
            raise invalid(faults) from unreadable
    examples = values.get("examples")
    told = [each for each in examples if isinstance(each, str)] if isinstance(examples, list) else []
    return Draft(
        values=dict(values),
        workflow=workflow,
        faults=faults,
        definition_id=_text(values, "id", ID_CHARS),
        name=_text(values, "name", NAME_CHARS),
        description=_text(values, "description", WORDS_CHARS),
        examples=tuple(storable(each)[:WORDS_CHARS] for each in told[:EXAMPLES]),
    )


def _finite(written: str) -> float | None:
    """Return a number, or nothing for one that JSON has no words for once it is read."""
    value = float(written)
    return value if math.isfinite(value) else None


def _text(values: Mapping[str, Any], name: str, most: int) -> str:
    value = values.get(name)
    return storable(value)[:most] if isinstance(value, str) else ""
