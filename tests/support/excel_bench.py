"""A client of the workbook rounds on a service with a scripted model, and small plans for that model to write."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2
from tests.support.parts import CsvTables, FakeParts
from tests.support.rounds_bench import plan as plan

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.rounds.agent import Rounds
from tablewright.data.base import FileProfile, OpenLimits
from tablewright.domain.events import EventBody
from tablewright.domain.message import TranscriptEntry
from tablewright.errors import FileEmpty
from tablewright.models.base import ModelRequest
from tablewright.models.scripted import Reply, ScriptedModel

SHEET = {"name": "Sheet1", "range": "A1:C4", "data": [
    ["Product", "Sales", "Double"], ["Pen", 12, "=B2*2"], ["Ink", 30, "=B3*2"], ["Cup", 7, "=B4*2"],
]}  # fmt: skip
VALUES = {"name": "Sheet1", "range": "A1:C4", "data": [
    ["Product", "Sales", "Double"], ["Pen", 12, 24], ["Ink", 30, 60], ["Cup", 7, 14],
]}  # fmt: skip
Said = Reply | str | Callable[[ModelRequest], Reply | str]


def put(cell: str, value: object, sheet: str = "Sheet1") -> tuple[str, dict[str, Any]]:
    """A step that writes one cell."""
    return "set_values", {"sheet": sheet, "range": cell, "values": [[value]]}


class AnyTables(CsvTables):
    """Tables that know nothing of workbooks; `empty`: they find no table there at all."""

    empty = False

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        if name.endswith(".csv"):
            return await super().profile(path, name, limits)
        if self.empty:
            raise FileEmpty(name=name)
        return FileProfile(kind="xlsx", datasets=())


@dataclass(slots=True, kw_only=True)
class Model:
    """What the model says next, call by call; `requests` is what it was asked."""

    replies: list[Said] = field(default_factory=list[Said])
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])

    def say(self, *replies: Said) -> None:
        self.replies.extend(replies)

    def __call__(self, request: ModelRequest) -> Reply | str:
        self.requests.append(request)
        said = self.replies.pop(0)
        return said(request) if callable(said) else said

    async def script(self, given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        """Run the rounds with this model: the script of `FakeParts`."""
        async for item in Rounds().run(given, replace(context, model=ScriptedModel(self))):
            yield item


def planning_parts(parts: FakeParts, model: Model) -> FakeParts:
    """Have `parts` plan with `model`."""
    parts.script = model.script
    parts.tables = AnyTables()
    return parts


@dataclass(slots=True, kw_only=True)
class ExcelClient:
    """Sends requests of one channel."""

    http: httpx2.AsyncClient
    channel: str = "c1"
    language: str = "en"
    sheets: list[dict[str, Any]] = field(default_factory=lambda: [SHEET])

    def body(self, operation: str = "Raise the pens", **more: Any) -> dict[str, Any]:
        context = {"language": self.language, "spreadsheet_data": {"sheets": self.sheets}}
        return {"operation": operation, "channelId": self.channel, "context": context, **more}

    async def post(self, body: dict[str, Any], **how: Any) -> httpx2.Response:
        return await self.http.post("/api/v1/excel/operations", json=body, **how)

    async def ask(self, operation: str = "Raise the pens", **more: Any) -> dict[str, Any]:
        got = await self.post(self.body(operation, **more))
        assert got.status_code == 200, got.text
        response: dict[str, Any] = got.json()
        return response

    async def go_on(self, operation: str = "Raise the pens", **more: Any) -> dict[str, Any]:
        return await self.ask(operation, continueMultiRound=True, **more)

    async def frames(self, body: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """Send a request for events and return them."""
        got = await self.post(body, headers={"accept": "text/event-stream"})
        assert got.status_code == 200, got.text
        return read_frames(got.text)

    async def rollback(self, request_id: str) -> httpx2.Response:
        return await self.http.post("/api/v1/excel/rollback", json={"channelId": self.channel, "requestId": request_id})

    async def redo(self) -> httpx2.Response:
        return await self.http.post("/api/v1/excel/redo", json={"channelId": self.channel})

    async def bytes(self, workbook_id: str) -> bytes:
        got = await self.http.get(f"/api/v1/files/{workbook_id}/download")
        assert got.status_code == 200, got.text
        return bytes(got.content)


def read_frames(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Read events off the wire."""
    found: list[tuple[str, dict[str, Any]]] = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        lines: Iterable[str] = [line for line in block.split("\n") if line and not line.startswith(":")]
        fields = dict(line.split(": ", 1) for line in lines)
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found
