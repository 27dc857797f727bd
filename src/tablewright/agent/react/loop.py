"""The loop: the model takes a turn, its calls are made, and it takes another, until it calls nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.control import asked_pairs, control_call, declined, question_or_offer, question_with_answers
from tablewright.agent.code.provenance import provenance
from tablewright.agent.emission import Emit, Item, stored
from tablewright.agent.react.calls import TurnCalls, result_of, usable
from tablewright.agent.react.consents import SortedCalls, sorted_calls
from tablewright.agent.react.control import answered_calls, asked_calls
from tablewright.agent.react.conversation import Conversation
from tablewright.agent.react.digests import digested
from tablewright.agent.react.rules import ToolRules
from tablewright.agent.react.turns import ModelTurns, began_anew
from tablewright.agent.structured.budget import RoundBudget, Spent, round_budget
from tablewright.agent.structured.record import RunRecord
from tablewright.agent.structured.session import RunSessions
from tablewright.domain.answer import NumberSource
from tablewright.domain.events import AnswerCompleted, EventBody
from tablewright.domain.message import Message, ToolCallPart, TranscriptEntry
from tablewright.domain.task import StepFacts, UseTools
from tablewright.errors import ModelSilent
from tablewright.models.base import ToolCalled, ToolSpec
from tablewright.models.control import ASK_USER, DECLINE, control_tools
from tablewright.models.work_prompt import next_step_turn, question_turn
from tablewright.tools.base import ToolProvider
from tablewright.tools.toolset import Toolset

STEPS_OVER = "steps"


class ReactLoop:
    """Works on one question or task. Use an instance only once."""

    def __init__(
        self, given: AgentInput, context: AgentContext, rules: ToolRules, emit: Emit, tools: ToolProvider | None
    ) -> None:
        self._given = given
        self._context = context
        self._rules = rules
        self._to_log = emit
        self._provider = tools
        self._record = RunRecord()
        self._record.take_all(event.body for event in given.log)
        self._said = Conversation(list(given.transcript))
        self._toolset = Toolset(())
        cells = self._record.cells
        self._sessions = RunSessions(context.sandbox, self._emit, lambda: cells)
        self._began = context.clock.monotonic()
        self._silent = 0
        self._turns = ModelTurns(
            model=context.model,
            emit=self._emit,
            counter=rules.counter,
            max_input_tokens=rules.max_input_tokens,
            reply_chars=rules.reply_chars,
            settings=rules.settings,
        )

    async def run(self) -> None:
        """Work until there is an answer, a person is asked something, or an error. Sessions are released."""
        self._take_up()
        try:
            if self._provider is not None:
                tools, limit_s = await self._provider.tools(), self._rules.call_timeout_s
                self._toolset = Toolset(
                    tools,
                    language=self._given.language,
                    timeout_s=limit_s,
                    text_chars=self._rules.result_chars,
                )
            while await self._step():
                continue
        finally:
            await self._toolset.close()
            await self._sessions.close()

    def _take_up(self) -> None:
        """Begin, or go on with what an earlier iteration has left."""
        began_anew(self._emit, str(self._record.open_text))
        if not self._said.messages:
            self._keep(question_turn(self._given.question))
        answers = answered_calls(self._given)
        for call in self._said.pending:
            if call.call_id in answers:
                self._keep(result_of(call, answers[call.call_id]))

    async def _step(self) -> bool:
        """Do what is next; return whether anything follows now."""
        if pending := self._said.pending:
            return await self._act(pending)
        if (words := self._said.conclusion) is not None:
            self._conclude(words)
            return False
        await self._think()
        return True

    async def _think(self) -> None:
        if self._said.messages[-1].role != "user":
            self._keep(next_step_turn(self._given.language))
        last = self._is_last()
        said = await self._turns.take(
            self._task(last=last),
            self._said.messages,
            tools=() if last else self._tools(),
            tool_choice=self._rules.tool_choice,
            purpose="conclude" if last else "analyze",
        )
        said = usable(said, self._said.call_ids, self._context.ids, argument_chars=self._rules.argument_chars)
        if last:
            said = replace(said, parts=tuple(part for part in said.parts if not isinstance(part, ToolCallPart)))
        if not said.text.strip() and not any(isinstance(part, ToolCallPart) for part in said.parts):
            self._silent += 1
            if self._silent > self._rules.silences:
                raise ModelSilent(model=self._context.model.name)
            return
        self._keep(said)

    async def _act(self, pending: tuple[ToolCallPart, ...]) -> bool:
        """Make the calls, those that ask or decline after all others; return whether anything follows now."""
        await stored(self._emit, self._context.stored)
        controls = [call for call in pending if call.name in {ASK_USER, DECLINE}]
        others = [call for call in pending if call not in controls]
        told = sorted_calls(others, self._given, self._toolset, self._context.ids)
        await self._made(told)
        call = control_call([_called(each) for each in controls])
        if call is None or call.name == ASK_USER:
            for request in told.requests:
                self._emit(request)
        if call is None:
            return not told.open
        if call.name == DECLINE:
            self._emit(AnswerCompleted(answer=declined(call.arguments, self._given.language)))
        elif call.call_id not in asked_calls(self._given):
            self._emit(question_or_offer(call, self._given, self._context.ids))
        return False

    async def _made(self, calls: SortedCalls) -> None:
        """Make the calls that may be made, and have those fail that may not."""
        for call, words in calls.refused:
            self._calls().refuse(call, words)
        if calls.free:
            await self._calls().make(calls.free)
        if calls.allowed:
            await replace(self._calls(), allowed=True).make(calls.allowed)

    def _is_last(self) -> bool:
        """Whether what is known must be written now."""
        return self._said.turns + 1 >= self._given.limits.steps or self._budget().forced_by is not None

    def _budget(self) -> RoundBudget:
        elapsed_s = self._given.worked_s + self._context.clock.monotonic() - self._began
        spent = Spent(tokens=self._record.tokens, last_tokens=self._record.last_tokens, elapsed_s=elapsed_s)
        rules = self._rules
        return round_budget(
            self._said.turns + 1, spent, self._given.limits, time_share=rules.time_share, calls_kept=rules.calls_kept
        )

    def _task(self, *, last: bool) -> UseTools:
        given, pairs = self._given, asked_pairs(self._said.messages)
        offers = [pair for pair in pairs if pair.readings]
        question = question_with_answers(given.question, offers)
        return UseTools(
            question=question,
            language=given.language,
            datasets=given.datasets,
            history=given.history,
            progress=tuple(record.facts for record in self._record.code_records()),
            asked=pairs,
            relations=given.relations,
            notes=given.notes,
            preferred=given.preferred if question == given.question else None,
            today=given.asked_at.date().isoformat(),
            files=tuple(dict.fromkeys(each.name for each in given.inputs)),
            brief=self._rules.brief,
            part=self._rules.part,
            last=last,
        )

    def _tools(self) -> tuple[ToolSpec, ...]:
        return (*self._toolset.specs, *control_tools(self._given.language))

    def _calls(self) -> TurnCalls:
        return TurnCalls(
            toolset=self._toolset,
            context=self._context.for_tools(self._given, self._sessions),
            rules=self._rules,
            emit=self._emit,
            keep=self._keep,
            digest=self._digest,
        )

    async def _digest(self, text: str, emit: Callable[[EventBody], None]) -> str:
        given, model = self._given, self._context.model
        return await digested(text, given.question, given.language, model, self._rules, emit)

    def _conclude(self, words: str) -> None:
        limit = self._budget().forced_by
        stopped_by = limit or (STEPS_OVER if self._said.turns >= self._given.limits.steps else None)
        answer = replace(
            self._record.results(), text=words.strip(), sources=self._sources(words.strip()), stopped_by=stopped_by
        )
        self._emit(AnswerCompleted(answer=answer))

    def _sources(self, words: str) -> tuple[NumberSource, ...]:
        outputs: dict[str, StepFacts] = {record.step.id: record.facts for record in self._record.code_records()}
        for call_id, outcome in self._record.outcomes.items():
            if not outcome.failed:
                outputs.setdefault(call_id, StepFacts(name=call_id, code="", text=outcome.text))
        return provenance(words, outputs, self._given.question)

    def _keep(self, message: Message) -> None:
        self._said.messages.append(message)
        self._to_log(TranscriptEntry(message=message))

    def _emit(self, item: Item) -> None:
        if not isinstance(item, TranscriptEntry):
            self._record.take(item)
        self._to_log(item)


def _called(part: ToolCallPart) -> ToolCalled:
    return ToolCalled(call_id=part.call_id, name=part.name, arguments=part.arguments)
