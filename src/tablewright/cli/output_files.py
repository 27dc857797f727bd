"""Saves the files of an answer locally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from tablewright.cli.clients.base import Client
from tablewright.domain.artifact import ArtifactRef


async def save_files(service: Client, files: Sequence[ArtifactRef], folder: Path) -> list[Path]:
    """Copy `files` into `folder`, creating it if necessary. Nothing is overwritten: `a.csv`, `a (2).csv`."""
    saved: list[Path] = []
    for file in files:
        path = _place(folder, Path(file.name).name)
        with path.open("wb") as copy:
            async for piece in service.download(file.id):
                copy.write(piece)
        saved.append(path)
    return saved


def _place(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = next(candidate for candidate in _names(folder, name) if not candidate.exists())
    path.touch()
    return path


def _names(folder: Path, name: str) -> Iterator[Path]:
    plain = folder / (name if name not in {"", ".", ".."} else "file")
    yield plain
    for number in count(2):
        yield plain.with_name(f"{plain.stem} ({number}){plain.suffix}")
