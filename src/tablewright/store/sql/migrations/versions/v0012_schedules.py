"""Schedules of workflows, and what became of each of their times."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "workflow_schedules",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("next_at", sa.BigInteger()),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_index("ix_workflow_schedules_tenant_owner_id", "workflow_schedules", ["tenant", "owner", "id"])
    op.create_index("ix_workflow_schedules_next_at", "workflow_schedules", ["next_at"])
    op.create_table(
        "workflow_firings",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column(
            "schedule_id", sa.String(64), sa.ForeignKey("workflow_schedules.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("act_at", sa.BigInteger()),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_index("ix_workflow_firings_schedule_id_due_at", "workflow_firings", ["schedule_id", "due_at"])
    op.create_index("ix_workflow_firings_stage_act_at", "workflow_firings", ["stage", "act_at"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("workflow_firings")
    op.drop_table("workflow_schedules")
