"""Registers the units of a log: their names, kinds and owners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ruleplay.agents.raid.domain import guids
from ruleplay.agents.raid.domain.column_buffer import Values
from ruleplay.agents.raid.domain.lines import BadLine, is_quoted, read_mask, split_fields, text_of
from ruleplay.agents.raid.domain.numerals import Ints, Mask

Actors = NDArray[np.int32]

_NO_UNIT = (-1, 0, 0)
_DEEPEST = 4
"""Maximum depth of an ownership chain; an elemental of a player's totem has two levels."""


def credited(flags: Values) -> Mask:
    """Mask of the lines on which a pet's deeds are credited to its owner.

    A unit's first lines may not yet show that a player controls it, so non-hostile units count. A
    unit that turned hostile no longer acts for its owner, unless its controller is a (hostile)
    player.
    """
    bits: Ints = np.asarray(flags, np.int64)
    found: Mask = (bits & guids.BY_PLAYER > 0) | (bits & guids.HOSTILE == 0)
    return found


class Roster:
    """Numbers units from 1 by GUID; 0 is the null unit, -1 an invalid GUID."""

    def __init__(self) -> None:
        self._actors: dict[str, int] = {}
        self.guids: list[str] = [""]
        self._names: list[str] = [""]
        self._flags: list[int] = [0]
        self.owner: list[int] = [0]

    @property
    def count(self) -> int:
        """Number of actors, which is also the last actor's number."""
        return len(self.guids) - 1

    def actor_of(self, guid: str) -> int:
        """Get or assign the actor of a GUID; 0 for the null unit, -1 for an invalid GUID."""
        known = self._actors.get(guid)
        if known is not None:
            return known
        if guids.is_null(guid):
            return 0
        if not guids.is_guid(guid):
            return -1
        self._actors[guid] = len(self.guids)
        self.guids.append(guid)
        self._names.append("")
        self._flags.append(0)
        self.owner.append(0)
        return self.count

    def read_unit(self, token: bytes, count: int) -> tuple[int, int, int]:
        """Parse `GUID,"name",flags[,raidFlags]`: actor (-1 if invalid), flags and raid flags.

        `count` is the expected number of fields. The first real name that a unit has is kept.
        """
        try:
            fields = split_fields(token)
        except BadLine:
            return _NO_UNIT
        if len(fields) != count:
            return _NO_UNIT
        guid, name, *masks = fields
        actor = self.actor_of(text_of(guid))
        flags, raid = (*map(read_mask, masks), 0)[:2]
        if actor < 0 or flags < 0 or raid < 0 or not is_quoted(name):
            return _NO_UNIT
        if actor and self._names[actor] in {"", "Unknown"}:
            self._names[actor] = text_of(name)
        # Flags accumulate: a unit counts as friendly or player-controlled if it ever was.
        self._flags[actor] |= flags
        return actor, flags, raid & 0xFF

    def read_info(self, token: bytes) -> tuple[int]:
        """Parse `infoGUID,ownerGUID` into the actor that the advanced block describes."""
        info, _, owner = token.partition(b",")
        actor, master = self.actor_of(text_of(info)), self.actor_of(text_of(owner))
        if min(actor, master) < 0:
            return (-1,)
        self.own(actor, master)
        return (actor,)

    def own(self, pet: int, owner: int) -> None:
        """Record the owner of a pet; self-ownership is ignored."""
        if pet > 0 and owner > 0 and pet != owner:
            self.owner[pet] = owner

    def name(self, actor: int) -> str:
        """Get a unit's name, or its GUID if it was never named."""
        return self._names[actor] or self.guids[actor]

    def kind(self, actor: int) -> str:
        """Classify a unit: player, pet, guardian, npc, object or none."""
        kind = guids.kind_of(self.guids[actor], self._flags[actor])
        owned = kind == "npc" and self.master(actor)
        return "guardian" if owned else kind

    def masters(self) -> Actors:
        """Owning player of every actor; 0 for players and for units without an owner."""
        return np.array([self.master(actor) for actor in range(len(self.guids))], np.int32)

    def master(self, actor: int) -> int:
        """Find the player that owns a unit, directly or through other units; 0 if none.

        A unit that no player ever controlled belongs to nobody: logs of 3.3.5a name players as the
        source when bosses summon, and as the source of critters.
        """
        if not self._flags[actor] & guids.BY_PLAYER:
            return 0
        owner = self.owner[actor] or self._of_same_pet(actor)
        for _ in range(_DEEPEST):
            if not owner:
                return 0
            if guids.kind_of(self.guids[owner], 0) == "player":
                return owner
            owner = self.owner[owner]
        return 0

    def _of_same_pet(self, actor: int) -> int:
        """Owner of the same pet at another summon; hex GUIDs of pets include the pet's number."""
        guid = self.guids[actor]
        if not guid.startswith("0xF14"):
            return 0
        for other, spelled in enumerate(self.guids):
            if spelled[:12] == guid[:12] and self.owner[other]:
                return self.owner[other]
        return 0

    def mine(self) -> str:
        """Name of the player who recorded the log, "" if no unit is flagged as such."""
        for actor in range(1, len(self.guids)):
            if self._flags[actor] & guids.MINE and self.kind(actor) == "player":
                return self.name(actor)
        return ""

    def is_friendly(self, actor: int) -> bool:
        """Whether the unit was ever friendly to the player who recorded the log."""
        return bool(self._flags[actor] & guids.FRIENDLY)
