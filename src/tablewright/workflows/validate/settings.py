"""Faults of what is configured of single nodes and inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tablewright.domain.workflow import (
    AskUserNode,
    HttpNode,
    LoopNode,
    ModelNode,
    Node,
    SwitchNode,
    WaitNode,
    Workflow,
    WorkflowInput,
)
from tablewright.domain.workflow.definition import all_nodes
from tablewright.workflows.faults import Fault
from tablewright.workflows.ports import DEFAULT, EXPIRED
from tablewright.workflows.validate.questions import MOST_S, between, question_faults
from tablewright.workflows.validate.shape import IDENTIFIER, place_of
from tablewright.workflows.validate.work import work_faults
from tablewright.workflows.values import fits_kind

MOST_ATTEMPTS = 10
MOST_TURNS = 10_000
MOST_AT_ONCE = 20


def settings_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield what is wrong with single nodes and inputs."""
    for number, given in enumerate(workflow.inputs):
        yield from _input(given, f"inputs.{number}")
    for name, count in Counter(given.name for given in workflow.inputs).items():
        if count > 1:
            yield Fault(code="id_twice", place="inputs", params={"name": name, "count": count})
    for placed in all_nodes(workflow):
        place = place_of(placed)
        yield from _base(placed.node, place)
        yield from _of_kind(placed.node, place)
        yield from work_faults(placed.node, place)


def _input(given: WorkflowInput, place: str) -> Iterator[Fault]:
    if not IDENTIFIER.fullmatch(given.name):
        yield Fault(code="id_wrong", place=f"{place}.name", params={"name": given.name})
    if given.default is not None and not fits_kind(given.default, given.kind):
        yield Fault(code="input_default", place=f"{place}.default", params={"name": given.name, "kind_id": given.kind})


def _base(node: Node, place: str) -> Iterator[Fault]:
    yield from between(node.retry.attempts, 1, MOST_ATTEMPTS, f"{place}.retry.attempts")
    yield from between(node.retry.backoff_s, 0, 3_600, f"{place}.retry.backoff_s")
    if node.timeout_s is not None:
        yield from between(node.timeout_s, 0.001, MOST_S, f"{place}.timeout_s")


def _of_kind(node: Node, place: str) -> Iterator[Fault]:
    match node:
        case SwitchNode():
            yield from _switch(node, place)
        case LoopNode():
            yield from _loop(node, place)
        case AskUserNode():
            yield from _question(node, place)
        case HttpNode():
            yield from _request(node, place)
        case ModelNode(schema=schema) if schema is not None and not _is_form(schema):
            yield Fault(code="form_schema", place=f"{place}.schema")
        case WaitNode(seconds=seconds, until=until):
            if (seconds is None) == (until is None):
                yield Fault(code="one_of", place=place, params={"choices": "seconds, until"})
            if seconds is not None:
                yield from between(seconds, 0, MOST_S, f"{place}.seconds")
        case _:
            pass


def _request(node: HttpNode, place: str) -> Iterator[Fault]:
    if node.json is not None and node.text is not None:
        yield Fault(code="one_of", place=place, params={"choices": "json, text"})
    body = node.json is not None or node.text is not None
    if body and node.method in {"GET", "HEAD"}:
        yield Fault(code="rule_unused", place=f"{place}.{'text' if node.json is None else 'json'}")
    if node.main_text and (node.method != "GET" or node.query or node.headers):
        yield Fault(code="rule_unused", place=f"{place}.main_text")


def _switch(node: SwitchNode, place: str) -> Iterator[Fault]:
    if not node.cases:
        yield Fault(code="empty", place=f"{place}.cases")
    for name, count in Counter([DEFAULT, *(case.name for case in node.cases)]).items():
        if count > 1:
            yield Fault(code="id_twice", place=f"{place}.cases", params={"name": name, "count": count})


def _loop(node: LoopNode, place: str) -> Iterator[Fault]:
    if not node.nodes:
        yield Fault(code="empty", place=f"{place}.nodes")
    if node.over is None and node.until is None:
        yield Fault(code="one_of", place=place, params={"choices": "over, until"})
    if node.until is not None and node.concurrency > 1:
        yield Fault(code="loop_order", place=f"{place}.concurrency")
    if node.retry.attempts > 1:
        yield Fault(code="loop_retry", place=f"{place}.retry")
    yield from between(node.concurrency, 1, MOST_AT_ONCE, f"{place}.concurrency")
    yield from between(node.max_turns, 1, MOST_TURNS, f"{place}.max_turns")


def _question(node: AskUserNode, place: str) -> Iterator[Fault]:
    yield from question_faults(node, place)
    if node.form == "choice" and bool(node.options) == (node.options_from is not None):
        yield Fault(code="one_of", place=place, params={"choices": "options, options_from"})
    if node.form == "form" and not _is_form(node.schema):
        yield Fault(code="form_schema", place=f"{place}.schema")
    for name, count in Counter([*node.options, *((EXPIRED,) if node.expires else ())]).items():
        if count > 1:
            yield Fault(code="id_twice", place=f"{place}.options", params={"name": name, "count": count})


def _is_form(schema: dict[str, Any] | None) -> bool:
    parts = (schema or {}).get("properties")
    return isinstance(parts, dict) and bool(parts) and all(isinstance(part, dict) for part in parts.values())
