"""Which workflow waits in a conversation, and what wrote its answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the columns: in every conversation all is idle."""
    op.add_column("conversations", sa.Column("current_workflow_uuid", sa.String(64)))
    op.add_column("conversations", sa.Column("current_runtime_uuid", sa.String(64)))
    op.add_column("conversations", sa.Column("workflow_state", sa.String(32), nullable=False, server_default="IDLE"))
    op.add_column("messages", sa.Column("provider_name", sa.String(64)))
    op.add_column("messages", sa.Column("base_name", sa.String(64)))


def downgrade() -> None:
    """Drop the columns."""
    for column in ("base_name", "provider_name"):
        op.drop_column("messages", column)
    for column in ("workflow_state", "current_runtime_uuid", "current_workflow_uuid"):
        op.drop_column("conversations", column)
