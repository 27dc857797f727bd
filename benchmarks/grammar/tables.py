"""The tables of a suite: their facts from the product's own reader, kept on disk beside their clean cells."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tablewright.data.facts.references import with_references
from tablewright.data.facts.relations import compared_columns, relations
from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.table_facts import TableRelation


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTables:
    """The tables of a case, the distinct values of their columns, and what connects them."""

    datasets: tuple[DatasetFacts, ...]
    known: Mapping[tuple[str, str], DistinctValues]
    relations: tuple[TableRelation, ...]

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return the distinct values of a column: this is a `ValueLookup`."""
        return self.known.get((profile_ref, column))


def suite_cases(folder: Path) -> list[dict[str, Any]]:
    """Return the cases of a suite."""
    return [json.loads(line) for line in (folder / "suite.jsonl").read_text(encoding="utf-8").splitlines()]


def suite_tables(folder: Path, files: Sequence[str], cache: Path) -> SuiteTables:
    """Return the tables of these files of a suite; they are read once and kept in `cache`."""
    datasets: list[DatasetFacts] = []
    known: dict[tuple[str, str], DistinctValues] = {}
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for name in files:
        for facts, values in _profiled(folder / name, cache):
            dataset = replace(facts, id=f"d{len(datasets)}")
            datasets.append(dataset)
            known |= {(facts.profile_ref, column): found for column, found in values.items()}
            for column in compared_columns(dataset):
                if column.name in values and values[column.name].complete:
                    found = values[column.name]
                    counts[dataset.id, column.name] = dict(zip(found.values, found.counts, strict=True))
    told = with_references(datasets, counts)
    return SuiteTables(datasets=told, known=known, relations=relations(told, counts))


def _profiled(path: Path, cache: Path) -> list[tuple[DatasetFacts, dict[str, DistinctValues]]]:
    key = hashlib.sha256(str(path).encode()).hexdigest()[:24]
    kept = cache / f"{key}.facts"
    if kept.exists():
        known: list[tuple[DatasetFacts, dict[str, DistinctValues]]] = pickle.loads(kept.read_bytes())
        return known
    found = [(one.facts, one.values) for one in profile_file(path, path.name).datasets]
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(found))
    return found
