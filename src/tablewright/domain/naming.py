"""Words and names made fit to be kept."""

from __future__ import annotations

from collections.abc import Container
from pathlib import PurePath


def storable(text: str) -> str:
    """Return `text` without NUL and with lone surrogates replaced: not every database takes those."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def free_name(name: str, taken: Container[str]) -> str:
    """Return `name`, or `name (2)`, `name (3)`, … with its suffix kept: the first that is not `taken`."""
    path, number, free = PurePath(name), 1, name
    while free in taken:
        number += 1
        free = f"{path.stem} ({number}){path.suffix}"
    return free
