"""A client of the service at another address, over the native API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2

from tablewright.cli.clients.base import (
    Client,
    CodeClient,
    Conversion,
    DatabaseClient,
    ExportKind,
    Question,
    WorkflowClient,
)
from tablewright.cli.clients.local_files import opened
from tablewright.cli.clients.notes import NoteClient, RemoteNotes
from tablewright.cli.clients.refusals import RemoteSaid
from tablewright.cli.clients.remote_code import RemoteCode
from tablewright.cli.clients.remote_workflows import RemoteWorkflows
from tablewright.cli.clients.routing import RemoteRouting, RoutingClient
from tablewright.cli.clients.schedules import RemoteSchedules, ScheduleClient
from tablewright.cli.clients.shares import RemoteShares, ShareClient
from tablewright.cli.clients.waiting import QuestionClient, Questions, open_question
from tablewright.cli.clients.words import RemoteWords, WordClient
from tablewright.domain.codec import from_json, from_python, to_python
from tablewright.domain.connection import AttachedTables
from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.errors import ConnectionInvalid, NotFound, TablewrightError
from tablewright.models.catalogue import is_among, unknown

TIMEOUT = httpx2.Timeout(60.0, read=45.0)
LONG = httpx2.Timeout(60.0, read=300.0, write=300.0)
"""Timeouts for large or slow requests."""
RETRIES = 5
RETRY_S = 1.0


class ServerUnreachable(TablewrightError):
    """Nothing answers at the address. Params: `url`."""

    code = "cli_server_unreachable"


@asynccontextmanager
async def open_remote(
    url: str, *, key: str | None, language: Language, transport: httpx2.AsyncBaseTransport | None = None
) -> AsyncIterator[Client]:
    """Open a client of the service at `url`."""
    headers = {"accept-language": language, **({"authorization": f"Bearer {key}"} if key else {})}
    base = f"{url.rstrip('/')}/api/v1"
    async with httpx2.AsyncClient(base_url=base, headers=headers, timeout=TIMEOUT, transport=transport) as http:
        yield HttpClient(http, url)


class RemoteDatabases:
    """Implements `DatabaseClient`: tables are read where the database is reached, which is not here."""

    async def attach(self, database: str, question: str, conversation_id: str) -> AttachedTables:  # noqa: ARG002
        raise ConnectionInvalid("connection_raw")

    async def known(self, name: str) -> bool:  # noqa: ARG002
        return False


class HttpClient:
    """Implements `Client` over the native API."""

    def __init__(self, http: httpx2.AsyncClient, url: str) -> None:
        self._http = http
        self._url = url
        self.databases: DatabaseClient = RemoteDatabases()
        self.code: CodeClient = RemoteCode(self._json)
        self.workflows: WorkflowClient = RemoteWorkflows(self._json)
        self.schedules: ScheduleClient = RemoteSchedules(self._json)
        self.routing: RoutingClient = RemoteRouting(self._json)
        self.words: WordClient = RemoteWords(self._json)
        self.notes: NoteClient = RemoteNotes(self._json)
        self.shares: ShareClient = RemoteShares(self._json, url)
        self.questions: QuestionClient = Questions(look=self._waiting)

    async def check_model(self, name: str | None) -> None:
        if name is None:
            return
        try:
            response = await self._http.get(f"{self._url.rstrip('/')}/health/ready")
            names = [str(known) for known in response.json()["models"]]
        except (httpx2.TransportError, json.JSONDecodeError, KeyError, TypeError) as error:
            raise ServerUnreachable(url=self._url) from error
        if not is_among(name, names):
            raise unknown(name, names)

    async def conversation(self, conversation_id: str) -> Conversation:
        return from_python(Conversation, await self._json("GET", f"/conversations/{conversation_id}"))

    async def start_conversation(self, title: str, language: Language) -> Conversation:
        made = await self._json("POST", "/conversations", json={"title": title, "language": language})
        return from_python(Conversation, made)

    async def upload(self, path: Path, conversation_id: str, *, tables_needed: bool = True) -> StoredFile:
        given = {"conversation_id": conversation_id, "tables": "needed" if tables_needed else "optional"}
        with await opened(path) as content:
            sent = await self._json(
                "POST",
                "/files",
                params=given,
                files={"file": (path.name, content)},
                timeout=LONG,
            )
        return _file(sent)

    async def files(self) -> tuple[StoredFile, ...]:
        found: list[StoredFile] = []
        cursor: str | None = None
        while True:
            page = await self._json("GET", "/files", params={"limit": 200, **({"cursor": cursor} if cursor else {})})
            found.extend(_file(item) for item in page["items"])
            if (cursor := page["next_cursor"]) is None:
                return tuple(found)

    async def delete_file(self, file_id: str) -> None:
        await self._json("DELETE", f"/files/{file_id}")

    async def download(self, file_id: str, conversion: Conversion | None = None) -> AsyncIterator[bytes]:
        path, params = f"/files/{file_id}/download", dict[str, str]()
        if conversion is not None:
            path, params = f"/workbooks/{file_id}/formats/{conversion.kind}", {"rows": conversion.rows}
            params |= {} if conversion.guard else {"guard": "false"}
            params |= {"sheet": conversion.sheet} if conversion.sheet is not None else {}
        async for piece in self._pieces(path, params):
            yield piece

    async def _pieces(self, path: str, params: dict[str, str]) -> AsyncIterator[bytes]:
        try:
            async with self._http.stream("GET", path, params=params) as response:
                await _checked(response)
                async for piece in response.aiter_bytes():
                    yield piece
        except httpx2.TransportError as error:
            raise ServerUnreachable(url=self._url) from error

    async def ask(self, conversation_id: str, question: Question) -> str:
        message = {
            "text": question.text,
            "files": list(question.file_ids),
            "model": question.model,
            "approvals": question.approvals,
            "mode": question.mode,
        }
        sent = await self._json("POST", f"/conversations/{conversation_id}/messages", json=message)
        return str(sent["run_id"])

    async def follow(self, run_id: str) -> AsyncIterator[Event]:
        """Yield the run's events, reconnecting after the last one received if the connection breaks."""
        seen, failures = 0, 0
        while True:
            try:
                async for event in self._events(run_id, seen):
                    seen, failures = event.seq, 0
                    yield event
                    if event.ends(run_id):
                        return
            except httpx2.TransportError as error:
                failures += 1
                if failures > RETRIES:
                    raise ServerUnreachable(url=self._url) from error
            await asyncio.sleep(RETRY_S if failures else 0)

    async def cancel(self, run_id: str) -> bool:
        return bool((await self._json("POST", f"/runs/{run_id}/cancel"))["state"] == "finished")

    async def _waiting(self, conversation_id: str) -> OpenRequest | None:
        try:
            run = await self._json("GET", f"/runs/{await self._last_run(conversation_id)}")
        except NotFound:
            return None
        return open_question(
            from_python(tuple[OpenRequest, ...], run["requests"]) if run["state"] != "finished" else ()
        )

    async def answer(self, run_id: str, request_id: str, answer: RequestAnswer) -> None:
        await self._json("POST", f"/runs/{run_id}/requests/{request_id}", json=to_python(RequestAnswer, answer))

    async def export(self, own_id: str, kind: ExportKind) -> bytes:
        try:
            return await self._content(f"/runs/{own_id}/{kind}")
        except RemoteSaid as refused:
            if refused.params.get("remote_code") != NotFound.code:
                raise
        return await self._content(f"/runs/{await self._last_run(own_id)}/{kind}")

    async def _last_run(self, conversation_id: str) -> str:
        found: str | None = None
        cursor: str | None = None
        while True:
            params = {"limit": 200, **({"cursor": cursor} if cursor else {})}
            page = await self._json("GET", f"/conversations/{conversation_id}/messages", params=params)
            found = next((said["run_id"] for said in reversed(page["items"]) if said["run_id"]), found)
            if (cursor := page["next_cursor"]) is None:
                break
        if found is None:
            raise NotFound(kind="run", id=conversation_id)
        return found

    async def plan_file(self, file_id: str, steps: Sequence[PlanStep], *, version: int, request: str) -> PlanFile:
        wanted = {"steps": to_python(tuple[PlanStep, ...], tuple(steps)), "version": version, "request": request}
        return from_python(PlanFile, await self._json("POST", f"/workbooks/{file_id}/plan-file", json=wanted))

    async def fit(self, file_id: str, plan: PlanFile) -> FittedPlan:
        wanted = {"plan": to_python(PlanFile, plan)}
        return from_python(FittedPlan, await self._json("POST", f"/workbooks/{file_id}/fit", json=wanted))

    async def apply(self, file_id: str, plan: PlanFile, *, base_version: int) -> Round:
        wanted = {"plan": to_python(PlanFile, plan), "base_version": base_version}
        return from_python(Round, await self._json("POST", f"/workbooks/{file_id}/apply", json=wanted, timeout=LONG))

    async def _events(self, run_id: str, seen: int) -> AsyncIterator[Event]:
        async with self._http.stream("GET", f"/runs/{run_id}/events", params={"after": seen}) as response:
            await _checked(response)
            async for line in response.aiter_lines():
                if line.startswith("data: "):
                    yield from_json(Event, line.removeprefix("data: "))

    async def _content(self, path: str) -> bytes:
        try:
            response = await self._http.get(path, timeout=LONG)
        except httpx2.TransportError as error:
            raise ServerUnreachable(url=self._url) from error
        await _checked(response)
        return response.content

    async def _json(self, method: str, path: str, **rest: Any) -> Any:
        try:
            response = await self._http.request(method, path, **rest)
        except httpx2.TransportError as error:
            raise ServerUnreachable(url=self._url) from error
        await _checked(response)
        return response.json() if response.content else None


async def _checked(response: httpx2.Response) -> None:
    if response.is_success:
        return
    await response.aread()
    try:
        fault = response.json()["error"]
        message, code = str(fault["message"]), str(fault["code"])
    except (json.JSONDecodeError, KeyError, TypeError):
        message, code = f"HTTP {response.status_code}", None
    raise RemoteSaid(message=message, remote_code=code)


def _file(shown: dict[str, Any]) -> StoredFile:
    known = {name: shown[name] for name in ("id", "name", "mime", "kind", "size_bytes", "run_id")}
    return replace(from_python(StoredFile, {**known, "sha256": ""}), datasets=())
