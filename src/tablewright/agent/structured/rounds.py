"""The loop: the model answers, its calls are made, and it answers again, until it reports."""

from __future__ import annotations

from dataclasses import replace

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.provenance import provenance
from tablewright.agent.emission import Emit, Item
from tablewright.agent.structured.asking import Asking
from tablewright.agent.structured.budget import Limit, RoundBudget, Spent, round_budget
from tablewright.agent.structured.calls import RoundCalls
from tablewright.agent.structured.citations import by_citation
from tablewright.agent.structured.databases import database_facts
from tablewright.agent.structured.links import ReportLinks
from tablewright.agent.structured.named_numbers import outside_names
from tablewright.agent.structured.record import RunRecord
from tablewright.agent.structured.report_stream import CodeHeldBack, ReportStream
from tablewright.agent.structured.rules import StructuredRules
from tablewright.agent.structured.saved_code import CodeTaken
from tablewright.agent.structured.session import RunSessions
from tablewright.agent.structured.statements import statements_of
from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.database import DatabaseFacts
from tablewright.domain.events import (
    AnswerCompleted,
    ContinueAsked,
    RoundAnswered,
    SuggestionsOffered,
)
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.structured import SUBJECT, StructuredAnswer, is_stepwise
from tablewright.domain.task import StructuredRound, ToolFacts
from tablewright.models.base import BUILTIN
from tablewright.models.structured_system import system_prompts
from tablewright.texts.catalogue import text
from tablewright.tools.base import ToolProvider
from tablewright.tools.query_database import NAME as QUERY
from tablewright.tools.toolset import Toolset


class StructuredRounds:
    """Works on one question. Use an instance only once."""

    def __init__(
        self, given: AgentInput, context: AgentContext, rules: StructuredRules, emit: Emit, tools: ToolProvider | None
    ) -> None:
        self._given = given
        self._context = context
        self._rules = rules
        self._to_log = emit
        self._provider = tools
        self._record = RunRecord()
        self._record.take_all(event.body for event in given.log)
        self._toolset = Toolset(())
        self._databases: tuple[DatabaseFacts, ...] = ()
        cells = self._record.cells
        self._sessions = RunSessions(context.sandbox, self._emit, lambda: cells)
        self._began = context.clock.monotonic()
        self._shown = ReportStream(
            emit=self._emit,
            open_text=self._record.open_text,
            code=lambda: CodeHeldBack(taken=CodeTaken(run_id=given.run_id, at=given.asked_at, language=given.language)),
        )
        self._asking = Asking(
            model=context.model,
            emit=self._emit,
            shown=self._shown,
            keep=self._keep,
            clean=lambda task: rules.clean.clean(task, model=context.model.name, emit=self._emit),
            prompts=system_prompts(rules.prompts),
        )

    async def run(self) -> None:
        """Work until there is a report, a person is asked to let it go on, or an error. Sessions are released."""
        if self._rejected():
            words = text("structured.stopped", self._given.language)
            self._emit(AnswerCompleted(answer=replace(self._record.results(), text=words, outcome="declined")))
            return
        try:
            if self._provider is not None:
                tools = await self._provider.tools()
                self._toolset = Toolset(tools, language=self._given.language, timeout_s=self._rules.call_timeout_s)
            if any(spec.name == QUERY for spec in self._toolset.specs):
                asked = self._given
                self._databases = await database_facts(self._context.databases, asked.question, asked.language)
            while await self._round():
                continue
        finally:
            await self._toolset.close()
            await self._sessions.close()

    async def _round(self) -> bool:
        """Take one round; return whether another follows now."""
        record = self._record
        if record.pending is None and self._pauses():
            self._pause()
            return False
        forced_by: Limit | None = None
        if record.pending is None:
            budget = self._budget()
            forced_by = budget.forced_by
            answer = await self._asking.answer(self._task(budget), taken=record.call_ids)
            self._emit(RoundAnswered(answer=await self._links().kept(answer)))
        answered = record.pending
        assert answered is not None
        if answered.report is not None:
            await self._report(answered, forced_by)
            return False
        await self._calls().make(record.left)
        return True

    def _task(self, budget: RoundBudget) -> StructuredRound:
        given = self._given
        return StructuredRound(
            question=given.question,
            language=given.language,
            datasets=given.datasets,
            relations=given.relations,
            history=given.history,
            round=self._record.number,
            max_rounds=budget.last_round,
            tools=tuple(
                ToolFacts(name=spec.name, description=spec.description, parameters=spec.parameters)
                for spec in self._toolset.specs
            ),
            rounds=tuple(self._record.rounds),
            databases=self._databases,
            database_tokens=self._rules.database_tokens,
        )

    def _budget(self) -> RoundBudget:
        elapsed_s = self._given.worked_s + self._context.clock.monotonic() - self._began
        spent = Spent(tokens=self._record.tokens, last_tokens=self._record.last_tokens, elapsed_s=elapsed_s)
        rules = self._rules
        return round_budget(
            self._record.number, spent, self._given.limits, time_share=rules.time_share, calls_kept=rules.calls_kept
        )

    def _calls(self) -> RoundCalls:
        return RoundCalls(
            toolset=self._toolset,
            context=self._context.for_tools(self._given, self._sessions),
            emit=self._emit,
        )

    def _links(self) -> ReportLinks:
        return ReportLinks(
            made=tuple(self._record.files),
            context=self._context.for_tools(self._given, self._sessions),
            emit=self._emit,
            ran=bool(self._record.code_records()),
        )

    async def _report(self, answered: StructuredAnswer, forced_by: Limit | None) -> None:
        done = await self._rules.finish.finish(answered, self._given, self._context, self._emit)
        words = done.report or ""
        self._shown.finish(words)
        if done.recommended_questions:
            self._emit(SuggestionsOffered(questions=done.recommended_questions))
        answer: Answer = replace(
            self._record.results(),
            text=words,
            suggestions=done.recommended_questions,
            sources=self._sources(words),
            stopped_by=forced_by,
        )
        self._emit(AnswerCompleted(answer=answer))

    def _sources(self, report: str) -> tuple[NumberSource, ...]:
        outputs = {record.step.id: record.facts for record in self._record.records()}
        found = provenance(statements_of(report), outputs, self._given.question)
        sources = outside_names(report, found, self._given.datasets)
        if self._context.model.name != BUILTIN:
            return sources
        # A program invents nothing: besides outputs it names the levels that it judged them by, and how many tests.
        cited = by_citation(report, sources, self._record.steps_of_calls)
        return tuple(source for source in cited if source.step_id is not None)

    def _pauses(self) -> bool:
        """Whether a person is to be asked before the next round: once after every round of calls."""
        decision = self._record.decision
        stepwise = is_stepwise(self._given.transcript) and self._given.approvals == "ask"
        if decision is not None and decision.values is not None:
            stepwise = bool(decision.values.get("step", stepwise))
        return stepwise and len(self._record.rounds) > self._record.paused

    def _pause(self) -> None:
        number = len(self._record.rounds)
        self._emit(
            ContinueAsked(
                request_id=self._context.ids.new(),
                prompt=text("structured.continue", self._given.language, round=number),
                subject_kind=SUBJECT,
                subject_ref=str(number),
            )
        )

    def _rejected(self) -> bool:
        decisions = [request.answer for request in self._given.answered if request.kind == "continue"]
        return any(decision is not None and decision.decision == "reject" for decision in decisions)

    def _keep(self, message: Message, scope: str) -> None:
        self._to_log(TranscriptEntry(message=message, scope=scope))

    def _emit(self, item: Item) -> None:
        if not isinstance(item, TranscriptEntry):
            self._record.take(item)
        self._to_log(item)
