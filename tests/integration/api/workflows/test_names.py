"""What a definition names and there is not is found when it is checked and published, not when its node runs."""

from __future__ import annotations

from pathlib import Path

from tests.support.workflow_bench import edges, node
from tests.support.workflow_face import KEYS, Answer, face_of, workflow_parts

from tablewright.bootstrap.workflows import WorkflowParts
from tablewright.domain.connection import DatabaseConnection
from tablewright.domain.ids import SystemClock
from tablewright.store.memory import MemoryStore
from tablewright.tools.providers import BuiltinTools, NoPages

PARTS = WorkflowParts(agents=("react", "structured"), tools=BuiltinTools(NoPages()), servers=("docs__",))


def naming(agent: str, tool: str, database: str) -> Answer:
    nodes = [
        node("start", "start"),
        node("a", "agent", question="?", agent=agent),
        node("t", "tool", tool=tool),
        node("d", "database", query="select 1", database=database),
        node("end", "end"),
    ]
    return {"id": "naming", "name": "naming", "nodes": nodes, "edges": edges("start > a > t > d > end")}


async def test_unknown_names_are_faults_with_their_places_before_anything_runs(tmp_path: Path) -> None:
    async with face_of(workflow_parts(tmp_path, workflows=PARTS)) as face:
        own_id = await face.kept("ann", naming("oracle", "teleport", "sales"))
        told = await face.call("ann", "POST", f"/workflows/{own_id}/validate")
        assert [(fault["code"], fault["place"]) for fault in told["faults"]] == [
            ("agent_unknown", "nodes.a.agent"),
            ("tool_unknown", "nodes.t.tool"),
            ("database_unknown", "nodes.d.database"),
        ]
        code, message = await face.error("ann", "POST", f"/workflows/{own_id}/publish", 422)
        assert code == "workflow_invalid"
        assert all(name in message for name in ("oracle", "react, structured", "teleport", "web_reader", "primary"))


async def test_the_databases_are_those_of_the_tenant_and_tools_of_a_server_that_is_away_may_be_there(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    async with face_of(workflow_parts(tmp_path, workflows=PARTS, store=store)) as face:
        made = DatabaseConnection(
            name="sales", address="sqlite:////x.db", sealed="", created_at=SystemClock().now(), created_by="boss"
        )
        await store.connections.add(KEYS["boss"], made)
        definition = naming("react", "docs__find", "sales")
        await face.published("ann", definition)
        foreign = await face.kept("eve", definition)
        told = await face.call("eve", "POST", f"/workflows/{foreign}/validate")
        assert [fault["code"] for fault in told["faults"]] == ["database_unknown"]
