"""Add `spans`, who vouches for each piece of a reply, and `edition`, the agent's behaviour."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; older turns have no spans and count as edition 1."""
    op.add_column("turns", sa.Column("spans", sa.Text, nullable=False, server_default="[]"))
    op.add_column("turns", sa.Column("edition", sa.Integer, nullable=False, server_default="1"))
