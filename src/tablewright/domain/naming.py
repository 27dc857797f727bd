"""Make texts and file names suitable for storage."""

from __future__ import annotations

from collections.abc import Container
from pathlib import PurePath


def storable(text: str) -> str:
    """Return `text` without NUL and with lone surrogates replaced, since not every database accepts them."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def free_name(name: str, taken: Container[str]) -> str:
    """Return `name`, or the first of `name (2)`, `name (3)`, … (keeping its suffix) that is not `taken`."""
    path, number, free = PurePath(name), 1, name
    while free in taken:
        number += 1
        free = f"{path.stem} ({number}){path.suffix}"
    return free
