"""The two tools available to every model: asking the person, and declining."""

from __future__ import annotations

from tablewright.domain.language import Language
from tablewright.models.base import ToolSpec
from tablewright.models.prompt_files import phrase, prompt

ASK_USER = "ask_user"
DECLINE = "decline"


def control_tools(language: Language) -> tuple[ToolSpec, ...]:
    """Return `ask_user(question, options?, schema?)` and `decline(understood, reason, suggestions)`."""
    return (_ask_user(language), _decline(language))


def _ask_user(language: Language) -> ToolSpec:
    return ToolSpec(
        name=ASK_USER,
        description=prompt("ask_user", language),
        parameters={
            "type": "object",
            "properties": {
                "question": _text("ask_user.question", language),
                "options": _texts("ask_user.options", language),
                "schema": {"type": "object", "description": phrase("ask_user.schema", language)},
            },
            "required": ["question"],
        },
    )


def _decline(language: Language) -> ToolSpec:
    return ToolSpec(
        name=DECLINE,
        description=prompt("decline", language),
        parameters={
            "type": "object",
            "properties": {
                "understood": _text("decline.understood", language),
                "reason": _text("decline.reason", language),
                "suggestions": _texts("decline.suggestions", language),
            },
            "required": ["understood", "reason", "suggestions"],
        },
    )


def _text(code: str, language: Language) -> dict[str, object]:
    return {"type": "string", "description": phrase(code, language)}


def _texts(code: str, language: Language) -> dict[str, object]:
    return {"type": "array", "items": {"type": "string"}, "description": phrase(code, language)}
