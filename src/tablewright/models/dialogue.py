"""The code analyst's dialogue with a model, as pure functions that determine the exact text of each user turn.

A turn keeps its parts separate by origin: the tags and the introduction are the system's, the text between them is
data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.domain.language import Language
from tablewright.domain.message import Message, Part, TextPart
from tablewright.domain.task import Task
from tablewright.models.facts import dataset_parts
from tablewright.models.notes import note_lines
from tablewright.models.prompt_files import phrase
from tablewright.models.relations import relation_lines
from tablewright.models.vocabulary import word_lines

OUTPUT_CHARS = 16_000
"""The maximum length of a turn's output as shown to a model; in longer output the middle is left out."""
TRACEBACK_CHARS = 6_000

_CONTROL_TOKEN = re.compile(r"<(?=\|[\w ./:-]{1,60}\|>)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeTags:
    """The markers of the dialogue.

    `step_annotation` begins the first line of a segment, a comment; the step's name follows.
    """

    code_begin: str = "<|begin_code|>"
    code_end: str = "<|end_code|>"
    output: str = "<|code_output|>"
    error: str = "<|code_error|>"
    step_annotation: str = "# @step:"
    conclusion_step_zh: str = "输出分析结论"
    conclusion_step_en: str = "State the conclusion"

    def __post_init__(self) -> None:
        if not self.step_annotation.startswith("#"):
            object.__setattr__(self, "step_annotation", f"# {self.step_annotation}")

    def conclusion_step(self, language: Language) -> str:
        """Return the name of the step that concludes a task."""
        return self.conclusion_step_zh if language == "zh" else self.conclusion_step_en

    def concludes(self, step: str) -> bool:
        """Return whether a step called `step` concludes the task, in either language."""
        return step.strip() in {self.conclusion_step_zh, self.conclusion_step_en}

    @property
    def marks(self) -> tuple[str, ...]:
        """The four tags, which must never come from data."""
        return (self.code_begin, self.code_end, self.output, self.error)


DEFAULT_TAGS = CodeTags()


def defuse(text: str, tags: CodeTags = DEFAULT_TAGS) -> str:
    """Return `text` with everything broken up that could be mistaken for a tag, a fence or a chat control token."""
    for mark in (*tags.marks, "<data", "</data"):
        text = text.replace(mark, f"{mark[0]} {mark[1:]}")
    return _CONTROL_TOKEN.sub("< ", text)


def clip(text: str, limit: int, language: Language) -> str:
    """Return `text`, cut to about `limit` characters if longer.

    Keeps the beginning (two thirds) and the end (one third), with a note between them.
    """
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    note = phrase("left_out", language, count=len(text) - limit)
    return f"{text[:head]}\n{note}\n{text[len(text) - tail :]}"


def first_turn(task: Task, *, tags: CodeTags = DEFAULT_TAGS) -> Message:
    """Return the turn with the question and the facts about its tables, under headings.

    Samples are fenced by `render`.
    """
    parts: list[Part] = [
        TextPart(text=f"{phrase('task_heading', task.language)}\n", origin="system"),
        TextPart(text=task.question.strip(), origin="user"),
        TextPart(text=f"\n\n{phrase('data_heading', task.language)}\n", origin="system"),
    ]
    for number, dataset in enumerate(task.datasets, start=1):
        facts = dataset_parts(dataset, number, task.language)
        parts.extend(replace(part, text=defuse(part.text, tags)) for part in facts)
    if related := relation_lines(task.relations, task.datasets, task.language):
        parts.append(TextPart(text=defuse(related, tags), origin="statistics"))
    if words := word_lines(task):
        parts.append(TextPart(text=defuse(words, tags), origin="statistics"))
    if notes := note_lines(task):
        parts.append(TextPart(text=defuse(notes, tags), origin="file"))
    if not task.datasets:
        parts.append(TextPart(text=phrase("no_data", task.language), origin="system"))
    return Message(role="user", parts=tuple(parts))


def output_turn(outputs: Sequence[str], language: Language, *, tags: CodeTags = DEFAULT_TAGS) -> Message:
    """Return the turn with the outputs of one block's steps, in order, between one pair of output tags."""
    return Message(role="user", parts=_output_parts(outputs, language, tags))


def error_turn(
    outputs: Sequence[str],
    language: Language,
    *,
    kind: str,
    message: str,
    traceback: str,
    tags: CodeTags = DEFAULT_TAGS,
) -> Message:
    """Return the turn with the outputs of the finished steps (if any), followed by the error of the failed one.

    `kind` is the name of the exception, such as `ValueError`.
    """
    parts = (*_output_parts(outputs, language, tags), _mark("\n")) if outputs else ()
    what = f"{kind}: {clip(message, TRACEBACK_CHARS, language)}" if message else kind
    trace = clip(traceback.strip("\n"), TRACEBACK_CHARS, language)
    return Message(
        role="user",
        parts=(
            *parts,
            _mark(f"{tags.error}\n{phrase('error_lead', language)}\n\n"),
            _output(f"{what}\n\nTraceback:\n{trace}", tags),
            _mark(f"\n{tags.error}"),
        ),
    )


def conclude_turn(language: Language) -> Message:
    """Return the turn that asks for the conclusion, without code."""
    return Message(role="user", parts=(_mark(phrase("conclude", language)),))


def kept_turn(streamed: str, *, tags: CodeTags = DEFAULT_TAGS) -> Message:
    """Return the assistant's turn as stored: the text streamed up to the end of a failing segment, with the end
    tag added."""
    text = streamed.rstrip()
    if text.rfind(tags.code_begin) > text.rfind(tags.code_end):
        text = f"{text}\n{tags.code_end}"
    return Message(role="assistant", parts=(TextPart(text=text, origin="output"),))


def _output_parts(outputs: Sequence[str], language: Language, tags: CodeTags) -> tuple[TextPart, ...]:
    text = "\n".join(part.strip("\n") for part in outputs if part.strip())
    shown = clip(text, OUTPUT_CHARS, language) or phrase("no_output", language)
    return (_mark(f"{tags.output}\n"), _output(shown, tags), _mark(f"\n{tags.output}"))


def _mark(text: str) -> TextPart:
    return TextPart(text=text, origin="system")


def _output(text: str, tags: CodeTags) -> TextPart:
    return TextPart(text=defuse(text, tags), origin="output")
