"""What is too long to be put out in line, written whole to a file that is handed over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .emitter import Emitter
from .tables import means

FOLDER = "output"
TEXT_CELLS = 1_000_000
"""Up to this many cells are written as CSV, which everybody opens; more as Parquet, which takes a fraction of the time."""


def save(value: Any, name: str, folder: str, emitter: Emitter) -> None:
    """Write a table below the working folder `folder` and put the file out; where that fails, say so and go on."""
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
        # With the mark that spreadsheet programs tell UTF-8 by.
        frame.to_csv(path, index=False, encoding="utf-8-sig")
    else:
        path = folder / f"{name}.parquet"
        frame.columns = [str(column) for column in frame.columns]
        frame.to_parquet(path, index=False)
    return path
