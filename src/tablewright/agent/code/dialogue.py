"""The dialogue of a run with its model: the transcript as it grows, and the turns that report what ran."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.agent.base import AgentInput
from tablewright.agent.code import control
from tablewright.agent.code.turn import TurnRecord
from tablewright.agent.emission import Emit
from tablewright.agent.steps import StepRecord
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.task import Task
from tablewright.models.base import ModelRequest, Purpose, ToolSpec
from tablewright.models.control import control_tools
from tablewright.models.dialogue import CodeTags, error_turn, first_turn, output_turn
from tablewright.models.render import render

_PURPOSES: dict[str, Purpose] = {"repair_step": "repair", "summarize": "conclude"}


class Dialogue:
    """Keeps the transcript of one run and writes our side of it."""

    def __init__(self, given: AgentInput, tags: CodeTags, emit: Emit) -> None:
        self._given = given
        self._tags = tags
        self._emit = emit
        self.transcript: list[Message] = list(given.transcript)

    def begin(self, task: Task) -> None:
        """Open a new transcript with the task, or an old one with the answers given since."""
        if not self.transcript:
            self.keep(first_turn(task, tags=self._tags))
            return
        for message in control.answers(self.transcript, self._given.answered):
            self.keep(message)

    def request(self, task: Task, tools: Sequence[ToolSpec], *, may_run: bool) -> ModelRequest:
        """Return the request for the model's next turn; without `may_run`, it is to write text only."""
        return ModelRequest(
            messages=render(task, self.transcript, tags=self._tags),
            task=task,
            purpose=_PURPOSES.get(task.type, "analyze"),
            tools=(*control_tools(task.language), *tools) if may_run else (),
            tool_choice="auto" if may_run else "none",
        )

    def record(self, turn: TurnRecord, *, calls: bool) -> None:
        """Keep a turn and what its steps gave. A turn that only `calls` is kept with its calls, later."""
        if turn.message.text.strip() and (turn.records or not calls):
            self.keep(turn.message)
        if turn.records:
            self.keep(self._report([record.digest for record in turn.succeeded], turn.failed))

    def report_failure(self, record: StepRecord) -> None:
        """Tell the model of a failed step that it did not write itself."""
        self.keep(self._report([], record))

    def keep(self, message: Message) -> None:
        """Add a message to the transcript."""
        self.transcript.append(message)
        self._emit(TranscriptEntry(message=message))

    def _report(self, digests: list[str], failed: StepRecord | None) -> Message:
        language, tags = self._given.language, self._tags
        if failed is None or (error := failed.error) is None:
            return output_turn(digests, language, tags=tags)
        return error_turn(
            digests, language, kind=error.name, message=error.message, traceback=error.traceback, tags=tags
        )
