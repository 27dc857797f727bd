"""A finished conversation becomes a workflow over HTTP, which runs on next month's file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.excel_bench import AnyTables
from tests.support.parts import FakeParts
from tests.support.rounds_bench import plan
from tests.support.service_bench import Items
from tests.support.workflow_face import WORKFLOWS, Answer, Face, face_of, workflow_parts

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.rounds.agent import Rounds
from tablewright.models.scripted import ScriptedModel

PLAN = plan(
    ("highlight_cells", {"where": {"tests": [{"column": "amount", "op": ">", "value": 100}]}, "color": "FFCC00"}),
    ("set_formula", {"range": "C2:C4", "formula": "=B2*2"}),
    ("set_values", {"range": "D1", "values": [["{{ seen }} {% x %}"]]}),
)


class Script:
    """Plays workflows, and rounds on a workbook with a scripted model."""

    def __init__(self) -> None:
        self.replies: list[Any] = []

    def run(self, given: AgentInput, context: AgentContext) -> Items:
        if given.transcript and "tablewright.workflow" in given.transcript[0].text:
            return WORKFLOWS.run(given, context)
        return Rounds().run(given, replace(context, model=ScriptedModel(lambda _: self.replies.pop(0))))


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def parts(tmp_path: Path, script: Script) -> FakeParts:
    made = workflow_parts(tmp_path)
    made.script, made.tables = script.run, AnyTables()
    return made


@pytest.fixture
async def face(parts: FakeParts) -> AsyncIterator[Face]:
    async with face_of(parts) as opened:
        yield opened


async def uploaded(face: Face, rows: int, name: str, header: str = "amount", conversation_id: str = "") -> str:
    text = "\n".join([f"city,{header}", *(f"c{row},{row * 60}" for row in range(rows))])
    into = f"?conversation_id={conversation_id}" if conversation_id else ""
    sent = await face.call("ann", "POST", f"/files{into}", 201, files={"file": (name, text.encode(), "text/csv")})
    return str(sent["id"])


async def conversation(face: Face) -> str:
    return str((await face.call("ann", "POST", "/conversations", 201, json={"title": "Mark", "language": "en"}))["id"])


async def asked(face: Face, conversation_id: str, words: str) -> Answer:
    sent = {"text": words, "mode": "edit"}
    started = await face.call("ann", "POST", f"/conversations/{conversation_id}/messages", 202, json=sent)
    return await face.rested("ann", started["run_id"])


async def approved(face: Face, run: Answer) -> Answer:
    (request,) = [each for each in run["requests"] if each["answered_at"] is None]
    path = f"/runs/{run['id']}/requests/{request['id']}"
    await face.call("ann", "POST", path, json={"decision": "approve"})
    return await face.rested("ann", run["id"])


async def edited(face: Face, script: Script) -> str:
    own = await conversation(face)
    await uploaded(face, 3, "may.csv", conversation_id=own)
    script.replies.append(PLAN)
    run = await approved(face, await asked(face, own, "mark amounts above 100"))
    assert run["outcome"] == "completed", run
    return own


async def drafted(face: Face, own: str, name: str = "") -> Answer:
    return await face.call("ann", "POST", f"/conversations/{own}/workflow", 201, json={"name": name})


async def cells(face: Face, book: str, sheet: str) -> dict[str, Any]:
    found = await face.call("ann", "GET", f"/workbooks/{book}/sheets/{sheet}/cells?range=A1:D9")
    return {cell["ref"]: cell for cell in found["cells"]}


@pytest.mark.requirement("workflow-from-conversation")
async def test_confirmed_rounds_become_a_draft_whose_inputs_are_the_file_and_the_values(
    face: Face, script: Script
) -> None:
    own = await edited(face, script)
    made = await drafted(face, own, "Mark amounts")
    assert made["faults"] == []
    assert (made["name"], made["definition_id"], made["published"]) == ("Mark amounts", "mark_amounts", None)
    assert made["examples"] == ["mark amounts above 100"]
    inputs = {each["name"]: each for each in made["definition"]["inputs"]}
    assert list(inputs) == ["file", "value", "color"]
    assert inputs["file"]["kind"] == "file"
    assert (inputs["value"]["default"], inputs["value"]["kind"]) == (100, "number")
    assert "amount >" in inputs["value"]["title"]
    assert inputs["color"]["default"] == "FFCC00"


@pytest.mark.requirement("workflow-from-conversation")
async def test_published_it_runs_on_a_file_of_another_name_and_more_rows(face: Face, script: Script) -> None:
    made = await drafted(face, await edited(face, script))
    await face.call("ann", "POST", f"/workflows/{made['id']}/publish")
    book = await uploaded(face, 7, "june.csv")
    run_id = await face.started("ann", made["id"], files=[book], inputs={"value": 200})
    run = await approved(face, await face.rested("ann", run_id))
    assert run["outcome"] == "completed", run
    assert run["answer"]["outputs"]["file"]["name"].startswith("june")
    found = await cells(face, book, "june")
    assert [found[f"C{row}"]["formula"] for row in (2, 8)] == ["=B2*2", "=B8*2"]
    assert found["D1"]["value"] == "{{ seen }} {% x %}"


async def test_a_file_of_another_form_is_named_and_left_as_it_is(face: Face, script: Script) -> None:
    made = await drafted(face, await edited(face, script))
    await face.call("ann", "POST", f"/workflows/{made['id']}/publish")
    book = await uploaded(face, 7, "june.csv", header="turnover")
    run_id = await face.started("ann", made["id"], files=[book], approvals="auto")
    run = await face.rested("ann", run_id)
    assert run["outcome"] == "failed"
    assert "turnover" in run["failure"]["message"]
    versions = await face.call("ann", "GET", f"/workbooks/{book}/versions")
    assert len(versions["items"]) == 1
    code, message = await face.error("ann", "POST", f"/workflows/{made['id']}/run", 422, json={})
    assert code == "workflow_input_missing"
    assert "file" in message


async def test_what_was_undone_or_rejected_is_no_part_of_it(face: Face, script: Script) -> None:
    own = await edited(face, script)
    await face.call("ann", "POST", f"/workbooks/{own}/undo")
    code, message = await face.error("ann", "POST", f"/conversations/{own}/workflow", 422)
    assert code == "conversation_unusable"
    assert "plan" in message


async def test_a_conversation_in_which_a_run_waits_is_not_finished(face: Face, script: Script) -> None:
    own = await conversation(face)
    await uploaded(face, 3, "may.csv", conversation_id=own)
    script.replies.append(PLAN)
    await asked(face, own, "mark amounts above 100")
    assert (await face.error("ann", "POST", f"/conversations/{own}/workflow", 409))[0] == "run_in_progress"


@pytest.mark.parametrize("who", ["bob", "eve", "boss"])
async def test_nobody_makes_one_of_a_conversation_of_others(face: Face, script: Script, who: str) -> None:
    own = await edited(face, script)
    assert (await face.error(who, "POST", f"/conversations/{own}/workflow", 404))[0] == "not_found"
    made = await drafted(face, own)
    assert (await face.error(who, "POST", f"/workflows/{made['id']}/withdraw", 404))[0] == "not_found"
