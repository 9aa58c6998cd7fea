"""The units of a log: who they are, whose they are."""

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
"""Owners of owners that are followed: an elemental of a totem of a player is two."""


def credited(flags: Values) -> Mask:
    """Tell the lines on which a unit that belongs to a player acts for it.

    A unit's first lines may not show yet that a player controls it; one that turned hostile does
    not act for its owner, unless a hostile player is the owner.
    """
    bits: Ints = np.asarray(flags, np.int64)
    found: Mask = (bits & guids.BY_PLAYER > 0) | (bits & guids.HOSTILE == 0)
    return found


class Roster:
    """Numbers units from 1 by GUID; 0 stands for the null unit, -1 for what is no unit."""

    def __init__(self) -> None:
        self._actors: dict[str, int] = {}
        self.guids: list[str] = [""]
        self._names: list[str] = [""]
        self._flags: list[int] = [0]
        self.owner: list[int] = [0]

    @property
    def count(self) -> int:
        """The number of the last actor."""
        return len(self.guids) - 1

    def actor_of(self, guid: str) -> int:
        """Return the actor with this GUID; 0 for the null unit, -1 when it is no GUID."""
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
        """Read `GUID,"name",flags[,raidFlags]` to actor, flags and raid flags; -1 where it is bad.

        `count` is the number of fields. A name is taken from the first time that the unit has one.
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
        self._flags[actor] |= flags
        return actor, flags, raid & 0xFF

    def read_info(self, token: bytes) -> tuple[int]:
        """Read `infoGUID,ownerGUID`: the actor that an advanced block speaks of."""
        info, _, owner = token.partition(b",")
        actor, master = self.actor_of(text_of(info)), self.actor_of(text_of(owner))
        if min(actor, master) < 0:
            return (-1,)
        self.own(actor, master)
        return (actor,)

    def own(self, pet: int, owner: int) -> None:
        """Take the owner of a pet; a unit does not own itself."""
        if pet > 0 and owner > 0 and pet != owner:
            self.owner[pet] = owner

    def name(self, actor: int) -> str:
        """Return the name, the GUID of a unit that was never named."""
        return self._names[actor] or self.guids[actor]

    def kind(self, actor: int) -> str:
        """Return player, pet, guardian, npc, object or none."""
        kind = guids.kind_of(self.guids[actor], self._flags[actor])
        owned = kind == "npc" and self.master(actor)
        return "guardian" if owned else kind

    def players(self) -> Mask:
        """Tell for every actor whether it is a player."""
        kinds = [False] + [guids.kind_of(guid, 0) == "player" for guid in self.guids[1:]]
        return np.array(kinds)

    def masters(self) -> Actors:
        """Return for every actor the player it belongs to, 0 for players and the free."""
        return np.array([self.master(actor) for actor in range(len(self.guids))], np.int32)

    def master(self, actor: int) -> int:
        """Return the player that owns this unit, or owns its owner; 0 when none does.

        A unit that no player ever controls belongs to nobody: players are named as the source of
        what bosses summon (in logs of 3.3.5a), and of critters.
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
        """Return the owner of the same pet at another summon: the hex spelling has its number."""
        guid = self.guids[actor]
        if not guid.startswith("0xF14"):
            return 0
        for other, spelled in enumerate(self.guids):
            if spelled[:12] == guid[:12] and self.owner[other]:
                return self.owner[other]
        return 0

    def mine(self) -> str:
        """Return the name of the player who logged, "" when no unit has that flag."""
        for actor in range(1, len(self.guids)):
            if self._flags[actor] & guids.MINE and self.kind(actor) == "player":
                return self.name(actor)
        return ""

    def is_friendly(self, actor: int) -> bool:
        """Tell whether the unit was ever friendly to the one who logged."""
        return bool(self._flags[actor] & guids.FRIENDLY)
