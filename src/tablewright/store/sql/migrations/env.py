"""Executed by Alembic: applies migrations on the connection and in the transaction of `upgrading`."""

from __future__ import annotations

from alembic import context

from tablewright.store.sql.tables import metadata


def run() -> None:
    """Apply the missing migrations."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads this file
    run()
