"""The cells of suites' tables, as the generated code loads them: by pandas in the sandbox's environment, once, kept on
disk."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tablewright.analyst.evaluating.memory import StoredTable
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.loading import load_lines

SANDBOX = Path(__file__).resolve().parents[2] / ".venv-sandbox" / "bin" / "python"
_LOADER = """
import json, sys
import pandas as pd
def cell(value):
    if value is None or value is pd.NaT or (isinstance(value, float) and value != value):
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat(" ") if hasattr(value, "hour") and hasattr(value, "year") else value.isoformat()
    if hasattr(value, "item"):
        return value.item()
    return value if isinstance(value, (str, int, float, bool)) else str(value)
for line in sys.stdin:
    job = json.loads(line)
    space = {"pd": pd, "json": json}
    try:
        exec(job["code"], space)
        df = space["df"]
        found = [[cell(value) for value in df.iloc[:, place].tolist()] for place in range(df.shape[1])]
    except Exception as error:
        found = None
    with open(job["out"], "w", encoding="utf-8") as out:
        json.dump(found, out)
"""


def load_all(tables: Sequence[tuple[DatasetFacts, Path]], cache: Path) -> None:
    """Load the cells of these tables that are not kept yet."""
    jobs = [
        json.dumps(
            {"code": "\n".join(load_lines(replace(facts, path=str(path)))), "out": str(_kept(facts, path, cache))}
        )
        for facts, path in tables
        if not _kept(facts, path, cache).exists()
    ]
    if jobs:
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run([SANDBOX, "-W", "ignore", "-c", _LOADER], input="\n".join(jobs), text=True, check=True)


def cells_of(facts: DatasetFacts, path: Path, cache: Path) -> StoredTable | None:
    """Return the kept cells of a table, or None if it could not be loaded."""
    kept = _kept(facts, path, cache)
    columns = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else None
    return None if columns is None else StoredTable(columns=tuple(tuple(column) for column in columns))


def _kept(facts: DatasetFacts, path: Path, cache: Path) -> Path:
    key = hashlib.sha256(f"{path} {facts.read}".encode()).hexdigest()[:24]
    return cache / f"{key}.cells"
