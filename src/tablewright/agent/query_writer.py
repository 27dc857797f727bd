"""The agent that writes statements for a database which only others can read, or the formula that one computes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.control import control_call, declined
from tablewright.agent.emission import Emit, Item, closing, emitted
from tablewright.agent.replies import Replies
from tablewright.domain.answer import Answer
from tablewright.domain.database import Dialect
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.described_tables import DescribedTables, described_tables
from tablewright.domain.events import AnswerCompleted, TextDelta, TextFinished
from tablewright.domain.table import Table
from tablewright.domain.task import WriteQuery
from tablewright.errors import DatabaseFailed, ModelSilent
from tablewright.models.base import ModelRequest, ToolCalled
from tablewright.models.control import DECLINE
from tablewright.models.lenient_json import read_object
from tablewright.models.render import render
from tablewright.texts.catalogue import text
from tablewright.texts.errors import describe

ROUNDS = 2
"""A statement that cannot be used is written anew once."""
MOST = 10
"""The most statements of one answer."""
COLUMNS = ("query", "sql")
Written = Callable[[str, Dialect], str]
"""Makes of a statement what is answered. Raises `DatabaseFailed` if it is not known to read only, or makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meant:
    query: str
    sql: str


class QueryWriter:
    """An `Agent`; the tables are those that open its transcript, else the run's own. Its `result` has the statements
    with their questions.

    A question that the tables cannot answer is declined.
    """

    def __init__(self, written: Written) -> None:
        self._written = written

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: self._work(given, context, emit), context.late)
        async with closing(items):
            async for item in items:
                yield item

    async def _work(self, given: AgentInput, context: AgentContext, emit: Emit) -> None:
        described = described_tables(given.transcript) if given.transcript else DescribedTables(tables=given.datasets)
        problem: DatabaseFailed | None = None
        for _ in range(ROUNDS):
            said = await _asked(given, context, emit, described, problem)
            if isinstance(said, Answer):
                emit(AnswerCompleted(answer=said))
                return
            try:
                found = [(one.query, self._written(one.sql, _dialect(described.tables))) for one in said]
            except DatabaseFailed as error:
                problem = error
                continue
            words = "\n\n".join(f"{query}\n\n```sql\n{sql}\n```" for query, sql in found)
            emit(TextDelta(text=words))
            emit(TextFinished(text=words))
            result = Table(columns=COLUMNS, rows=tuple(found), total_rows=len(found))
            emit(AnswerCompleted(answer=Answer(text=words, outcome="completed", result=result)))
            return
        raise problem or ModelSilent(model=context.model.name)


async def _asked(
    given: AgentInput, context: AgentContext, emit: Emit, described: DescribedTables, problem: DatabaseFailed | None
) -> tuple[_Meant, ...] | Answer:
    """Have the statements written; returns the answer that declines where they are not. Raises `ModelSilent`."""
    calls: list[ToolCalled] = []
    task = WriteQuery(
        question=given.question,
        language=given.language,
        datasets=described.tables,
        notes=described.notes,
        unreadable=None if problem is None else describe(problem, given.language),
    )
    request = ModelRequest(messages=render(task), task=task, purpose="analyze", tool_choice="none")
    said = await Replies(model=context.model, emit=emit, called=calls.append).text(request)
    if (call := control_call(calls)) is not None and call.name == DECLINE:
        return declined(call.arguments, given.language)
    listed = (read_object(said) or {}).get("queries")
    if not isinstance(listed, list):
        raise ModelSilent(model=context.model.name)
    if not listed:
        return Answer(text=text("answer.no_statement", given.language), outcome="declined")
    return tuple(_meant(one, given.question) for one in listed[:MOST])


def _meant(one: Any, question: str) -> _Meant:
    if not isinstance(one, dict):
        return _Meant(query=question, sql=str(one))
    return _Meant(query=str(one.get("query") or question), sql=str(one.get("sql") or ""))


def _dialect(tables: tuple[DatasetFacts, ...]) -> Dialect:
    return next((facts.table.dialect for facts in tables if facts.table is not None), "duckdb")
