"""Questions that a report recommends: about what it found, read by the analyst itself, and tried before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.analyst import grammar
from tablewright.analyst.answering.plausible import flaw_of
from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_walk import sources
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.suggesting import suggestions
from tablewright.analyst.writing import write_steps
from tablewright.analyst.writing.literals import quoted
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.table_facts import TableRelation
from tablewright.texts.catalogue import text

CALL = "questions-1"
"""The id of the call that tries the questions."""
TRIED = 8
"""So many are tried, since some may give nothing, and some are not read for sure when they are asked."""
LOOKED = 3
"""So many readings of a question are looked through for one that leaves no word out."""
TRIED_S = 20
"""No further question is begun after so many seconds."""
ROWS, COLUMNS, CHARS = 6, 8, 80
"""What is looked at of a result."""

_TRIAL = """\
import json

import pandas as pd

# {say_code}
questions = {{
{questions}
}}


class Silent:
    def __getattr__(self, name):
        return lambda *_, **__: None


def shortened(cell):
    return None if pd.isna(cell) else str(cell)[:{chars}] if isinstance(cell, str) else cell


# {say_tried}
began, tried = pd.Timestamp.now(), {{}}
for question, lines in questions.items():
    if (pd.Timestamp.now() - began).total_seconds() > {seconds}:
        break
    names = {{"tw": Silent(), "print": lambda *_, **__: None}}
    try:
        exec("\\n".join(lines), names)
        found = names["result"]
        found = pd.DataFrame([found]) if pd.api.types.is_scalar(found) else pd.DataFrame(found)
        seen = found.iloc[:{rows}, :{columns}]
        cells = [[shortened(cell) for cell in row] for row in seen.astype(object).to_numpy().tolist()]
        tried[question] = {{"rows": len(found), "columns": [str(name) for name in seen], "cells": cells}}
    except Exception:
        continue
    finally:
        names.clear()
print(json.dumps({{"tests": 0, "questions": tried}}, default=str, ensure_ascii=False))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A question that could be recommended, and how it would be answered."""

    question: str
    plan: Plan


async def candidates(
    findings: Sequence[Finding],
    subjects: Sequence[Subject],
    language: Language,
    values: ValueLookup,
    relations: Sequence[TableRelation] = (),
) -> list[Candidate]:
    """Return questions about the columns of `findings` that are read without a word left out, the best first.

    Of tables that were looked at as one, a question has to be about all of them.
    """
    datasets = [table for subject in subjects for table in subject.material.tables]
    kept: dict[str, Candidate] = {}
    for question in _wordings(findings, subjects, language):
        if len(kept) == TRIED:
            break
        if question not in kept:
            readings = await grammar.readings(question, language, datasets, values, relations=relations, most=LOOKED)
            whole = next((reading for reading in readings if not reading.unread), None)
            if whole is not None and _of_wholes(whole.plan, subjects):
                kept[question] = Candidate(question=question, plan=whole.plan)
    return list(kept.values())


def _of_wholes(plan: Plan, subjects: Sequence[Subject]) -> bool:
    """Return whether a plan reads no table without those with which it was looked at as one."""
    read = set(sources(plan))
    return all(subject.material.ids <= read or not subject.material.ids & read for subject in subjects)


def trial(wanted: Sequence[Candidate], datasets: Sequence[DatasetFacts], language: Language) -> str:
    """Return code that answers the questions, one after the other, and prints what came out as its last line."""
    return _TRIAL.format(
        questions="\n".join(_entry(each, datasets, language) for each in wanted),
        say_code=text("report.code.questions", language),
        say_tried=text("report.code.tried", language),
        seconds=TRIED_S,
        rows=ROWS,
        columns=COLUMNS,
        chars=CHARS,
    )


def offered(wanted: Sequence[Candidate], printed: dict[str, Any] | None, language: Language) -> list[str]:
    """Return the questions that may be recommended: of these the trial printed a result that can be the answer."""
    tried: dict[str, Any] = (printed or {}).get("questions", {})
    return [each.question for each in wanted if _answered(each, tried.get(each.question), language)]


def _entry(wanted: Candidate, datasets: Sequence[DatasetFacts], language: Language) -> str:
    steps = write_steps(wanted.plan, datasets, language)
    lines = "\n".join(f"        {quoted(line)}," for step in steps for line in step.lines)
    return f"    {quoted(wanted.question)}: [\n{lines}\n    ],"


def _answered(wanted: Candidate, found: dict[str, Any] | None, language: Language) -> bool:
    """Whether a result has a value, and could be the answer."""
    if found is None or not any(cell is not None for row in found["cells"] for cell in row):
        return False
    rows = tuple(tuple(row) for row in found["cells"])
    result = Table(columns=tuple(found["columns"]), rows=rows, total_rows=found["rows"])
    return flaw_of(wanted.plan, wanted.question, language, result) is None


def _wordings(findings: Sequence[Finding], subjects: Sequence[Subject], language: Language) -> Iterator[str]:
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
