"""The expressions and templates in a node's configuration, with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tablewright.domain.workflow import Node, SwitchNode
from tablewright.workflows.expressions.language import Expression, expression, template, value_template

Compile = Callable[[str], Expression]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The text of an expression or template, the field of the node that it is in, and what compiles it.

    `after`: it is evaluated when a turn of the loop has ended, and sees what is in it.
    """

    field: str
    text: str
    compile: Compile
    after: bool = False


TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "end": ("text",),
    "template": ("text",),
    "ask_user": ("prompt", "default", "expires_at"),
    "wait": ("until",),
    "agent": ("question",),
    "model": ("prompt",),
    "http": ("url", "text"),
}
EXPRESSIONS: Mapping[str, tuple[str, ...]] = {
    "condition": ("when",),
    "ask_user": ("options_from",),
    "loop": ("over",),
}
AFTER_A_TURN: Mapping[str, tuple[str, ...]] = {"loop": ("until", "collect")}
VALUES: Mapping[str, tuple[str, ...]] = {
    "end": ("outputs",),
    "template": ("values",),
    "sub_workflow": ("inputs",),
    "model": ("materials",),
    "http": ("query", "headers", "json"),
    "code": ("inputs",),
    "tool": ("arguments",),
    "database": ("parameters",),
    "workbook": ("steps",),
}
"""The fields of each kind of node with templates, expressions, and values with templates in them."""


def sources_of(node: Node) -> tuple[Source, ...]:
    """Return what is evaluated of a node's configuration; that within a loop is not part of the loop's."""
    return tuple(_sources(node))


def _sources(node: Node) -> Iterator[Source]:
    if isinstance(node, SwitchNode):
        for number, case in enumerate(node.cases):
            yield Source(field=f"cases.{number}.when", text=case.when, compile=expression)
    yield from _fields(node, TEMPLATES, template)
    yield from _fields(node, EXPRESSIONS, expression)
    for source in _fields(node, AFTER_A_TURN, expression):
        yield replace(source, after=True)
    for name in VALUES.get(node.kind, ()):
        yield from _values(name, getattr(node, name))


def _fields(node: Node, names: Mapping[str, tuple[str, ...]], compiled: Compile) -> Iterator[Source]:
    for name in names.get(node.kind, ()):
        if (text := getattr(node, name)) is not None:
            yield Source(field=name, text=text, compile=compiled)


def _values(field: str, value: Any) -> Iterator[Source]:
    if isinstance(value, str):
        yield Source(field=field, text=value, compile=value_template)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _values(f"{field}.{name}", each)
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _values(f"{field}.{number}", each)
