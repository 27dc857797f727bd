"""Compacted logs of runs that ended long ago."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the first position of merged events, and a mark on runs that have been processed."""
    op.add_column("events", sa.Column("from_seq", sa.Integer))
    op.create_table(
        "compacted",
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_compacted"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_compacted_run_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop both columns; merged events stay merged."""
    op.drop_table("compacted")
    op.drop_column("events", "from_seq")
