"""Writing results on this machine: new files next to existing ones, never over them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from pathlib import Path, PurePath

from tablewright.errors import OutputRefused, StorageFull

SUFFIXES = (".xlsx", ".xlsm", ".csv", ".json", ".parquet")
MACROS = ".xlsm"
"""A workbook with this suffix contains macros; programs refuse a file whose suffix and content disagree."""


def check_kind(place: str) -> None:
    """Raise `OutputRefused` unless the suffix is one that can be written."""
    if not place.lower().endswith(SUFFIXES) or Path(place).name.lower() in SUFFIXES:
        raise OutputRefused("output_kind", path=place, field="output_path")


def check_macros(place: str, source: str) -> None:
    """Raise `OutputRefused` if `place`, the path for a changed copy of `source`, misstates whether it has macros."""
    wanted, held = (name.lower().endswith(MACROS) for name in (place, source))
    if wanted != held:
        raise OutputRefused("output_macros" if held else "output_no_macros", path=place, field="output_path")


def check_name(place: str, inputs: Iterable[str | None]) -> None:
    """Raise `OutputRefused` if a result that is kept under its name alone would be called like one of its inputs: from
    then on the name would mean the result."""
    name = PurePath(place.replace("\\", "/")).name.casefold()
    if any(known is not None and known.casefold() == name for known in inputs):
        raise OutputRefused("output_named_as_input", path=place, field="output_path")


def check_target(place: str, inputs: Iterable[Path | None]) -> Path:
    """Return the resolved path to write to.

    Raises `OutputRefused` for an input file (in any spelling of its path), an existing file or a missing folder.
    """
    check_kind(place)
    target = Path(place).expanduser()
    target = target.parent.resolve() / target.name
    if any(_same(target, path) for path in inputs if path is not None):
        raise OutputRefused("output_is_input", path=place, field="output_path")
    if target.is_symlink() or target.exists():
        raise OutputRefused("output_exists", path=place, field="output_path")
    if not target.parent.is_dir():
        raise OutputRefused("output_folder", path=place, field="output_path")
    return target


async def write_new(target: Path, content: AsyncIterator[bytes]) -> None:
    """Write `content` to a new file.

    If it cannot be written completely, nothing is left behind. Raises `OutputRefused` or `StorageFull`.
    """
    try:
        file = await asyncio.to_thread(target.open, "xb")
    except FileExistsError as error:
        raise OutputRefused("output_exists", path=str(target), field="output_path") from error
    except OSError as error:
        raise OutputRefused("output_unwritable", path=str(target), field="output_path") from error
    try:
        with file:
            async for piece in content:
                await asyncio.to_thread(file.write, piece)
    except BaseException as error:
        _remove(target)
        if isinstance(error, OSError):
            raise StorageFull(path=str(target.parent)) from error
        raise


def _remove(target: Path) -> None:
    with suppress(OSError):
        target.unlink()


def _same(target: Path, other: Path) -> bool:
    if target.name.casefold() == other.name.casefold() and target.parent == other.parent.resolve():
        return True  # also where the file system could tell them apart: copied to one that cannot, one would be lost
    with suppress(OSError):
        return target.resolve() == other.resolve() or target.samefile(other)
    return False
