"""Builds the answer from the outputs of the steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tablewright.agent.code.provenance import provenance
from tablewright.agent.steps import StepRecord
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.formula_text import guarded_cells
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.texts.catalogue import text


def answer_of(
    words: str,
    records: Sequence[StepRecord],
    *,
    question: str,
    files: Sequence[ArtifactRef] = (),
    stopped_by: str | None = None,
) -> Answer:
    """Return the answer with text `words` for a run whose successful steps are `records`.

    `result` is the last `result` of any step. `table` is the last table shown; if none was shown, `result` when it has
    more than one cell.
    """
    result = _last(table for record in records if (table := record.facts.result) is not None)
    shown = _last(table for record in records for table in record.facts.tables)
    if shown is None and result is not None and len(result.columns) * result.total_rows > 1:
        shown = result
    return Answer(
        text=words,
        outcome="completed",
        result=result,
        table=shown,
        charts=tuple(chart for record in records for chart in record.facts.charts),
        files=tuple(files),
        sources=provenance(words, {record.step.id: record.facts for record in records}, question),
        stopped_by=stopped_by,
    )


def with_guarded(answer: Answer, records: Iterable[StepRecord], language: Language) -> Answer:
    """Return the answer with a last sentence that says how many cells of files got an apostrophe in `records`."""
    count = sum(guarded_cells(record.facts.text) for record in records)
    if not count:
        return answer
    return replace(answer, text=f"{answer.text}\n\n{text('agent.cells_guarded', language, count=count)}")


def _last(tables: Iterable[Table]) -> Table | None:
    return next(reversed(tuple(tables)), None)
