"""Keeps the code of the methods that dataclasses are given, as Python keeps that of modules.

`dataclasses` writes the methods of a class as text and compiles them whenever the class's module is imported. For the
hundreds of classes that a question needs, this takes a third of the time of all imports. Here what was compiled before
is found by its text, in a file beside the bytecode of this module: whoever can write there can change the program.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import marshal
import os
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

PLACE = Path(importlib.util.cache_from_source(__file__)).with_suffix(".methods")
"""Where the code is kept: by version of Python, and wherever bytecode is told to be kept."""
MOST = 20_000
"""So many methods are kept; of more, which several versions of the program left, those of the present one."""
HOOK = "exec"
"""What `dataclasses` compiles text with: the built-in function, unless its module has one of this name."""


class MethodCode:
    """The methods kept at `place`, for the classes made from `reuse` to `end`."""

    def __init__(self, place: Path = PLACE) -> None:
        self._place = place
        self._kept: dict[str, bytes] | None = None
        self._new: dict[str, bytes] = {}

    @property
    def compiled(self) -> int:
        """How many methods had to be compiled."""
        return len(self._new)

    def reuse(self) -> None:
        """Look up the methods of the classes that are made from now on; the first of them reads the file."""
        vars(dataclasses)[HOOK] = self._execute

    def end(self) -> None:
        """Keep what had to be compiled, and look up no more. Idempotent; nothing is kept where bytecode is not."""
        vars(dataclasses).pop(HOOK, None)
        if self._new and not sys.dont_write_bytecode:
            kept = _read(self._place) | self._new  # another process may have kept some meanwhile
            _write(self._place, kept if len(kept) <= MOST else self._new)
        self._kept, self._new = None, {}

    def _execute(self, source: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        if self._kept is None:
            self._kept = _read(self._place)
        if (kept := self._kept.get(source)) is None:
            code = compile(source, "<string>", "exec", dont_inherit=True)
            self._new[source] = marshal.dumps(code)
        else:
            code = marshal.loads(kept)  # noqa: S302 - as trusted as bytecode
        exec(code, names, made)  # noqa: S102 - what `dataclasses` wrote


def _head(body: bytes | memoryview) -> bytes:
    """Return what is written before the code: a file that was not written whole, or by another Python, differs."""
    return importlib.util.MAGIC_NUMBER + zlib.crc32(body).to_bytes(4, "big")


def _read(place: Path) -> dict[str, bytes]:
    try:
        content = memoryview(place.read_bytes())
    except OSError:
        return {}
    size = len(_head(b""))
    if content[:size] != _head(content[size:]):
        return {}
    found: dict[str, bytes] = marshal.loads(content[size:])  # noqa: S302 - as trusted as bytecode
    return found


def _write(place: Path, kept: dict[str, bytes]) -> None:
    """Replace the file at once, so that whoever reads it sees one or the other; where it may not be, do without."""
    body = marshal.dumps(kept)
    unfinished = place.with_name(f"{place.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(_head(body) + body)
        unfinished.replace(place)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()


METHODS = MethodCode()
"""Those of this process."""
