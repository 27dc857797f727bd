"""What users said of the choice of workflows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "workflow_corrections",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("workflow_id", sa.String(64)),
        sa.Column("wanted_id", sa.String(64)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workflow_corrections"),
    )
    op.create_index(
        "ix_workflow_corrections_tenant_owner_created_at", "workflow_corrections", ["tenant", "owner", "created_at"]
    )


def downgrade() -> None:
    """Drop the table, with every correction."""
    op.drop_table("workflow_corrections")
