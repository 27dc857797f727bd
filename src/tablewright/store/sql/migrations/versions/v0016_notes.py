"""What people allowed to be kept about their data."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "notes",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("run_id", sa.String(64)),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
    )
    op.create_index("ix_notes_tenant_owner_created_at", "notes", ["tenant", "owner", "created_at"])


def downgrade() -> None:
    """Drop the table, with every note."""
    op.drop_table("notes")
