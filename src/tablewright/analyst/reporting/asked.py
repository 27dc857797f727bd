"""The question that a report was asked with: it is computed too, and answered before what the report finds by itself.

Words that are not read to the last one ("what matters to you") only choose tables and columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tablewright.analyst import grammar
from tablewright.analyst.answering import conclude
from tablewright.analyst.base import Understanding, Understood, Unsure
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.plan import Part, Plan, Procedure
from tablewright.analyst.reporting import tables
from tablewright.analyst.reporting.finding import FindingTable
from tablewright.analyst.reporting.outcomes import printed_by
from tablewright.analyst.reporting.wording import Markdown, said, whole
from tablewright.analyst.writing import write_steps
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.task import StepFacts, StructuredRound
from tablewright.texts.catalogue import text

MOST = 3
"""So many parts of a question, or readings of one that is not sure, are computed."""
LOOKED = 50
"""So many readings are looked through for those that leave no word out."""
ROWS, COLUMNS = 20, 8
"""What is shown of a result."""
_IMPLIED = "implied"
"""Part of the names of features that say of a reading that no word asked for something in it."""
_LOOKS = frozenset({"describe"})
"""Procedures that look at a whole table, as every report does."""

_PRINT = f"""
import json

# {{say_print}}
found = pd.DataFrame({{{{"result": [result]}}}}) if pd.api.types.is_scalar(result) else pd.DataFrame(result)
seen = found.iloc[:{ROWS}, :{COLUMNS}].astype(object)
cells = seen.where(seen.notna(), None).to_numpy().tolist()
answer = {{{{"tests": 0, "columns": [str(name) for name in seen], "rows": cells, "total": len(found)}}}}
print(json.dumps(answer, default=lambda cell: str(cell).removesuffix(" 00:00:00"), ensure_ascii=False))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is computed for the question: `id` is that of the call, `reading` says how the question was read where
    that is not sure."""

    id: str
    plan: Plan
    reading: str = ""


async def asked_of(
    task: StructuredRound, understanding: Understanding | None, values: ValueLookup
) -> tuple[Asked, ...]:
    """Return what is computed for the question of `task`; nothing if it is not read, or if tables are not whole."""
    if any(facts.table is not None and not facts.table.complete for facts in task.datasets):
        return ()
    match understanding:
        case Understood(plan=plan):
            plans = [(single, "") for single in _parts(plan)]
        case Unsure(readings=readings):
            whole_ones = await _read_whole(task, values)
            plans = [
                (single, reading.text)
                for reading in readings
                if reading.plan.parts in whole_ones
                for single in _parts(reading.plan)
            ]
        case _:
            plans = []
    return tuple(
        Asked(id=f"question-{place}", plan=plan, reading=reading)
        for place, (plan, reading) in enumerate(plans[:MOST], 1)
    )


async def _read_whole(task: StructuredRound, values: ValueLookup) -> list[tuple[Part, ...]]:
    """Return the readings of a question that leave no word of it out: others are not what was asked, but a wish."""
    found = await grammar.readings(
        task.question, task.language, task.datasets, values, task.history, task.relations, most=LOOKED
    )
    return [reading.plan.parts for reading in found if not reading.unread and not _made_up(reading)]


def _made_up(reading: GrammarReading) -> bool:
    """Return whether no word says what a reading computes: it names no column, and its measure or list is implied."""
    return not reading.named and any(_IMPLIED in name.split(":") for name, value in reading.features.items() if value)


def code(asked: Asked, datasets: Sequence[DatasetFacts], language: Language) -> str:
    """Return the code that computes an answer and prints it as its last line."""
    steps = write_steps(asked.plan, datasets, language)
    lines = [line for step in steps for line in (f"# {step.name}", *step.lines)]
    return "\n".join(lines) + _PRINT.format(say_print=text("report.code.question", language))


def answered(asked: Sequence[Asked], task: StructuredRound) -> list[str]:
    """Return the part of the report that answers the question, in markdown; nothing where no call gave a result."""
    found = [(one, result) for one in asked if (result := _result(one, task)) is not None]
    if not found:
        return []
    language = task.language
    parts = [f"## {said('report.question', language)}", whole(task.question)]
    if len({one.reading for one, _ in found}) > 1:
        parts.append(said("report.question_unsure", language))
    for one, result in found:
        step = StepFacts(name=one.id, code="", result=result)
        words = whole(conclude(one.plan, (step,), language, task.datasets))
        source = said("report.source", language, step=Markdown(f"`{one.id}`"))
        head = f"**{whole(one.reading)}** " if one.reading else ""
        parts.append(f"{head}{words} {source}")
        if result.total_rows > 1 and len(result.columns) > 1:
            parts.append(tables.markdown(FindingTable(columns=result.columns, rows=result.rows)))
    return parts


def _parts(plan: Plan) -> Iterator[Plan]:
    """Yield a plan for each part: a report has its own charts and its own file, says itself what a table holds,
    and has the values of a ranking beside its names."""
    for part in plan.parts:
        if isinstance(part.relation, Procedure) and part.relation.name in _LOOKS:
            continue
        seen = replace(part, relation=part.shown or part.relation, shown=None, drawing=None)
        yield replace(plan, parts=(seen,), tags=(), save_as=None)


def _result(asked: Asked, task: StructuredRound) -> Table | None:
    printed = printed_by(asked.id, task.rounds)
    if printed is None or not printed.get("rows"):
        return None
    rows = tuple(tuple(row) for row in printed["rows"])
    return Table(columns=tuple(printed["columns"]), rows=rows, total_rows=printed["total"])
