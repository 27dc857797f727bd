"""Questions that a report recommends: about what it found, and only such as the analyst itself understands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.analyst.base import Understood
from tablewright.analyst.reading import read
from tablewright.analyst.reading.suggesting import suggestions
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.subject import Subject
from tablewright.data.base import ValueLookup
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

MOST = 4


async def recommended(
    findings: Sequence[Finding], subjects: Sequence[Subject], language: Language, values: ValueLookup
) -> list[str]:
    """Return up to four questions about the columns of `findings`, each of which the reader understands."""
    datasets = [subject.facts for subject in subjects]
    kept: list[str] = []
    for question in _candidates(findings, subjects, language):
        if len(kept) == MOST:
            break
        if question not in kept and isinstance(await read(question, language, datasets, values), Understood):
            kept.append(question)
    return kept


def _candidates(findings: Sequence[Finding], subjects: Sequence[Subject], language: Language) -> Iterator[str]:
    sums = {name for subject in subjects for name in subject.sums}
    for finding in findings:
        match finding.kind, finding.columns:
            case "group" | "dominant" | "leaders", (group, measure):
                kind = "sum" if measure in sums else "mean"
                yield text(f"suggest.{kind}_by_group", language, measure=measure, group=group)
            case "dominant", (group,):
                yield text("suggest.count_by_group", language, group=group)
            case "correlation", (one, other, *_):
                yield text("report.ask.correlation", language, a=one, b=other)
            case "trend" | "break" | "season", (measure,) if measure in sums:
                yield text("suggest.by_month", language, measure=measure)
            case "outlier" | "unit", (measure,):
                yield text("suggest.highest", language, measure=measure)
            case _:
                pass
    said = [name for finding in findings for name in finding.columns]
    yield from suggestions(language, [subject.facts for subject in subjects], said)
