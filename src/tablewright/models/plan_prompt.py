"""The text that a model reads to plan operations on a workbook, as pure functions that determine it exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tablewright.domain.message import Message, Origin, Part, TextPart
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.domain.task import PlanOperations
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags, defuse
from tablewright.models.outlines import outline_parts
from tablewright.models.prompt_files import phrase, prompt
from tablewright.models.signatures import operation_lines, shape_lines
from tablewright.texts.errors import error_text

_NOT_NAME = re.compile(r"[^\w.]+")
LEAD = (
    "Based on the COMPLETE current state, determine what additional operations are needed to fulfill the original "
    "request"
)
PROGRESS = "PREVIOUS PROGRESS:"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Before:
    """A round of the history: the number and the function of each step."""

    number: int
    steps: tuple[tuple[int, str], ...]
    failed: int = 0


def planning_system(task: PlanOperations) -> Message:
    """Return the system prompt: how to write a plan, and the available operations."""
    text = prompt("planning", task.language, operations="\n".join(operation_lines()), shapes="\n".join(shape_lines()))
    return Message(role="system", parts=(TextPart(text=text, origin="system"),))


def planning_turn(task: PlanOperations, *, tags: CodeTags = DEFAULT_TAGS) -> Message:
    """Return the request with its history, the fate of earlier plans, and the workbook."""
    parts = [
        *_history(task),
        _own(f"{phrase('task_heading', task.language)}\n"),
        _part(task.question.strip(), "user"),
        _own("\n\n"),
        *_notes(task),
        _own(f"{phrase('workbook_heading', task.language)}\n"),
        *outline_parts(task.outline, task.language),
    ]
    return Message(role="user", parts=tuple(_safe(part, tags) for part in parts))


def _history(task: PlanOperations) -> Iterator[Part]:
    """Describe the last rounds step by step and older ones in a line each, after those reported by a client."""
    rounds = [*_told(task), *(_done(each) for each in task.rounds)]
    if not rounds:
        return
    yield _own(f'{LEAD} "')
    yield _part(task.question.strip(), "user")
    begin = max(len(rounds) - task.rounds_told, 0)
    lines = [_summary(each, task) for each in rounds[:begin]]
    lines.extend(f"Round {each.number} Step {step}: {name}" for each in rounds[begin:] for step, name in each.steps)
    yield _own('".\n\n' + "\n".join((PROGRESS, *lines)) + "\n\n")


def _done(each: Round) -> _Before:
    steps = tuple((result.step.step, _name(result.step.function)) for result in each.steps)
    return _Before(number=each.number, steps=steps, failed=len(each.failed))


def _told(task: PlanOperations) -> Iterator[_Before]:
    for number, steps in groupby(sorted(task.told, key=lambda step: step.round), key=lambda step: step.round):
        yield _Before(number=number, steps=tuple((step.step, _name(step.function)) for step in steps))


def _summary(each: _Before, task: PlanOperations) -> str:
    functions = ", ".join(dict.fromkeys(name for _, name in each.steps))
    failed = each.failed
    return phrase(
        "round_summary", task.language, round=each.number, steps=len(each.steps), functions=functions, failed=failed
    )


def _notes(task: PlanOperations) -> Iterator[Part]:
    """Describe failed steps, rejected plans, questions with answers, and what was wrong with the last attempt."""
    language = task.language
    last = task.rounds[-1] if task.rounds else None
    failed = last.steps if last is not None and last.rolled_back else last.failed if last is not None else ()
    if last is not None and failed:
        code = "failed_rolled_back" if last.rolled_back else "failed_heading"
        yield _own(f"{phrase(code, language)}\n")
        yield _part("\n".join(_failed(result, task) for result in failed) + "\n", "output")
        if last.warnings:
            said = "\n".join(error_text(notice.code, language, notice.params) for notice in last.warnings)
            yield _part(f"{said}\n", "output")
        yield _own("\n")
    for rejected in task.rejected:
        yield _own(f"{phrase('rejected_heading', language)}\n")
        yield _part(f"{_written(rejected.plan.steps)}\n", "output")
        yield _own(f"{phrase('rejected_words', language)} ")
        yield _part(f"{rejected.words.strip()}\n\n", "user")
    for pair in task.asked:
        yield _own(f"{phrase('asked_heading', language)} ")
        yield _part(pair.question.strip(), "output")
        yield _own(f"{phrase('asked_words', language)} ")
        yield _part(f"{pair.answer.strip()}\n\n", "user")
    if task.impossible is not None:
        yield _own(f"{phrase('impossible_heading', language)}\n")
        yield _part("\n".join(_problems(task.impossible, task)) + "\n", "output")
        yield _own("\n")
    if task.unreadable is not None:
        yield _own(f"{phrase('unreadable', language, problem=task.unreadable)}\n\n")


def _failed(result: StepResult, task: PlanOperations) -> str:
    why = result.error
    said = "" if why is None else error_text(why.code, task.language, why.params)
    return f"{_written((result.step,))}\n  {said}" if said else _written((result.step,))


def _problems(plan: OperationPlan, task: PlanOperations) -> Iterator[str]:
    for step, problems in zip(plan.steps, plan.problems, strict=False):
        said = " ".join(error_text(notice.code, task.language, notice.params) for notice in problems)
        yield f"{_written((step,))}\n  {said}"


def _written(steps: Sequence[PlanStep]) -> str:
    return "\n".join(
        json.dumps(
            {"step": step.step, "function": step.function, "parameters": dict(step.parameters)}, ensure_ascii=False
        )
        for step in steps
    )


def _name(function: str) -> str:
    """Reduce a function's name to a single word, so that its author cannot insert any other text."""
    return _NOT_NAME.sub("_", function)[:60]


def _own(text: str) -> TextPart:
    return _part(text, "system")


def _part(text: str, origin: Origin) -> TextPart:
    return TextPart(text=text, origin=origin)


def _safe(part: Part, tags: CodeTags) -> Part:
    if isinstance(part, TextPart) and part.origin not in {"system", "user"}:
        return replace(part, text=defuse(part.text, tags))
    return part
