"""An expression that takes long holds up nobody but its own run."""

from __future__ import annotations

import asyncio

import pytest

from tablewright.errors import ExpressionFailed
from tablewright.workflows.expressions.apart import evaluated
from tablewright.workflows.expressions.language import expression, template

_LOOP = "{% for one in range(1000) %}"
ENDLESS = 2 * _LOOP + "{{ (one * one) % 7 }}" + 2 * "{% endfor %}"


async def test_the_loop_of_events_goes_on_beside_an_endless_expression() -> None:
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    turning = asyncio.create_task(turn())
    with pytest.raises(ExpressionFailed):
        await evaluated(lambda: template(ENDLESS).evaluate({}))
    turning.cancel()
    assert turns > 10


async def test_a_quick_expression_is_evaluated_where_it_is() -> None:
    assert await evaluated(lambda: expression("a + 1").evaluate({"a": 1})) == 2
    with pytest.raises(ExpressionFailed) as failed:
        await evaluated(lambda: expression("a + 1").evaluate({}))
    assert failed.value.params.get("limit") is None
