"""Reading the events of a run, and of all runs below it, as one stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CompoundSelect, Select, union_all

from tablewright.domain.scope import Scope
from tablewright.store.sql import tables
from tablewright.store.sql.scoping import Scoped, scoped

EVENTS = tables.events.c


def stream_statement(
    scope: Scope, run_id: str, *, after: int, limit: int, types: Sequence[str], whole: bool
) -> Select[Any] | CompoundSelect[Any]:
    """Select the events with numbers above `after` in order; `whole` with those of the runs below the run.

    The rows have `run_id`, `seq`, `at`, `body` and `from_seq`, the numbers being those of the stream.
    """
    mine = scoped(tables.events, scope)
    own = mine.select(EVENTS.run_id, EVENTS.seq, EVENTS.at, EVENTS.body, EVENTS.from_seq).where(
        EVENTS.run_id == run_id, EVENTS.seq > after
    )
    if types:
        own = own.where(EVENTS.type.in_(types))
    if not whole:
        return own.order_by(EVENTS.seq).limit(limit)
    both = union_all(own, _below(mine, run_id, after, types))
    return both.order_by("seq").limit(limit)


def _below(mine: Scoped, run_id: str, after: int, types: Sequence[str]) -> Select[Any]:
    """Select the events of the runs below a run, with their numbers in its stream."""
    from_seq = EVENTS.top_seq - (EVENTS.seq - EVENTS.from_seq)
    below = mine.select(
        EVENTS.run_id, EVENTS.top_seq.label("seq"), EVENTS.at, EVENTS.body, from_seq.label("from_seq")
    ).where(EVENTS.top_id == run_id, EVENTS.top_seq > after)
    return below.where(EVENTS.type.in_(types)) if types else below
