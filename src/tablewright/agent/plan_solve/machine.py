"""The loop of a plan: the planner says what is to be done, others do it, and the planner reads what came of it.

Its state is its log: the plan as it was last written, the planner's transcript, and the children. Each of these says
what is to be done next, so that another process goes on where this one was lost.
"""

from __future__ import annotations

from dataclasses import replace

from tablewright.agent.base import AgentContext, AgentInput, ChildTask
from tablewright.agent.emission import Emit, stored
from tablewright.agent.plan_solve.executors import Executors, RoundEnd
from tablewright.agent.plan_solve.memory import MainMemory, done_task, of_round, opening_memory, task_key
from tablewright.agent.plan_solve.news import News
from tablewright.agent.plan_solve.plan_state import PlanState
from tablewright.agent.plan_solve.rules import PlanRules
from tablewright.agent.plan_solve.summary import FilesHeldBack, Summary, answer_of, files_of
from tablewright.agent.react.calls import result_of, usable
from tablewright.agent.react.conversation import Conversation, record_lines
from tablewright.agent.react.turns import ModelTurns, began_anew
from tablewright.domain.events import AnswerCompleted, EventBody, PlanUpdated, TextFinished, WarningRaised
from tablewright.domain.inbox import InboxItem
from tablewright.domain.message import Message, TextPart, ToolCallPart, TranscriptEntry
from tablewright.domain.run import RunLimits
from tablewright.domain.task import DoneTask, PlanTasks, SumUp
from tablewright.domain.task_plan import TaskPlan, begun, created, ended
from tablewright.errors import ModelError
from tablewright.models.planning import PLANNING, applied, planning_spec
from tablewright.models.work_prompt import question_turn, results_turn, task_turn
from tablewright.texts.catalogue import text

NOTHING_SAID = "…"
"""What stands in the memory for a turn in which the planner said nothing: the plan stays as it is."""


class PlanSolveRun:
    """One iteration of a run. Use an instance only once."""

    def __init__(self, given: AgentInput, context: AgentContext, rules: PlanRules, emit: Emit) -> None:
        self._given = given
        self._context = context
        self._rules = rules
        self._to_log = emit
        self._state = PlanState()
        self._state.take_all(event.body for event in given.log if event.run_id == given.run_id)
        self._said = Conversation(list(given.transcript))
        self._memory = opening_memory(given)
        self._began = context.clock.monotonic()
        self._stopped_by: str | None = None
        self._news = News(context.inbox, self._take)
        self._turns = ModelTurns(
            model=context.model,
            emit=self._emit,
            counter=rules.counter,
            max_input_tokens=rules.max_input_tokens,
            settings=rules.settings,
        )

    async def run(self) -> None:
        """Work until there is an answer, or until nothing goes on before a person answers somebody."""
        began_anew(self._emit, self._state.open_text)
        if not self._said.messages:
            self._keep(question_turn(self._given.question))
        self._take(self._given.news)
        async with self._news:
            while await self._go_on():
                continue

    async def _go_on(self) -> bool:
        """Do what is next; where the model fails once there are results, end with these."""
        try:
            return await self._advance()
        except ModelError as error:
            if not await self._has_results():
                raise
            self._stopped_by = error.code
            await self._end_after_error()
            return False

    async def _advance(self) -> bool:
        """Do what is next; return whether anything follows now."""
        if pending := self._said.pending:
            self._apply(pending)
            return True
        if self._state.plan.current is not None:
            return await self._round()
        if self._planner_is_next():
            if self._used_up():
                return await self._sum_up()
            await self._plan()
            return True
        if self._finishes():
            return await self._finish()
        if not self._state.plan.steps:
            self._change(created(self._state.plan, "", [self._given.question]))
        if self._state.plan.next is None or self._used_up():
            return await self._sum_up()
        self._change(begun(self._state.plan))
        return True

    async def _finish(self) -> bool:
        """End the work, but for the steps of a person: these are carried out before, unless nothing more may begin."""
        wanted = self._state.plan.wanted
        if not wanted or self._used_up():
            return await self._sum_up()
        self._change(begun(self._state.plan, wanted[0]))
        return True

    def _planner_is_next(self) -> bool:
        """Whether the planner has something new to read: the request, results, or that its calls were all wrong."""
        last = self._said.messages[-1]
        if last.role == "tool" and not self._state.plan.steps and not self._finishes():
            return True
        return last.role == "user"

    def _finishes(self) -> bool:
        """Whether the planner has ended the work with its last turn."""
        last = next((message for message in reversed(self._said.messages) if message.role == "assistant"), None)
        calls = () if last is None else last.parts
        return any(isinstance(part, ToolCallPart) and part.arguments.get("command") == "finish" for part in calls)

    async def _plan(self) -> None:
        given, plan = self._given, self._state.plan
        task = PlanTasks(
            question=given.question,
            language=given.language,
            datasets=given.datasets,
            history=given.history,
            relations=given.relations,
            notes=given.notes,
            today=given.asked_at.date().isoformat(),
            files=tuple(dict.fromkeys(each.name for each in given.inputs)),
            brief=self._rules.brief,
            plan=plan if plan.steps else None,
            earlier=given.earlier_plan,
        )
        said = await self._turns.take(
            task,
            self._said.messages,
            tools=(planning_spec(given.language),),
            tool_choice="auto" if plan.steps else "required",
            purpose="plan",
        )
        if not said.parts:
            said = Message(role="assistant", parts=(TextPart(text=NOTHING_SAID, origin="output"),))
        self._keep(usable(said, self._said.call_ids, self._context.ids))

    def _apply(self, pending: tuple[ToolCallPart, ...]) -> None:
        """Do to the plan what the planner's calls say: their results and the plan are one append."""
        plan = self._state.plan
        for call in pending:
            arguments = call.arguments if call.name == PLANNING else {}
            done = applied(plan, arguments, self._given.language)
            plan = done.plan
            self._keep(result_of(call, done.text, failed=done.failed))
        self._change(plan)

    async def _round(self) -> bool:
        """Have the tasks of the current step carried out; return whether anything follows now."""
        plan, children = self._state.plan, self._context.children
        assert children is not None
        assert plan.current is not None
        await self._remember(plan.round - 1)
        await stored(self._emit, self._context.stored)
        tasks = self._tasks(plan)
        end = await Executors(children=children, news=self._news, at_once=self._rules.at_once).carry_out(tasks)
        if end.rests:
            return False
        self._end(end)
        return True

    def _tasks(self, plan: TaskPlan) -> list[ChildTask]:
        assert plan.current is not None
        files = tuple(file.id for file in files_of(self._memory.done))
        left_s = self._given.limits.wall_clock_s - self._worked_s()
        limits = self._rules.task_limits
        bounded = RunLimits(
            steps=limits.steps,
            tokens=limits.tokens,
            wall_clock_s=min(limits.wall_clock_s, max(1.0, self._rules.task_share * left_s)),
        )
        return [
            ChildTask(
                task_id=task_key(plan.round, place),
                agent=self._rules.executor,
                question=task,
                file_ids=files,
                limits=bounded,
                opening=(*self._memory.messages, task_turn(task, self._given.language)),
            )
            for place, task in enumerate(plan.current.tasks, 1)
        ]

    def _end(self, end: RoundEnd) -> None:
        """Tell the planner what came of the step: the results and the plan are one append."""
        given = self._given
        done = [done_task(child, given) for child in end.children]
        unbegun = text("agent.task_no_tokens", given.language)
        done += [DoneTask(text=task.question, result=unbegun, failed=True) for task in end.unbegun]
        if end.unbegun:
            self._stopped_by = "tokens"
        failed = bool(done) and all(task.failed for task in done)
        step = self._state.plan.current
        plan = ended(
            self._state.plan,
            blocked="; ".join(task.result for task in done) if failed else None,
            problems=[task.result if task.failed else "" for task in done],
        )
        self._keep(results_turn(0 if step is None else step.id, done, plan, given.language))
        self._change(plan)

    async def _remember(self, rounds: int) -> MainMemory:
        """Take into the memory what the tasks of the first `rounds` rounds have added."""
        children = self._context.children
        if children is not None and self._memory.rounds < rounds:
            known = await children.all()
            while self._memory.rounds < rounds:
                tasks = of_round(known, self._memory.rounds + 1)
                await self._memory.take_round(children, tasks, self._given, self._rules.memory_chars)
        return self._memory

    async def _has_results(self) -> bool:
        plan = self._state.plan
        over = plan.round if plan.current is None else plan.round - 1
        return any(child.answer is not None for child in (await self._remember(over)).done)

    async def _sum_up(self) -> bool:
        """Write the answer from what the tasks came to; return False, as nothing follows."""
        given, rules = self._given, self._rules
        plan = self._state.plan
        memory = await self._remember(plan.round if plan.current is None else plan.round - 1)
        task = SumUp(
            question=given.question,
            language=given.language,
            today=given.asked_at.date().isoformat(),
            files=tuple(file.name for file in files_of(memory.done)),
            brief=rules.summary,
            tasks=tuple(done_task(child, given) for child in memory.done),
            record=record_lines(memory.messages, rules.record_chars, given.language),
        )
        turns = replace(self._turns, settings=rules.summary_settings)
        said = await turns.take(task, purpose="conclude", shown=FilesHeldBack().feed)
        self._answer(Summary.of(said.text))
        return False

    def _answer(self, summary: Summary) -> None:
        question, stopped_by = self._given.question, self._stopped_by
        if wanted := self._state.plan.wanted:
            left = "; ".join(step.text for step in wanted)
            self._emit(WarningRaised(code="plan_steps_left", params={"steps": left}))
        self._emit(
            AnswerCompleted(answer=answer_of(summary, self._memory.done, question=question, stopped_by=stopped_by))
        )

    async def _end_after_error(self) -> None:
        """Write the answer where the model has failed: once more with it, else from what the tasks came to."""
        try:
            await self._sum_up()
        except ModelError:
            done = [done_task(child, self._given) for child in self._memory.done]
            words = "\n\n".join(task.result for task in done if not task.failed)
            self._emit(TextFinished(text=words))
            self._answer(Summary.of(words))

    def _used_up(self) -> bool:
        """Whether nothing more may be begun: the turns, the time or the tokens are used up."""
        if self._stopped_by is None and self._said.turns >= self._given.limits.steps:
            self._stopped_by = "steps"
        if self._stopped_by is None and self._worked_s() > self._rules.time_share * self._given.limits.wall_clock_s:
            self._stopped_by = "wall_clock_s"
        return self._stopped_by is not None

    def _worked_s(self) -> float:
        return self._given.worked_s + self._context.clock.monotonic() - self._began

    def _take(self, items: tuple[InboxItem, ...]) -> None:
        """Take what has reached the run: edits of the plan are applied at once."""
        for item in items:
            if item.type == "plan.edited":
                self._state.note(item.edit)
        refused = self._state.apply(self._given.language)
        if refused is None:
            return
        for one in refused:
            self._emit(WarningRaised(code="plan_edit_refused", params={"problem": one.problem}))
        self._emit(PlanUpdated(plan=self._state.plan))

    def _change(self, plan: TaskPlan) -> None:
        if plan != self._state.plan:
            self._emit(PlanUpdated(plan=plan))
        self._take(())

    def _keep(self, message: Message) -> None:
        self._said.messages.append(message)
        self._to_log(TranscriptEntry(message=message))

    def _emit(self, body: EventBody | TranscriptEntry) -> None:
        if not isinstance(body, TranscriptEntry):
            self._state.take(body)
        self._to_log(body)
