"""Kept code of the application in the command's own process."""

from __future__ import annotations

from tablewright.cli.clients.base import CodeEntry
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.service.saved_code import SavedCodes

PAGE = 200


class LocalCode:
    """Implements `CodeClient` by calling the use cases directly; descriptions of code without any are in `language`."""

    def __init__(self, codes: SavedCodes, scope: Scope, language: Language = "en") -> None:
        self._codes = codes
        self._scope = scope
        self._language: Language = language

    async def list(self) -> tuple[CodeEntry, ...]:
        found: list[CodeEntry] = []
        cursor: str | None = None
        while True:
            page = await self._codes.list(self._scope, self._language, limit=PAGE, cursor=cursor)
            found.extend(
                CodeEntry(code_id=code.code_id, description=code.description, chars=len(code.content))
                for code in page.items
            )
            if (cursor := page.next_cursor) is None:
                return tuple(found)

    async def content(self, code_id: str) -> str:
        return (await self._codes.get(self._scope, code_id, self._language)).content

    async def run(self, code_id: str) -> str:
        return (await self._codes.run(self._scope, code_id)).id
