"""The memory of a run that plans: the conversation, and what each task added to it, in the order of the tasks.

It is a fold of the children: whoever asks again finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tablewright.agent.base import AgentInput, Children
from tablewright.agent.react.conversation import Conversation, clipped, without_tools
from tablewright.domain.answer import Answer
from tablewright.domain.message import Message, TextPart, ToolResultPart
from tablewright.domain.run import Run
from tablewright.domain.task import DoneTask
from tablewright.models.work_prompt import request_turn
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text


def task_key(round_number: int, place: int) -> str:
    """Return the id of a task: the round that it belongs to, and its place in it, from 1."""
    return f"{round_number}.{place}"


@dataclass(slots=True, kw_only=True)
class MainMemory:
    """What is remembered before the round `rounds + 1`; `done` are the children of the rounds that are over.

    Of the round before (`newest`) the calls of tools are remembered too, of those before it (`older`) what was said.
    """

    older: list[Message]
    newest: list[Message] = field(default_factory=list[Message])
    rounds: int = 0
    done: list[Run] = field(default_factory=list[Run])

    @property
    def messages(self) -> list[Message]:
        """All of it, in order."""
        return [*self.older, *self.newest]

    async def take_round(self, children: Children, tasks: Sequence[Run], given: AgentInput, chars: int) -> None:
        """Add what the tasks of the next round have added, in their order."""
        opened = len(self.messages)
        added: list[Message] = []
        for child in tasks:
            own = (await children.transcript(child.id))[opened:]
            added += clipped(own, chars, given.language)
            if child.answer is None:
                added += _cut_off(own, failure_of(child, given))
        self.older += without_tools(self.newest)
        self.newest = added
        self.done += tasks
        self.rounds += 1


def opening_memory(given: AgentInput) -> MainMemory:
    """Return what is remembered before the first round: the conversation, and the request."""
    messages: list[Message] = []
    for turn in given.history:
        messages.append(Message(role="user", parts=(TextPart(text=turn.question, origin="user"),)))
        messages.append(_said(turn.answer))
    messages.append(request_turn(given.question, given.language))
    return MainMemory(older=messages)


def of_round(children: Iterable[Run], round_number: int) -> tuple[Run, ...]:
    """Return the children of a round in the order of its tasks."""
    found = [child for child in children if (child.task_id or "").partition(".")[0] == str(round_number)]
    return tuple(sorted(found, key=lambda child: int((child.task_id or "").partition(".")[2] or 0)))


def done_task(child: Run, given: AgentInput) -> DoneTask:
    """Return what came of a task: its answer, or why there is none."""
    answer = child.answer
    if answer is not None and answer.outcome == "completed":
        return DoneTask(text=child.question, result=_with_files(answer))
    words = answer.text if answer is not None else failure_of(child, given)
    return DoneTask(text=child.question, result=words, failed=True)


def failure_of(child: Run, given: AgentInput) -> str:
    """Say why a task has no answer."""
    if child.failure is not None:
        return error_text(child.failure.code, given.language, child.failure.params)
    return text("agent.task_stopped", given.language)


def _cut_off(own: Sequence[Message], failure: str) -> list[Message]:
    """Say why a task has no answer, also as the result of each call that it was waiting for."""
    calls = Conversation(list(own)).pending
    results = (
        ToolResultPart(call_id=call.call_id, name=call.name, text=failure, failed=True) for call in calls
    )  # fmt: skip
    return [*(Message(role="tool", parts=(result,)) for result in results), _said(failure)]


def _with_files(answer: Answer) -> str:
    names = [file.name for file in answer.files if file.name not in answer.text]
    return "\n".join((answer.text, *names))


def _said(words: str) -> Message:
    return Message(role="assistant", parts=(TextPart(text=words, origin="output"),))
