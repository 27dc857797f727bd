"""The choices about workflows, by level, in SQL."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import SettingsLevel, WorkflowChoices, WorkflowSettings
from tablewright.store.codec import encode
from tablewright.store.sql import workflow_tables as tables
from tablewright.store.sql.scoping import scoped

CHOICES = tables.workflow_choices.c
SYSTEM = tables.system_choices.c
SUBJECT = "workflows"
"""Of the choices of the system, those about workflows."""


async def choices_of(connection: AsyncConnection, scope: Scope) -> WorkflowSettings:
    """Return the choices that concern a caller."""
    of_caller = (CHOICES.level == "user") & (CHOICES.person == scope.owner)
    concerned = scoped(tables.workflow_choices, scope).select().where(of_caller | (CHOICES.level == "tenant"))
    found = {row.level: row.body for row in (await connection.execute(concerned)).all()}
    found["system"] = (await connection.execute(select(SYSTEM.body).where(SYSTEM.subject == SUBJECT))).scalar()
    read = {level: from_json(WorkflowChoices, body) for level, body in found.items() if body is not None}
    return WorkflowSettings(**read)


async def set_choices(
    connection: AsyncConnection, scope: Scope, level: SettingsLevel, choices: WorkflowChoices
) -> None:
    """Replace the choices of a level; those of the system belong to no tenant."""
    body = encode(WorkflowChoices, choices)
    if level == "system":
        await connection.execute(delete(tables.system_choices).where(SYSTEM.subject == SUBJECT))
        await connection.execute(insert(tables.system_choices), {"subject": SUBJECT, "body": body})
        return
    mine, person = scoped(tables.workflow_choices, scope), scope.owner if level == "user" else ""
    await connection.execute(mine.delete().where(CHOICES.level == level, CHOICES.person == person))
    await connection.execute(mine.insert(), mine.row(level=level, person=person, body=body))
