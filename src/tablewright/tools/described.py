"""How the built-in tools describe themselves: a prompt per tool and language, and a schema of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.language import Language
from tablewright.models.base import ToolSpec
from tablewright.tools.prompt_files import phrase, prompt
from tablewright.tools.shaping import RESPONSE_FORMAT

Schema = Mapping[str, Any]
Arguments = Mapping[str, tuple[str, Schema]]
"""Per argument, the phrase that describes it, and its JSON schema."""


def described(
    name: str, language: Language, arguments: Arguments, required: tuple[str, ...], **values: str
) -> ToolSpec:
    """Return the description of the tool `name`, whose prompt is filled with `values`.

    Every tool also takes `response_format`, and no argument that it does not name.
    """
    named = {**arguments, "response_format": ("response_format_told", RESPONSE_FORMAT)}
    properties = {
        each: {**schema, "description": phrase(code, language)} for each, (code, schema) in named.items()
    }  # fmt: skip
    parameters = {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }  # fmt: skip
    return ToolSpec(name=name, description=prompt(name, language, **values), parameters=parameters)
