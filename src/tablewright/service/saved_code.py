"""Code from reports that was kept: listed, read, downloaded, run again."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass

from tablewright.agent.structured.saved_code import described
from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.language import Language
from tablewright.domain.page import Page
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.supplied_code import code_message
from tablewright.errors import InvalidInput, NotFound
from tablewright.service.files.files import Files
from tablewright.service.runs.runs import Ask, Runs
from tablewright.store.base import Store
from tablewright.texts.catalogue import text

PREFIX = "code_"
AGENT = "supplied_code"
_NAME = re.compile(r"(?P<id>code_\d{8}_[0-9a-f]{8})\.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCode:
    """A block of code that was kept, with its content; `file_path` is where a model finds it."""

    code_id: str
    file_id: str
    file_path: str
    description: str
    content: str
    run_id: str | None


class SavedCodes:
    """The use cases of kept code. Code of another owner raises `NotFound`."""

    def __init__(self, store: Store, files: Files, runs: Runs) -> None:
        self._store = store
        self._files = files
        self._runs = runs

    async def list(
        self,
        scope: Scope,
        language: Language,
        *,
        conversation_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[SavedCode]:
        """Return kept code, the newest first; that of a conversation if one is given."""
        found = await self._store.files.find(
            scope, conversation_id=conversation_id, prefix=PREFIX, limit=limit, cursor=cursor
        )
        kept = [file for file in found.items if _NAME.fullmatch(file.name)]
        items = tuple([await self._read(scope, file, language) for file in kept])
        return Page(items=items, next_cursor=found.next_cursor)

    async def get(self, scope: Scope, code_id: str, language: Language) -> SavedCode:
        """Return the code with this id, or raise `NotFound`."""
        return await self._read(scope, await self.file(scope, code_id), language)

    async def file(self, scope: Scope, code_id: str) -> StoredFile:
        """Return the file of the code with this id, or raise `NotFound`."""
        name = f"{code_id}.py"
        if _NAME.fullmatch(name) is None:
            raise NotFound(kind="code", id=code_id)
        found = await self._store.files.find(scope, name=name, limit=1)
        if not found.items:
            raise NotFound(kind="code", id=code_id)
        return found.items[0]

    async def run(self, scope: Scope, code_id: str, *, conversation_id: str | None = None) -> Run:
        """Start a run that executes the code as it stands, in its own conversation or in the one given.

        Raises `NotFound` (code, conversation), `RunInProgress`, or `InvalidInput` if its conversation is gone and none
        is given.
        """
        file = await self.file(scope, code_id)
        conversation = await self._home(scope, file, conversation_id)
        code = await self._read(scope, file, conversation.language)
        ask = Ask(
            text=text("structured.run_code", conversation.language, id=code_id, description=code.description),
            mode="analyze",
            language=conversation.language,
            agent=AGENT,
            opening=(code_message(code.content),),
        )
        return await self._runs.start(scope, conversation.id, ask)

    async def _home(self, scope: Scope, file: StoredFile, wanted: str | None) -> Conversation:
        """Return the conversation wanted, else that of the run which kept the code, else the last one with it."""
        if wanted is not None:
            return await self._store.conversations.get(scope, wanted)
        homes = await self._store.files.conversations(scope, file.id)
        if not homes:
            raise InvalidInput("structured.code_homeless", field="conversation_id")
        own = await self._conversation_of(scope, file.run_id)
        return await self._store.conversations.get(scope, own if own in homes else homes[0])

    async def _conversation_of(self, scope: Scope, run_id: str | None) -> str:
        """Return the id of a run's conversation, or an empty one where the run is gone."""
        with suppress(NotFound):
            return "" if run_id is None else (await self._store.runs.get(scope, run_id)).conversation_id
        return ""

    async def _read(self, scope: Scope, file: StoredFile, language: Language) -> SavedCode:
        opened = await self._files.open(scope, file.id)
        content = b"".join([piece async for piece in opened.content]).decode(errors="replace")
        return SavedCode(
            code_id=file.name.removesuffix(".py"),
            file_id=file.id,
            file_path=f"data/{file.name}",
            description=described(content, language),
            content=content,
            run_id=file.run_id,
        )
