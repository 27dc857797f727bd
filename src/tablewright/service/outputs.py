"""Where a result is written on this machine: beside what is there, never over it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from pathlib import Path

from tablewright.errors import OutputRefused, StorageFull

SUFFIXES = (".xlsx", ".xlsm", ".csv", ".json", ".parquet")
MACROS = ".xlsm"
"""A workbook of this ending holds macros, and programs refuse one that has the ending and no macros, or the reverse."""


def check_kind(place: str) -> None:
    """Refuse a name that is of no kind that can be written."""
    if not place.lower().endswith(SUFFIXES) or Path(place).name.lower() in SUFFIXES:
        raise OutputRefused("output_kind", path=place, field="output_path")


def check_macros(place: str, source: str) -> None:
    """Refuse to write a changed copy of the file called `source` under an ending that does not say whether it has macros."""
    wanted, held = (name.lower().endswith(MACROS) for name in (place, source))
    if wanted != held:
        raise OutputRefused("output_macros" if held else "output_no_macros", path=place, field="output_path")


def check_target(place: str, inputs: Iterable[Path | None]) -> Path:
    """Return where to write; refuses an input in any spelling, a file that exists, a folder that does not."""
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
    """Write `content` to a file that does not exist yet; one that cannot be written whole is not left behind."""
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
    with suppress(OSError):
        return target.resolve() == other.resolve() or target.samefile(other)
    return False
