"""The system prompts of structured rounds: from `docs/prompts.md`, which ships, or from a file that replaces it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tablewright.domain.language import Language
from tablewright.models.prompt_files import prompt

NAMES: Mapping[Language, str] = {
    "zh": "STRUCTURED_RESPONSE_SYSTEM_PROMPT",
    "en": "STRUCTURED_RESPONSE_SYSTEM_PROMPT_EN",
}
"""The headings under which the file has the prompts, each followed by a fenced block of text."""
_HERE = Path(__file__).resolve()
SHIPPED = (_HERE.with_name("prompts") / "prompts.md", _HERE.parents[3] / "docs" / "prompts.md")
"""Where the file is: in an installed package, in a checkout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPrompts:
    """The system prompt in each language."""

    zh: str
    en: str

    def of(self, language: Language) -> str:
        """Return the prompt in `language`."""
        return self.zh if language == "zh" else self.en


@cache
def system_prompts(file: Path | None = None) -> SystemPrompts:
    """Return the prompts that `file` (None: the one that ships) has; for one that it lacks, the built-in one.

    A file that is missing or cannot be read has none.
    """
    page = next((text for path in ((file,) if file else SHIPPED) if (text := _read(path))), "")
    return SystemPrompts(zh=_prompt(page, "zh"), en=_prompt(page, "en"))


def named_block(page: str, name: str) -> str | None:
    """Return the first block fenced as `text` below the heading `name`, or None."""
    heading = re.search(rf"^#+[ \t]*`?{re.escape(name)}`?[ \t]*$", page, re.MULTILINE)
    if heading is None:
        return None
    below = page[heading.end() :]
    after = re.search(r"^#+[ \t]", below, re.MULTILINE)
    fence = re.search(r"^```text[ \t]*\n(?P<body>.*?)^```[ \t]*$", below, re.MULTILINE | re.DOTALL)
    if fence is None or (after is not None and after.start() < fence.start()):
        return None
    return fence["body"].strip() or None


def _prompt(page: str, language: Language) -> str:
    return named_block(page, NAMES[language]) or prompt("structured", language)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return ""
