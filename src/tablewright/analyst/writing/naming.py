"""Variable names in written code, taken from columns and tables whose names have Latin letters."""

from __future__ import annotations

import builtins
import keyword
import re

TAKEN = (
    frozenset({"pd", "np", "tw", "stats", "smf", "sm", "result", "shown", "json"})
    | frozenset(dir(builtins))
    | frozenset(keyword.kwlist)
)
LONGEST = 28


def slug(text: str) -> str:
    """Return `text` as a lower-case part of an identifier; empty if it is not mostly Latin letters or looks like a
    hash."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text)
    words = re.sub(r"[^0-9A-Za-z]+", "_", spaced).strip("_").lower()
    if re.fullmatch(r"(?=.*\d)[0-9a-f]{8,}", words):
        return ""
    letters = sum(char.isalpha() for char in words)
    if letters < max(1, len(words) / 2) or any("㐀" <= char <= "鿿" for char in text):
        return ""
    words = words[:LONGEST].strip("_")
    return f"n_{words}" if words[0].isdigit() else words


class Names:
    """Hands out variable names, each only once."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def fresh(self, *parts: str, otherwise: str) -> str:
        """Return a new name from `parts` (slugs) if none is empty, else from `otherwise`."""
        wanted = "_".join(parts) if parts and all(parts) else otherwise
        wanted = wanted[: LONGEST + 8].strip("_") or otherwise
        name, number = wanted, 1
        while name in self._given or name in TAKEN:
            number += 1
            name = f"{wanted}_{number}"
        self._given.add(name)
        return name
