"""Definitions are read or refused, and every fault is named with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.workflow_bench import edges, node, workflow

from tablewright.domain.codec import to_python
from tablewright.domain.language import Language
from tablewright.domain.workflow import Node, Workflow
from tablewright.workflows.definition import SIZE_BYTES, Unreadable, of_values, read, schema, written
from tablewright.workflows.library import templates
from tablewright.workflows.nodes import KINDS
from tablewright.workflows.validate import Names, faults_of

LANGUAGES: tuple[Language, ...] = ("en", "zh")
START, END = node("start", "start"), node("end", "end")
ASK = node("ask", "ask_user", prompt="?")


def faults(nodes: list[dict[str, Any]], *ways: str, **more: Any) -> list[tuple[str, str]]:
    return [(fault.code, fault.place) for fault in faults_of(workflow([START, *nodes, END], *ways, **more))]


CASES: list[tuple[str, str, list[dict[str, Any]], tuple[str, ...]]] = [
    ("node_unknown", "edges.0", [], ("start > nope", "start > end")),
    ("edge_missing", "nodes.a", [node("a", "join")], ("start > a", "start > end")),
    ("circle", "edges", [node("a", "join"), node("b", "join")], ("start > a > b > a", "b > end")),
    ("unreachable", "nodes.a", [node("a", "join")], ("a > end", "start > end")),
    ("id_twice", "nodes.a", [node("a", "join"), node("a", "join")], ("start > a > end",)),
    ("id_wrong", "nodes.a-b", [node("a-b", "join")], ("start > a-b > end",)),
    ("id_wrong", "nodes.item", [node("item", "join")], ("start > item > end",)),
    ("unbound", "nodes.a.text", [node("a", "template", text="{{ later.text }}")], ("start > a > end",)),
    ("unbound", "nodes.a.text", [node("a", "template", text="{{ item }}")], ("start > a > end",)),
    ("expression", "nodes.a.text", [node("a", "template", text="{{ 1 + }}")], ("start > a > end",)),
    ("port_missing", "edges.1", [node("a", "condition", when="true")], ("start > a > end",)),
    ("port_unknown", "edges.1", [node("a", "condition", when="true")], ("start > a:maybe > end",)),
    ("way_missing", "nodes.a", [node("a", "condition", when="true")], ("start > a:true > end",)),
    ("edge_wrong", "edges.1", [node("a", "join")], ("start > a > start", "a > end")),
    ("edge_twice", "edges.2", [node("a", "join")], ("start > a > end", "a > end")),
    ("one_of", "nodes.a", [node("a", "loop", nodes=[node("b", "join")])], ("start > a > end",)),
    ("empty", "nodes.a.nodes", [node("a", "loop", over="[1]")], ("start > a > end",)),
    ("loop_order", "nodes.a.concurrency",
     [node("a", "loop", until="true", concurrency=2, nodes=[node("b", "join")])], ("start > a > end",)),
    ("empty", "nodes.a.query", [node("a", "database", query=" ")], ("start > a > end",)),
    ("range", "nodes.a.max_rows", [node("a", "database", query="select 1", max_rows=-5)], ("start > a > end",)),
    ("empty", "nodes.a.url", [node("a", "http", url="")], ("start > a > end",)),
    ("empty", "nodes.a.tool", [node("a", "tool", tool="")], ("start > a > end",)),
    ("code", "nodes.a.code", [node("a", "code", code="x = 1\ndef (")], ("start > a > end",)),
    ("empty", "nodes.a.steps", [node("a", "workbook", steps=[])], ("start > a > end",)),
    ("function_unknown", "nodes.a.steps.0.function",
     [node("a", "workbook", steps=[{"function": "nosuch", "parameters": {}}])], ("start > a > end",)),
    ("time", "nodes.a.until", [node("a", "wait", until="never")], ("start > a > end",)),
    ("kind_in_loop", "nodes.a.nodes.b",
     [node("a", "loop", over="[1]", nodes=[node("b", "end")])], ("start > a > end",)),
    ("circle", "nodes.a.edges",
     [node("a", "loop", over="[1]", nodes=[node("b", "join"), node("c", "join")], edges=edges("b > c > b"))],
     ("start > a > end",)),
    ("unbound", "nodes.a.collect", [node("a", "loop", over="[1]", collect="nope", nodes=[node("b", "join")])],
     ("start > a > end",)),
    ("one_of", "nodes.ask", [node("ask", "ask_user", prompt="?", form="choice")], ("start > ask > end",)),
    ("form_schema", "nodes.ask.schema", [node("ask", "ask_user", prompt="?", form="form")], ("start > ask > end",)),
    ("one_of", "nodes.ask",
     [node("ask", "ask_user", prompt="?", expires_s=60, expires_at="2026-01-01")], ("start > ask > end",)),
    ("way_missing", "nodes.ask", [node("ask", "ask_user", prompt="?", expires_s=60)], ("start > ask:answered > end",)),
    ("port_unknown", "edges.2",
     [node("ask", "ask_user", prompt="?", expires_s=60, default="x")],
     ("start > ask:answered > end", "ask:expired > end")),
    ("id_twice", "nodes.ask.options",
     [node("ask", "ask_user", prompt="?", form="choice", options=["expired"], expires_s=60)], ("start > ask > end",)),
    ("pattern", "nodes.ask.pattern", [node("ask", "ask_user", prompt="?", pattern="(a")], ("start > ask > end",)),
    ("pattern", "nodes.ask.pattern", [node("ask", "ask_user", prompt="?", pattern="(?=a)")], ("start > ask > end",)),
    ("rule_unused", "nodes.ask.minimum", [node("ask", "ask_user", prompt="?", minimum=1)], ("start > ask > end",)),
    ("range", "nodes.ask.max_length",
     [node("ask", "ask_user", prompt="?", min_length=5, max_length=2)], ("start > ask > end",)),
    ("one_of", "nodes.a", [node("a", "wait")], ("start > a > end",)),
    ("range", "nodes.a.retry.attempts", [node("a", "join", retry={"attempts": 99})], ("start > a > end",)),
    ("range", "nodes.a.timeout_s", [node("a", "join", timeout_s=-1)], ("start > a > end",)),
    ("workflow_unknown", "nodes.a.workflow", [node("a", "sub_workflow", workflow="nope")], ("start > a > end",)),
    ("recursion", "nodes.a.workflow", [node("a", "sub_workflow", workflow="flow")], ("start > a > end",)),
    ("empty", "nodes.a.cases", [node("a", "switch", cases=[])], ("start > a:default > end",)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "place", "nodes", "ways"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_fault_is_named_with_its_place(
    code: str, place: str, nodes: list[dict[str, Any]], ways: tuple[str, ...]
) -> None:
    assert (code, place) in faults(nodes, *ways)


def test_every_fault_of_a_definition_is_named_and_has_words() -> None:
    broken = workflow([START, node("a", "template", text="{{ x }} {{ y }}"), ASK, ASK, END], "start > a > end")
    found = faults_of(broken)
    assert {fault.code for fault in found} == {"id_twice"}
    whole = workflow([START, node("a", "template", text="{{ x }} {{ y }}"), ASK, END], "start > a > end")
    assert {fault.code for fault in faults_of(whole)} == {"unreachable", "edge_missing"}
    for fault in (*found, *faults_of(whole)):
        for language in LANGUAGES:
            assert fault.place in fault.words(language)
            assert "{" not in fault.words(language)


def test_a_workflow_that_comes_back_to_itself_through_another_is_refused() -> None:
    def of(name: str, other: str) -> Workflow:
        return workflow([START, node("s", "sub_workflow", workflow=other), END], "start > s > end", name=name)

    one, two = of("one", "two"), of("two", "one")
    (fault,) = faults_of(one, {"two": two, "one": one}.get)
    assert fault.code == "recursion"


def test_inputs_of_another_workflow_are_checked() -> None:
    other = workflow([START, END], "start > end", name="other", inputs=[{"name": "needed"}])
    flow = workflow([START, node("s", "sub_workflow", workflow="other", inputs={"wrong": 1}), END], "start > s > end")
    assert {fault.code for fault in faults_of(flow, {"other": other}.get)} == {"input_unknown", "input_missing"}


NAMES = Names(agents=("react",), tools=("web_reader",), databases=("primary",), away=("docs__",))


@pytest.mark.parametrize(
    ("kind", "field", "config", "known"),
    [
        ("agent", "agent", {"question": "?", "agent": "oracle"}, "react"),
        ("tool", "tool", {"tool": "web_raeder"}, "web_reader"),
        ("database", "database", {"query": "select 1", "database": "sales"}, "primary"),
    ],
)
def test_what_a_node_names_and_there_is_not_is_a_fault_with_what_there_is(
    kind: str, field: str, config: dict[str, Any], known: str
) -> None:
    inner = node("a", "loop", over="[1]", nodes=[node("b", kind, **config)])
    flow = workflow([START, inner, END], "start > a > end")
    (fault,) = faults_of(flow, names=NAMES)
    assert (fault.code, fault.place) == (f"{field}_unknown", f"nodes.a.nodes.b.{field}")
    assert fault.params["name"] == config[field]
    assert fault.params["known"] == known
    for language in LANGUAGES:
        assert known in fault.words(language)
    assert faults_of(flow) == ()  # where it is not known what there is, nothing is said


def test_names_that_are_known_lent_or_out_of_reach_are_no_faults() -> None:
    nodes = [
        node("a", "agent", question="?", agent="react"),
        node("b", "tool", tool="docs__find"),
        node("c", "database", query="select 1"),
        node("d", "database", query="select 1", database="@sales-1a2b3c"),
    ]
    assert faults_of(workflow([START, *nodes, END], "start > a > b > c > d > end"), names=NAMES) == ()


def test_a_branch_that_may_not_have_run_may_be_read() -> None:
    nodes = [node("c", "condition", when="true"), node("a", "template"), node("b", "template", text="{{ a.text }}")]
    assert faults(nodes, "start > c:true > a > b > end", "c:false > b") == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "not_json"),
        ("[]", "value"),
        ('{"id": "x"}', "value"),
        (json.dumps({"id": "x", "name": "x", "nodes": [{"id": "a", "kind": "nope"}]}), "kind"),
        (json.dumps({"id": "x", "name": "x", "nodes": [], "nodez": 1}), "name_unknown"),
        (json.dumps({"id": "x", "name": "x", "nodes": [{"id": "a", "kind": "end", "txt": ""}]}), "name_unknown"),
        (json.dumps({"id": "x", "name": "x" * SIZE_BYTES, "nodes": []}), "too_big"),
        ("[" * 5_000 + "]" * 5_000, "too_deep"),
        ('{"a":' * 30_000, "too_deep"),
    ],
)
def test_what_is_no_definition_is_refused(content: str, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(content)
    assert code in {fault.code for fault in refused.value.faults}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["start", "end", "loop", "{{ x }}", "{{", "a b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "kind", "nodes"]), inner),
    max_leaves=6,
)


@given(st.sampled_from(sorted(templates())), st.data())
@settings(max_examples=200, deadline=None)
def test_a_definition_with_anything_in_a_wrong_place_is_refused_or_has_named_faults(
    name: str, data: st.DataObject
) -> None:
    values: Any = to_python(Workflow, templates()[name])
    inside = values
    while True:
        key = data.draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside))))
        if not isinstance(inside[key], dict | list) or not inside[key] or data.draw(st.booleans()):
            break
        inside = inside[key]
    inside[key] = data.draw(JSON)
    try:
        found = faults_of(of_values(values))
    except Unreadable as refused:
        found = refused.faults
        assert found
    assert all(fault.words("en") for fault in found)


def test_a_definition_survives_being_written() -> None:
    for flow in templates().values():
        assert read(written(flow)) == flow


def test_the_schema_is_published_with_every_kind() -> None:
    told = json.dumps(schema())
    assert all(f'"{kind}"' in told for kind in KINDS)
    assert set(KINDS) == {kind.__dataclass_fields__["kind"].default for kind in Node.__args__}


def test_templates_have_no_faults() -> None:
    assert len(templates()) >= 2
    for flow in templates().values():
        assert faults_of(flow) == ()
        assert to_python(Workflow, flow)["examples"]


def test_a_large_definition_is_validated_within_a_second_or_so() -> None:
    nodes = [node(f"n{number}", "template", text=f"{{{{ inputs }}}} {number}") for number in range(290)]
    way = " > ".join(["start", *(each["id"] for each in nodes), "end"])
    assert faults(nodes, way) == []
