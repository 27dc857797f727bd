"""Asks a question about a CSV as the analyst does: profiled, read, written as code, executed, weighed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.integration.analyst.conftest import Interpreter

from tablewright.analyst import grammar
from tablewright.analyst.answering.plausible import flaw_of
from tablewright.analyst.base import NotUnderstood, Understanding, Understood, Unsure
from tablewright.analyst.evaluating.memory import MemoryPlanEvaluator, StoredTable
from tablewright.analyst.plan import Plan
from tablewright.analyst.understanding import understand
from tablewright.analyst.writing import write_code
from tablewright.data.facts.references import with_references
from tablewright.data.facts.relations import compared_columns, relations
from tablewright.data.files.profiler import profile_file
from tablewright.data.files.stored_columns import stored_columns
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
        counts = {
            (facts.id, column.name): dict(zip(known.values, known.counts, strict=True))
            for facts in self._facts
            for column in compared_columns(facts)
            for known in (values[facts.id][column.name],)
        }
        self._facts = list(with_references(self._facts, counts))
        self._stored = {facts.id: StoredTable(columns=stored_columns(Path(facts.path), facts)) for facts in self._facts}
        self._relations = relations(self._facts, counts)
        self._interpreter = interpreter

    def rows(self, question: str) -> list[list[Any]] | str:
        """Return the rows of the answer, or of the only reading that is likely; or that there was none."""
        shown = self.shown(question)
        return shown[0] if shown else DECLINED

    def answer(self, question: str) -> list[list[Any]] | None:
        """Return the rows of an answer that is given without asking back; None if there is none."""
        understood = self._understood(question)
        if not isinstance(understood, Understood):
            return None
        found, result = self._ran(understood.plan, question)
        return None if flaw_of(understood.plan, question, language_of(question), result) else found

    def shown(self, question: str) -> list[list[list[Any]]]:
        """Return the rows of the answer, or of each reading that is offered, the likeliest first."""
        understood = self._understood(question)
        if isinstance(understood, NotUnderstood):
            return []
        if isinstance(understood, Unsure):
            return [self._ran(one.plan, question)[0] for one in understood.readings]
        found, result = self._ran(understood.plan, question)
        return [] if flaw_of(understood.plan, question, language_of(question), result) else [found]

    def parts(self, question: str) -> list[list[list[Any]]] | str:
        """Return the rows that were shown of each part of an answer to several questions, or that there was none."""
        understood = self._understood(question)
        if isinstance(understood, NotUnderstood):
            return DECLINED
        plan = understood.readings[0].plan if isinstance(understood, Unsure) else understood.plan
        ran = self._interpreter.run(write_code(plan, self._facts, language_of(question)))
        return [table["rows"] for table in ran.tables]

    def _understood(self, question: str) -> Understanding:
        evaluator = MemoryPlanEvaluator(self._stored)
        return asyncio.run(
            understand(
                question,
                language_of(question),
                self._facts,
                self._values,
                (),
                self._relations,
                grammar=grammar,
                evaluator=evaluator,
            )
        )

    def _ran(self, plan: Plan, question: str) -> tuple[list[list[Any]], Table]:
        ran = self._interpreter.run(write_code(plan, self._facts, language_of(question)))
        assert ran.result is not None, ran.code
        rows = tuple(tuple(row) for row in ran.rows)
        return ran.rows, Table(columns=tuple(ran.result["columns"]), rows=rows, total_rows=len(rows))
