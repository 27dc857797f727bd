"""The answer of a run on a workbook: what was done and changed, the file, and the results of reading steps."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.agent.base import RunWorkbook
from tablewright.agent.code.provenance import provenance
from tablewright.agent.emission import Emit
from tablewright.agent.rounds.findings import ROWS_TOLD
from tablewright.agent.rounds.phrases import round_lines
from tablewright.domain.answer import Answer, NumberSource, Outcome
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import AnswerCompleted, ArtifactCreated, TextDelta, TextFinished
from tablewright.domain.language import Language
from tablewright.domain.rounds.round import Round
from tablewright.domain.rounds.rules import standing_rounds
from tablewright.domain.task import StepFacts
from tablewright.texts.catalogue import text


def say(emit: Emit, words: str, outcome: Outcome = "completed") -> None:
    """Answer with text only."""
    _words(emit, words)
    emit(AnswerCompleted(answer=Answer(text=words, outcome=outcome)))


async def conclude(
    run_workbook: RunWorkbook,
    emit: Emit,
    language: Language,
    *,
    lead: str = "",
    outcome: Outcome = "completed",
    stopped_by: str | None = None,
    brief: bool = False,
    told: str | None = None,
) -> None:
    """Answer with the outcome of the run's rounds, except those undone.

    `lead` precedes the summary, or replaces it if `brief`. Where a model wrote it, `told` is what that model had read:
    a number that is neither there nor in what the rounds found and did is marked as unverified.
    """
    rounds = standing_rounds(await run_workbook.rounds())
    words = lead if brief else _summary(rounds, lead, language)
    found = [result.result for each in rounds for result in each.steps if result.result is not None]
    files: tuple[ArtifactRef, ...] = ()
    if any(each.version is not None for each in rounds):
        files = (await run_workbook.artifact(),)
        emit(ArtifactCreated(artifact=files[0]))
    _words(emit, words)
    answer = Answer(
        text=words,
        outcome=outcome,
        result=found[-1] if found else None,
        table=found[-1] if found else None,
        files=files,
        changes=tuple(changes for each in rounds for changes in each.changes),
        sources=() if told is None else _unverified(lead, rounds, told),
        stopped_by=stopped_by,
    )
    emit(AnswerCompleted(answer=answer))


def _unverified(lead: str, rounds: Sequence[Round], told: str) -> tuple[NumberSource, ...]:
    outputs = {
        f"{each.id} {result.step.step}": StepFacts(
            name=result.step.function,
            code="",
            text=f"{result.cells_changed} {result.step.description} {dict(result.step.parameters)}",
            tables=() if result.result is None else (result.result,),
        )
        for each in rounds
        for result in each.steps
    }
    return tuple(source for source in provenance(lead, outputs, told) if source.step_id is None)


def _summary(rounds: Sequence[Round], lead: str, language: Language) -> str:
    lines = list(round_lines(rounds, language))
    if not lines:
        return lead or text("rounds.nothing", language)
    results = [result.result for each in rounds for result in each.steps if result.result is not None]
    if any(result.total_rows > ROWS_TOLD for result in results):
        lines.append(text("rounds.table_shown", language))
    return "\n".join((lead or text("rounds.done", language), *lines))


def _words(emit: Emit, words: str) -> None:
    emit(TextDelta(text=words))
    emit(TextFinished(text=words))
