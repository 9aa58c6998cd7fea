"""Why an input was not admitted, in the table's language."""

from __future__ import annotations

from ruleplay.agents.party.domain.admission import NotAdmitted
from ruleplay.agents.party.domain.safety import unnamed
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.table_phrases import NOT_YOURS


def said_no(refused: NotAdmitted, table: Table) -> str:
    """Return the reason in words."""
    seat = refused.seat if refused.reason == "seat" else table.name(refused.seat)
    said = (
        NOT_YOURS[refused.reason]
        .of(table.lang)
        .format(
            seat=seat,
            current=table.name(table.current_turn),
            seats=", ".join(table.turn_queue),
            about=refused.about,
        )
    )
    return unnamed(said, table.safety, table.lang)
