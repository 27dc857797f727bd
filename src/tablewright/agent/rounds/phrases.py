"""Text about plans and rounds in the person's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablewright.agent.rounds.findings import found_by, found_line
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.rounds.rules import failed_steps, removes
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text


def notice_text(notice: Notice, language: Language) -> str:
    """Return a notice as text."""
    return error_text(notice.code, language, notice.params)


def step_name(step: PlanStep, language: Language) -> str:
    """Return a step's display name: its description, or else its function."""
    return step.description or text("rounds.step_unnamed", language, function=step.function)


def plan_prompt(plan: OperationPlan, language: Language) -> str:
    """Return the request to confirm a plan: its steps, what each destroys, and known problems."""
    lines = [text("rounds.confirm", language, count=len(plan.steps))]
    for place, step in enumerate(plan.steps):
        name = step_name(step, language)
        lines.append(text("rounds.confirm_step", language, step=step.step, name=name, function=step.function))
        if removes(step):
            lines.append(text("rounds.confirm_destroys", language))
        problems = plan.problems[place] if place < len(plan.problems) else ()
        lines.extend(
            text("rounds.confirm_problem", language, problem=notice_text(notice, language)) for notice in problems
        )
    return "\n".join(lines)


def continue_prompt(executed: Round, language: Language) -> str:
    """Return the question whether to continue after a round."""
    if failed := len(failed_steps(executed)):
        return text("rounds.continue_failed", language, count=failed)
    return text("rounds.continue_more", language)


def failed_words(count: int, language: Language) -> str:
    """Return how many steps failed, in the wording that all interfaces share."""
    return text("rounds.failed", language, count=count)


def same_again(failures: Sequence[StepResult], language: Language) -> str:
    """Return why nothing is tried again: the steps that would only fail once more, each with its reason."""
    lines = [_line(result, undone=False, language=language) for result in failures]
    return "\n".join((text("rounds.same_again", language, count=len(lines)), *lines))


def round_lines(rounds: Sequence[Round], language: Language) -> Iterable[str]:
    """Yield what was done, a line per step; a step that was retried is reported with its last outcome only."""
    again = {(each.number, result.step.retries) for each in rounds for result in each.steps}
    for place, each in enumerate(rounds):
        following = rounds[place + 1].number if place + 1 < len(rounds) else None
        failed = failed_steps(each)
        for result in each.steps:
            if result in failed and (following, result.step.step) in again:
                continue
            yield _line(result, undone=each.rolled_back and result in failed, language=language)
        if each.rolled_back:
            yield text("rounds.rolled_back", language)


def _line(result: StepResult, *, undone: bool, language: Language) -> str:
    name = step_name(result.step, language)
    if result.status == "failed":
        reason = text("detail_unknown", language) if result.error is None else notice_text(result.error, language)
        return text("rounds.step_failed", language, name=name, reason=reason)
    if undone:
        return text("rounds.step_undone", language, name=name)
    if lines := found_by(result, language):
        line = found_line(name, lines, language)
    elif result.cells_changed:
        line = text("rounds.step_changed", language, name=name, count=result.cells_changed)
    else:
        line = text("rounds.step_done", language, name=name)
    return "\n".join(
        (line, *(text("rounds.step_note", language, note=notice_text(note, language)) for note in result.notes))
    )
