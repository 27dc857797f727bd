"""Render a task as the messages that a language model reads: pure, so that the same task always reads the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from tablewright.domain.message import Message, Origin, Part, TextPart, ToolResultPart
from tablewright.domain.task import (
    Chat,
    ChooseWorkflow,
    PlanOperations,
    PlanTasks,
    StepFacts,
    StructuredRound,
    Summarize,
    SumUp,
    Task,
    UseTools,
    WriteQuery,
)
from tablewright.models.chat_prompt import chat_messages
from tablewright.models.choice_prompt import choice_messages
from tablewright.models.dialogue import (
    DEFAULT_TAGS,
    CodeTags,
    conclude_turn,
    defuse,
    error_turn,
    first_turn,
    output_turn,
)
from tablewright.models.plan_prompt import planning_system, planning_turn
from tablewright.models.prompt_files import phrase, prompt
from tablewright.models.query_prompt import query_messages
from tablewright.models.structured_prompt import structured_messages
from tablewright.models.structured_system import SystemPrompts
from tablewright.models.work_prompt import sum_up_messages, work_messages

FENCED: frozenset[Origin] = frozenset({"sample", "output", "file", "web"})
"""Origins whose text is fenced for the model: it is data, never instructions."""


def render(
    task: Task,
    transcript: Sequence[Message] = (),
    *,
    tags: CodeTags = DEFAULT_TAGS,
    prompts: SystemPrompts | None = None,
) -> tuple[Message, ...]:
    """Return the messages of one call: system prompt, earlier questions, this question with its data, and its turns.

    `transcript` contains this run's turns so far. If it does not begin with the first turn (a user's), that turn is
    generated from the task; if it is empty, turns are also generated from `task.progress`. Consecutive turns of one
    role are merged. A task to summarize ends with the request for a conclusion. Tasks to plan, choose or write, and
    structured rounds (whose system prompts are `prompts`), are rendered from the task alone, ignoring the transcript;
    of work with tools and plans of tasks, the transcript has the question and all turns since; that of an executor
    begins with the questions before, which are not told twice.
    """
    if isinstance(task, StructuredRound):
        system, *turns = structured_messages(task, tags=tags, prompts=prompts)
        return (system, *(_fenced(turn, tags) for turn in _joined(turns)))
    if isinstance(task, PlanOperations):
        asked = (*_earlier(task, tags), planning_turn(task, tags=tags))
        return (planning_system(task), *(_fenced(turn, tags) for turn in _joined(asked)))
    if isinstance(task, UseTools | PlanTasks):
        told = () if isinstance(task, UseTools) and task.part == "executor" else task.history
        said = replace(task, history=tuple(replace(turn, code=None) for turn in told))
        system, *turns = work_messages(task, tuple(_earlier(said, tags)), transcript, tags=tags)
        return (system, *(_fenced(turn, tags) for turn in _joined(turns)))
    if isinstance(task, SumUp):
        return tuple(_fenced(turn, tags) for turn in sum_up_messages(task, tags=tags))
    if isinstance(task, ChooseWorkflow | Chat):
        system, turn = chat_messages(task) if isinstance(task, Chat) else choice_messages(task, tags=tags)
        return (system, *(_fenced(one, tags) for one in _joined((*_earlier(task, tags), turn))))
    if isinstance(task, WriteQuery):
        return tuple(_fenced(turn, tags) for turn in query_messages(task, tags=tags))
    turns = [*_earlier(task, tags)]
    if not transcript or transcript[0].role != "user":
        turns.append(first_turn(task, tags=tags))
    turns.extend(transcript or _progress(task, tags))
    if isinstance(task, Summarize):
        turns.append(conclude_turn(task.language))
    return (_system(task, tags), *(_fenced(turn, tags) for turn in _joined(turns)))


def _system(task: Task, tags: CodeTags) -> Message:
    text = prompt(
        "system",
        task.language,
        code_begin=tags.code_begin,
        code_end=tags.code_end,
        output_tag=tags.output,
        error_tag=tags.error,
        step_annotation=tags.step_annotation,
        conclusion_step=tags.conclusion_step(task.language),
    )
    return Message(role="system", parts=(TextPart(text=text, origin="system"),))


def _earlier(task: Task, tags: CodeTags) -> Iterable[Message]:
    for turn in task.history:
        yield Message(role="user", parts=(TextPart(text=turn.question, origin="user"),))
        if turn.code is not None:
            yield _wrote(f"{tags.code_begin}\n{turn.code.strip()}\n{tags.code_end}")
            yield output_turn((phrase("earlier_output", task.language),), task.language, tags=tags)
        yield _wrote(turn.answer)


def _wrote(text: str) -> Message:
    return Message(role="assistant", parts=(TextPart(text=text, origin="output"),))


def _progress(task: Task, tags: CodeTags) -> Iterable[Message]:
    """Yield the turns of steps known only as facts: a code block each, followed by its output or its error."""
    for step in task.progress:
        yield _wrote(f"{tags.code_begin}\n{_annotated(step, tags)}\n{tags.code_end}")
        if step.error is None:
            yield output_turn((step.text,), task.language, tags=tags)
            continue
        lines = step.error.strip().splitlines() or [""]
        kind, _, message = lines[0].partition(":")
        outputs = (step.text,) if step.text.strip() else ()
        yield error_turn(
            outputs,
            task.language,
            kind=kind.strip(),
            message=message.strip(),
            traceback="\n".join(lines[1:]),
            tags=tags,
        )


def _annotated(step: StepFacts, tags: CodeTags) -> str:
    code = step.code.strip()
    return code if code.startswith(tags.step_annotation) else f"{tags.step_annotation} {step.name}\n{code}"


def _joined(turns: Iterable[Message]) -> Iterable[Message]:
    """Merge consecutive turns of one role, separated by a blank line; tool results are never merged with other text."""
    for role, group in groupby(turns, key=lambda turn: turn.role):
        parts: list[Part] = []
        for turn in group:
            if parts and role in {"user", "assistant"}:
                parts.append(TextPart(text="\n\n", origin="system"))
            parts.extend(turn.parts)
        yield Message(role=role, parts=tuple(parts))


def _fenced(turn: Message, tags: CodeTags) -> Message:
    if turn.role not in {"user", "tool"}:
        return turn
    parts: list[Part] = []
    tagged = False
    for part in turn.parts:
        parts.append(part if tagged else _fence(part, tags))
        tagged = isinstance(part, TextPart) and part.origin == "system" and _opens(part.text, tags)
    return Message(role=turn.role, parts=tuple(parts))


def _fence(part: Part, tags: CodeTags) -> Part:
    if not isinstance(part, TextPart | ToolResultPart) or not (part.origin in FENCED or _is_told(part)):
        return part
    return replace(part, text=f'<data origin="{part.origin}">\n{defuse(part.text, tags)}\n</data>\n')


def _is_told(part: Part) -> bool:
    """Whether the part is a tool's result told as text; those of a provider's own tool calls are no text."""
    return isinstance(part, TextPart) and part.origin == "tool"


def _opens(text: str, tags: CodeTags) -> bool:
    """Return whether the system's text before a part opened the output or error tags, which already fence it."""
    return text.lstrip().startswith((f"{tags.output}\n", f"{tags.error}\n"))
