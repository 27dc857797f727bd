"""A first configuration file: every setting with its default, commented out."""

from __future__ import annotations

from typing import Any

import yaml
from pydantic import BaseModel

from tablewright.settings.show import visible
from tablewright.settings.tree import ProviderSettings, Settings
from tablewright.texts.catalogue import Language, text

WIDTH = 10_000
"""Values are not wrapped: every line must be a comment."""


def example_file(language: Language) -> str:
    """Return the file's text; it changes nothing until a line of it is uncommented."""
    head = [f"# {line}" for line in text("settings_file_head", language).splitlines()]
    return "\n".join([*head, *_lines(Settings(), 0), *_provider(language)]) + "\n"


def _lines(section: BaseModel, depth: int) -> list[str]:
    lines: list[str] = []
    for name, value in section:
        indent = "  " * depth
        if isinstance(value, BaseModel):
            lines += [f"# {indent}{name}:", *_lines(value, depth + 1)]
        elif value != {}:
            lines.append(f"# {indent}{name}: {_yaml(value)}")
    return lines


def _provider(language: Language) -> list[str]:
    fields = ", ".join(ProviderSettings.model_fields)
    return [
        "# providers:",
        f"#   my-provider:   # {text('settings_file_provider', language, names=fields)}",
        "#     kind: openai",
        "#     base_url: http://127.0.0.1:8000/v1",
    ]


def _yaml(value: Any) -> str:
    shown = visible(value)
    return (
        ""
        if shown is None
        else yaml.safe_dump(shown, default_flow_style=True, allow_unicode=True, width=WIDTH).split("\n...")[0].strip()
    )
