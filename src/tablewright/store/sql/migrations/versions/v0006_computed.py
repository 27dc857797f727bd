"""Computed copies of workbooks whose formulas had no stored values."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the reference to the computed copy; existing files are read as they are."""
    op.add_column("files", sa.Column("computed", sa.String(64)))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("files", "computed")
