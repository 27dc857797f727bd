"""Save what is too long for inline output as a complete file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .emitter import Emitter
from .formula_text import Guard, changed_text, frame_of
from .tables import means

FOLDER = "output"
TEXT_CELLS = 1_000_000
"""Up to this many cells are written as CSV, which everybody can open; more as Parquet, which is many times faster."""


def save(value: Any, name: str, folder: str, emitter: Emitter) -> None:
    """Write a table to the working folder `folder` and report the file. On failure, print a message and go on."""
    try:
        path, changed = _written(value, Path(folder, FOLDER), name)
    except (OSError, ValueError, TypeError, ImportError, MemoryError) as error:
        emitter.write("stderr", f"{name} is shown in part, and could not be written whole: {error}\n")
        return
    if changed:
        emitter.write("stdout", f"{path.name}: {changed_text(changed)}")
    emitter.file(f"{FOLDER}/{path.name}")


def _written(value: Any, folder: Path, name: str) -> tuple[Path, int]:
    """Return the path of the file, and how many of its texts were guarded."""
    import pandas

    for convert in ("collect", "to_pandas", "df"):
        if hasattr(type(value), convert):
            value = getattr(value, convert)()
    frame = frame_of(value)
    if means(frame.index, pandas):
        frame = frame.reset_index()
    folder.mkdir(exist_ok=True)
    if frame.size <= TEXT_CELLS:
        path = folder / f"{name}.csv"
        guard = Guard()
        # With a byte order mark, by which spreadsheet programs recognize UTF-8.
        guard.frame(frame).to_csv(path, index=False, encoding="utf-8-sig")
    else:
        path = folder / f"{name}.parquet"
        frame.columns = [str(column) for column in frame.columns]
        frame.to_parquet(path, index=False)
        return path, 0
    return path, guard.changed
