"""The order in which those who wait for a worker are served."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tablewright.sandbox.waiting import Waiters


def queue(*turns: str) -> Waiters[int]:
    waiters: Waiters[int] = Waiters()
    loop = asyncio.new_event_loop()
    for turn in turns:
        waiters.add(turn, loop.create_future())
    loop.close()
    return waiters


def served(waiters: Waiters[int]) -> list[str]:
    order: list[str] = []
    while (waiter := waiters.next()) is not None:
        order.append(waiter.turn)
    return order


def test_a_run_with_many_children_shares_its_turn_among_them() -> None:
    assert served(queue("a", "a", "a", "a", "b", "c", "b")) == ["a", "b", "c", "a", "b", "a", "a"]


def test_who_shares_with_nobody_is_served_as_they_came() -> None:
    assert served(queue("", "a", "", "", "a")) == ["", "a", "", "", "a"]


def test_newcomers_share_the_rounds_with_who_has_many() -> None:
    waiters = queue("a", "a", "a")
    first = waiters.next()
    loop = asyncio.new_event_loop()
    for turn in ("new", "newer"):
        waiters.add(turn, loop.create_future())
    loop.close()
    assert first is not None
    assert served(waiters) == ["a", "new", "newer", "a"]


def test_who_has_left_is_not_served() -> None:
    waiters = queue("a", "b", "c")
    one, two, _ = waiters
    waiters.remove(one)
    two.future.cancel()
    assert served(waiters) == ["c"]


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=40))
def test_among_those_who_wait_from_the_start_nobody_gets_ahead_by_more_than_one(turns: Sequence[str]) -> None:
    order = served(queue(*turns))
    assert sorted(order) == sorted(turns)
    for place in range(len(order)):
        counts = {turn: order[:place].count(turn) for turn in set(turns)}
        unserved = [count for turn, count in counts.items() if count < turns.count(turn)]
        assert not unserved or max(counts.values()) <= min(unserved) + 1


@given(st.lists(st.sampled_from(["a", "b", "", "new"]), max_size=60))
def test_nobody_waits_for_ever_while_others_keep_coming(arrivals: Sequence[str]) -> None:
    waiters = queue("a", "a")
    before = list(waiters)
    loop = asyncio.new_event_loop()
    for turn in arrivals:  # one comes for each who is served
        waiters.add(turn, loop.create_future())
        assert waiters.next() is not None
    loop.close()
    left = [waiter for waiter in before if waiter in list(waiters)]
    assert len(left) <= max(0, 2 - len(arrivals) // 4)
