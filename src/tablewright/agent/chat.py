"""Answers small talk from what is known: Tablewright's abilities, the tables, and questions they could answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item
from tablewright.domain.answer import Answer
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.events import AnswerCompleted, SuggestionsOffered, TextDelta, TextFinished
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

TABLES = 5
COLUMNS = 6
SUGGESTIONS = 3
GROUPS = 50
"""Columns with more distinct values are not suggested for grouping."""


class Chat:
    """An `Agent` for one topic of small talk: `greeting`, `thanks`, or anything else for what it can do.

    It uses no model and runs no code.
    """

    def __init__(self, topic: str) -> None:
        self._topic = topic

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:  # noqa: ARG002
        suggestions = tuple(suggested(given.datasets, given.language))[:SUGGESTIONS]
        words = "\n\n".join(self._paragraphs(given, suggestions))
        yield TextDelta(text=words)
        yield TextFinished(text=words)
        if suggestions:
            yield SuggestionsOffered(questions=suggestions)
        yield AnswerCompleted(answer=Answer(text=words, outcome="completed", suggestions=suggestions))

    def _paragraphs(self, given: AgentInput, suggestions: Sequence[str]) -> Iterator[str]:
        language = given.language
        if self._topic == "thanks":
            yield text("agent.chat_thanks", language)
            return
        if self._topic == "greeting":
            yield text("agent.chat_hello", language)
        yield text("agent.chat_abilities", language)
        if not given.datasets:
            yield text("agent.chat_no_tables", language)
            return
        lines = [
            text("agent.chat_tables", language),
            *(_table(dataset, language) for dataset in given.datasets[:TABLES]),
        ]
        if (left := len(given.datasets) - TABLES) > 0:
            lines.append(text("agent.chat_more_tables", language, count=left))
        yield "\n".join(lines)
        if suggestions:
            yield "\n".join((text("agent.chat_try", language), *(f"- {question}" for question in suggestions)))


def suggested(datasets: Sequence[DatasetFacts], language: Language) -> Iterator[str]:
    """Yield questions that could be asked about the first table."""
    for dataset in datasets[:1]:
        measure = next((column for column in dataset.columns if _is_measure(column)), None)
        group = next((column for column in dataset.columns if _is_group(column)), None)
        if measure is not None and group is not None:
            yield text("agent.try_by", language, measure=measure.name, group=group.name)
        if measure is not None:
            yield text("agent.try_top", language, measure=measure.name)
            yield text("agent.try_total", language, measure=measure.name)
        yield text("agent.try_count", language, table=dataset.name)


def _is_measure(column: ColumnFacts) -> bool:
    names_rows = column.name.strip().lower().endswith(("id", "编号", "序号", "代码", "code", "no", "年", "year"))
    return column.kind in {"number", "integer"} and not names_rows


def _is_group(column: ColumnFacts) -> bool:
    return column.kind == "text" and column.distinct is not None and 2 <= column.distinct <= GROUPS


def _table(dataset: DatasetFacts, language: Language) -> str:
    names = [column.name for column in dataset.columns]
    shown = text("agent.list_comma", language).join(names[:COLUMNS])
    columns = f"{shown} …" if len(names) > COLUMNS else shown
    return text("agent.chat_table", language, name=dataset.name, rows=dataset.rows, count=len(names), columns=columns)
