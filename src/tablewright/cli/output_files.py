"""Saves the files of an answer locally."""

from __future__ import annotations

import filecmp
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from tablewright.cli.clients.base import Client
from tablewright.domain.artifact import ArtifactRef

_NUMBER = re.compile(r" \(\d+\)$")
"""The number that the service adds to a name which an earlier run has used."""
_WRITTEN_WHEN = "docProps/core.xml"
"""The part of a workbook or document that tells when it was written."""


async def save_files(
    service: Client, files: Sequence[ArtifactRef], folder: Path, *, named: Callable[[str], str] = str
) -> list[Path]:
    """Copy `files` into `folder`, creating it if necessary. Nothing is overwritten: `a.csv`, `a (2).csv`; where a file
    of that name says the same already, it stays and no other is written. `named` is what a file is called there."""
    saved: list[Path] = []
    for file in files:
        path, others = _place(folder, named(Path(file.name).name))
        with path.open("wb") as copy:
            async for piece in service.download(file.id):
                copy.write(piece)
        same = next((other for other in others if other not in saved and _say_the_same(path, other)), None)
        if same is not None:
            path.unlink()
        saved.append(same or path)
    return saved


def names_of_report(target: Path | None) -> Callable[[str], str]:
    """Return what files of a report are called: after the report, if that is written; without the numbers that tell
    apart those of all reports."""
    return partial(_name_beside, "" if target is None else f"{target.stem.removesuffix('.slides')}_")


def _name_beside(report: str, name: str) -> str:
    path = Path(name)
    return f"{report}{_NUMBER.sub('', path.stem)}{path.suffix}"


def _place(folder: Path, name: str) -> tuple[Path, list[Path]]:
    """Return a new empty file, and those that have the name already."""
    folder.mkdir(parents=True, exist_ok=True)
    others: list[Path] = []
    names = _names(folder, name)
    while (path := next(names)).exists():
        others.append(path)
    path.touch()
    return path, others


def _names(folder: Path, name: str) -> Iterator[Path]:
    plain = folder / (name if name not in {"", ".", ".."} else "file")
    yield plain
    for number in count(2):
        yield plain.with_name(f"{plain.stem} ({number}){plain.suffix}")


def _say_the_same(one: Path, other: Path) -> bool:
    """Return whether two files are equal, but for when a workbook was written."""
    if not other.is_file():
        return False
    if filecmp.cmp(one, other, shallow=False):
        return True
    try:
        return _parts(one) == _parts(other)
    except (BadZipFile, OSError):
        return False


def _parts(path: Path) -> dict[str, tuple[int, int]]:
    with ZipFile(path) as archive:
        parts = {part.filename: (part.CRC, part.file_size) for part in archive.infolist()}
    return {name: told for name, told in parts.items() if name != _WRITTEN_WHEN}
