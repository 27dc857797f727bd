"""Answers small talk from what is known: Tablewright's abilities, the tables, and questions they could answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item
from tablewright.analyst.suggesting import suggestions
from tablewright.domain.answer import Answer
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.events import AnswerCompleted, SuggestionsOffered, TextDelta, TextFinished
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

TABLES = 5
COLUMNS = 6


class Chat:
    """An `Agent` for one topic of small talk: `greeting`, `thanks`, or anything else for what it can do.

    It uses no model and runs no code.
    """

    def __init__(self, topic: str) -> None:
        self._topic = topic

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:  # noqa: ARG002
        questions = suggestions(given.language, given.datasets)
        words = "\n\n".join(self._paragraphs(given, questions))
        yield TextDelta(text=words)
        yield TextFinished(text=words)
        if questions:
            yield SuggestionsOffered(questions=questions)
        yield AnswerCompleted(answer=Answer(text=words, outcome="completed", suggestions=questions))

    def _paragraphs(self, given: AgentInput, questions: Sequence[str]) -> Iterator[str]:
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
        if questions:
            yield "\n".join((text("agent.chat_try", language), *(f"- {question}" for question in questions)))


def _table(dataset: DatasetFacts, language: Language) -> str:
    names = [column.name for column in dataset.columns]
    shown = text("agent.list_comma", language).join(names[:COLUMNS])
    columns = f"{shown} …" if len(names) > COLUMNS else shown
    return text("agent.chat_table", language, name=dataset.name, rows=dataset.rows, count=len(names), columns=columns)
