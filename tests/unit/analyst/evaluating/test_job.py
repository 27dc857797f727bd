"""What a child process keeps of the tables whose plans it executes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewright.analyst.evaluating import job
from tablewright.analyst.evaluating.conformance import TOTALS, facts, plan
from tablewright.analyst.plan_codec import plan_to_python
from tablewright.domain.codec import to_python
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Cell

READ: list[str] = []


def counted(path: Path, dataset: DatasetFacts) -> tuple[tuple[Cell, ...], ...]:
    """Give the cells of a table, and remember that it was read."""
    READ.append(path.name)
    return tuple(tuple(range(dataset.rows)) for _ in dataset.columns)


def evaluate(name: str) -> None:
    given = {
        "name": name,
        "reader": f"{__name__}:counted",
        "tables": [(f"/kept/{name}", to_python(DatasetFacts, facts()))],
        "plans": [plan_to_python(plan(TOTALS))],
        "most_rows": 5,
        "language": "en",
        "within_s": 10.0,
    }
    job.execute(Path(name), **given)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    READ.clear()
    job._kept.clear()
    yield
    job._kept.clear()


def test_the_table_used_last_stays_however_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "KEPT_CELLS", 1)
    for _ in range(3):
        evaluate("large.csv")
    assert READ == ["large.csv"]
    assert [table.converted for table in job._kept.values()] == [{}]


def test_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "KEPT_CELLS", 1)
    for name in ("a.csv", "b.csv", "a.csv"):
        evaluate(name)
    assert READ == ["a.csv", "b.csv", "a.csv"]


def test_several_stay_while_there_is_room() -> None:
    for name in ("a.csv", "b.csv", "a.csv", "b.csv"):
        evaluate(name)
    assert READ == ["a.csv", "b.csv"]
