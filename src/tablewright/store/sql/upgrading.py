"""Upgrade a database to the current schema; a current one is not touched."""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Connection, inspect, text

from tablewright.errors import StoreUnavailable
from tablewright.store.sql.database import Database
from tablewright.store.sql.migrations import HEAD

VERSION_TABLE = "alembic_version"
"""The table that every database has once it was first opened."""
UPGRADE_LOCK = 0x7AB1E
"""Id of the advisory lock that keeps two processes from upgrading a PostgreSQL database at the same time."""


async def upgrade(database: Database) -> None:
    """Upgrade to `HEAD`. Raises `StoreUnavailable` if a later version of Tablewright has used the database."""
    async with database.read() as connection:
        if await connection.run_sync(_revision) == HEAD:
            return
    upgraded = database.for_upgrade()
    try:
        async with upgraded.write() as connection:
            if not database.is_sqlite:
                await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": UPGRADE_LOCK})
            await connection.run_sync(_upgrade, database.name)
    finally:
        await upgraded.close()


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return found


def _upgrade(connection: Connection, name: str) -> None:
    # Importing Alembic takes a tenth of a second, which a current database does not need.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(files("tablewright.store.sql.migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    revision = _revision(connection)
    if revision is not None and revision not in known:
        raise StoreUnavailable("database_newer", url=name, revision=revision)
    command.upgrade(config, "head")
