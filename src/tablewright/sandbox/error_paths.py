"""The paths in what code says of its errors, without where this machine keeps its libraries."""

from __future__ import annotations

import re

_LIBRARIES = re.compile(r"(?:~|(?<![\w.~]))/[^\s\"'<>]*/(?:site-packages|dist-packages|lib(?:64)?/python3(?:\.\d+)?)/")
"""The folder of a library, up to the name of its package; a path may lie in several, one within another."""


def without_libraries(said: str) -> str:
    """Return a message or traceback in which files of libraries begin with the package: `pandas/core/frame.py`.

    Who reads it, a person or a model, can do nothing about where they lie, and it is none of their business.
    """
    return _LIBRARIES.sub("", said)
