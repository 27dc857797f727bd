"""Links in the working folder to the session's inputs: code reads `sales.csv`, `data/sales.csv` and
`/data/shared/sales.csv` alike.

A file that code opens for writing under such a name becomes a file of its own: the input itself cannot be written.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDER = "data"
_WRITING = os.O_WRONLY | os.O_RDWR


class InputLinks:
    """The links of one session; `shared` is the folder of its inputs."""

    def __init__(self, shared: str, work: str) -> None:
        self._shared = shared
        self._work = Path(work)
        self._known: set[str] = set()

    def install(self) -> None:
        """Watch which files are opened in this process."""
        sys.addaudithook(self._opened)

    def make(self) -> None:
        """Link the inputs that are new, where nothing else has their name."""
        for entry in self._inputs():
            if entry.path in self._known:
                continue
            self._known.add(entry.path)
            with suppress(OSError):
                (self._work / entry.name).symlink_to(entry.path)
            with suppress(OSError):
                (self._work / FOLDER).mkdir(exist_ok=True)
                (self._work / FOLDER / entry.name).symlink_to(entry.path)

    def _inputs(self) -> Iterator[os.DirEntry[str]]:
        with suppress(OSError):
            for entry in sorted(os.scandir(self._shared), key=lambda entry: entry.name):
                if entry.is_file(follow_symlinks=False):
                    yield entry
                elif entry.is_dir(follow_symlinks=False):
                    yield from (each for each in os.scandir(entry) if each.is_file(follow_symlinks=False))

    def _opened(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            self._part(arguments[0], arguments[2])

    def _part(self, path: object, flags: int) -> None:
        """Replace a link that is opened for writing by nothing, or by a copy where the content is kept."""
        with suppress(OSError, ValueError, TypeError):
            place = Path(os.fsdecode(path))  # type: ignore[arg-type]  # a descriptor is no path
            target = str(place.readlink())
            if target not in self._known:
                return
            place.unlink()
            if not flags & os.O_TRUNC:
                shutil.copyfile(target, place)
