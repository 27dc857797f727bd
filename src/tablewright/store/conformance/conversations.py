"""What every store of conversations does."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.chart import Chart
from tablewright.domain.page import Page
from tablewright.domain.table import Table
from tablewright.errors import CallerError, InvalidInput, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.answers import YES
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    OTHER_TENANT,
    after,
    batch,
    begun,
    conversation,
    end_of,
    file,
    message,
    refused,
    run,
)


class ConversationsConformance:
    """Threads, their order, their search and their end."""

    async def test_a_conversation_comes_back_as_it_was_put(self, store: Store) -> None:
        put = conversation(title="销量 ≥ 100% 'quoted' \\ _")
        await store.conversations.add(ANN, put)
        assert await store.conversations.get(ANN, put.id) == put

    async def test_a_conversation_of_another_owner_or_tenant_does_not_exist(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        for stranger in (BOB, OTHER_TENANT):
            with refused(NotFound):
                await store.conversations.get(stranger, "c-1")
            with refused(NotFound):
                await store.conversations.rename(stranger, "c-1", "mine", at=after(1))
            with refused(NotFound):
                await store.conversations.messages(stranger, "c-1")
            with refused(NotFound):
                await store.conversations.remove(stranger, "c-1")
            assert await store.conversations.find(stranger) == Page(items=())

    async def test_a_name_that_no_database_can_hold_is_refused_as_any_other_that_does_not_exist(
        self, store: Store
    ) -> None:
        for name in ("\0", "\ud800", "x" * 10_000, "'; --"):
            for get in (store.conversations.get, store.files.get, store.runs.get, store.log.events):
                with refused(CallerError):
                    await get(ANN, name)
        await begun(store)
        with refused(CallerError):
            await store.log.answer(ANN, "r-1", "\0", YES, at=after(1))

    async def test_the_list_begins_with_the_latest_activity(self, store: Store) -> None:
        for number in range(3):
            await store.conversations.add(ANN, conversation(f"c-{number}", at=after(number)))
        await store.conversations.rename(ANN, "c-0", "renamed", at=after(9))
        found = await store.conversations.find(ANN)
        assert [item.id for item in found.items] == ["c-0", "c-2", "c-1"]
        assert found.next_cursor is None

    async def test_pages_of_the_list_touch_without_overlap_also_at_equal_times(self, store: Store) -> None:
        for number in range(7):
            await store.conversations.add(ANN, conversation(f"c-{number}", at=after(number // 3)))
        seen: list[str] = []
        cursor: str | None = None
        while True:
            found = await store.conversations.find(ANN, limit=2, cursor=cursor)
            seen += [item.id for item in found.items]
            if (cursor := found.next_cursor) is None:
                break
        assert seen == ["c-6", "c-5", "c-4", "c-3", "c-2", "c-1", "c-0"]

    async def test_a_cursor_that_is_not_one_is_refused(self, store: Store) -> None:
        for cursor in ("nonsense", "WzFd", "!", "é"):
            with refused(InvalidInput):
                await store.conversations.find(ANN, cursor=cursor)

    async def test_search_looks_into_titles_and_messages_without_regard_to_case(self, store: Store) -> None:
        await begun(store)
        await begun(store, replace(run("r-2", conversation_id="c-2"), question="Which REGION sold most?"))
        await store.conversations.add(ANN, conversation("c-3", title="100%_done"))
        found = {
            query: {item.id for item in (await store.conversations.find(ANN, query=query)).items}
            for query in ("销量", "region", "%_D", "_", "nothing")
        }
        assert found == {"销量": {"c-1"}, "region": {"c-2"}, "%_D": {"c-3"}, "_": {"c-3"}, "nothing": set()}

    async def test_messages_are_numbered_in_their_conversation_and_come_oldest_first(self, store: Store) -> None:
        await begun(store)
        texts = ["每个地区的销量?", "two", "three", "four"]
        for number, text in enumerate(texts[1:], start=2):
            await store.log.append(ANN, replace(batch(), messages=(message(f"m-{number}", text, at=after(number)),)))
        first = await store.conversations.messages(ANN, "c-1", limit=3)
        rest = await store.conversations.messages(ANN, "c-1", limit=3, cursor=first.next_cursor)
        assert [item.text for item in (*first.items, *rest.items)] == texts
        assert [item.ordinal for item in (*first.items, *rest.items)] == [1, 2, 3, 4]
        assert [item.ordinal for item in await store.conversations.latest_messages(ANN, "c-1", 2)] == [3, 4]
        assert await store.conversations.latest_messages(ANN, "c-1", 0) == ()
        assert (await store.conversations.get(ANN, "c-1")).updated_at == after(4)

    async def test_an_answer_comes_back_whole_with_its_message(self, store: Store) -> None:
        answer = Answer(
            text="华东 sold 1,200.",
            outcome="completed",
            result=Table(columns=("n",), rows=((1200,),), total_rows=1),
            charts=(Chart(kind="bar", x=("华东", None), y=(1.5, 2), labels={"x": "地区"}),),
            sources=(NumberSource(value=1200, start=8, end=13, step_id="s-1"),),
            suggestions=("next?",),
        )
        await begun(store)
        said = replace(message("m-2", answer.text), author="assistant", answer=answer, file_ids=("f-1", "f-2"))
        await store.log.append(ANN, replace(batch(), messages=(said,)))
        found = await store.conversations.messages(ANN, "c-1")
        assert found.items[-1] == replace(said, ordinal=2)

    async def test_what_a_person_wrote_is_told_without_the_answers(self, store: Store) -> None:
        await begun(store)
        said = replace(message("m-2", "42"), author="assistant")
        asked = replace(message("m-3", "And now?"), file_ids=("f-1",))
        await store.log.append(ANN, replace(batch(), messages=(said, asked)))
        found = await store.conversations.questions(ANN, "c-1")
        assert [(item.ordinal, item.author, item.file_ids) for item in found][1:] == [(3, "user", ("f-1",))]
        for stranger in (BOB, OTHER_TENANT):
            with refused(NotFound):
                await store.conversations.questions(stranger, "c-1")

    async def test_a_clients_name_leads_to_one_conversation_per_owner_and_face(self, store: Store) -> None:
        made = await store.conversations.add_keyed(ANN, "genie", "session-1", conversation("c-1"))
        again = await store.conversations.add_keyed(ANN, "genie", "session-1", conversation("c-2"))
        assert made == again == conversation("c-1")
        assert await store.conversations.keyed(ANN, "genie", "session-1") == made
        for scope, face, key in ((BOB, "genie", "session-1"), (ANN, "agui", "session-1"), (ANN, "genie", "x")):
            assert await store.conversations.keyed(scope, face, key) is None
        await store.conversations.add_keyed(BOB, "genie", "session-1", conversation("c-3"))
        with refused(NotFound):
            await store.conversations.get(ANN, "c-2")
        await store.conversations.remove(ANN, "c-1")
        assert await store.conversations.keyed(ANN, "genie", "session-1") is None

    async def test_requests_of_a_client_at_the_same_time_make_one_conversation(self, store: Store) -> None:
        made = await asyncio.gather(
            *(store.conversations.add_keyed(ANN, "genie", "s", conversation(f"c-{n}")) for n in range(6))
        )
        assert len({item.id for item in made}) == 1
        assert len((await store.conversations.find(ANN)).items) == 1

    async def test_removing_takes_messages_runs_and_links_but_no_files(self, store: Store) -> None:
        await begun(store)
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id="c-1")
        await store.log.append(ANN, end_of())
        await store.conversations.remove(ANN, "c-1")
        with refused(NotFound):
            await store.runs.get(ANN, "r-1")
        with refused(NotFound):
            await store.log.events(ANN, "r-1")
        assert (await store.files.get(ANN, "f-1")).id == "f-1"
        await store.conversations.add(ANN, conversation())
        assert (await store.conversations.messages(ANN, "c-1")).items == ()
        assert await store.files.linked(ANN, "c-1") == ()
