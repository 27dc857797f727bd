"""Reads the prompts: `prompts/<language>/`, one file per system prompt, tool description, and the short phrases."""

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
    """Return the prompt `name` (a file without its `.md`) with `values` for its `$placeholders`; one left open is a
    bug: KeyError."""
    return Template(_read(language, f"{name}.md")).substitute(values).strip()


def phrase(code: str, language: Language, /, **values: object) -> str:
    """Return the short phrase `code` with `values` in its `{placeholders}`."""
    return _phrases(language)[code].format(**values)
