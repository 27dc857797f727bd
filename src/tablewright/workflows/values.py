"""The inputs of a workflow, as its run is given them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
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
    "file": str,
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


def inputs_of(workflow: Workflow, given: Mapping[str, Any], files: Sequence[str] = ()) -> dict[str, Any]:
    """Return the inputs with their defaults; those that are files are `files` where none is given for them, in order.

    Texts are read where another kind is wanted. Raises `InputMissing`.
    """
    known = {each.name: each for each in workflow.inputs}
    for name in given:
        if name not in known:
            raise InputMissing("workflow_input_unknown", name=name, known=", ".join(known))
    named = {str(given[name]) for name in given if known[name].kind == "file"}
    free = iter([file_id for file_id in dict.fromkeys(files) if file_id not in named])
    inputs = {}
    for each in workflow.inputs:
        taken = next(free, None) if each.kind == "file" and each.name not in given else None
        inputs[each.name] = _value(each, given) if taken is None else taken
    return inputs


def demanded_files(workflow: Workflow, given: Mapping[str, Any]) -> int:
    """Return how many files `inputs_of` must be handed, beside the inputs that are given, to have what it demands."""
    free = [each for each in workflow.inputs if each.kind == "file" and each.name not in given]
    return max((number for number, each in enumerate(free, 1) if each.required and each.default is None), default=0)


def files_of(workflow: Workflow, inputs: Mapping[str, Any], files: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of a run's files: those that are `inputs`, in their order, then the others of `files`."""
    asked = [inputs[each.name] for each in workflow.inputs if each.kind == "file"]
    return tuple(dict.fromkeys([*(file_id for file_id in asked if file_id), *files]))


def _value(wanted: WorkflowInput, given: Mapping[str, Any]) -> Any:
    if wanted.name not in given:
        if wanted.required and wanted.default is None:
            if wanted.kind == "file":
                raise InputMissing("workflow_input_file", name=wanted.name)
            raise InputMissing("workflow_input_absent", name=wanted.name, kind_id=wanted.kind)
        return wanted.default
    value = given[wanted.name]
    if isinstance(value, str) and wanted.kind not in {"text", "file"}:
        value = _read(value)
    if not fits_kind(value, wanted.kind):
        raise InputMissing("workflow_input_kind", name=wanted.name, kind_id=wanted.kind)
    return value


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
