"""Files that were fetched from web addresses are told from uploads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add what tells them; of a file from before it is not known, and it counts as an upload."""
    op.add_column("files", sa.Column("downloaded", sa.Boolean))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("files", "downloaded")
