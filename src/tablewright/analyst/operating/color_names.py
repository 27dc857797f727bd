"""Names of colours for sentences: of those that are asked for by name."""

from __future__ import annotations

from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

_NAMED = frozenset({
    "FF0000", "FFFF00", "92D050", "5B9BD5", "FFC000", "FFC0CB", "B381D9", "BFBFBF", "FFC7CE", "FFF2CC", "E2EFDA",
    "DDEBF7", "1F3864", "C00000", "375623", "FFFFFF", "000000", "FCE4D6", "EDEDED",
})  # fmt: skip


def color_name(color: str, language: Language) -> str:
    """Return the name of a colour that has one here, and what it was called otherwise."""
    code = color.removeprefix("#").upper()
    return text(f"operating.color.{code}", language) if code in _NAMED else color
