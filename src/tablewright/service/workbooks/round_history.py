"""The rounds of a workbook, with whether they have been undone since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Version
from tablewright.errors import NotFound
from tablewright.store.base import Store


async def rounds_of(
    store: Store, scope: Scope, workbook_id: str, *, run_ids: Sequence[str] | None = None
) -> tuple[Round, ...]:
    """Return the rounds of a workbook, optionally only those of `run_ids`, oldest first.

    A file that was never edited has none. A round is `undone` if its version is not among those that led to the head.
    """
    try:
        rounds = await store.workbooks.rounds(scope, workbook_id, run_ids=run_ids)
        if not any(each.version for each in rounds):
            return rounds
        workbook = await store.workbooks.get(scope, workbook_id)
        versions = await store.workbooks.versions(scope, workbook_id)
    except NotFound:
        return ()
    stand = {version.number for version in line_to(workbook.head, versions)}
    return tuple(
        each if each.version is None or each.version in stand else replace(each, undone=True) for each in rounds
    )


def line_to(head: int, versions: Sequence[Version]) -> list[Version]:
    """Return the versions that led to `head`, oldest first, including `head` itself."""
    by_number = {version.number: version for version in versions}
    line = [by_number[head]]
    while (parent := line[0].parent) is not None:
        line.insert(0, by_number[parent])
    return line
