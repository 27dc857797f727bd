"""What whoever has a link is shown of a conversation, and of nothing else.

Left out are ids, failures in the words of others (they may name places of the machine), and files but for their names.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never

from tablewright.domain.conversation import Author, Conversation, ConversationMessage
from tablewright.domain.events import (
    ArtifactCreated,
    OutputChart,
    OutputError,
    OutputEvent,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
)
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.share import Share
from tablewright.errors import NotFound
from tablewright.sandbox.base import SHARED_FOLDER
from tablewright.service.exports.exports import HERE
from tablewright.service.exports.images import png_of
from tablewright.service.exports.page import SHOWN, ShownStep, shown_steps
from tablewright.service.history import events_of
from tablewright.store.base import BlobStore, Store

TURNS = 200
"""How many messages are shown, the latest: whoever has a link may ask as often as they like."""
IMAGES_BYTES = 20 * 1024**2
"""How large the figures of a conversation may be together; those beyond it are named only."""
PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRun:
    """A run as it is shown: `names` are those of its files; `images` maps the ids of figures to PNG bytes."""

    run: Run
    steps: tuple[ShownStep, ...]
    names: tuple[str, ...]
    images: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTurn:
    """Something that was said, and the run that answered it, if one did."""

    author: Author
    text: str
    at: datetime
    run: SharedRun | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedConversation:
    """A conversation as a link shows it; `shortened`: earlier messages are left out."""

    conversation: Conversation
    share: Share
    turns: tuple[SharedTurn, ...]
    shortened: bool = False


class SharedReader:
    """Reads what is shown of conversations."""

    def __init__(self, store: Store, blobs: BlobStore) -> None:
        self._store = store
        self._blobs = blobs

    async def read(self, scope: Scope, share: Share) -> SharedConversation:
        """Return what `share`, which is one of `scope`, shows. Raises `NotFound` if the conversation is gone."""
        conversation = await self._store.conversations.get(scope, share.conversation_id)
        said = [message async for message in self._said(scope, share)]
        shown = list(_shown(said))
        names = {file.id: file.name for file in await self._store.files.linked(scope, conversation.id)}
        turns: list[SharedTurn] = []
        room = IMAGES_BYTES
        for message in shown[-TURNS:]:
            run = await self._run(scope, message, names, room)
            room -= sum(map(len, run.images.values())) if run is not None else 0
            turns.append(SharedTurn(author=message.author, text=message.text, at=message.created_at, run=run))
        shortened = len(shown) > TURNS
        return SharedConversation(conversation=conversation, share=share, turns=tuple(turns), shortened=shortened)

    async def _said(self, scope: Scope, share: Share) -> AsyncIterator[ConversationMessage]:
        """Yield the messages that the link shows, oldest first."""
        cursor: str | None = None
        while True:
            page = await self._store.conversations.messages(scope, share.conversation_id, limit=PAGE, cursor=cursor)
            for message in page.items:
                if message.ordinal <= share.through:
                    yield message
            if (cursor := page.next_cursor) is None or page.items[-1].ordinal >= share.through:
                return

    async def _run(
        self, scope: Scope, message: ConversationMessage, names: Mapping[str, str], room: int
    ) -> SharedRun | None:
        if message.author != "user" or message.run_id is None:
            return None
        try:
            run = await self._store.runs.get(scope, message.run_id)
        except NotFound:
            return None
        if run.conversation_id != message.conversation_id:
            return None
        steps = tuple(map(_moved, shown_steps(await events_of(self._store, scope, run.id, SHOWN))))
        images: dict[str, bytes] = {}
        for image in (image for step in steps for image in step.images):
            content = await png_of(self._store, self._blobs, scope, image)
            if content and len(content) <= room:
                room -= len(content)
                images[image] = content
        given = tuple(names[file_id] for file_id in run.file_ids if file_id in names)
        return SharedRun(run=run, steps=steps, names=given, images=images)


def _shown(said: Iterable[ConversationMessage]) -> Iterable[ConversationMessage]:
    """Yield questions, and answers that no run of a question shown gives."""
    asked: set[str | None] = set()
    for message in said:
        if message.author == "user":
            yield message if message.run_id not in asked else replace(message, run_id=None)  # said during the run
            asked.add(message.run_id)
        elif message.run_id is None or message.run_id not in asked:
            yield message


def _moved(step: ShownStep) -> ShownStep:
    """Return a step whose files lie beside it, wherever they lay when it ran."""
    return replace(step, code=_beside(step.code), outputs=[_output(body) for body in step.outputs])


def _output(body: OutputEvent) -> OutputEvent:
    match body:
        case OutputText():
            return replace(body, text=_beside(body.text))
        case OutputError():
            return replace(body, message=_beside(body.message))
        case OutputTable() | OutputChart() | OutputImage() | OutputHtml() | ArtifactCreated():
            return body
        case _:
            assert_never(body)


def _beside(words: str) -> str:
    return words.replace(SHARED_FOLDER, HERE)
