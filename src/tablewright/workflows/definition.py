"""Definitions of workflows as JSON: the published schema, reading and writing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tablewright.domain.codec import from_python, to_python
from tablewright.domain.workflow import Workflow
from tablewright.texts.validation import problem
from tablewright.workflows.faults import Fault

SIZE_BYTES = 256 * 1024
"""The largest definition."""
DEPTH = 40
"""How deep its JSON may be nested."""
_ADAPTER = TypeAdapter(Workflow)
_TOO_DEEP = Fault(code="too_deep", place="", params={"limit": DEPTH})


class Unreadable(Exception):
    """The JSON is no definition; `faults` say why."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*(f"{fault.place}: {fault.code}" for fault in faults))
        self.faults = faults


def read(content: bytes | str) -> Workflow:
    """Read a definition; it may still be one that cannot be run. Raises `Unreadable`."""
    raw = content.encode() if isinstance(content, str) else content
    if len(raw) > SIZE_BYTES:
        raise Unreadable(Fault(code="too_big", place="", params={"limit_bytes": SIZE_BYTES}))
    try:
        values = json.loads(raw)
    except RecursionError as error:
        raise Unreadable(_TOO_DEEP) from error
    except ValueError as error:
        raise Unreadable(Fault(code="not_json", place="", params={"words": str(error)[:200]})) from error
    if _depth_over(values, DEPTH):
        raise Unreadable(_TOO_DEEP)
    return of_values(values)


def of_values(values: object) -> Workflow:
    """Build a definition from JSON values. Raises `Unreadable`."""
    try:
        workflow = from_python(Workflow, values)
    except ValidationError as error:
        raise Unreadable(*map(_fault, error.errors(include_url=False))) from error
    if unknown := tuple(_unknown(values, to_python(Workflow, workflow), "")):
        raise Unreadable(*unknown)
    return workflow


def written(workflow: Workflow) -> str:
    """Return the definition as JSON, without what stands at its default."""
    return json.dumps(as_values(workflow), ensure_ascii=False, indent=2)


def as_values(workflow: Workflow) -> dict[str, Any]:
    """Return the definition as JSON values, without what stands at its default."""
    short = _ADAPTER.dump_python(workflow, mode="json", exclude_defaults=True)
    values: dict[str, Any] = _short(to_python(Workflow, workflow), short)
    return values


def schema() -> dict[str, Any]:
    """Return the JSON schema of definitions."""
    return _ADAPTER.json_schema()


def _fault(error: Mapping[str, Any]) -> Fault:
    place = ".".join(map(str, error["loc"]))
    if error["type"] in {"union_tag_invalid", "union_tag_not_found"}:
        context = error.get("ctx") or {}
        return Fault(code="kind", place=place, params={"name": str(context.get("tag", ""))})
    return Fault(code="value", place=place, params=dict(problem(error["type"], error.get("ctx") or {})))


def _unknown(given: object, known: object, place: str) -> Iterator[Fault]:
    """Yield the names in `given` that nothing reads."""
    if isinstance(given, Mapping) and isinstance(known, Mapping):
        for name, value in given.items():
            where = f"{place}.{name}" if place else str(name)
            if name not in known:
                yield Fault(code="name_unknown", place=where)
            else:
                yield from _unknown(value, known[name], where)
    elif isinstance(given, list) and isinstance(known, list):
        for number, (one, other) in enumerate(zip(given, known, strict=False)):
            yield from _unknown(one, other, f"{place}.{number}")


def _short(whole: Any, short: Any) -> Any:
    """Return `short`, in which all defaults are left out, with the kinds of nodes."""
    if isinstance(short, list):
        return [_short(*each) for each in zip(whole, short, strict=True)]
    if not isinstance(short, dict):
        return short
    kind = {name: whole[name] for name in ("id", "kind") if {"id", "kind"} <= whole.keys()}
    return kind | {name: _short(whole[name], each) for name, each in short.items()}


def _depth_over(value: object, limit: int) -> bool:
    level: list[object] = [value]
    for _ in range(limit):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
        ]
        if not level:
            return False
    return True
