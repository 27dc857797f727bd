"""The rules of rounds, as pure functions: what follows a round, and which steps need no consent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablewright.domain.notice import Notice
from tablewright.domain.operations.aliases import function_of
from tablewright.domain.operations.code import RunPython
from tablewright.domain.rounds.plan import OperationPlan, PlanStep, ReportedStep, kind_of
from tablewright.domain.rounds.round import Round, StepResult

After = Literal["failed", "retry", "done", "more"]
"""What follows a round: failure, if at least half of it failed; a retry of failed steps; the end; or the next batch."""
_OF_OTHERS = frozenset({"step_depends_on_failed", "step_rolled_back"})
"""Reasons of a failure that lie with other steps of the batch."""
FIRST_ROUND = 2
"""Planning is round 1, so the first that executes is round 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRules:
    """Limits of one run on a workbook.

    `max_rounds` includes the planning; `max_new_plans` limits the plans made after rejections between two rounds.
    """

    max_rounds: int = 10
    max_history_rounds: int = 3
    max_new_plans: int = 3
    max_outdated: int = 3
    outline_tokens: int = 4_000


def after(plan: OperationPlan, executed: Round, *, once: bool = False) -> After:
    """Return what follows a round.

    Failures take precedence; otherwise a batch with a chart ends the work, as does one executed `once`.
    """
    failed = len(failed_steps(executed))
    if failed * 2 >= max(len(executed.steps), 1) or (once and failed):
        return "failed"
    if failed:
        return "retry"
    if any("chart" in function_of(step.function) for step in plan.steps):
        return "done"
    return "done" if plan.covers_request or once else "more"


def failed_steps(executed: Round) -> tuple[StepResult, ...]:
    """Return the failed steps of a round; if it was rolled back, all that wrote or failed."""
    if executed.rolled_back:
        return tuple(result for result in executed.steps if result.wrote or result.status == "failed") or executed.steps
    return executed.failed


def standing_rounds(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """Return the rounds that have not been undone."""
    return tuple(each for each in rounds if not each.undone)


def next_number(rounds: Sequence[Round], before: int = 0) -> int:
    """Return the number of the next round; `before` counts the rounds before the run."""
    return max((each.number for each in rounds), default=max(FIRST_ROUND - 1, before)) + 1


def already_reported(steps: Sequence[PlanStep], told: Sequence[ReportedStep]) -> tuple[int, ...]:
    """Return the numbers of the steps that a client reports as already done in exactly this form."""
    done = [PlanStep(step=each.step, function=each.function, parameters=each.parameters) for each in told]
    return tuple(step.step for step in steps if any(_same(step, other) for other in done))


def retrying(steps: Sequence[PlanStep], executed: Round | None) -> tuple[PlanStep, ...]:
    """Mark the steps that retry a failed step of `executed`, and drop those it has already completed."""
    if executed is None or not (failed := failed_steps(executed)):
        return tuple(replace(step, retries=None) for step in steps)
    open_steps = [result.step for result in failed]
    done = [result.step for result in executed.steps if result not in failed]
    kept: list[PlanStep] = []
    for step in steps:
        again = _again(step, open_steps)
        if again is not None:
            open_steps.remove(again)
            kept.append(replace(step, retries=again.step))
        elif not any(_same(step, other) for other in done):
            kept.append(replace(step, retries=None))
    return tuple(kept)


def futile(plan: OperationPlan, executed: Round | None, *, unchanged: bool) -> tuple[StepResult, ...]:
    """Return the failures of `executed` that the plan would only repeat, one for each such step.

    A step is futile if it is one that failed, as it stands, and the kind of reason that it failed for is known to hold
    still, or the workbook is `unchanged` since. One that failed because another did, or because its batch was undone,
    is not.
    """
    if executed is None:
        return ()
    return tuple(
        result
        for place, step in enumerate(plan.steps)
        if step.retries is not None
        for result in executed.failed
        if _same(step, result.step) and _holds(result, plan.problems[place], unchanged=unchanged)
    )


def without(plan: OperationPlan, futile: Sequence[StepResult]) -> OperationPlan:
    """Return the plan without the steps that only repeat a failure: as it leaves these out, it does not cover the
    request."""
    if not futile:
        return plan
    kept = [place for place, step in enumerate(plan.steps) if not any(_same(step, other.step) for other in futile)]
    return replace(
        plan,
        steps=tuple(plan.steps[place] for place in kept),
        problems=tuple(plan.problems[place] for place in kept),
        covers_request=False,
    )


def _holds(result: StepResult, problems: Sequence[Notice], *, unchanged: bool) -> bool:
    if result.error is None or result.error.code in _OF_OTHERS:
        return False
    return unchanged or any(one.code == result.error.code for one in problems)


def needs_consent(steps: Sequence[PlanStep], executed: Round | None) -> bool:
    """Return whether a plan must be confirmed.

    It need not be if every step either only reads or retries a confirmed step without being able to destroy anything
    the confirmation did not cover.
    """
    before = {result.step.step: result.step for result in executed.steps} if executed is not None else {}
    return not all(reads(step) or _covered(step, before.get(step.retries or 0)) for step in steps)


def reads(step: PlanStep) -> bool:
    """Return whether the step only reads; an unknown function does not count."""
    kind = kind_of(step)
    return kind is not None and kind.effect == "read"


def removes(step: PlanStep) -> bool:
    """Return whether the step removes or replaces something a person may still need."""
    kind = kind_of(step)
    return kind is not None and kind.destructive


def _covered(step: PlanStep, confirmed: PlanStep | None) -> bool:
    if confirmed is None:
        return False
    return _same(step, confirmed) or (not _dangerous(step) and kind_of(step) is kind_of(confirmed))


def _dangerous(step: PlanStep) -> bool:
    """Return whether the step may destroy something: code and unknown functions may do anything."""
    return removes(step) or kind_of(step) in {None, RunPython}


def _again(step: PlanStep, failed: Sequence[PlanStep]) -> PlanStep | None:
    """Return the failed step that `step` retries: the one it names, or else the first with the same function."""
    named = next((other for other in failed if other.step == step.retries), None)
    if named is not None and _alike(named, step):
        return named
    return next((other for other in failed if _alike(other, step)), named)


def _alike(step: PlanStep, other: PlanStep) -> bool:
    """Return whether two steps do the same kind of thing, however they name it."""
    return function_of(step.function) == function_of(other.function) or kind_of(step) is kind_of(other) is not None


def _same(step: PlanStep, other: PlanStep) -> bool:
    """Return whether two steps mean the same; those that mean nothing known are compared as they are written."""
    if step.operation is None or other.operation is None:
        return (step.function, step.parameters) == (other.function, other.parameters)
    return step.operation == other.operation
