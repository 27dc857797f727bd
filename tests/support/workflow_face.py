"""The native face with real runs of workflows: callers of several tenants, definitions in short."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts, one_step
from tests.support.patience import found
from tests.support.service_bench import Items
from tests.support.workflow_bench import edges, node

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.domain.run import RunLimits
from tablewright.domain.scope import Scope
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.workflows.context_services import ContextServices
from tablewright.workflows.engine import WorkflowAgent
from tablewright.workflows.library import template_named
from tablewright.workflows.opening import WORKFLOW

Answer = dict[str, Any]
KEYS: Mapping[str, Scope] = {
    "ann": Scope(tenant="local", owner="ann"),
    "bob": Scope(tenant="local", owner="bob"),
    "boss": Scope(tenant="local", owner="boss", operator=True),
    "eve": Scope(tenant="globex", owner="ann"),
    "chief": Scope(tenant="globex", owner="chief", operator=True),
}
WORKFLOWS = WorkflowAgent(lambda given, context: ContextServices(given, context, library=template_named))


def workflow_or_step(given: AgentInput, context: AgentContext) -> Items:
    """Run the workflow with which a run was opened, or else play one step."""
    opened = given.transcript and "tablewright.workflow" in given.transcript[0].text
    return WORKFLOWS.run(given, context) if opened else one_step(given, context)


def workflow_parts(folder: Path, **more: Any) -> FakeParts:
    kinds = AgentKinds({WORKFLOW: AgentKind(limits=RunLimits(tokens=1_000_000), takeover=True)})
    return FakeParts(folder=folder, script=workflow_or_step, kinds=kinds, **more)


class Face:
    """The face as its callers have it, each by a key."""

    def __init__(self, client: Callable[[str], httpx2.AsyncClient]) -> None:
        self._client = client

    async def call(self, who: str, method: str, path: str, status: int = 200, **given: Any) -> Answer:
        """Send a request and return the body of its response, whose status is checked."""
        got = await self._client(who).request(method, f"/api/v1{path}", **given)
        assert got.status_code == status, got.text
        body: Answer = got.json() if got.content else {}
        return body

    async def text(self, who: str, method: str, path: str, *, whole: bool = False, **given: Any) -> str:
        """Send a request, to a `whole` path or one of the native face, and return the body of its response."""
        got = await self._client(who).request(method, path if whole else f"/api/v1{path}", **given)
        assert got.status_code == 200, got.text
        return got.text

    async def error(self, who: str, method: str, path: str, status: int, **given: Any) -> tuple[str, str]:
        """Return the code and the message of what is refused."""
        fault = (await self.call(who, method, path, status, **given))["error"]
        return fault["code"], fault["message"]

    async def kept(self, who: str, definition: Answer, **more: Any) -> str:
        """Keep a draft and return its id."""
        made = await self.call(who, "POST", "/workflows", 201, json={"definition": definition, **more})
        return str(made["id"])

    async def published(self, who: str, definition: Answer, **more: Any) -> str:
        """Keep a definition, publish it, and return its id."""
        own_id = await self.kept(who, definition, **more)
        await self.call(who, "POST", f"/workflows/{own_id}/publish")
        return own_id

    async def started(self, who: str, name: str, **given: Any) -> str:
        """Start a run and return its id."""
        return str((await self.call(who, "POST", f"/workflows/{name}/run", 202, json=given))["run_id"])

    async def rested(self, who: str, run_id: str) -> Answer:
        """Return a run once it has ended or waits for a person."""

        async def look() -> Answer | None:
            run = await self.call(who, "GET", f"/runs/{run_id}")
            asks = any(request["answered_at"] is None for request in run["requests"])
            return run if run["state"] == "finished" or (run["state"] == "waiting" and asks) else None

        return await found(look)


@asynccontextmanager
async def face_of(parts: FakeParts) -> AsyncIterator[Face]:
    """Serve the face; a key is the name of its caller."""
    api = create_api(parts.opening(), Access(keyless=False, read_key=KEYS.get))
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        clients = {
            who: httpx2.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8787", headers={"authorization": f"Bearer {who}"}
            )
            for who in KEYS
        }
        yield Face(clients.__getitem__)
        await asyncio.gather(*(client.aclose() for client in clients.values()))


def greeting(text: str = "Hello {{ inputs.name }}", name: str = "greeting", **more: Any) -> Answer:
    """Return a definition that greets."""
    return {
        "id": name,
        "name": f"The {name}",
        "inputs": [{"name": "name", "required": False, "default": "you"}],
        "nodes": [node("start", "start"), node("end", "end", text=text)],
        "edges": edges("start > end"),
        **more,
    }


def asking(name: str = "asking", text: str = "You said {{ who.text }}") -> Answer:
    """Return a definition that asks, and then says what it was told."""
    return {
        "id": name,
        "name": name,
        "nodes": [node("start", "start"), node("who", "ask_user", prompt="Who?"), node("end", "end", text=text)],
        "edges": edges("start > who > end"),
    }


def around(inner: str, name: str = "outer", **config: Any) -> Answer:
    """Return a definition that runs another workflow and says what that says."""
    return {
        "id": name,
        "name": name,
        "nodes": [
            node("start", "start"),
            node("part", "sub_workflow", workflow=inner, **config),
            node("end", "end", text="({{ part.text }})"),
        ],
        "edges": edges("start > part > end"),
    }
