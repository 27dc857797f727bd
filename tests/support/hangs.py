"""Ends a test that hangs, and no other.

An exception that a signal raises just anywhere (in a callback of the event loop, in a parser written in C, in the test
runner itself) is lost or ends the whole run. So a test that runs in an event loop is cancelled by its loop, where it
waits. Other tests have the signal, but only while their own function runs. `@pytest.mark.timeout` gives a test another
bound than `TEST_S`."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Generator
from typing import Any

import pytest
from tests.support.patience import TEST_S


def _in_a_loop(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj)


def _bound_s(item: pytest.Item) -> float:
    own = next((marker.args[0] for marker in item.iter_markers("timeout") if marker.args and marker.args[0]), TEST_S)
    return float(own)


def _bounded(test: Callable[..., Awaitable[None]], bound_s: float) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def within(*args: Any, **kwargs: Any) -> None:
        async with asyncio.timeout(bound_s):
            await test(*args, **kwargs)

    return within


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have no signal for tests in a loop, and for others only while they run themselves."""
    for item in items:
        bound_s = 0.0 if _in_a_loop(item) else _bound_s(item)
        item.add_marker(pytest.mark.timeout(bound_s, method="signal", func_only=True), append=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Give a test in a loop its end; where it hung stands in the failure's traceback."""
    if isinstance(item, pytest.Function) and _in_a_loop(item):
        item.obj = _bounded(item.obj, _bound_s(item))
    return (yield)
