"""The operation `preview`: the first rows of a file, in the child process."""

from __future__ import annotations

from pathlib import Path

from tablewright.data.files.profiling import profile_file
from tablewright.domain.codec import to_json
from tablewright.domain.table import Table


def preview(path: Path, *, name: str, sheet: str | int, rows: int) -> bytes:
    """Return the first `rows` of a sheet as the JSON of a `Table`."""
    datasets = profile_file(path, name).datasets
    named = [dataset.facts for dataset in datasets if dataset.facts.read.sheet == sheet]
    facts = named[0] if named else datasets[sheet if isinstance(sheet, int) else 0].facts
    return to_json(Table, Table(columns=facts.sample.columns, rows=facts.sample.rows[:rows], total_rows=facts.rows))
