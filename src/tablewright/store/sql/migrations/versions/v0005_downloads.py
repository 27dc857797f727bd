"""Distinguish files fetched from web addresses from uploads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the distinguishing column; existing files count as uploads, since their origin is unknown."""
    op.add_column("files", sa.Column("downloaded", sa.Boolean))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("files", "downloaded")
