"""One run on a workbook: a state machine that reads its state, the transcript, and takes the next step."""

from __future__ import annotations

from tablewright.agent.base import AgentContext, AgentInput, RunWorkbook
from tablewright.agent.emission import Emit
from tablewright.agent.rounds.conclusion import conclude, say
from tablewright.agent.rounds.draft import PlanDrafter, intent_of
from tablewright.agent.rounds.execution import execute, warn
from tablewright.agent.rounds.phrases import continue_prompt, failed_words, plan_prompt, same_again
from tablewright.agent.rounds.planner import Planner
from tablewright.domain.answer import Outcome
from tablewright.domain.events import (
    ApprovalRequested,
    ContinueAsked,
    IntentRecognized,
    PlanProposed,
    QuestionAsked,
    WarningRaised,
)
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.confirmation import SUBJECT
from tablewright.domain.rounds.ledger import (
    Ledger,
    LedgerEntry,
    Pause,
    PersonQuestion,
    PlanApproval,
    PlanExecution,
    PlanOutdated,
    PlanProposal,
    PlanRejection,
    PlanSupplied,
    StopOrder,
    Takeover,
)
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.round import Round
from tablewright.domain.rounds.rules import (
    RoundRules,
    after,
    already_reported,
    failed_steps,
    needs_consent,
    next_number,
    reads,
    standing_rounds,
)
from tablewright.domain.rounds.written_plan import WrittenPlan
from tablewright.errors import WorkbookChanged
from tablewright.texts.catalogue import text


class RoundsMachine:
    """Works on one request until a person must be asked or there is an answer."""

    def __init__(
        self, given: AgentInput, context: AgentContext, run_workbook: RunWorkbook, rules: RoundRules, emit: Emit
    ) -> None:
        self._given = given
        self._context = context
        self._run_workbook = run_workbook
        self._rules = rules
        self._emit = emit
        self._ledger = Ledger(given.transcript)
        self._planner = Planner(model=context.model, emit=emit, keep=self._keep)

    async def run(self) -> None:
        """Continue from where the transcript ends."""
        if (decided := self._ledger.decided(self._given.answered)) is not None:
            self._enter(decided)
        while await self._next():
            pass

    async def _next(self) -> bool:
        """Take one step of the state machine; return False when there is an answer or a person has to give one."""
        match last := self._ledger.last:
            case PlanProposal(asked=True) | PersonQuestion() | Pause():
                return False
            case PlanProposal():
                self._enter(PlanApproval(id=last.id, plan=last.plan))
                return True
            case PlanSupplied():
                await self._take_up(last)
                return True
            case PlanApproval():
                return await self._execute(last)
            case PlanExecution():
                return await self._after(last)
            case Takeover():
                return await self._go_on()
            case StopOrder():
                return await self._stop()
            case PlanRejection() if self._given_up(last):
                return await self._decline()
            case _:  # no plan yet, one rejected or outdated, a question answered, or go-ahead
                return await self._plan()

    async def _plan(self) -> bool:
        rounds = await self._run_workbook.rounds()
        if next_number(rounds, self._ledger.before.rounds) > self._rules.max_rounds:
            words = text("rounds.max_rounds", self._given.language, count=self._rules.max_rounds)
            return await self._conclude(words, "limit", "max_rounds")
        drafting = PlanDrafter(
            given=self._given,
            run_workbook=self._run_workbook,
            planner=self._planner,
            ledger=self._ledger,
            rules=self._rules,
        )
        drafted = await drafting.draft(rounds)
        written, plan = drafted.written, drafted.plan
        if self._ledger.begins:
            self._emit(IntentRecognized(intent=intent_of(written)))
        done = standing_rounds(rounds)
        if written.error:
            outcome: Outcome = "failed" if done and failed_steps(done[-1]) else "declined"
            return await self._give_up(written.error, outcome, drafted.told)
        if plan is None and drafted.futile:
            return await self._give_up(same_again(drafted.futile, self._given.language), "failed")
        later = bool(done or self._ledger.before.steps)
        if later and written.completed:
            return await self._conclude(written.message, told=drafted.told)
        if written.need_info and (later or (plan is None and written.message)):
            return self._ask(written.message or written.response or text("rounds.question", self._given.language))
        if plan is None:
            return await self._nothing(written, drafted.told)
        await self._propose(plan, done[-1] if done else None)
        return True

    async def _give_up(self, why: str, outcome: Outcome, told: str | None = None) -> bool:
        language = self._given.language
        await conclude(self._run_workbook, self._emit, language, lead=why, outcome=outcome, brief=True, told=told)
        return False

    async def _nothing(self, written: WrittenPlan, told: str) -> bool:
        words = written.response if written.conversational else ""
        return await self._conclude(words or written.message or written.response, told=told)

    async def _propose(self, plan: OperationPlan, last: Round | None) -> None:
        if not self._ledger.of(PlanProposal):
            await self._warn_of_losses(plan)
        if again := already_reported(plan.steps, self._ledger.before.steps):
            warn(self._emit, Notice(code="rounds.told_already", params={"steps": ", ".join(map(str, again))}))
        self._put(plan, asks=last is None or needs_consent(plan.steps, last))

    def _put(self, plan: OperationPlan, *, asks: bool) -> None:
        """Show a plan, and ask for consent if need be."""
        proposed = PlanProposal(id=self._context.ids.new(), plan=plan, asked=asks)
        self._enter(proposed)
        self._emit(PlanProposed(request_id=proposed.id, plan=plan))
        if asks:
            self._emit(
                ApprovalRequested(
                    request_id=proposed.id,
                    prompt=plan_prompt(plan, self._given.language),
                    subject_kind=SUBJECT,
                    subject_ref=proposed.id,
                )
            )

    async def _go_on(self) -> bool:
        """Take the next step of a run that ended with its process: what asked the person asks again."""
        match left := self._ledger.left:
            case PlanApproval() | PlanProposal() | PlanSupplied():
                return await self._ask_again(left)
            case PersonQuestion():
                return self._ask(left.question)
            case PlanExecution():
                return await self._after(left)
            case Pause() if done := self._ledger.of(PlanExecution):
                return await self._after(done[-1])
            case StopOrder():
                return await self._stop()
            case PlanRejection() if self._given_up(left):
                return await self._decline()
            case _:
                return await self._plan()

    async def _ask_again(self, left: PlanApproval | PlanProposal | PlanSupplied) -> bool:
        """Have a plan confirmed again as it stood, unless it was executed just before its run ended."""
        rounds = await self._run_workbook.rounds()
        if any((each.plan_id, each.number) == (left.id, left.plan.number) for each in rounds):
            self._enter(PlanApproval(id=left.id, plan=left.plan))
            return True
        self._emit(IntentRecognized(intent="operation"))
        self._emit(WarningRaised(code="rounds.taken_up", params={}))
        self._put(left.plan, asks=True)
        return True

    async def _take_up(self, brought: PlanSupplied) -> None:
        self._emit(IntentRecognized(intent="operation"))
        await self._warn_of_losses(brought.plan)
        self._enter(PlanApproval(id=brought.id, plan=brought.plan))
        self._emit(PlanProposed(request_id=brought.id, plan=brought.plan))

    async def _warn_of_losses(self, plan: OperationPlan) -> None:
        if not all(reads(step) for step in plan.steps):
            for notice in await self._run_workbook.losses():
                warn(self._emit, notice)

    async def _execute(self, approved: PlanApproval) -> bool:
        try:
            executed = await execute(
                self._run_workbook,
                self._context,
                self._emit,
                approved.plan,
                plan_id=approved.id,
                language=self._given.language,
            )
        except WorkbookChanged as changed:
            outdated = sum(isinstance(entry, PlanOutdated) for entry in self._ledger.since_executed)
            if outdated >= self._rules.max_outdated or self._ledger.of(PlanSupplied):
                raise
            params = {"version": changed.params.get("version"), "base": approved.plan.base_version}
            self._emit(WarningRaised(code="rounds.outdated", params=params))
            self._enter(PlanOutdated(id=approved.id))
            return True
        self._enter(PlanExecution(id=approved.id, plan=approved.plan, round_id=executed.id))
        return True

    async def _after(self, entry: PlanExecution) -> bool:
        executed = next((each for each in await self._run_workbook.rounds() if each.id == entry.round_id), None)
        if executed is None:  # undone together with its workbook
            return await self._conclude()
        language = self._given.language
        match after(entry.plan, executed, once=bool(self._ledger.of(PlanSupplied))):
            case "failed":
                return await self._conclude(failed_words(len(failed_steps(executed)), language), "failed")
            case "done":
                return await self._conclude()
            case "retry" | "more":
                paused = Pause(id=self._context.ids.new())
                self._enter(paused)
                prompt = continue_prompt(executed, language)
                self._emit(
                    ContinueAsked(request_id=paused.id, prompt=prompt, subject_kind="round", subject_ref=entry.round_id)
                )
                return True

    def _ask(self, question: str) -> bool:
        asked = PersonQuestion(id=self._context.ids.new(), question=question)
        self._enter(asked)
        self._emit(QuestionAsked(request_id=asked.id, prompt=question, subject_kind="operation_question"))
        return True

    def _given_up(self, rejected: PlanRejection) -> bool:
        return not rejected.words or len(self._ledger.rejected) > self._rules.max_new_plans

    async def _decline(self) -> bool:
        often = len(self._ledger.rejected) > self._rules.max_new_plans
        if standing_rounds(await self._run_workbook.rounds()):
            return await self._stop()
        code = "rounds.declined_often" if often else "rounds.declined"
        say(self._emit, text(code, self._given.language), "declined")
        return False

    async def _stop(self) -> bool:
        rounds = standing_rounds(await self._run_workbook.rounds())
        if not any(result.status == "completed" for each in rounds for result in each.steps):
            say(self._emit, text("rounds.declined", self._given.language), "declined")
            return False
        return await self._conclude(text("rounds.stopped", self._given.language))

    async def _conclude(
        self, lead: str = "", outcome: Outcome = "completed", stopped_by: str | None = None, *, told: str | None = None
    ) -> bool:
        language = self._given.language
        await conclude(
            self._run_workbook, self._emit, language, lead=lead, outcome=outcome, stopped_by=stopped_by, told=told
        )
        return False

    def _enter(self, entry: LedgerEntry) -> None:
        self._keep(self._ledger.add(entry))

    def _keep(self, message: Message) -> None:
        self._emit(TranscriptEntry(message=message))
