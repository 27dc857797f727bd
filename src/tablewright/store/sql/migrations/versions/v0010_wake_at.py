"""When a run that waits is to be resumed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

TO_WAKE = sa.text("wake_at IS NOT NULL")


def upgrade() -> None:
    """Add the column; no run of before is to be woken."""
    op.add_column("runs", sa.Column("wake_at", sa.BigInteger))
    op.create_index("ix_runs_wake_at", "runs", ["wake_at"], sqlite_where=TO_WAKE, postgresql_where=TO_WAKE)


def downgrade() -> None:
    """Drop the column; runs that wait for a time wait for ever."""
    op.drop_index("ix_runs_wake_at", "runs")
    op.drop_column("runs", "wake_at")
