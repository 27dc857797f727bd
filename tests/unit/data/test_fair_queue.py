"""Who is given a worker: small before large, one owner beside another, and nobody never."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.data.fair_queue import BUSY_COST, MOST_COST, SMALL_BYTES, Call, FairQueue

SMALL, LARGE = 1_000, 100 * SMALL_BYTES
OWNERS = ("ann", "bob", "cyd", "dan")


@dataclass(slots=True)
class Desk:
    """A queue over time: calls come and end, and every free worker is given away at once."""

    queue: FairQueue
    order: list[int] = field(default_factory=list[int])
    came: int = 0

    def comes(self, owner: str, size_bytes: int) -> int:
        self.came += 1
        self.queue = self.queue.with_call(Call(id=self.came, owner=owner, size_bytes=size_bytes))
        self.give()
        return self.came

    def ends(self, call_id: int) -> None:
        self.queue = self.queue.without(call_id)
        self.give()

    def give(self) -> None:
        while (found := self.queue.granted()) is not None:
            call, self.queue = found
            self.order.append(call.id)

    @property
    def running(self) -> list[int]:
        return [call.id for call in self.queue.running]


def desk(workers: int = 2) -> Desk:
    return Desk(FairQueue(workers=workers))


def test_a_small_call_finds_a_worker_beside_any_number_of_large_ones() -> None:
    at = desk()
    for _ in range(5):
        at.comes("ann", LARGE)
    small = at.comes("bob", SMALL)
    assert at.running == [1, small]


def test_a_small_call_of_the_same_owner_finds_one_too() -> None:
    at = desk()
    for _ in range(5):
        at.comes("ann", LARGE)
    assert at.comes("ann", SMALL) in at.running


def test_small_calls_go_before_large_ones() -> None:
    at = desk(workers=1)
    first, large, small = at.comes("ann", SMALL), at.comes("bob", LARGE), at.comes("cyd", SMALL)
    for call in (first, small, large):
        at.ends(call)
    assert at.order == [first, small, large]


def test_an_owner_with_many_calls_and_one_with_one_take_turns() -> None:
    at = desk(workers=1)
    for _ in range(20):
        at.comes("ann", SMALL)
    at.ends(1)
    late = at.comes("bob", SMALL)
    at.ends(at.running[0])
    assert at.running == [late]


def test_an_owner_is_not_given_the_last_worker_while_another_waits() -> None:
    at = desk(workers=3)
    held = [at.comes(owner, SMALL) for owner in ("ann", "ann", "bob")]
    at.comes("ann", SMALL)
    late = at.comes("cyd", 5 * SMALL_BYTES)
    at.ends(held[2])
    assert at.running[-1] == late


def test_an_owner_alone_has_all_workers_for_small_calls() -> None:
    at = desk(workers=3)
    calls = [at.comes("ann", SMALL) for _ in range(3)]
    assert at.running == calls


def test_a_single_worker_takes_large_calls_too() -> None:
    at = desk(workers=1)
    assert at.running == [] != [at.comes("ann", LARGE)] == at.running


def test_a_large_call_is_not_overtaken_for_ever_by_its_own_owner_or_by_newcomers() -> None:
    at = desk(workers=1)
    at.comes("ann", SMALL)
    large = at.comes("ann", LARGE)
    turns = 0
    while large not in at.running:
        at.comes("ann" if turns % 2 else f"newcomer {turns}", SMALL)
        at.ends(at.running[0])
        turns += 1
        assert turns <= 2 * MOST_COST


def test_a_call_that_is_given_up_leaves_its_place() -> None:
    at = desk(workers=1)
    first, second, third = (at.comes("ann", SMALL) for _ in range(3))
    at.ends(second)
    at.ends(first)
    assert at.running == [third]


def test_owners_who_are_gone_are_forgotten() -> None:
    at = desk()
    for owner in OWNERS:
        at.ends(at.comes(owner, SMALL))
    assert at.queue.served == {}


@pytest.mark.parametrize(("size", "cost"), [(0, 1), (SMALL_BYTES, 1), (SMALL_BYTES + 1, 2), (10**12, MOST_COST)])
def test_what_a_call_costs_is_bounded(size: int, cost: int) -> None:
    assert Call(id=1, owner="ann", size_bytes=size).cost == cost


Step = tuple[str, int] | int
"""A call comes from an owner, or the nth that runs ends."""
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(OWNERS), st.sampled_from([SMALL, 2 * SMALL_BYTES, 9 * SMALL_BYTES, LARGE])),
        st.integers(min_value=0, max_value=5),
    ),
    max_size=40,
)


def after(workers: int, taken: Sequence[Step]) -> Desk:
    at = desk(workers)
    for step in taken:
        if not isinstance(step, int):
            at.comes(*step)
        elif at.running:
            at.ends(at.running[step % len(at.running)])
    return at


@settings(deadline=None)
@given(workers=st.integers(min_value=1, max_value=4), taken=steps)
def test_one_worker_is_always_left_to_small_calls(workers: int, taken: list[Step]) -> None:
    at = after(workers, taken)
    assert len(at.running) <= workers
    large = [call for call in at.queue.running if not call.small]
    assert len(large) <= max(workers - 1, 1)


@settings(deadline=None)
@given(workers=st.integers(min_value=1, max_value=4), taken=steps)
def test_no_worker_is_idle_while_a_small_call_waits(workers: int, taken: list[Step]) -> None:
    at = after(workers, taken)
    assert len(at.running) == workers or not any(call.small for call in at.queue.waiting)


@settings(deadline=None)
@given(workers=st.integers(min_value=2, max_value=4), taken=steps)
def test_the_last_worker_goes_to_an_owner_who_has_fewer(workers: int, taken: list[Step]) -> None:
    at = after(workers, taken)
    if not at.running:
        return
    freed = at.queue.without(at.running[0])
    found = freed.granted()
    if found is None or freed.held(found[0].owner) < workers - 1:
        return
    large = sum(not call.small for call in freed.running)
    others = [call for call in freed.waiting if call.owner != found[0].owner]
    assert not any(call.small or large < workers - 1 for call in others)


@settings(deadline=None, max_examples=50)
@given(workers=st.integers(min_value=1, max_value=3), taken=steps, newcomers=st.sampled_from([SMALL, LARGE]))
def test_every_call_has_its_turn_however_many_come_after_it(workers: int, taken: list[Step], newcomers: int) -> None:
    at = after(workers, taken)
    waiting = {call.id for call in at.queue.waiting}
    bound = (len(waiting) + len(OWNERS)) * (MOST_COST + BUSY_COST * workers)
    for turn in range(bound):
        if waiting <= set(at.order):
            return
        at.comes(OWNERS[turn // 2 % len(OWNERS)] if turn % 2 else f"newcomer {turn}", newcomers)
        at.ends(at.running[0])
    assert waiting <= set(at.order)
