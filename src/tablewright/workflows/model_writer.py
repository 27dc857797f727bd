"""Has the run's model write for a node: text as it comes, or an object that is read and checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tablewright.agent.emission import Item
from tablewright.agent.replies import Replies
from tablewright.agent.stream.echo import Echo
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.task import Chat
from tablewright.errors import AnswerUnreadable, ModelSilent
from tablewright.models.base import Model, ModelRequest
from tablewright.models.lenient_json import read_object
from tablewright.models.render import render
from tablewright.texts.catalogue import text
from tablewright.tools.arguments import checked
from tablewright.workflows.base import Emit, WrittenOutcome


class Chunks:
    """Hears a reply and passes on what is new: a reply that was cut and begins again is not passed on twice."""

    def __init__(self, chunk: Callable[[str], None]) -> None:
        self._chunk = chunk
        self._echo = Echo()

    def begin(self) -> None:
        self._echo = Echo(self._echo.written)

    def feed(self, piece: str) -> None:
        if new := self._echo.new(piece):
            self._chunk(new)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWriter:
    """Writes with `model`; `emit` takes its reasoning and what it used, `chunk` its text."""

    model: Model
    emit: Emit
    chunk: Callable[[str], None]

    async def write(self, task: Chat) -> WrittenOutcome:
        """Return what the model wrote. An object that does not fit is asked for once more.

        Raises `AnswerUnreadable` after that, `ModelSilent`, and whatever the model raises.
        """
        first = await self._text(task)
        if task.schema is None:
            return WrittenOutcome(text=first)
        values, problem = _read(first, task)
        if values is not None:
            return WrittenOutcome(text=first, values=values)
        second = await self._text(replace(task, unreadable=problem))
        values, problem = _read(second, task)
        if values is None:
            raise AnswerUnreadable(model=self.model.name, problem=problem)
        return WrittenOutcome(text=second, values=values)

    async def _text(self, task: Chat) -> str:
        request = ModelRequest(
            messages=render(task),
            task=task,
            purpose="analyze" if task.unreadable is None else "repair",
            tool_choice="none",
            output_schema=task.schema,
        )
        said = await Replies(model=self.model, emit=self._emit, listener=Chunks(self.chunk)).text(request)
        if not said.strip():
            raise ModelSilent(model=self.model.name)
        return said.strip()

    def _emit(self, item: Item) -> None:
        if not isinstance(item, TranscriptEntry):
            self.emit(item)


def _read(said: str, task: Chat) -> tuple[dict[str, Any] | None, str]:
    """Return the object in a reply, or what is wrong with it."""
    found = read_object(said)
    if found is None:
        return None, text("workflow_written_no_object", task.language)
    told = checked(task.schema or {}, found, task.language)
    return (None, " ".join(told.problems)) if told.problems else (dict(told.values), "")
