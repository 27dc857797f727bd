"""The trail of a chat: one hash after each of its messages, of that message and all before it. Pure.

Who knows a hash has seen every word that was said up to there, and every file that was attached: the hash finds a
conversation only for those who have nothing to learn from what led to it.
"""

from __future__ import annotations

import hashlib
import json
import re

from tablewright.service.chats.request import Attachment, ChatRequest, FileReference

_LINK_PLACE = re.compile(r"https?://[^/\s)\]]+(?=/api/v1/)")
"""The address of this service in a link that we wrote: a client may reach us by several."""


def trail_of(request: ChatRequest) -> tuple[str, ...]:
    """Return the hash after each message.

    The same messages of another person, or in a chat of another name, have other hashes.
    """
    named = None if request.chat is None else request.chat.key
    last = _hash(["chat", request.person, named])
    found: list[str] = []
    for turn in request.turns:
        last = _hash([last, turn.role, plain(turn.text), [_named(one) for one in turn.attachments]])
        found.append(last)
    return tuple(found)


def name_of(person: str, key: str) -> str:
    """Return the name under which a chat that one person calls `key` is stored; no other person's is the same."""
    return _hash(["name", person, key])


def plain(text: str) -> str:
    """Return what clients leave of a text when they send it again: no spaces, and links without their host."""
    return "".join(_LINK_PLACE.sub("", text).split())


def _named(attachment: Attachment) -> list[str]:
    if isinstance(attachment, FileReference):
        return ["id", attachment.file_id]
    return ["content", attachment.name, attachment.sha256]


def _hash(parts: list[object]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
