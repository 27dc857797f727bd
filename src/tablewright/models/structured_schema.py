"""The JSON schema of an answer in a structured round, for providers that hold a model to one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.domain.structured import MAX_CALLS
from tablewright.domain.task import ToolFacts

MOST_OPTIONAL = 20
"""With more optional parameters of all tools together, providers refuse the schema."""
_PLAIN = frozenset({"type", "properties", "required", "description", "additionalProperties", "title"})
_PLAIN_VALUES = frozenset({"type", "description", "enum", "items", "default", "title", "minimum", "maximum"})
_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}


def answer_schema(tools: Sequence[ToolFacts]) -> dict[str, Any]:
    """Return the schema of an answer that may call `tools`, or none of them.

    Every property is required, as providers demand. Arguments that a provider cannot be held to are JSON as text, which
    is read like an object.
    """
    typed = sum(_optional(tool.parameters) for tool in tools) <= MOST_OPTIONAL
    report = _object(
        type={"type": "string", "enum": ["complete"]},
        content=_TEXT,
        recommended_questions=_TEXTS,
        download_links=_TEXTS,
    )
    calls = [_call(tool, typed=typed) for tool in tools]
    asking = _object(
        type={"type": "string", "enum": ["tool_call"]},
        content={
            "type": "array",
            "items": calls[0] if len(calls) == 1 else {"anyOf": calls},
            "minItems": 1,
            "maxItems": MAX_CALLS,
        },
    )
    action = {"anyOf": [asking, report]} if calls else report
    return _object(task_analysis=_TEXT, execution_plan=_TEXT, current_round={"type": "integer"}, action=action)


def _call(tool: ToolFacts, *, typed: bool) -> dict[str, Any]:
    arguments: dict[str, Any] = {"type": "string", "description": "The arguments as a JSON object."}
    if typed and _is_plain(tool.parameters):
        arguments = _closed(tool.parameters)
    return _object(
        tool_name={"type": "string", "enum": [tool.name]},
        tool_call_id=_TEXT,
        arguments=arguments,
    )


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _closed(parameters: Mapping[str, Any]) -> dict[str, Any]:
    properties = {name: _value(each) for name, each in parameters.get("properties", {}).items()}
    required = [name for name in parameters.get("required", ()) if name in properties]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _value(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of one argument; an object of any names is JSON as text."""
    if schema.get("type") == "object":
        return {"type": "string", "description": f"{schema.get('description', '')} (JSON)".strip()}
    return {name: value for name, value in schema.items() if name not in {"default", "title"}}


def _optional(parameters: Mapping[str, Any]) -> int:
    return len(parameters.get("properties", {})) - len(parameters.get("required", ()))


def _is_plain(parameters: Mapping[str, Any]) -> bool:
    """Whether every provider knows the form of these parameters: one flat object of simple values."""
    if parameters.get("type") != "object" or not _PLAIN.issuperset(parameters) or "$ref" in json.dumps(parameters):
        return False
    values = parameters.get("properties", {}).values()
    return all(
        isinstance(value, Mapping) and (value.get("type") == "object" or _PLAIN_VALUES.issuperset(value))
        for value in values
    )
