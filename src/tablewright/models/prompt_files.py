"""Read the prompts in `prompts/<language>/` of a package: texts for models, one per file, and short phrases."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from string import Template

from tablewright.domain.language import Language


@cache
def _read(package: str, language: Language, name: str) -> str:
    return files(package).joinpath("prompts", language, name).read_text(encoding="utf-8")


@cache
def _phrases(package: str, language: Language) -> dict[str, str]:
    phrases: dict[str, str] = json.loads(_read(package, language, "phrases.json"))
    return phrases


class PromptFiles:
    """The prompts of one package."""

    def __init__(self, package: str) -> None:
        self._package = package

    def prompt(self, name: str, language: Language, /, **values: str) -> str:
        """Return the prompt `name` (a file without its `.md`) with `values` substituted for its `$placeholders`.

        Raises KeyError for a placeholder without a value, which is a bug.
        """
        return Template(_read(self._package, language, f"{name}.md")).substitute(values).strip()

    def phrase(self, code: str, language: Language, /, **values: object) -> str:
        """Return the short phrase `code` with `values` substituted for its `{placeholders}`."""
        return _phrases(self._package, language)[code].format(**values)


_OURS = PromptFiles("tablewright.models")
prompt = _OURS.prompt
phrase = _OURS.phrase
