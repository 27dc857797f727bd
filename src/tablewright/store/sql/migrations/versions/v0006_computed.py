"""Workbooks whose formulas had no stored values have a copy with them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add where that copy is kept; files from before are read as they are."""
    op.add_column("files", sa.Column("computed", sa.String(64)))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("files", "computed")
