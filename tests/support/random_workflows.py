"""Random workflows: graphs with branches, joins, conditions, switches, loops in loops, questions and tools."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from hypothesis import strategies as st

from tablewright.domain.workflow import Workflow
from tablewright.workflows.definition import of_values

KINDS = ("tool", "tool", "template", "ask_user", "condition", "switch", "join", "loop")
TIMED = ("failing", "expiring", "wait", "agent")
"""Kinds beside these whose course takes time: what fails and is tried again, questions that expire, waits, agents."""


@st.composite
def workflows(
    draw: st.DrawFn, *, most: int = 6, depth: int = 2, within: str | None = None, timed: bool = False
) -> Workflow:
    """Draw a workflow that has no faults; `within` is a workflow that it may run as a node. Those that are `timed` also
    have what takes time, and loops that go on in spite of failures."""
    names = (f"n{number}" for number in count())
    kinds = (*(() if within is None else ("sub_workflow",)), *(TIMED if timed else ()), *KINDS)
    inner, edges = draw(graphs(names=names, most=most, depth=depth, known=(), kinds=kinds))
    for node in _all(inner):
        if node["kind"] == "sub_workflow":
            node["workflow"] = within
    nodes = [{"id": "start", "kind": "start"}, *inner, {"id": "end", "kind": "end"}]
    targets = {edge["target"] for edge in edges}
    edges += [{"source": "start", "target": node["id"]} for node in inner if node["id"] not in targets]
    edges += [edge for node in inner for edge in _led_on(node, edges)]
    if not inner:
        edges.append({"source": "start", "target": "end"})
    return of_values({"id": "flow", "name": "flow", "nodes": nodes, "edges": edges})


def _led_on(node: dict[str, Any], edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return edges to the end for the ways of a node that lead nowhere."""
    led = {edge.get("port") for edge in edges if edge["source"] == node["id"]}
    ports = {"condition": ("true", "false"), "switch": ("x", "default")}.get(node["kind"], (None,))
    edge = {"source": node["id"], "target": "end"}
    return [edge | ({} if port is None else {"port": port}) for port in ports if port not in led]


def _all(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        yield node
        yield from _all(node.get("nodes", []))


@st.composite
def graphs(
    draw: st.DrawFn, *, names: Any, most: int, depth: int, known: tuple[str, ...], kinds: tuple[str, ...] = KINDS
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Draw nodes and the edges between them; `known` are the nodes before all of them, which always run."""
    nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0 if depth == 2 else 1, most))):
        kind = draw(st.sampled_from(kinds if depth else kinds[:-1]))
        node = {"id": next(names), "kind": kind, **draw(_config(kind, known, names, depth, kinds))}
        if kind == "loop" and "failing" in kinds:
            node["on_error"] = draw(st.sampled_from(("continue", "continue", "fail")))
        for source in draw(st.lists(st.sampled_from(nodes), max_size=3, unique_by=lambda each: each["id"]) if nodes
                           else st.just([])):  # fmt: skip
            ports = {"condition": ("true", "false"), "switch": ("x", "default")}.get(source["kind"])
            port = {} if ports is None else {"port": draw(st.sampled_from(ports))}
            edges.append({"source": source["id"], "target": node["id"], **port})
        nodes.append(node)
    return nodes, edges


@st.composite
def _config(
    draw: st.DrawFn, kind: str, known: tuple[str, ...], names: Any, depth: int, kinds: tuple[str, ...]
) -> dict[str, Any]:
    if kind in TIMED:
        timed: dict[str, Any] = draw(_timed(kind))
        return timed
    match kind:
        case "tool":
            return {"tool": "act", "arguments": {}}
        case "template":
            return {"text": draw(st.sampled_from(("plain", "{{ inputs | length }}")))}
        case "ask_user":
            return {"prompt": "?"}
        case "condition":
            return {"when": draw(st.sampled_from(("true", "false", "1 > 2", "inputs is mapping")))}
        case "switch":
            return {"cases": [{"name": "x", "when": draw(st.sampled_from(("true", "false")))}]}
        case "loop":
            nodes, edges = draw(graphs(names=names, most=3, depth=depth - 1, known=known, kinds=kinds))
            turns = draw(st.integers(0, 3))
            how: dict[str, Any] = {"over": f"range({turns}) | list", "concurrency": draw(st.integers(1, 2))}
            if draw(st.booleans()):
                how = {"until": f"index >= {turns}"}
            return {"nodes": nodes, "edges": edges, **how}
        case _:
            return {}


@st.composite
def _timed(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    match kind:
        case "failing":
            times, attempts = draw(st.integers(0, 3)), draw(st.integers(1, 3))
            retry = {"attempts": attempts, "backoff_s": draw(st.sampled_from((0, 60)))}
            on_error = draw(st.sampled_from(("continue", "continue", "fail")))
            return {
                "kind": "tool", "tool": "act", "arguments": {"fails": times}, "retry": retry, "on_error": on_error,
            }  # fmt: skip
        case "expiring":
            return {
                "kind": "ask_user", "prompt": "?", "default": "nobody", "expires_s": draw(st.sampled_from((60, 600))),
            }  # fmt: skip
        case "wait":
            return {"seconds": draw(st.sampled_from((0, 90)))}
        case _:
            return {"question": "?", "agent": "helper"}
