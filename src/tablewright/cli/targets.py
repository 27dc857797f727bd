"""Where an edited workbook is written: next to its source, or where `--out` says. Nothing is overwritten unasked."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO

from tablewright.cli.exits import WrongUse

MACROS = ".xlsm"
PLAIN = ".xlsx"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The path for the result.

    `source_digest` is the digest of the file to be replaced, None if nothing is replaced.
    """

    path: Path
    source_digest: str | None = None


def target_for(source: Path, out: str | None) -> Target:
    """Return where the result of editing `source` goes.

    Raises `WrongUse` if another file is there or the suffix is wrong.
    """
    suffix = MACROS if source.suffix.lower() == MACROS else PLAIN
    beside = f"{source.stem}-edited{suffix}"
    if out is None:
        return Target(path=_free(source.with_name(beside)))
    path = Path(out)
    if path.is_dir():
        return Target(path=_free(path / beside))
    if path.suffix.lower() != suffix:
        raise WrongUse("cli_out_kind", name=out, suffix=suffix)
    if not path.exists():
        return Target(path=path)
    if not path.samefile(source):
        raise WrongUse("cli_out_exists", name=out)
    return Target(path=path, source_digest=digest(source))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def write(target: Target, content: AsyncIterator[bytes]) -> Path:
    """Write `content` completely or not at all and return its path.

    A source changed meanwhile, or a path taken meanwhile, is left alone, and the result goes next to it.
    """
    with _scratch(target.path) as (file, written):
        async for piece in content:
            file.write(piece)
        file.close()
        return _put(written, target)


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


def _put(written: Path, target: Target) -> Path:
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
