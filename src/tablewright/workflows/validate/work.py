"""Faults of what nodes work on, as far as they can be told before a value is known: the rest is told when they run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tablewright.domain.operations import operations
from tablewright.domain.operations.aliases import function_of
from tablewright.domain.workflow import CodeNode, DatabaseNode, HttpNode, Node, ToolNode, WaitNode, WorkbookNode
from tablewright.workflows.faults import Fault
from tablewright.workflows.validate.questions import between

MOST_ROWS = 100_000


def work_faults(node: Node, place: str) -> Iterator[Fault]:
    """Yield what is wrong with what a node is to do."""
    match node:
        case DatabaseNode(query=query, max_rows=rows):
            yield from _empty(query, f"{place}.query")
            yield from between(rows, 1, MOST_ROWS, f"{place}.max_rows")
        case HttpNode(url=url):
            yield from _empty(url, f"{place}.url")
        case ToolNode(tool=tool):
            yield from _empty(tool, f"{place}.tool")
        case CodeNode(code=code):
            yield from _code(code, f"{place}.code")
        case WorkbookNode(steps=steps):
            if not steps:
                yield Fault(code="empty", place=f"{place}.steps")
            for number, step in enumerate(steps):
                yield from _function(step.get("function"), f"{place}.steps.{number}.function")
        case WaitNode(until=str(until)) if not _has_expression(until):
            yield from _time(until, f"{place}.until")
        case _:
            pass


def _empty(words: str, place: str) -> Iterator[Fault]:
    if not words.strip():
        yield Fault(code="empty", place=place)


def _code(code: str, place: str) -> Iterator[Fault]:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        yield Fault(code="code", place=place, params={"line": line or 1, "detail": str(error).partition(" (<")[0]})


def _function(name: Any, place: str) -> Iterator[Fault]:
    if not isinstance(name, str) or _has_expression(name):
        return
    if function_of(name) not in operations():
        yield Fault(code="function_unknown", place=place, params={"name": name})


def _time(words: str, place: str) -> Iterator[Fault]:
    try:
        datetime.fromisoformat(words.strip())
    except ValueError:
        yield Fault(code="time", place=place, params={"source": words})


def _has_expression(words: str) -> bool:
    return "{{" in words or "{%" in words
