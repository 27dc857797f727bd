"""What calls over MCP leave behind goes after its time, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.service_bench import Bench, Items, bench
from tests.unit.service.scripts import answer

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import ManualClock
from tablewright.domain.run import Run
from tablewright.domain.scope import SystemScope
from tablewright.errors import NotFound
from tablewright.service.retention.calls import CallRetention
from tablewright.service.runs.runs import Ask

KEEP = timedelta(days=7)
SYSTEM = SystemScope(instance_id="i-1")


async def making(given: AgentInput, context: AgentContext) -> Items:
    del given
    await context.artifacts.put("made.csv", "text/csv", b"one")
    yield answer()


async def content(text: str = "one") -> AsyncIterator[bytes]:
    yield text.encode()


@dataclass(slots=True, kw_only=True)
class Stage:
    """A service, its calls, and one call that has ended."""

    clock: ManualClock
    service: Bench
    calls: CallRetention
    conversation: Conversation
    brought: StoredFile
    own: StoredFile
    run: Run

    @property
    def output(self) -> Path:
        return self.calls.outputs / self.run.id

    async def remove_old(self, after: timedelta = KEEP + timedelta(seconds=1)) -> int:
        await self.clock.advance(after.total_seconds())
        return await self.calls.remove_old(SYSTEM)

    async def names(self) -> list[str]:
        return sorted(file.name for file in (await self.service.files.list(self.service.scope)).items)

    async def ask(self, conversation: Conversation, *files: StoredFile) -> Run:
        asked = Ask(text="how many?", file_ids=tuple(file.id for file in files))
        run = await self.service.runs.start(self.service.scope, conversation.id, asked)
        return await self.service.settled(run)


async def staged(folder: Path, *, keep: timedelta | None = KEEP) -> Stage:
    clock = ManualClock()
    service = bench(folder, making, clock=clock)
    calls = CallRetention(service.store, service.conversations, clock, outputs=folder / "outputs", keep=keep)
    own = await service.files.upload(service.scope, name="own.csv", content=content())
    conversation = await service.conversations.create(service.scope)
    await calls.note(service.scope, conversation.id)
    brought = await service.files.upload(
        service.scope, name="brought.csv", content=content(), conversation_id=conversation.id
    )
    await calls.note(service.scope, conversation.id, [brought.id])
    run = await service.runs.start(
        service.scope, conversation.id, Ask(text="how many?", file_ids=(brought.id, own.id))
    )  # fmt: skip
    await service.settled(run)
    stage = Stage(
        clock=clock, service=service, calls=calls, conversation=conversation, brought=brought, own=own, run=run
    )
    await asyncio.to_thread(stage.output.mkdir, parents=True)
    (stage.output / "made.csv").write_bytes(b"one")
    return stage


@pytest.mark.requirement("mcp-calls-are-kept-for-days")
async def test_a_call_is_removed_with_what_it_brought_and_made_after_its_time_and_not_before(tmp_path: Path) -> None:
    stage = await staged(tmp_path)
    assert await stage.remove_old(KEEP - timedelta(seconds=1)) == 0
    assert await stage.names() == ["brought.csv", "made.csv", "own.csv"]
    assert await stage.remove_old(timedelta(seconds=2)) == 1
    assert await stage.names() == ["own.csv"]
    assert not stage.output.exists()
    with pytest.raises(NotFound):
        await stage.service.conversations.get(stage.service.scope, stage.conversation.id)
    assert await stage.remove_old() == 0


@pytest.mark.requirement("mcp-calls-are-kept-for-days")
async def test_a_conversation_that_somebody_went_on_with_is_theirs(tmp_path: Path) -> None:
    stage = await staged(tmp_path)
    await stage.ask(stage.conversation)
    assert await stage.remove_old() == 1
    assert await stage.names() == ["brought.csv", "made (2).csv", "made.csv", "own.csv"]
    assert stage.output.exists()
    assert await stage.remove_old() == 0


async def test_a_file_that_another_conversation_uses_stays_until_it_does_not(tmp_path: Path) -> None:
    stage = await staged(tmp_path)
    service = stage.service
    other = await service.conversations.create(service.scope)
    await stage.ask(other, stage.brought)
    await stage.remove_old()
    assert await stage.names() == ["brought.csv", "made (2).csv", "own.csv"]
    await service.conversations.delete(service.scope, other.id)
    await stage.remove_old()
    assert await stage.names() == ["made (2).csv", "own.csv"]


async def test_what_is_left_of_a_call_whose_conversation_was_deleted_goes_too(tmp_path: Path) -> None:
    stage = await staged(tmp_path)
    await stage.service.conversations.delete(stage.service.scope, stage.conversation.id)
    await stage.remove_old()
    assert "brought.csv" not in await stage.names()


async def test_calls_may_be_kept_for_good(tmp_path: Path) -> None:
    stage = await staged(tmp_path, keep=None)
    assert await stage.remove_old(timedelta(days=9999)) == 0
    assert await stage.names() == ["brought.csv", "made.csv", "own.csv"]
