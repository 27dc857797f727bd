"""Save what is too long for inline output as a complete file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .emitter import Emitter
from .tables import means

FOLDER = "output"
TEXT_CELLS = 1_000_000
"""Up to this many cells are written as CSV, which everybody can open; more as Parquet, which is many times faster."""


def save(value: Any, name: str, folder: str, emitter: Emitter) -> None:
    """Write a table to the working folder `folder` and report the file. On failure, print a message and go on."""
    try:
        path = _written(value, Path(folder, FOLDER), name)
    except (OSError, ValueError, TypeError, ImportError, MemoryError) as error:
        emitter.write("stderr", f"{name} is shown in part, and could not be written whole: {error}\n")
        return
    emitter.file(f"{FOLDER}/{path.name}")


def _written(value: Any, folder: Path, name: str) -> Path:
    import pandas

    for convert in ("collect", "to_pandas", "df"):
        if hasattr(type(value), convert):
            value = getattr(value, convert)()
    if isinstance(value, pandas.Series | pandas.Index):
        value = value.to_frame(name="value" if value.name is None else value.name)
    frame = value if isinstance(value, pandas.DataFrame) else pandas.DataFrame(value)
    if means(frame.index, pandas):
        frame = frame.reset_index()
    folder.mkdir(exist_ok=True)
    if frame.size <= TEXT_CELLS:
        path = folder / f"{name}.csv"
        # With a byte order mark, by which spreadsheet programs recognize UTF-8.
        frame.to_csv(path, index=False, encoding="utf-8-sig")
    else:
        path = folder / f"{name}.parquet"
        frame.columns = [str(column) for column in frame.columns]
        frame.to_parquet(path, index=False)
    return path
