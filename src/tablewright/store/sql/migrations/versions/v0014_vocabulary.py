"""What the words of a tenant mean, and which readings were chosen in it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "vocabulary",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("phrase", sa.Text, nullable=False),
        sa.Column("meaning", sa.Text, nullable=False),
        sa.Column("created_by", sa.String(255), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_vocabulary"),
    )
    op.create_index("ix_vocabulary_tenant_kind_created_at", "vocabulary", ["tenant", "kind", "created_at"])


def downgrade() -> None:
    """Drop the table, with every word."""
    op.drop_table("vocabulary")
