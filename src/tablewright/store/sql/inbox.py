"""The inboxes of runs in SQL."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import false, func
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.inbox import InboxEntry, InboxItem
from tablewright.domain.scope import Scope
from tablewright.store.codec import encode
from tablewright.store.rules import micros
from tablewright.store.sql import tables
from tablewright.store.sql.rows import entry_of
from tablewright.store.sql.scoping import scoped

INBOX = tables.inbox.c
UNTAKEN = INBOX.taken.is_(false())


async def post(connection: AsyncConnection, scope: Scope, run_id: str, item: InboxItem, *, at: datetime) -> None:
    """Put `item` into the inbox of a run that the transaction has locked."""
    mine = scoped(tables.inbox, scope)
    last = mine.select(func.max(INBOX.place)).where(INBOX.run_id == run_id)
    place = ((await connection.execute(last)).scalar() or 0) + 1
    values = mine.row(run_id=run_id, place=place, at=micros(at), item=encode(type(item), item), taken=False)
    await connection.execute(mine.insert(), values)


async def take(connection: AsyncConnection, scope: Scope, run_id: str) -> tuple[InboxEntry, ...]:
    """Return the entries that no attempt has taken, and mark them as taken; the transaction has locked the run."""
    mine = scoped(tables.inbox, scope)
    of_run = (INBOX.run_id == run_id) & UNTAKEN
    news = tuple(entry_of(row) for row in await connection.execute(mine.select().where(of_run).order_by(INBOX.place)))
    if news:
        taken = INBOX.place.in_([entry.place for entry in news])
        await connection.execute(mine.update().where(of_run, taken).values(taken=True))
    return news


async def has_news(connection: AsyncConnection, scope: Scope, run_id: str) -> bool:
    """Return whether there is an entry that no attempt has taken."""
    news = scoped(tables.inbox, scope).select(INBOX.place).where(INBOX.run_id == run_id, UNTAKEN)
    return (await connection.execute(news.limit(1))).first() is not None
