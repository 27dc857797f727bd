"""The language in which a command speaks."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.domain.language import Language


def terminal_language(environ: Mapping[str, str]) -> Language:
    """Read the terminal's language as POSIX does: `LC_ALL`, else `LC_MESSAGES`, else `LANG`."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(variable):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
