"""Definitions that are huge, deep, circular or recursive get clear errors over HTTP, and harm nobody."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.parts import FakeParts
from tests.support.workflow_bench import edges, node
from tests.support.workflow_face import KEYS, Face, around, face_of, greeting, workflow_parts

from tablewright.domain.workflow.stored import WorkflowVersion
from tablewright.workflows.definition import of_values

JSON = {"content-type": "application/json"}


@pytest.fixture
def parts(tmp_path: Path) -> FakeParts:
    return workflow_parts(tmp_path)


@pytest.fixture
async def face(parts: FakeParts) -> AsyncIterator[Face]:
    async with face_of(parts) as opened:
        yield opened


async def test_what_is_too_large_or_too_deep_is_not_even_kept(face: Face) -> None:
    large = greeting("x" * 300_000)
    code, message = await face.error("ann", "POST", "/workflows", 422, json={"definition": large})
    assert code == "workflow_invalid"
    assert "0.2 MB" in message
    deep: dict[str, Any] = {}
    for _ in range(60):
        deep = {"nodes": [deep]}
    code, message = await face.error("ann", "POST", "/workflows", 422, json={"definition": greeting() | deep})
    assert code == "workflow_invalid"
    assert "40" in message
    assert (await face.error("ann", "POST", "/workflows", 413, json={"definition": greeting("x" * 3_000_000)}))[0] == (
        "body_too_large"
    )
    assert (await face.call("ann", "GET", "/workflows"))["items"] == []


@pytest.mark.parametrize("depth", [500, 100_000])
async def test_json_that_never_ends_is_refused(face: Face, depth: int) -> None:
    body = '{"definition": {"id": ' + '{"a":' * depth + "1" + "}" * depth + "}}"
    code, _ = await face.error("ann", "POST", "/workflows", 422, content=body, headers=JSON)
    assert code in {"invalid_input", "workflow_invalid"}


async def test_values_that_no_definition_has_are_kept_as_a_draft_and_named(face: Face) -> None:
    strange = {"id": 7, "name": ["\ud83d", "\0"], "nodes": {"a": None}, "examples": [1, "a\0b", None], "数": 1e308}
    body = json.dumps({"definition": strange}).replace("1e+308", "[1e999, NaN, -Infinity]")
    made = await face.call("ann", "POST", "/workflows", 201, content=body, headers=JSON)
    own_id = made["id"]
    assert (made["definition"]["数"], made["definition"]["name"]) == ([None, None, None], ["?", "\0"])
    shown = await face.call("ann", "GET", f"/workflows/{own_id}")
    assert (shown["name"], shown["definition_id"], shown["examples"]) == ("", "", ["ab"])
    assert shown["faults"]
    assert (await face.error("ann", "POST", f"/workflows/{own_id}/publish", 422))[0] == "workflow_invalid"


async def test_inputs_that_no_text_can_hold_start_a_run_that_ends(face: Face) -> None:
    nothing_else = greeting("{{ inputs.name }} {{ inputs.more | length }}")
    inputs = [{"name": "name"}, {"name": "more", "kind": "list"}]
    own_id = await face.published("ann", nothing_else | {"inputs": inputs})
    body = '{"inputs": {"name": "\\ud83d\\u0000", "more": [NaN, 1e999, "\\udc00"]}}'
    started = await face.call("ann", "POST", f"/workflows/{own_id}/run", 202, content=body, headers=JSON)
    run = await face.rested("ann", started["run_id"])
    assert run["outcome"] == "completed"
    assert run["answer"]["text"].endswith("3")


async def test_a_circle_and_an_expression_out_of_bounds_are_named(face: Face) -> None:
    nodes = [node("start", "start"), node("a", "template"), node("b", "template", text="{{ x.__class__ }}")]
    circular = greeting() | {
        "nodes": [*nodes, node("end", "end")],
        "edges": edges("start > a > b > a", "b > end"),
    }
    own_id = await face.kept("ann", circular)
    found = await face.call("ann", "POST", f"/workflows/{own_id}/validate")
    assert [fault["code"] for fault in found["faults"]] == ["circle"]
    sound = circular | {"edges": edges("start > a > b > end")}
    found = await face.call("ann", "POST", f"/workflows/{own_id}/validate", json={"definition": sound})
    assert "b.text" in found["faults"][0]["place"]


@pytest.mark.requirement("workflows-recursion-refused")
async def test_a_workflow_that_comes_back_to_itself_is_not_published(face: Face) -> None:
    own_id = await face.kept("ann", greeting(name="snake"))
    for name in (own_id, "snake"):
        await face.call("ann", "PUT", f"/workflows/{own_id}", json={"definition": around(name, "snake")})
        code, message = await face.error("ann", "POST", f"/workflows/{own_id}/publish", 422)
        assert code == "workflow_invalid"
        assert "itself" in message


@pytest.mark.requirement("workflows-recursion-refused")
async def test_two_that_would_run_each_other_are_not_both_published(face: Face) -> None:
    first = await face.published("ann", greeting(name="first"))
    second = await face.published("ann", around(first, "second"))
    await face.call("ann", "PUT", f"/workflows/{first}", json={"definition": around(second, "first")})
    code, message = await face.error("ann", "POST", f"/workflows/{first}/publish", 422)
    assert code == "workflow_invalid"
    assert "itself" in message


async def test_a_chain_that_is_too_long_is_not_published(face: Face) -> None:
    inner = await face.published("ann", greeting(name="w0"))
    for number in range(1, 5):
        inner = await face.published("ann", around(inner, f"w{number}"))
    run = await face.rested("ann", await face.started("ann", inner))
    assert run["answer"]["text"] == "((((Hello you))))"
    own_id = await face.kept("ann", around(inner, "w5"))
    code, message = await face.error("ann", "POST", f"/workflows/{own_id}/publish", 422)
    assert code == "workflow_invalid"
    assert "deep" in message


async def test_many_parts_of_many_parts_are_looked_at_once_each(face: Face) -> None:
    def wide(inner: list[str], name: str) -> dict[str, Any]:
        parts = [node(f"p{number}", "sub_workflow", workflow=each) for number, each in enumerate(inner)]
        ways = [f"start > {part['id']} > end" for part in parts]
        return greeting(name=name) | {
            "nodes": [node("start", "start"), *parts, node("end", "end")],
            "edges": edges(*ways),
        }

    level = [await face.published("ann", greeting(name=f"leaf{number}")) for number in range(6)]
    for depth in range(3):
        level = [await face.published("ann", wide(level * 40, f"wide{depth}_{number}")) for number in range(6)]
    top = await face.kept("ann", wide(level * 40, "top"))
    assert (await face.call("ann", "POST", f"/workflows/{top}/validate"))["valid"]


@pytest.mark.requirement("workflows-recursion-refused")
async def test_recursion_that_came_about_behind_the_checks_ends_at_its_bound(face: Face, parts: FakeParts) -> None:
    first = await face.published("ann", greeting(name="first"))
    second = await face.published("ann", around(first, "second"))
    store, ann = parts.store.workflows, KEYS["ann"]
    kept = await store.version(ann, first)
    circular = of_values(around(second, first))
    behind = WorkflowVersion(
        workflow_id=first,
        number=0,
        definition=circular,
        definition_id="first",
        created_at=kept.created_at,
        created_by="ann",
    )
    await store.publish(ann, behind, expected=1)
    run = await face.rested("ann", await face.started("ann", first))
    assert (run["outcome"], run["failure"]["code"]) == ("failed", "node_failed")


async def test_errors_are_in_the_language_of_the_caller(face: Face) -> None:
    own_id = await face.kept("ann", greeting() | {"nodes": []})
    headers = {"accept-language": "zh-CN"}
    _, message = await face.error("ann", "POST", f"/workflows/{own_id}/publish", 422, headers=headers)
    assert "工作流不能使用" in message
