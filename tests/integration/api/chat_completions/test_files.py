"""The files of OpenAI's wire, and the keys that its clients send."""

from __future__ import annotations

import openai
import pytest
from tests.support.chat_client import TABLE, Opening


@pytest.mark.requirement("openai-files")
async def test_a_file_is_kept_listed_read_and_deleted(chats: Opening) -> None:
    files = (await chats()).client.files
    made = await files.create(file=("销售.csv", TABLE), purpose="assistants")
    assert (made.filename, made.bytes, made.purpose, made.status) == ("销售.csv", len(TABLE), "assistants", "processed")
    assert made.created_at > 1_700_000_000
    assert await files.retrieve(made.id) == made
    assert (await files.content(made.id)).read() == TABLE
    more = [(await files.create(file=(f"{number}.csv", TABLE), purpose="user_data")).id for number in range(4)]
    listed = [file.id async for file in files.list(limit=2)]
    assert listed == [*reversed(more), made.id]
    assert [file.id async for file in files.list(purpose="assistants")] == [made.id]
    assert (await files.delete(made.id)).deleted
    for use in (files.retrieve, files.content, files.delete):
        with pytest.raises(openai.NotFoundError):
            await use(made.id)


@pytest.mark.requirement("openai-files")
async def test_a_page_begins_after_the_id_of_a_file_and_after_nothing_else(chats: Opening) -> None:
    files = (await chats()).client.files
    first = await files.create(file=("a.csv", TABLE), purpose="user_data")
    second = await files.create(file=("b.csv", TABLE), purpose="user_data")
    await files.delete(second.id)
    assert [file.id for file in (await files.list(after=second.id)).data] == [first.id]
    for after in ("zzz", "1", " "):
        with pytest.raises(openai.BadRequestError) as refused:
            await files.list(after=after)
        assert refused.value.param == "after"


@pytest.mark.requirement("openai-files")
async def test_nobody_else_sees_a_file(chats: Opening) -> None:
    made = await (await chats()).client.files.create(file=("a.csv", TABLE), purpose="user_data")
    for key in ("tw_bob", "tw_eve", "sk-local"):
        files = (await chats(key=key)).client.files
        assert (await files.list()).data == []
        for use in (files.retrieve, files.content, files.delete):
            with pytest.raises(openai.NotFoundError):
                await use(made.id)


@pytest.mark.requirement("openai-files")
async def test_what_cannot_be_read_is_refused_and_leaves_nothing(chats: Opening) -> None:
    files = (await chats()).client.files
    with pytest.raises(openai.BadRequestError) as unreadable:
        await files.create(file=("a.csv", b"a,b\n\0"), purpose="user_data")
    assert unreadable.value.type == "invalid_request_error"
    for seconds in (60, 10**9):
        with pytest.raises(openai.BadRequestError, match="3600"):
            await files.create(
                file=("a.csv", TABLE), purpose="user_data", expires_after={"anchor": "created_at", "seconds": seconds}
            )
    assert (await files.list()).data == []


@pytest.mark.requirement("openai-files")
async def test_a_file_says_when_it_expires(chats: Opening) -> None:
    files = (await chats()).client.files
    made = await files.create(
        file=("a.csv", TABLE), purpose="user_data", expires_after={"anchor": "created_at", "seconds": 3600}
    )
    assert made.expires_at is not None
    assert abs(made.expires_at - made.created_at - 3600) <= 60


@pytest.mark.requirement("openai-keys")
async def test_off_loopback_a_key_of_ours_is_needed(chats: Opening) -> None:
    await chats(keyless=False)
    for key in ("sk-local", "tw_nobody"):
        with pytest.raises(openai.AuthenticationError) as refused:
            await (await chats(key=key)).client.models.list()
        assert refused.value.code == "invalid_api_key"
    assert (await (await chats(key="tw_bob")).client.models.list()).data


@pytest.mark.requirement("openai-keys")
async def test_on_loopback_any_word_does_for_a_key_but_one_of_ours_must_be_known(chats: Opening) -> None:
    for key in ("local", "sk-0"):
        assert (await (await chats(key=key)).client.models.list()).data
    with pytest.raises(openai.AuthenticationError):
        await (await chats(key="tw_deleted")).client.models.list()
    native = (await chats(key="sk-0")).client
    with pytest.raises(openai.AuthenticationError):
        await native.get("/../api/v1/conversations", cast_to=object)


async def test_errors_before_any_route_are_of_this_wire_too(chats: Opening) -> None:
    client = (await chats()).client
    for path, headers, status in (
        ("/embeddings", {}, 404),
        ("/models", {"host": "evil.org"}, 403),
        ("/models", {"origin": "http://evil.org"}, 403),
    ):
        with pytest.raises(openai.APIStatusError) as refused:
            await client.get(path, cast_to=object, options={"headers": headers})
        assert refused.value.status_code == status
        assert refused.value.type in {"invalid_request_error", "permission_error"}
