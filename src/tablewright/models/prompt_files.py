"""Read the prompts in `prompts/<language>/`: system prompts and tool descriptions, one per file, and short phrases."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from string import Template

from tablewright.domain.language import Language


@cache
def _read(language: Language, name: str) -> str:
    return files("tablewright.models").joinpath("prompts", language, name).read_text(encoding="utf-8")


@cache
def _phrases(language: Language) -> dict[str, str]:
    phrases: dict[str, str] = json.loads(_read(language, "phrases.json"))
    return phrases


def prompt(name: str, language: Language, /, **values: str) -> str:
    """Return the prompt `name` (a file without its `.md`) with `values` substituted for its `$placeholders`.

    Raises KeyError for a placeholder without a value, which is a bug.
    """
    return Template(_read(language, f"{name}.md")).substitute(values).strip()


def phrase(code: str, language: Language, /, **values: object) -> str:
    """Return the short phrase `code` with `values` substituted for its `{placeholders}`."""
    return _phrases(language)[code].format(**values)
