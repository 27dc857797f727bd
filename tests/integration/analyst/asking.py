"""Asks a question about a CSV as the analyst does: profiled, read, written as code, executed, weighed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.integration.analyst.conftest import Interpreter

from tablewright.analyst.answering.plausible import flaw_of
from tablewright.analyst.base import NotUnderstood
from tablewright.analyst.reading import read
from tablewright.analyst.writing import write_code
from tablewright.data.facts.relations import compared_columns, relations
from tablewright.data.files.profiler import profile_file
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import language_of
from tablewright.domain.table import Table

DECLINED = "declined"


class _Values:
    def __init__(self, values: dict[str, dict[str, DistinctValues]]) -> None:
        self._values = values

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        return self._values.get(profile_ref, {}).get(column)


class Asked:
    """CSVs, with an interpreter that runs the code of their answers."""

    def __init__(self, interpreter: Interpreter, path: Path, text: str, *further: tuple[Path, str]) -> None:
        values: dict[str, dict[str, DistinctValues]] = {}
        self._facts: list[DatasetFacts] = []
        for place, (file, content) in enumerate(((path, text), *further), start=1):
            file.write_text(content, encoding="utf-8")
            profile = profile_file(file, file.name).datasets[0]
            self._facts.append(replace(profile.facts, id=str(place), path=str(file), profile_ref=str(place)))
            values[str(place)] = dict(profile.values)
        self._values = _Values(values)
        self._relations = relations(
            self._facts,
            {
                (facts.id, column.name): frozenset(values[facts.id][column.name].values)
                for facts in self._facts
                for column in compared_columns(facts)
            },
        )
        self._interpreter = interpreter

    def rows(self, question: str) -> list[list[Any]] | str:
        """Return the rows of the answer, or that there was none."""
        language = language_of(question)
        reading = asyncio.run(read(question, language, self._facts, self._values, (), self._relations))
        if isinstance(reading, NotUnderstood):
            return DECLINED
        ran = self._interpreter.run(write_code(reading.plan, self._facts, language))
        assert ran.result is not None, ran.code
        rows = [tuple(row) for row in ran.rows]
        result = Table(columns=tuple(ran.result["columns"]), rows=tuple(rows), total_rows=len(rows))
        return DECLINED if flaw_of(reading.plan, question, language, result) else ran.rows

    def parts(self, question: str) -> list[list[list[Any]]] | str:
        """Return the rows that were shown of each part of an answer to several questions, or that there was none."""
        language = language_of(question)
        reading = asyncio.run(read(question, language, self._facts, self._values, (), self._relations))
        if isinstance(reading, NotUnderstood):
            return DECLINED
        ran = self._interpreter.run(write_code(reading.plan, self._facts, language))
        return [table["rows"] for table in ran.tables]
