"""The tool with which a planner writes its plan: its description, and what a call does to a plan. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.task_plan import PlanProblem, StepState, TaskPlan, created, marked, updated
from tablewright.models.base import ToolSpec
from tablewright.models.prompt_files import phrase, prompt
from tablewright.models.work_prompt import plan_lines

PLANNING = "planning"
COMMANDS = ("create", "update", "mark_step", "finish")
PROBLEMS = frozenset(
    {
        "plan_exists",
        "plan_none",
        "plan_empty",
        "plan_long",
        "plan_step_unknown",
        "plan_command_unknown",
        "plan_edit_empty",
        "plan_edit_begun",
        "plan_wanted",
    }
)
"""The codes of all problems with changes of a plan, each of which is a phrase."""
_STATES: Mapping[str, StepState] = {
    "not_started": "not_started",
    "in_progress": "in_progress",
    "completed": "completed",
    "blocked": "blocked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The plan after a call, and what the model is told; `failed`: nothing was changed."""

    plan: TaskPlan
    text: str
    failed: bool = False


def planning_spec(language: Language) -> ToolSpec:
    """Return `planning(command, title?, steps?, step?, status?, note?)`."""

    def told(code: str, **schema: Any) -> dict[str, Any]:
        return {**schema, "description": phrase(code, language)}

    return ToolSpec(
        name=PLANNING,
        description=prompt("planning_tool", language),
        parameters={
            "type": "object",
            "properties": {
                "command": told("planning.command", type="string", enum=[*COMMANDS]),
                "title": told("planning.title", type="string"),
                "steps": told("planning.steps", type="array", items={"type": "string"}),
                "step": told("planning.step", type="integer"),
                "status": told("planning.status", type="string", enum=[*_STATES]),
                "note": told("planning.note", type="string"),
            },
            "required": ["command"],
        },
    )


def applied(plan: TaskPlan, arguments: Mapping[str, Any], language: Language) -> Planned:
    """Return what a call of the tool does to a plan."""
    try:
        after = _applied(plan, arguments)
    except PlanProblem as problem:
        words = problem_words(problem, language)
        told = f"{words}\n{plan_lines(plan, language)}" if plan.steps else words
        return Planned(plan=plan, text=told, failed=True)
    return Planned(plan=after, text=plan_lines(after, language))


def problem_words(problem: PlanProblem, language: Language) -> str:
    """Say why a plan could not be changed."""
    assert problem.code in PROBLEMS
    return phrase(problem.code, language, **problem.params)


def _applied(plan: TaskPlan, arguments: Mapping[str, Any]) -> TaskPlan:
    command = arguments.get("command")
    if command not in COMMANDS:
        raise PlanProblem("plan_command_unknown")
    if command == "create":
        return created(plan, _text(arguments.get("title")), _steps(arguments.get("steps")))
    if not plan.steps and command != "finish":
        raise PlanProblem("plan_none")
    if command == "update":
        return updated(plan, _steps(arguments.get("steps")), _text(arguments.get("title")))
    if command == "mark_step":
        status = _STATES.get(_text(arguments.get("status")), "completed")
        return marked(plan, _number(arguments.get("step")), status, _text(arguments.get("note")))
    if plan.wanted:
        raise PlanProblem("plan_wanted", steps="; ".join(step.text for step in plan.wanted))
    return plan


def _steps(value: object) -> Sequence[str]:
    if isinstance(value, str):
        return value.splitlines()
    return [_text(each) for each in value] if isinstance(value, list | tuple) else []


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()


def _number(value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        return 0
