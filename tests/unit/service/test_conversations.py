"""Conversations have titles, and can be found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.service_bench import bench
from tests.unit.service.scripts import answering

from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.runs.runs import Ask


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("每个地区的销量?", "每个地区的销量?"),
        ("  Sales\n by   region ", "Sales by region"),
        ("x" * 60, "x" * 60),
        ("字" * 100, "字" * 59 + "…"),
    ],
)
async def test_the_first_question_becomes_the_title(tmp_path: Path, question: str, title: str) -> None:
    service = bench(tmp_path, answering)
    run = await service.settled(await service.ask(question))
    assert (await service.conversations.get(service.scope, run.conversation_id)).title == title
    second = await service.runs.start(service.scope, run.conversation_id, Ask(text="another"))
    await service.settled(second)
    assert (await service.conversations.get(service.scope, run.conversation_id)).title == title


async def test_a_title_that_was_given_stays(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope, title="  My\nsales ", language="zh")
    assert (conversation.title, conversation.language) == ("My sales", "zh")
    await service.settled(await service.runs.start(service.scope, conversation.id, Ask(text="how many?")))
    assert (await service.conversations.get(service.scope, conversation.id)).title == "My sales"
    renamed = await service.conversations.rename(service.scope, conversation.id, title="Other")
    assert renamed.title == "Other"
    assert await service.conversations.get(service.scope, conversation.id) == renamed


async def test_a_question_without_letters_is_answered_in_the_conversations_language(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    conversation = await service.conversations.create(service.scope, language="zh")
    for text, language in (("42?", "zh"), ("how many", "en"), ("多少", "zh")):
        run = await service.runs.start(service.scope, conversation.id, Ask(text=text))
        assert run.language == language
        await service.settled(run)


async def test_conversations_are_listed_by_activity_and_found_by_words(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    runs = [await service.settled(await service.ask(text)) for text in ("Apples", "Pears", "Plums")]
    first = await service.conversations.list(service.scope, limit=2)
    rest = await service.conversations.list(service.scope, limit=2, cursor=first.next_cursor)
    assert [item.title for item in (*first.items, *rest.items)] == ["Plums", "Pears", "Apples"]
    found = await service.conversations.list(service.scope, query="pear")
    assert [item.id for item in found.items] == [runs[1].conversation_id]
    assert (await service.conversations.list(Scope(owner="somebody else"))).items == ()


async def test_a_deleted_conversation_is_gone_with_its_runs(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.settled(await service.ask())
    with pytest.raises(NotFound):
        await service.conversations.delete(Scope(owner="somebody else"), run.conversation_id)
    await service.conversations.delete(service.scope, run.conversation_id)
    with pytest.raises(NotFound):
        await service.conversations.messages(service.scope, run.conversation_id)
    with pytest.raises(NotFound):
        await service.runs.get(service.scope, run.id)
    with pytest.raises(NotFound):
        await service.conversations.delete(service.scope, run.conversation_id)


async def test_what_a_client_calls_its_conversation_leads_to_it(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    first = await service.conversations.of_client(service.scope, "genie", "session-1", language="zh")
    assert (first.title, first.language) == ("", "zh")
    assert await service.conversations.of_client(service.scope, "genie", "session-1") == first
    assert (await service.conversations.of_client(service.scope, "agui", "session-1")).id != first.id
