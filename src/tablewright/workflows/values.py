"""The inputs of a workflow, as its run is given them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tablewright.domain.workflow import InputKind, Workflow, WorkflowInput
from tablewright.errors import InputMissing

KINDS: Mapping[InputKind, type | tuple[type, ...]] = {
    "text": str,
    "number": (int, float),
    "boolean": bool,
    "list": list,
    "object": dict,
}


def utc_time(words: str) -> datetime:
    """Read a time in ISO 8601, without a zone in UTC. Raises `ValueError`."""
    found = datetime.fromisoformat(words)
    try:
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except OverflowError as error:
        raise ValueError(words) from error


def fits_kind(value: object, kind: InputKind) -> bool:
    """Return whether `value` is of the kind."""
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, KINDS[kind]) and not (isinstance(value, float) and not math.isfinite(value))


def inputs_of(workflow: Workflow, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs with their defaults. Texts are read where another kind is wanted. Raises `InputMissing`."""
    known = {each.name: each for each in workflow.inputs}
    for name in given:
        if name not in known:
            raise InputMissing("workflow_input_unknown", name=name, known=", ".join(known))
    return {each.name: _value(each, given) for each in workflow.inputs}


def _value(wanted: WorkflowInput, given: Mapping[str, Any]) -> Any:
    if wanted.name not in given:
        if wanted.required and wanted.default is None:
            raise InputMissing("workflow_input_absent", name=wanted.name, kind_id=wanted.kind)
        return wanted.default
    value = given[wanted.name]
    if isinstance(value, str) and wanted.kind != "text":
        value = _read(value)
    if not fits_kind(value, wanted.kind):
        raise InputMissing("workflow_input_kind", name=wanted.name, kind_id=wanted.kind)
    return value


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
