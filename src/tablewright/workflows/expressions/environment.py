"""Jinja2's sandbox, narrowed: values are JSON, attributes are keys of objects, operators are bounded."""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence
from itertools import islice
from typing import Any

from jinja2 import StrictUndefined, Undefined, pass_context
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tablewright.workflows.expressions.budget import BITS, BUDGET, WEIGHT, Budget, OverBudget, size, weight
from tablewright.workflows.expressions.filters import FILTERS, TESTS, as_text

LOOP = frozenset({"index", "index0", "first", "last", "length", "revindex", "revindex0"})
"""What templates may read of `loop`."""
NUMBERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "-": operator.sub,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


class Environment(ImmutableSandboxedEnvironment):
    """What templates are compiled in."""

    intercepted_binops = frozenset({"+", "*", *NUMBERS})

    def __init__(self) -> None:
        # Without the optimizer: it would compute constant expressions while it compiles, unbounded.
        super().__init__(undefined=StrictUndefined, autoescape=False, optimized=False, finalize=_shown)
        self.filters = {**FILTERS, SPENT: _spent, WEIGHED: _weighed, TEXT: _text}
        self.tests = dict(TESTS)
        self.globals = {"range": _range}
        self.keep_trailing_newline = True

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, LoopContext):
            return getattr(obj, attribute) if attribute in LOOP else self.undefined(obj=obj, name=attribute)
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Mapping):
            hashable = isinstance(argument, str | int | float | None)
            return obj[argument] if hashable and argument in obj else self.undefined(obj=obj, name=argument)
        listed = isinstance(obj, str | Sequence) and not isinstance(argument, str)
        if listed and (isinstance(argument, slice | int)):
            try:
                return obj[argument]
            except (IndexError, ValueError):
                pass
        return self.undefined(obj=obj, name=argument)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002
        if operator == "*":
            return _product(left, right)
        if operator == "+":
            return _sum(left, right)
        _numbers(left, right)
        return NUMBERS[operator](left, right)


SPENT, WEIGHED, TEXT = "spent_", "weighed_", "text_"
"""The filters around every part of an expression; no template can name them."""


@pass_context
def _spent(_context: Context, value: Any) -> Any:
    """Take what it costs to look at a value."""
    if isinstance(value, Undefined | LoopContext):
        return value
    if isinstance(value, Iterator | ItemsView | KeysView):
        value = list(islice(value, WEIGHT))
    BUDGET.get().spend(size(value))
    return value


@pass_context
def _weighed(_context: Context, value: Any) -> Any:
    """Take what it costs to look at all that is in a value that was just put together."""
    BUDGET.get().spend(weight(value))
    return value


@pass_context
def _text(_context: Context, value: Any) -> str:
    """Return a part of a concatenation as text."""
    return as_text(value)


def _shown(value: Any) -> str:
    if isinstance(value, Undefined):
        return str(value)  # raises what says its name
    BUDGET.get().spend(size(value))
    return as_text(value)


def _range(*bounds: int) -> range:
    made = range(*bounds)
    if len(made) > WEIGHT:
        raise OverBudget("weight")
    return made


def _numbers(*values: Any) -> None:
    for value in values:
        if isinstance(value, Undefined):
            str(value)  # raises what says its name
        if not isinstance(value, int | float):
            raise TypeError(f"{type(value).__name__} is no number")


def _product(left: Any, right: Any) -> Any:
    _numbers(left, right)
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > BITS:
        raise OverBudget("bits")
    return left * right


def _sum(left: Any, right: Any) -> Any:
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return [*left, *right]
    _numbers(left, right)
    return left + right


def new_budget() -> Budget:
    """Return the budget of an evaluation that begins now."""
    return Budget(time.thread_time())
