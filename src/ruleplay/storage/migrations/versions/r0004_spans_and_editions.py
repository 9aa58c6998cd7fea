"""Who stands behind each piece of a reply, and which edition of an agent played a turn."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; what was stored before has no spans and was played by edition 1."""
    op.add_column("turns", sa.Column("spans", sa.Text, nullable=False, server_default="[]"))
    op.add_column("turns", sa.Column("edition", sa.Integer, nullable=False, server_default="1"))
