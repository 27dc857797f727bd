"""Make texts and file names suitable for storage."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import PurePath


def storable(text: str) -> str:
    """Return `text` without NUL and with lone surrogates replaced, since not every database accepts them."""
    if text.isascii() and "\0" not in text:  # most texts, and pieces of text come by the thousand
        return text
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def free_name(name: str, taken: Container[str]) -> str:
    """Return `name`, or the first of `name (2)`, `name (3)`, … (keeping its suffix) that is not `taken`."""
    path, number, free = PurePath(name), 1, name
    while free in taken:
        number += 1
        free = f"{path.stem} ({number}){path.suffix}"
    return free


def is_name_of(name: str, wanted: str) -> bool:
    """Return whether a file that was to be called `wanted` may be called `name`, as `free_name` makes names."""
    path = PurePath(wanted)
    return name == wanted or re.fullmatch(rf"{re.escape(path.stem)} \(\d+\){re.escape(path.suffix)}", name) is not None
