"""A question is stored before any of its files is opened: what the files hold is a matter of its run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Bench, bench
from tests.unit.service.scripts import answering

from tablewright.domain.conversation import Conversation
from tablewright.domain.run import Run
from tablewright.errors import FileUnreadable, NotFound
from tablewright.service.files.files import RunArtifacts
from tablewright.service.runs.runs import Ask


async def unread_file(service: Bench, conversation: Conversation, content: bytes) -> str:
    """Add a file whose tables are not known, as one that a run made."""
    artifacts = RunArtifacts(
        service.store, service.blobs, service.ids, service.scope, run_id="r-1", conversation_id=conversation.id
    )
    return (await artifacts.put("made.csv", "text/csv", content)).id


async def ask(service: Bench, conversation: Conversation, file_id: str) -> Run:
    async with asyncio.timeout(PATIENCE_S):
        return await service.runs.start(service.scope, conversation.id, Ask(text="how many?", file_ids=(file_id,)))


@pytest.mark.requirement("question-stored-first")
async def test_a_question_is_stored_while_its_file_is_still_being_read(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    file_id = await unread_file(service, conversation, b"one\ntwo\n")
    service.tables.free.clear()
    run = await ask(service, conversation, file_id)
    (message,) = (await service.conversations.messages(service.scope, conversation.id)).items
    assert (message.text, message.run_id, message.file_ids) == ("how many?", run.id, (file_id,))
    service.tables.free.set()
    assert (await service.settled(run)).outcome == "completed"
    assert [facts.rows for facts in service.agent.given[0].datasets] == [2]


@pytest.mark.requirement("question-stored-first")
async def test_a_file_that_cannot_be_read_is_the_end_of_the_run_that_was_asked_about_it(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    ended = await service.settled(await ask(service, conversation, await unread_file(service, conversation, b"broken")))
    assert (ended.state, ended.outcome) == ("finished", "failed")
    assert ended.failure is not None
    assert (ended.failure.code, ended.failure.params["name"]) == (FileUnreadable.code, "made.csv")
    (message,) = (await service.conversations.messages(service.scope, conversation.id)).items
    assert message.text == "how many?"


async def test_an_edit_of_a_file_without_a_readable_table_is_begun(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    file_id = await unread_file(service, conversation, b"broken")
    run = await service.runs.start(
        service.scope, conversation.id, Ask(text="sort it", file_ids=(file_id,), mode="edit")
    )
    assert (await service.settled(run)).outcome == "completed"


async def test_a_question_about_an_unknown_file_is_not_stored(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope)
    with pytest.raises(NotFound):
        await ask(service, conversation, "nothing")
    assert (await service.conversations.messages(service.scope, conversation.id)).items == ()
