"""Templates with `{{name}}` in them, filled in one pass: what is filled in is never looked through again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tablewright.domain.message import Origin, TextPart

_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def names_in(template: str) -> frozenset[str]:
    """Return the names that a template has places for."""
    return frozenset(_PLACE.findall(template))


def filled_parts(template: str, values: Mapping[str, tuple[str, Origin]]) -> tuple[TextPart, ...]:
    """Return the template as parts: its own words are the system's, what is filled in keeps its origin.

    Places without a value stay as they are.
    """
    parts: list[TextPart] = []
    words, at = "", 0
    for found in _PLACE.finditer(template):
        if found[1] not in values:
            continue
        words += template[at : found.start()]
        text, origin = values[found[1]]
        if origin == "system":
            words += text
        else:
            parts += [TextPart(text=words, origin="system"), TextPart(text=text, origin=origin)]
            words = ""
        at = found.end()
    parts.append(TextPart(text=words + template[at:], origin="system"))
    return tuple(part for part in parts if part.text)


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return the template as one text."""
    known: dict[str, tuple[str, Origin]] = {name: (text, "system") for name, text in values.items()}
    return "".join(part.text for part in filled_parts(template, known))
