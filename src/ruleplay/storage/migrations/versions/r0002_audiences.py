"""Add `audience`, the seats that may read a turn's input, and `asides`, replies to some seats."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns; what was stored before is for everyone."""
    for name, before in (("audience", '["*"]'), ("asides", "[]")):
        op.add_column("turns", sa.Column(name, sa.Text, nullable=False, server_default=before))
