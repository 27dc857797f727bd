"""Runs with parents, in memory: who is above and below a run, and how a tree ends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tablewright.domain.inbox import ChildFinished, InboxItem
from tablewright.store.memory.rows import InboxRow, MemoryRows, RunRow
from tablewright.store.rules import ending
from tablewright.store.run_store import Batch, RunEnd


def below(rows: MemoryRows, run_id: str) -> list[RunRow]:
    """Return the runs below a run, each before its own children."""
    found: list[RunRow] = []
    for row in rows.runs.values():
        if row.value.parent_id == run_id:
            found.append(row)
            found.extend(below(rows, row.value.id))
    return found


def post(row: RunRow, item: InboxItem, at: int) -> None:
    """Put an item into the inbox of a run."""
    row.inbox.append(InboxRow(place=len(row.inbox) + 1, at=at, item=item))


def ends_below(rows: MemoryRows, run_id: str, at: datetime) -> Iterator[tuple[RunRow, Batch]]:
    """Yield the unfinished runs below a run that ends, the deepest first, with the batch that ends each."""
    for row in reversed(below(rows, run_id)):
        if row.value.state != "finished":
            yield row, ending(row.value, "cancelled", at)


def tell_parent(rows: MemoryRows, row: RunRow, end: RunEnd, at: int) -> None:
    """Put the end of a child into its parent's inbox."""
    child = row.value
    if child.parent_id is None or child.task_id is None:
        return
    parent = rows.runs[child.parent_id]
    if parent.value.state != "finished":
        post(parent, ChildFinished(run_id=child.id, task_id=child.task_id, outcome=end.outcome), at)
