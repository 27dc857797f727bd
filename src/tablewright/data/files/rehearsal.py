"""What a reader does once, with its first file, done before there is one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tablewright.data.files.profiler import profile

NAME = "rehearsal.csv"
ROWS = 20
LINES = ["amount,day,word", *(f'"{at},{at:03}.5",2024-{at % 12 + 1:02}-{at:02},word {at % 3}' for at in range(1, ROWS))]


def rehearse() -> None:
    """Profile a small table of numbers, days and words: patterns are compiled, and what writes the answer is made.

    Where no file can be written, the first file does it.
    """
    with suppress(OSError), TemporaryDirectory() as folder:
        table = Path(folder, NAME)
        table.write_text("\n".join(LINES), encoding="utf-8")
        profile(table, name=NAME)
