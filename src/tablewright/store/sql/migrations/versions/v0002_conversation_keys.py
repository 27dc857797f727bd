"""Names that clients give to their conversations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "conversation_keys",
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("face", sa.String(32), nullable=False),
        sa.Column("key", sa.String(512), nullable=False),
        sa.Column("conversation_id", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "owner", "face", "key", name="pk_conversation_keys"),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name="fk_conversation_keys_conversation_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_conversation_keys_conversation_id", "conversation_keys", ["conversation_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("conversation_keys")
