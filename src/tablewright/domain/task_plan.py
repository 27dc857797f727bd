"""Plans of tasks for several agents: their steps, and what becomes of them. Pure.

A step is one task, or several that are done at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field, computed_field

SEPARATOR = "<sep>"
"""Between the tasks of one step."""
StepState = Literal["not_started", "in_progress", "completed", "blocked"]
NOTE_CHARS = 500
TEXT_CHARS = 4_000
MOST_STEPS = 50
MOST_TASKS = 20
"""The most tasks of one step; what is beyond is done with the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTask:
    """One of the tasks of a step: what has become of it, and in `note` what came of it or why nothing did."""

    text: str
    status: StepState
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStep:
    """A step of a plan; `id` stays its own whatever becomes of the others. `note` says what came of it.

    A step `by_person` is as a person wants it: nobody else changes it. `problems` say of each of its tasks why nothing
    came of it, empty of one that went well; there are none if all went well.
    """

    id: int
    text: str
    status: StepState = "not_started"
    note: str = ""
    by_person: bool = False
    problems: Annotated[tuple[str, ...], Field(exclude_if=lambda problems: not problems)] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of the step, which are done at the same time."""
        parts = [part.strip() for part in self.text.split(SEPARATOR) if part.strip()]
        if len(parts) > MOST_TASKS:
            parts = [*parts[: MOST_TASKS - 1], "\n".join(parts[MOST_TASKS - 1 :])]
        return tuple(parts)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def parts(self) -> tuple[StepTask, ...]:
        """The tasks of the step, each with its own state: one of which nothing came is blocked, whatever the others."""
        return tuple(self._part(place, task) for place, task in enumerate(self.tasks))

    def _part(self, place: int, task: str) -> StepTask:
        problem = self.problems[place] if place < len(self.problems) else ""
        if problem:
            return StepTask(text=task, status="blocked", note=problem)
        return StepTask(text=task, status=self.status, note="" if self.problems else self.note)

    @property
    def over(self) -> bool:
        """Whether nothing more is done for it."""
        return self.status in {"completed", "blocked"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPlan:
    """A plan. `round` counts the steps that were begun; `edits` are those of a person that it contains, by their ids.

    `dropped` are texts that a person does not want, `next_id` is that of the next new step.
    """

    title: str = ""
    steps: tuple[TaskStep, ...] = ()
    round: int = 0
    edits: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    next_id: int = 1

    @property
    def current(self) -> TaskStep | None:
        """The step that is being done, if any."""
        return next((step for step in self.steps if step.status == "in_progress"), None)

    @property
    def next(self) -> TaskStep | None:
        """The first step that has not begun, if any."""
        return next((step for step in self.steps if step.status == "not_started"), None)

    @property
    def wanted(self) -> tuple[TaskStep, ...]:
        """The steps of a person that have not begun: the plan is not over before them."""
        return tuple(step for step in self.steps if step.by_person and step.status == "not_started")


class PlanProblem(ValueError):
    """A change that a plan does not allow: `code` names a phrase, `params` fill it."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def created(plan: TaskPlan, title: str, texts: Sequence[str]) -> TaskPlan:
    """Return a new plan in place of one that has no steps."""
    if plan.steps:
        raise PlanProblem("plan_exists")
    return updated(replace(plan, title=title), texts)


def updated(plan: TaskPlan, texts: Sequence[str], title: str = "") -> TaskPlan:
    """Return the plan with these steps. What is over or being done stays, before them; a step with the text of one
    that has not begun is that one. What a person has put in stays too, and what they dropped stays away."""
    words = [text.strip()[:TEXT_CHARS] for text in texts if text.strip()]
    if not words:
        raise PlanProblem("plan_empty")
    if len(words) > MOST_STEPS:
        raise PlanProblem("plan_long", most=MOST_STEPS)
    kept = [step for step in plan.steps if step.status != "not_started"]
    known = {step.text: step for step in plan.steps if step.status == "not_started"}
    stay = {step.text for step in kept}
    next_id = plan.next_id
    steps: list[TaskStep] = []
    for text in dict.fromkeys(words):
        if text in stay or text in plan.dropped:
            continue
        step = known.get(text)
        if step is None:
            step, next_id = TaskStep(id=next_id, text=text), next_id + 1
        steps.append(step)
    wanted = [step for step in known.values() if step.by_person and step not in steps]
    return replace(plan, title=title or plan.title, steps=(*kept, *steps, *wanted), next_id=next_id)


def marked(plan: TaskPlan, step_id: int, status: StepState, note: str = "") -> TaskPlan:
    """Return the plan with the state of a step changed. Only the service says that a step is being done."""
    step = _step(plan, step_id)
    wanted = "not_started" if status == "in_progress" and step.status != "in_progress" else status
    return _with(plan, replace(step, status=wanted, note=note[:NOTE_CHARS] or step.note))


def begun(plan: TaskPlan, step: TaskStep | None = None) -> TaskPlan:
    """Return the plan with `step` being done, else its next one, in a new round."""
    step = step or plan.next
    assert step is not None
    return replace(_with(plan, replace(step, status="in_progress")), round=plan.round + 1)


def ended(plan: TaskPlan, *, blocked: str | None = None, problems: Sequence[str] = ()) -> TaskPlan:
    """Return the plan with the step that was being done over: `blocked`, for the reason, if nothing came of it.

    The `problems` of its tasks, in their order, are its note too: a step that is completed says what is missing.
    """
    step = plan.current
    if step is None:
        return plan
    status: StepState = "completed" if blocked is None else "blocked"
    known = tuple(problem[:NOTE_CHARS] for problem in problems) if any(problems) else ()
    missing = "; ".join(f"{task}: {problem}" for task, problem in zip(step.tasks, known, strict=False) if problem)
    note = blocked or step.note or missing
    return _with(plan, replace(step, status=status, note=note[:NOTE_CHARS], problems=known))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEdit:
    """What a person changes of a plan while it is carried out; `id` is the edit's own.

    `add` puts a step with `text` before the step `before`, or last; `drop` takes the step `step_id` out; `reword` gives
    it `text`. Only steps that have not begun can be dropped or reworded.
    """

    id: str
    action: Literal["add", "drop", "reword"]
    text: str = ""
    step_id: int | None = None
    before: int | None = None


def edited(plan: TaskPlan, edit: PlanEdit) -> TaskPlan:
    """Return the plan with the edit, once. Raises `PlanProblem` where that is not possible."""
    if edit.id in plan.edits:
        return plan
    plan = replace(plan, edits=(*plan.edits, edit.id))
    text = edit.text.strip()[:TEXT_CHARS]
    if edit.action != "drop" and not text:
        raise PlanProblem("plan_edit_empty")
    if edit.action == "add":
        return _added(plan, text, edit.before)
    step = _step(plan, edit.step_id)
    if step.status != "not_started":
        raise PlanProblem("plan_edit_begun", step=step.id)
    plan = replace(plan, dropped=(*(each for each in plan.dropped if each != text), step.text))
    if edit.action == "reword":
        return _with(plan, replace(step, text=text, by_person=True))
    return replace(plan, steps=tuple(each for each in plan.steps if each.id != step.id))


def seen(plan: TaskPlan, edit_id: str) -> TaskPlan:
    """Return the plan with an edit that was refused, so that it is refused once."""
    return plan if edit_id in plan.edits else replace(plan, edits=(*plan.edits, edit_id))


def _added(plan: TaskPlan, text: str, before: int | None) -> TaskPlan:
    if len(plan.steps) >= MOST_STEPS:
        raise PlanProblem("plan_long", most=MOST_STEPS)
    step = TaskStep(id=plan.next_id, text=text, by_person=True)
    place = len(plan.steps)
    if before is not None:
        place = plan.steps.index(_step(plan, before))
        if plan.steps[place].status != "not_started":
            raise PlanProblem("plan_edit_begun", step=before)
    dropped = tuple(each for each in plan.dropped if each != text)
    steps = (*plan.steps[:place], step, *plan.steps[place:])
    return replace(plan, steps=steps, dropped=dropped, next_id=plan.next_id + 1)


def _step(plan: TaskPlan, step_id: int | None) -> TaskStep:
    found = next((step for step in plan.steps if step.id == step_id), None)
    if found is None:
        known = ", ".join(str(step.id) for step in plan.steps)
        raise PlanProblem("plan_step_unknown", step="" if step_id is None else step_id, known=known)
    return found


def _with(plan: TaskPlan, step: TaskStep) -> TaskPlan:
    return replace(plan, steps=tuple(step if each.id == step.id else each for each in plan.steps))
