"""A workflow from its draft to its end, over the native face."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.workflow_bench import edges, node
from tests.support.workflow_face import Face, around, asking, face_of, greeting, workflow_parts

from tablewright.workflows.library import templates


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


async def said(face: Face, who: str, run_id: str) -> str:
    run = await face.rested(who, run_id)
    assert run["outcome"] == "completed", run
    return str(run["answer"]["text"])


@pytest.mark.requirement("workflows-stored-and-versioned")
async def test_a_draft_may_be_faulty_and_is_not_published_before_it_is_mended(face: Face) -> None:
    faulty = greeting() | {"nodes": [{"id": "start", "kind": "start"}, {"id": "x", "kind": "teleport"}]}
    own_id = await face.kept("ann", faulty)
    shown = await face.call("ann", "GET", f"/workflows/{own_id}")
    assert [fault["code"] for fault in shown["faults"]] == ["kind"]
    assert (shown["name"], shown["revision"], shown["published"]) == ("The greeting", 1, None)
    code, message = await face.error("ann", "POST", f"/workflows/{own_id}/publish", 422)
    assert code == "workflow_invalid"
    assert "teleport" in message
    assert (await face.error("ann", "POST", f"/workflows/{own_id}/run", 404))[0] == "workflow_unknown"
    checked = await face.call("ann", "POST", f"/workflows/{own_id}/validate", json={"definition": greeting()})
    assert checked == {"valid": True, "faults": []}
    saved = await face.call("ann", "PUT", f"/workflows/{own_id}", json={"definition": greeting()})
    assert (saved["faults"], saved["revision"]) == ([], 2)
    assert await face.call("ann", "POST", f"/workflows/{own_id}/publish") == {"id": own_id, "version": 1}


async def test_every_fault_is_named_with_its_place_in_the_callers_language(face: Face) -> None:
    unsound = {
        "id": "unsound",
        "name": "unsound",
        "nodes": [node("start", "start"), node("alone", "template", text="{{ nobody.text }}"), node("end", "end")],
        "edges": edges("start > gone"),
    }
    own_id = await face.kept("ann", unsound)
    checked = await face.call("ann", "POST", f"/workflows/{own_id}/validate", headers={"accept-language": "zh"})
    assert not checked["valid"]
    assert [(fault["code"], fault["place"]) for fault in checked["faults"]] == [("node_unknown", "edges.0")]
    assert "没有节点" in checked["faults"][0]["message"]


@pytest.mark.requirement("workflows-stored-and-versioned")
async def test_a_run_begins_with_what_is_published_and_stays_on_it(face: Face) -> None:
    own_id = await face.published("ann", asking(text="one: {{ who.text }}"))
    first = await face.started("ann", own_id)
    await face.call("ann", "PUT", f"/workflows/{own_id}", json={"definition": asking(text="two: {{ who.text }}")})
    unchanged = await face.started("ann", own_id)
    assert (await face.call("ann", "POST", f"/workflows/{own_id}/publish"))["version"] == 2
    second = await face.started("ann", own_id)
    for run_id, expected in ((first, "one: me"), (unchanged, "one: me"), (second, "two: me")):
        request = (await face.rested("ann", run_id))["requests"][0]
        answer = {"decision": "answer", "text": "me"}
        await face.call("ann", "POST", f"/runs/{run_id}/requests/{request['id']}", json=answer)
        assert await said(face, "ann", run_id) == expected


@pytest.mark.requirement("workflows-stored-and-versioned")
async def test_a_run_goes_on_when_its_workflow_is_deleted(face: Face) -> None:
    own_id = await face.published("ann", asking())
    run_id = await face.started("ann", own_id)
    request = (await face.rested("ann", run_id))["requests"][0]
    await face.call("ann", "DELETE", f"/workflows/{own_id}", 204)
    assert (await face.error("ann", "POST", f"/workflows/{own_id}/run", 404))[0] == "workflow_unknown"
    answer = {"decision": "answer", "text": "me"}
    await face.call("ann", "POST", f"/runs/{run_id}/requests/{request['id']}", json=answer)
    assert await said(face, "ann", run_id) == "You said me"


async def test_a_run_joins_the_conversation_that_is_named_or_gets_one(face: Face) -> None:
    own_id = await face.published("ann", greeting())
    made = await face.call("ann", "POST", "/conversations", 201, json={"title": "t"})
    started = await face.call(
        "ann", "POST", f"/workflows/{own_id}/run", 202, json={"conversation_id": made["id"], "inputs": {"name": "Ann"}}
    )
    assert started["conversation_id"] == made["id"]
    assert await said(face, "ann", started["run_id"]) == "Hello Ann"
    alone = await face.call("ann", "POST", f"/workflows/{own_id}/run", 202)
    titled = await face.call("ann", "GET", f"/conversations/{alone['conversation_id']}")
    assert titled["title"] == "The greeting"


async def test_a_run_with_wrong_inputs_leaves_no_conversation_behind(face: Face) -> None:
    own_id = await face.published("ann", greeting())
    for given in ({"inputs": {"nam": "x"}}, {"inputs": {"name": 3}}, {"model": "nobody:at-all"}):
        code, _ = await face.error("ann", "POST", f"/workflows/{own_id}/run", 422, json=given)
        assert code in {"workflow_input_missing", "model_unknown"}
    assert (await face.call("ann", "GET", "/conversations"))["items"] == []


async def test_two_who_edit_the_same_draft_do_not_overwrite_each_other(face: Face) -> None:
    own_id = await face.kept("ann", greeting())
    change = {"definition": greeting("Hi"), "revision": 1}
    await face.call("ann", "PUT", f"/workflows/{own_id}", json=change)
    assert (await face.error("ann", "PUT", f"/workflows/{own_id}", 409, json=change))[0] == "conflict"
    assert (await face.error("ann", "POST", f"/workflows/{own_id}/publish", 409, json={"revision": 1}))[0] == "conflict"


async def test_an_export_is_a_file_that_can_be_taken_in_again(face: Face) -> None:
    own_id = await face.published("ann", greeting())
    file = await face.call("ann", "GET", f"/workflows/{own_id}/export")
    assert file["id"] == "greeting"
    copy = await face.published("bob", file)
    assert await face.call("bob", "GET", f"/workflows/{copy}/export") == file
    assert await said(face, "bob", await face.started("bob", copy, inputs={"name": "Bob"})) == "Hello Bob"


async def test_templates_are_listed_run_by_their_ids_and_taken_as_a_beginning(face: Face) -> None:
    listed = await face.call("ann", "GET", "/workflows/templates")
    assert [item["id"] for item in listed["items"]] == sorted(templates())
    made = await face.call("ann", "POST", "/workflows", 201, json={"template": "order_query"})
    assert (made["definition_id"], made["faults"]) == ("order_query", [])
    run = await face.rested("ann", await face.started("ann", "order_query"))
    assert run["state"] == "waiting"
    assert "订单号" in run["requests"][0]["prompt"]
    assert (await face.error("ann", "POST", "/workflows", 404, json={"template": "nothing"}))[0] == "workflow_unknown"
    assert (await face.error("ann", "POST", "/workflows", 422, json={}))[0] == "invalid_input"


@pytest.mark.requirement("workflows-stored-and-versioned")
async def test_a_sub_workflow_is_one_that_the_caller_has_published_at_its_version_when_it_begins(face: Face) -> None:
    inner = await face.published("ann", greeting("one"))
    by_id = await face.published("ann", around(inner, "by_id"))
    by_name = await face.published("ann", around("greeting", "by_name"))
    assert await said(face, "ann", await face.started("ann", by_id)) == "(one)"
    await face.call("ann", "PUT", f"/workflows/{inner}", json={"definition": greeting("two")})
    await face.call("ann", "POST", f"/workflows/{inner}/publish")
    for own_id in (by_id, by_name):
        assert await said(face, "ann", await face.started("ann", own_id)) == "(two)"


async def test_a_sub_workflow_that_was_deleted_fails_its_node_by_name(face: Face) -> None:
    inner = await face.published("ann", greeting())
    outer = await face.published("ann", around(inner))
    await face.call("ann", "DELETE", f"/workflows/{inner}", 204)
    run = await face.rested("ann", await face.started("ann", outer))
    assert (run["outcome"], run["failure"]["code"]) == ("failed", "node_failed")
    assert inner in run["failure"]["message"]


@pytest.mark.requirement("workflow-withdrawn")
async def test_a_withdrawn_workflow_is_started_no_more_and_its_runs_go_on(face: Face) -> None:
    own_id = await face.published("ann", asking(), visibility="public")
    run_id = await face.started("bob", own_id)
    run = await face.rested("bob", run_id)
    shown = await face.call("ann", "POST", f"/workflows/{own_id}/withdraw")
    assert (shown["published"], len(shown["versions"])) == (None, 1)
    for who in ("ann", "bob"):
        assert (await face.error(who, "POST", f"/workflows/{own_id}/run", 404))[0] == "workflow_unknown"
    assert (await face.call("bob", "GET", "/workflows"))["items"] == []
    (request,) = run["requests"]
    answer = {"decision": "answer", "text": "yes"}
    await face.call("bob", "POST", f"/runs/{run_id}/requests/{request['id']}", json=answer)
    assert (await face.rested("bob", run_id))["answer"]["text"] == "You said yes"
    published = await face.call("ann", "POST", f"/workflows/{own_id}/publish")
    assert published["version"] == 2
