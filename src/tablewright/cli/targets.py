"""Where an edited workbook is written: next to its source, or where `--out` says. Nothing is overwritten unasked."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO

from tablewright.cli.clients.base import Client, Conversion
from tablewright.cli.exits import WrongUse
from tablewright.domain.formats import Format, Shown
from tablewright.domain.formula_text import is_formula_text
from tablewright.domain.rounds.round import Round

MACROS = ".xlsm"
PLAIN = ".xlsx"
CONVERTED: dict[str, Format] = {".csv": "csv", ".ods": "ods"}
"""Formats that the result is converted to, by suffix: values only, as csv one table."""
HIDING = frozenset({"filter_rows", "hide"})
"""Functions that may hide rows, which a text table cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputTarget:
    """The path for the result.

    `source_digest` is the digest of the file to be replaced, None if nothing is replaced. `guard`: texts of csv that
    begin like formulas get an apostrophe.
    """

    path: Path
    source_digest: str | None = None
    guard: bool = True


def target_for(source: Path, out: str | None, *, guard: bool = True) -> OutputTarget:
    """Return where the result of editing `source` goes, and whether texts of csv are guarded.

    Raises `WrongUse` if another file is there or the suffix is wrong.
    """
    suffix = MACROS if source.suffix.lower() == MACROS else PLAIN
    beside = f"{source.stem}-edited{suffix}"
    if out is None:
        return OutputTarget(path=_free(source.with_name(beside)), guard=guard)
    path = Path(out)
    if path.is_dir():
        return OutputTarget(path=_free(path / beside), guard=guard)
    if path.suffix.lower() not in {suffix, *CONVERTED}:
        raise WrongUse("cli_out_kind", name=out, suffix=", ".join((suffix, *CONVERTED)))
    if not path.exists():
        return OutputTarget(path=path, guard=guard)
    if not path.samefile(source):
        raise WrongUse("cli_out_exists", name=out)
    return OutputTarget(path=path, source_digest=digest(source), guard=guard)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def result_of(service: Client, file_id: str, target: OutputTarget, rounds: Sequence[Round]) -> AsyncIterator[bytes]:
    """Yield the edited workbook in the format that the target's name tells."""
    kind = CONVERTED.get(target.path.suffix.lower())
    if kind is None:
        return service.download(file_id)
    sheets = [change.sheet for executed in rounds for change in executed.changes]
    functions = {result.step.function for executed in rounds for result in executed.steps}
    rows: Shown = "visible" if functions & HIDING else "all"
    sheet = sheets[-1] if sheets else None
    return service.download(file_id, Conversion(kind=kind, sheet=sheet, rows=rows, guard=target.guard))


async def write(target: OutputTarget, content: AsyncIterator[bytes]) -> Path:
    """Write `content` completely or not at all and return its path.

    A source changed meanwhile, or a path taken meanwhile, is left alone, and the result goes next to it.
    """
    with _scratch(target.path) as (file, written):
        async for piece in content:
            file.write(piece)
        file.close()
        return _put(written, target)


def guarded_in(written: Path, target: OutputTarget) -> int:
    """Return how many cells of what was written have an apostrophe that keeps them from being read as formulas."""
    if not target.guard or written.suffix.lower() != ".csv":
        return 0
    with written.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        return sum(cell.startswith("'") and is_formula_text(cell[1:]) for row in csv.reader(file) for cell in row)


@contextmanager
def _scratch(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """Open a temporary file next to `path`, which is removed afterwards."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".tablewright-", suffix=path.suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _put(written: Path, target: OutputTarget) -> Path:
    if target.source_digest is not None and target.path.exists() and digest(target.path) == target.source_digest:
        shutil.copymode(target.path, written)
        return written.replace(target.path)
    written.chmod(0o666 & ~_umask())
    place = target.path
    while True:
        try:
            place.hardlink_to(written)
            return place
        except FileExistsError:
            place = _free(target.path)
        except OSError:  # a file system without hard links
            return written.replace(_free(place))


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def _free(path: Path) -> Path:
    """Return `path`, or `path (2)` and so on if it exists."""
    if not path.exists():
        return path
    names = (path.with_name(f"{path.stem} ({number}){path.suffix}") for number in count(2))
    return next(candidate for candidate in names if not candidate.exists())
