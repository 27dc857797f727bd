"""Kept code of a service at another address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tablewright.cli.clients.base import CodeEntry

PAGE = 200


class RemoteCode:
    """Implements `CodeClient` over the native API; `request` sends one request and returns the JSON of its response."""

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def list(self) -> tuple[CodeEntry, ...]:
        found: list[CodeEntry] = []
        cursor: str | None = None
        while True:
            wanted = {"limit": PAGE, **({"cursor": cursor} if cursor else {})}
            page = await self._request("GET", "/code", params=wanted)
            found.extend(
                CodeEntry(code_id=item["code_id"], description=item["description"], chars=item["original_length"])
                for item in page["items"]
            )
            if (cursor := page["next_cursor"]) is None:
                return tuple(found)

    async def content(self, code_id: str) -> str:
        return str((await self._request("GET", f"/code/{code_id}"))["content"])

    async def run(self, code_id: str) -> str:
        return str((await self._request("POST", f"/code/{code_id}/run", json={}))["run_id"])
