"""The language of a command's output."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.domain.language import Language


def terminal_language(environ: Mapping[str, str]) -> Language:
    """Return the terminal's language as POSIX does, from `LC_ALL`, `LC_MESSAGES` or `LANG`; en by default."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(variable):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
