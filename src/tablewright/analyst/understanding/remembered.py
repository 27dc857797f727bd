"""Understands the questions of tasks, each once: what a person has chosen, or else what the question says."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from tablewright.analyst.apart import Apart
from tablewright.analyst.base import NotUnderstood, Reading, Understanding, Understood
from tablewright.analyst.evaluating.base import PlanEvaluator
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.suggesting import suggestions
from tablewright.analyst.understanding.base import Grammar
from tablewright.analyst.understanding.deciding import MOST_WRONG, Trust
from tablewright.analyst.understanding.offering import chosen
from tablewright.analyst.understanding.understanding import understand
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import Task, TurnFacts

REMEMBERED = 64
"""Number of readings cached, so that the second turn of a run does not read its question again."""

CHARS_READ = 4_000
"""Longest question that is read, in characters: the time that reading takes grows with every word."""


class QuestionReader:
    """Understands questions; what is slow happens in the threads of `apart`, evaluations on the event loop."""

    def __init__(
        self,
        values: ValueLookup,
        apart: Apart,
        *,
        grammar: Grammar,
        evaluator: PlanEvaluator | None = None,
        most_wrong: float = MOST_WRONG,
        trust: Trust | None = None,
    ) -> None:
        self._values = values
        self._apart = apart
        self._grammar = _Apart(grammar, apart)
        self._evaluator = evaluator
        self._most_wrong = most_wrong
        self._trust = trust
        self._known: OrderedDict[object, Understanding] = OrderedDict()

    async def of(self, task: Task) -> Understanding:
        """Return what the task's question is understood as."""
        if (plan := chosen(task.asked)) is not None:
            return Understood(plan=plan, chosen=True)
        if len(task.question) > CHARS_READ:
            hints = suggestions(task.language, task.datasets)
            return NotUnderstood(
                understood=(), reason="analyst.too_long", params={"most": str(CHARS_READ)}, suggestions=hints
            )
        key = (task.question, task.language, task.datasets, task.history, task.relations, task.preferred)
        known = self._known.get(key)
        if known is None:
            self._known[key] = known = await self._understood(task)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return known

    async def _understood(self, task: Task) -> Understanding:
        return await understand(
            task.question,
            task.language,
            task.datasets,
            self._values,
            task.history,
            task.relations,
            grammar=self._grammar,
            evaluator=self._evaluator,
            most_wrong=self._most_wrong,
            trust=self._trust,
            preferred=task.preferred,
        )


class _Apart:
    """A grammar whose readings are made in other threads."""

    def __init__(self, grammar: Grammar, apart: Apart) -> None:
        self._grammar = grammar
        self._apart = apart
        self.executed_features = grammar.executed_features
        self.rescored = grammar.rescored

    async def prescribed(
        self, question: str, language: Language, datasets: Sequence[DatasetFacts], values: ValueLookup
    ) -> Reading | None:
        return await self._apart.do(
            values, lambda values: self._grammar.prescribed(question, language, datasets, values)
        )

    async def readings(
        self,
        question: str,
        language: Language,
        datasets: Sequence[DatasetFacts],
        values: ValueLookup,
        history: Sequence[TurnFacts] = (),
        relations: Sequence[TableRelation] = (),
        *,
        most: int = 50,
    ) -> tuple[GrammarReading, ...]:
        return await self._apart.do(
            values,
            lambda values: self._grammar.readings(question, language, datasets, values, history, relations, most=most),
        )
