"""The text that a model reads in a structured round: pure functions of the task."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.message import Message, Origin, TextPart
from tablewright.domain.structured import StructuredAnswer, StructuredRoundFacts, ToolOutcome, ToolRequest
from tablewright.domain.task import StructuredRound, ToolFacts
from tablewright.models.database_facts import database_parts
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags, clip, defuse, first_turn
from tablewright.models.prompt_files import phrase
from tablewright.models.structured_system import SystemPrompts, system_prompts

OUTCOME_CHARS = 20_000
"""What a model reads of one call; longer texts lose their middle."""
NAME_CHARS = 80


def structured_messages(
    task: StructuredRound, *, tags: CodeTags = DEFAULT_TAGS, prompts: SystemPrompts | None = None
) -> Iterator[Message]:
    """Yield the messages of one call: the form of the answer with the tools, earlier questions, this one with its data,
    and each round that is over."""
    yield _system(task, prompts or system_prompts())
    for turn in task.history:
        yield _message("user", (turn.question, "user"))
        yield _wrote(StructuredAnswer(task_analysis="", execution_plan="", current_round=1, report=turn.answer))
    yield _first(task, tags)
    for each in task.rounds:
        yield _wrote(each.answer)
        if each.outcomes:
            yield results_turn(each, task.language, tags=tags)
    yield _message("user", (_note(task), "system"))


def results_turn(facts: StructuredRoundFacts, language: Language, *, tags: CodeTags = DEFAULT_TAGS) -> Message:
    """Return the turn with what the calls of a round gave."""
    parts = [_part(f"{phrase('results_heading', language)}\n", "system")]
    for outcome in facts.outcomes:
        parts.append(_part(f"{defuse(_header(outcome, language), tags)}\n", "system"))
        parts.append(_part(clip(outcome.text, OUTCOME_CHARS, language) or phrase("no_output", language), "tool"))
    return Message(
        role="user",
        parts=tuple(replace(part, text=defuse(part.text, tags)) if part.origin == "tool" else part for part in parts),
    )


def answer_object(answer: StructuredAnswer) -> dict[str, Any]:
    """Return an answer in the form in which a model writes it."""
    action: dict[str, Any] = {"type": answer.action_type}
    if answer.report is None:
        action["content"] = [call_object(call) for call in answer.calls]
    else:
        action["content"] = answer.report
        action |= {"recommended_questions": [*answer.recommended_questions]} if answer.recommended_questions else {}
        action |= {"download_links": [*answer.download_links]} if answer.download_links else {}
    return {
        "task_analysis": answer.task_analysis,
        "execution_plan": answer.execution_plan,
        "current_round": answer.current_round,
        "action": action,
    }


def call_object(call: ToolRequest) -> dict[str, Any]:
    """Return a call in the form in which a model writes it."""
    return {"tool_name": call.tool_name, "tool_call_id": call.tool_call_id, "arguments": dict(call.arguments)}


def _system(task: StructuredRound, prompts: SystemPrompts) -> Message:
    tools = "\n".join(_tool(tool) for tool in task.tools) or phrase("tools_none", task.language)
    return _message(
        "system",
        (f"{prompts.of(task.language)}\n\n{phrase('tools_heading', task.language)}\n{tools}", "system"),
    )


def _tool(tool: ToolFacts) -> str:
    return f"## {tool.name}\n{tool.description.strip()}\n{_json(tool.parameters)}"


def _first(task: StructuredRound, tags: CodeTags) -> Message:
    turn = _asked(task, tags)
    told = database_parts(task.databases, task.language, limit_tokens=task.database_tokens)
    return Message(role="user", parts=(*turn.parts, *(replace(part, text=defuse(part.text, tags)) for part in told)))


def _asked(task: StructuredRound, tags: CodeTags) -> Message:
    if task.question.strip():
        return first_turn(task, tags=tags)
    turn = first_turn(replace(task, question=phrase("report_unasked", task.language)), tags=tags)
    parts = tuple(
        replace(part, origin="system") if isinstance(part, TextPart) and part.origin == "user" else part
        for part in turn.parts
    )
    return Message(role="user", parts=parts)


def _wrote(answer: StructuredAnswer) -> Message:
    return _message("assistant", (_json(answer_object(answer)), "output"))


def _header(outcome: ToolOutcome, language: Language) -> str:
    code = "call_failed" if outcome.failed else "call_done"
    id_, tool = (" ".join(name.split())[:NAME_CHARS] for name in (outcome.tool_call_id, outcome.tool_name))
    return phrase(code, language, id=id_, tool=tool)


def _note(task: StructuredRound) -> str:
    language = task.language
    last = task.round >= task.max_rounds
    lines = [phrase("round_last" if last else "round_at", language, round=task.round, rounds=task.max_rounds)]
    if task.unreadable is not None:
        lines.insert(0, phrase("answer_unreadable", language, problem=task.unreadable))
    return "\n".join(lines)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _message(role: Any, *parts: tuple[str, Origin]) -> Message:
    return Message(role=role, parts=tuple(_part(text, origin) for text, origin in parts))


def _part(text: str, origin: Origin) -> TextPart:
    return TextPart(text=text, origin=origin)
