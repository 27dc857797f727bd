"""What the messages of a chat bring along: files by reference, files as bytes, and tables written into the text."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field

from tablewright.domain.dataset import StoredFile
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput, NotFound, TablewrightError
from tablewright.service.chats.markdown_tables import WrittenTable, without_tables
from tablewright.service.chats.request import Attachment, ChatTurn, FileContent, FileReference
from tablewright.service.files.terms import TermsOfFiles

TABLE_FIELD = "messages"


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtFiles:
    """The new message without the tables in it, the files of all messages, and those that are new among them."""

    text: str
    file_ids: tuple[str, ...]
    uploaded: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Bringing:
    known: dict[str, str]
    ids: dict[str, None] = field(default_factory=dict[str, None])
    uploaded: list[str] = field(default_factory=list[str])


class ChatAttachments:
    """Stores what messages bring, each content once per conversation."""

    def __init__(self, terms: TermsOfFiles) -> None:
        self._terms = terms
        self._files = terms.files

    async def bring(
        self, scope: Scope, turns: Sequence[ChatTurn], background: Iterable[str], *, known: Iterable[StoredFile] = ()
    ) -> BroughtFiles:
        """Store what `turns`, the last of which is the new message, and the background bring; `known` are files that
        the conversation has. Raises `NotFound` and the errors of `Files.upload`, having stored nothing."""
        bringing = _Bringing(known={file.sha256: file.id for file in known})
        text = turns[-1].text
        try:
            for place, turn in enumerate(turns):
                if turn.role == "assistant":
                    continue
                read, new = await asyncio.to_thread(without_tables, turn.text), place == len(turns) - 1
                await self._each(scope, bringing, (*turn.attachments, *_contents(read.tables)), needed=new)
                text = read.text if new else text
            for words in background:
                read = await asyncio.to_thread(without_tables, words)
                await self._each(scope, bringing, _contents(read.tables), needed=False)
        except TablewrightError:
            await self.forget(scope, bringing.uploaded)
            raise
        return BroughtFiles(text=text, file_ids=tuple(bringing.ids), uploaded=tuple(bringing.uploaded))

    async def forget(self, scope: Scope, file_ids: Iterable[str]) -> None:
        """Remove files that were stored for a request that came to nothing."""
        for file_id in file_ids:
            with suppress(NotFound):
                await self._files.delete(scope, file_id)

    async def _each(
        self, scope: Scope, bringing: _Bringing, attachments: Iterable[Attachment], *, needed: bool
    ) -> None:
        """Store attachments; what is not `needed`, of messages that may have been for others, may be unusable."""
        for attachment in attachments:
            with nullcontext() if needed else suppress(NotFound, InvalidInput):
                bringing.ids[await self._one(scope, bringing, attachment)] = None

    async def _one(self, scope: Scope, bringing: _Bringing, attachment: Attachment) -> str:
        try:
            if isinstance(attachment, FileReference):
                file, _ = await self._terms.get(scope, attachment.file_id)
                return file.id
            if (known := bringing.known.get(attachment.sha256)) is not None:
                return known
            stored = await self._files.upload(scope, name=attachment.name, content=_once(attachment.content))
        except TablewrightError as error:
            error.field = attachment.field
            raise
        bringing.known[attachment.sha256] = stored.id
        bringing.uploaded.append(stored.id)
        return stored.id


def _contents(tables: Sequence[WrittenTable]) -> tuple[FileContent, ...]:
    """Return tables as files; those without a name are numbered."""
    made: list[FileContent] = []
    for number, table in enumerate(tables, start=1):
        name = table.name or ("table" if len(tables) == 1 else f"table {number}")
        digest = hashlib.sha256(table.csv).hexdigest()
        made.append(FileContent(name=f"{name}.csv", content=table.csv, sha256=digest, field=TABLE_FIELD))
    return tuple(made)


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
