"""Links by which conversations are read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "shares",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column(
            "conversation_id", sa.String(64), sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("through", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger()),
    )
    op.create_index("ix_shares_tenant_owner_created_at", "shares", ["tenant", "owner", "created_at"])
    op.create_index("ix_shares_conversation_id", "shares", ["conversation_id"])
    op.create_index("uq_shares_sha256", "shares", ["sha256"], unique=True)


def downgrade() -> None:
    """Drop the table, with every link."""
    op.drop_table("shares")
