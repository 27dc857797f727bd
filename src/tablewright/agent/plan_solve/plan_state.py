"""The plan of a run as its log tells it: what was last written of it, and what people have changed since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import ValidationError

from tablewright.domain.codec import from_python
from tablewright.domain.events import EventBody, PlanEdited, PlanUpdated, TextDelta, TextFinished, UsageReported
from tablewright.domain.language import Language
from tablewright.domain.task_plan import PlanEdit, PlanProblem, TaskPlan, edited, seen
from tablewright.models.planning import problem_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An edit that the plan does not allow, and why."""

    problem: str


@dataclass(slots=True, kw_only=True)
class PlanState:
    """The plan, the edits that it may not contain yet, and the text that stands unfinished; `tokens` of its own."""

    plan: TaskPlan = field(default_factory=TaskPlan)
    edits: dict[str, PlanEdit] = field(default_factory=dict[str, PlanEdit])
    open_text: str = ""
    tokens: int = 0

    def take(self, body: EventBody) -> None:
        """Take one event of the run itself."""
        match body:
            case PlanUpdated(plan=plan):
                self.plan = plan
            case PlanEdited(edit=given):
                self.note(given)
            case TextDelta(text=text):
                self.open_text += text
            case TextFinished():
                self.open_text = ""
            case UsageReported():
                self.tokens += body.input_tokens + body.output_tokens
            case _:
                pass

    def take_all(self, bodies: Iterable[EventBody]) -> None:
        """Take events in order."""
        for body in bodies:
            self.take(body)

    def note(self, given: object) -> None:
        """Note an edit, once; what cannot be read as one is passed over."""
        try:
            edit = from_python(PlanEdit, given)
        except ValidationError:
            return
        self.edits.setdefault(edit.id, edit)

    def apply(self, language: Language) -> tuple[Refused, ...] | None:
        """Apply the edits that the plan does not contain yet; return those refused, or None if there were none."""
        left = [edit for edit in self.edits.values() if edit.id not in self.plan.edits]
        if not left or not self.plan.steps:
            return None
        refused: list[Refused] = []
        for edit in left:
            try:
                self.plan = edited(self.plan, edit)
            except PlanProblem as problem:
                self.plan = seen(self.plan, edit.id)
                refused.append(Refused(problem=problem_words(problem, language)))
        return tuple(refused)
