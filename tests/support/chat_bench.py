"""Conversations with workflows on the real runs service, and the frames that a client sees."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.api.schemas.workflow_chat import ChatFrame
from tablewright.api.workflow_chat.frames import frames
from tablewright.domain.conversation import Conversation
from tablewright.domain.ids import Clock, SystemClock
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.service.runs.runs import Ask
from tablewright.service.workflow_chat.chat import AcceptedMessage, WorkflowChat
from tablewright.service.workflow_chat.memory import MemoryDesk
from tablewright.service.workflows.launches import WorkflowLaunches
from tablewright.service.workflows.library import WorkflowLibrary
from tablewright.store.base import Store

ORDERS = workflow(
    [
        node("start", "start"),
        node("number", "ask_user", prompt="请提供订单号"),
        node("look", "tool", tool="look", arguments={"word": "{{ number.text }}"}),
        node("end", "end", text="订单 {{ number.text }}: {{ look.text }}"),
    ],
    "start > number > look > end",
    name="orders",
    examples=["帮我查订单"],
)
STOCK = workflow(
    [
        node("start", "start"),
        node("look", "tool", tool="look", arguments={"word": "stock"}),
        node("end", "end", text="库存: {{ look.text }}"),
    ],
    "start > look > end",
    name="stock",
    examples=["帮我查库存"],
)
ECHO = workflow(
    [node("start", "start"), node("end", "end", text="{{ inputs.question }}")],
    "start > end",
    name="echo",
    inputs=[{"name": "question"}],
)


class ChatBench:
    """A service in which `workflows` are published; `say` returns what a client sees until the stream ends.

    Those `within` run within others, and no message begins them.
    """

    def __init__(
        self,
        folder: Path,
        workflows: tuple[Workflow, ...] = (ORDERS, STOCK),
        *,
        default: Workflow | None = ECHO,
        store: Store | None = None,
        clock: Clock | None = None,
        functions: dict[str, Any] | None = None,
        within: tuple[Workflow, ...] = (),
        **more: Any,
    ) -> None:
        self.looked: list[str] = []
        tools = {"look": self._look, **(functions or {})}
        self.workflows = WorkflowBench(folder, tools, workflows=within, store=store, clock=clock, **more)
        self.bench = self.workflows.bench
        self.desk = MemoryDesk(workflows, default=default)
        store, conversations, runs = self.bench.store, self.bench.conversations, self.bench.runs
        self.launches = WorkflowLaunches(WorkflowLibrary(store.workflows), conversations, runs, store.files)
        self.chat = WorkflowChat(
            store,
            conversations,
            runs,
            self.launches,
            self.desk,
            clock=clock or SystemClock(),
            restart_after=timedelta(minutes=30),
            continue_words=("继续", "是", "ok"),
        )

    @property
    def scope(self) -> Scope:
        return self.bench.scope

    async def conversation(self) -> Conversation:
        return await self.bench.conversations.create(self.scope, language="zh")

    async def take(self, conversation: Conversation, words: str) -> AcceptedMessage:
        return await self.chat.take(self.scope, conversation.id, Ask(text=words, mode="workflow"))

    async def say(self, conversation: Conversation, words: str) -> list[ChatFrame]:
        accepted = await self.take(conversation, words)
        return [frame async for frame in frames(self.chat, self.scope, accepted, "zh")]

    async def stage(self, conversation: Conversation) -> str:
        return (await self.bench.store.conversations.state(self.scope, conversation.id)).stage

    async def history(self, conversation: Conversation) -> list[tuple[str, str]]:
        page = await self.bench.store.conversations.messages(self.scope, conversation.id)
        return [(message.author, message.text) for message in page.items]

    async def close(self) -> None:
        await self.workflows.close()

    async def _look(self, given: Any, key: str) -> str:
        self.looked.append(str(given["word"]))
        return "found"


def types(seen: list[ChatFrame]) -> list[str]:
    return [frame.type for frame in seen]
