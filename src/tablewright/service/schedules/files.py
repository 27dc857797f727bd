"""The files of a scheduled run: those that are there when it begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tablewright.domain.scope import Scope
from tablewright.domain.workflow.schedules import ScheduledFile
from tablewright.errors import NotFound
from tablewright.store.base import FileStore

PAGE = 200


async def files_now(store: FileStore, scope: Scope, wanted: Sequence[ScheduledFile]) -> tuple[str, ...]:
    """Return the ids of the files, each once. Raises `NotFound` for one that is not there, or that no name fits."""
    found: list[str] = []
    for each in wanted:
        found.append(await _newest(store, scope, each.newest) if each.id is None else each.id)
        await store.get(scope, found[-1])
    return tuple(dict.fromkeys(found))


async def _newest(store: FileStore, scope: Scope, pattern: str | None) -> str:
    name = pattern or "*"
    fits = re.compile("".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in name), re.DOTALL)
    prefix = re.split(r"[*?]", name)[0]
    cursor: str | None = None
    while True:
        page = await store.find(scope, prefix=prefix, limit=PAGE, cursor=cursor)
        for file in page.items:
            if file.run_id is None and fits.fullmatch(file.name):
                return file.id
        if (cursor := page.next_cursor) is None:
            raise NotFound(kind="file", id=name)
