"""Logs of runs that ended long ago, in fewer events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the place from which an event stands for several, and what tells the runs that were seen to."""
    op.add_column("events", sa.Column("from_seq", sa.Integer))
    op.create_table(
        "compacted",
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_compacted"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_compacted_run_id", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Remove both; what was joined stays so."""
    op.drop_table("compacted")
    op.drop_column("events", "from_seq")
