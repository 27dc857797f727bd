"""Stored workflows of a service at another address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote

from tablewright.cli.clients.base import WorkflowDraft, WorkflowLine, WorkflowStart
from tablewright.cli.clients.refusals import RemoteSaid
from tablewright.domain.language import Language
from tablewright.errors import NotFound

PAGE = 200


class RemoteWorkflows:
    """Implements `WorkflowClient` over the native API; `request` sends one request and returns its response's JSON.

    The service words faults in the language that the client asks for.
    """

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def list(self) -> tuple[WorkflowLine, ...]:
        found: list[WorkflowLine] = []
        cursor: str | None = None
        names = ("id", "name", "description", "visibility", "mine", "published")
        while True:
            wanted = {"limit": PAGE, **({"cursor": cursor} if cursor else {})}
            page = await self._request("GET", "/workflows", params=wanted)
            found.extend(WorkflowLine(**{name: item[name] for name in names}) for item in page["items"])
            if (cursor := page["next_cursor"]) is None:
                return tuple(found)

    async def file(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = await self._request("GET", f"{_path(name)}/export")
        return found

    async def check(self, definition: Mapping[str, Any], language: Language) -> tuple[str, ...]:  # noqa: ARG002
        found = await self._request("POST", "/workflows/validate", json={"definition": definition})
        return tuple(fault["message"] for fault in found["faults"])

    async def keep(
        self,
        definition: Mapping[str, Any],
        language: Language,  # noqa: ARG002
        *,
        public: bool,
    ) -> WorkflowDraft:
        sent = {"definition": definition, **({"visibility": "public"} if public else {})}
        try:
            kept = await self._request("PUT", _path(str(definition.get("id") or "-")), json=sent)
        except RemoteSaid as refused:
            if refused.params.get("remote_code") != NotFound.code:
                raise
            kept = await self._request("POST", "/workflows", json=sent)
        return _draft(kept)

    async def draft(
        self,
        conversation_id: str,
        name: str,
        language: Language,  # noqa: ARG002
        *,
        public: bool,
    ) -> WorkflowDraft:
        sent = {"name": name, "visibility": "public" if public else "private"}
        path = f"/conversations/{quote(conversation_id, safe='')}/workflow"
        return _draft(await self._request("POST", path, json=sent))

    async def withdraw(self, name: str) -> None:
        await self._request("POST", f"{_path(name)}/withdraw", json={})

    async def publish(self, name: str, language: Language) -> int:  # noqa: ARG002
        return int((await self._request("POST", f"{_path(name)}/publish", json={}))["version"])

    async def run(self, name: str, start: WorkflowStart) -> str:
        wanted = {
            "inputs": start.inputs,
            "conversation_id": start.conversation_id,
            "files": list(start.file_ids),
            "language": start.language,
            "model": start.model,
            "approvals": start.approvals,
        }
        return str((await self._request("POST", f"{_path(name)}/run", json=wanted))["run_id"])


def _path(name: str) -> str:
    return f"/workflows/{quote(name, safe='')}"


def _draft(kept: Mapping[str, Any]) -> WorkflowDraft:
    faults = tuple(fault["message"] for fault in kept["faults"])
    about = str(kept["definition"].get("description") or "")
    return WorkflowDraft(id=kept["id"], revision=kept["revision"], faults=faults, about=about)
