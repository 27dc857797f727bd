"""A workflow changes a real workbook: its plan is agreed to, the version that it wrote can be undone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.integration.service.test_rounds import SALES, SCOPE, NoTables, Service
from tests.support.parts import FakeParts
from tests.support.patience import found
from tests.support.workbooks import write_xlsx
from tests.support.workflow_bench import KIND, node, workflow

from tablewright.domain.events import ApprovalRequested
from tablewright.domain.run import Run
from tablewright.service.runs.kinds import AgentKinds
from tablewright.workflows.context_services import ContextServices
from tablewright.workflows.engine import WorkflowAgent
from tablewright.workflows.opening import WORKFLOW, opening


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    agent = WorkflowAgent(ContextServices)
    parts = FakeParts(folder=tmp_path, script=agent.run, tables=NoTables(), kinds=AgentKinds({WORKFLOW: KIND}))
    path = write_xlsx(tmp_path / "sales.xlsx", {"Sales": SALES})

    async def content() -> AsyncIterator[bytes]:
        yield path.read_bytes()

    async with parts.opening() as app:
        conversation = await app.conversations.create(SCOPE)
        file = await app.files.upload(SCOPE, name="sales.xlsx", content=content(), conversation_id=conversation.id)
        yield Service(app=app, conversation=conversation, book=file.id)


def step(parameters: dict[str, Any], function: str = "set_values") -> dict[str, Any]:
    return {"function": function, "parameters": parameters, "description": "Raise tea"}


async def ended(service: Service, run: Run) -> Run:
    async def look() -> Run | None:
        now = await service.app.runs.get(SCOPE, run.id)
        return now if now.state == "finished" else None

    return await found(look)


async def begun(service: Service, *steps: dict[str, Any]) -> Run:
    flow = workflow(
        [
            node("start", "start"),
            node("lift", "workbook", steps=list(steps)),
            node("end", "end", outputs={"done": "{{ lift }}"}),
        ],
        "start > lift > end",
    )
    return await service.ask(mode="workflow", agent=WORKFLOW, opening=(opening(flow, {}),))


async def test_a_workbook_is_changed_once_it_was_agreed_to_and_the_version_can_be_undone(service: Service) -> None:
    before = await service.bytes()
    run = await begun(service, step({"sheet": "Sales", "range": "B2", "values": [[30]]}))
    asked = await service.until(run, ApprovalRequested)
    assert "Raise tea" in asked.prompt
    assert await service.bytes() == before
    await service.answer(run, asked.request_id)
    done = await ended(service, run)
    assert done.answer is not None, done.failure
    assert (await service.cells())["B2"] == 30
    assert done.answer.outputs["done"]["changed"] == 1
    await service.app.workbooks.rollback(SCOPE, service.book, done.answer.outputs["done"]["round_id"])
    assert await service.bytes() == before


async def test_what_was_not_agreed_to_is_not_written(service: Service) -> None:
    before = await service.bytes()
    run = await begun(service, step({"sheet": "Sales", "range": "B2", "values": [[30]]}))
    asked = await service.until(run, ApprovalRequested)
    await service.answer(run, asked.request_id, decision="reject")
    done = await ended(service, run)
    assert done.failure is not None
    assert done.failure.params["detail"] == "workflow_rejected"
    assert await service.bytes() == before
