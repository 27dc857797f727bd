"""The trail of a chat: equal for the same words, and for nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tablewright.service.chats.request import ChatName, ChatRequest, ChatRole, ChatTurn, FileContent, FileReference
from tablewright.service.chats.trail import name_of, trail_of

FILE = FileContent(name="a.csv", content=b"1", sha256="0" * 64, field="x")
OTHER = FileReference(file_id="f-1", field="y")


def turn(role: ChatRole, text: str, *attachments: FileContent | FileReference) -> ChatTurn:
    return ChatTurn(role=role, text=text, attachments=attachments)


TURNS = (turn("user", "How many?", FILE), turn("assistant", "Two [a](http://one/api/v1/x)."), turn("user", "And?"))
CHAT = ChatRequest(turns=TURNS)


def test_spaces_and_the_host_of_our_links_make_no_difference() -> None:
    laid_out = replace(CHAT, turns=(TURNS[0], turn("assistant", "Two\n[a](https://two:1/api/v1/x) ."), TURNS[2]))
    assert trail_of(laid_out) == trail_of(CHAT)
    assert trail_of(replace(CHAT, turns=TURNS[:2])) == trail_of(CHAT)[:2]


@pytest.mark.requirement("openai-chat-strangers")
@pytest.mark.parametrize(
    "other",
    [
        replace(CHAT, person="ann"),
        replace(CHAT, chat=ChatName(key="c")),
        replace(CHAT, turns=(turn("user", "How many?"), *TURNS[1:])),
        replace(CHAT, turns=(turn("user", "How many?", OTHER), *TURNS[1:])),
        replace(CHAT, turns=(turn("user", "How much?", FILE), *TURNS[1:])),
        replace(CHAT, turns=(turn("assistant", "How many?", FILE), *TURNS[1:])),
        replace(CHAT, turns=(TURNS[0], turn("assistant", "Two [a](http://one/api/v2/x)."), TURNS[2])),
    ],
)
def test_anything_else_leads_elsewhere_from_there_on(other: ChatRequest) -> None:
    first = next(at for at, (one, two) in enumerate(zip(trail_of(CHAT), trail_of(other), strict=True)) if one != two)
    assert not set(trail_of(CHAT)[first:]) & set(trail_of(other))


@given(some.text(max_size=5), some.text(max_size=5), some.text(max_size=5), some.text(max_size=5))
def test_no_two_people_have_a_name_in_common(one: str, key: str, two: str, other: str) -> None:
    assert (name_of(one, key) == name_of(two, other)) == ((one, key) == (two, other))
