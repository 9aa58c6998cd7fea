"""The units of a log: who they are, whose they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ruleplay.agents.raid.domain import guids
from ruleplay.agents.raid.domain.interning import Codes, Interner
from ruleplay.agents.raid.domain.lines import text_of
from ruleplay.agents.raid.domain.numerals import Bytes, Ints, Mask, Words

Actors = NDArray[np.int32]

_DEEPEST = 4
"""Owners of owners that are followed: an elemental of a totem of a player is two."""


class Roster:
    """Numbers units from 1 by GUID; 0 stands for the null unit."""

    def __init__(self) -> None:
        self._guids = Interner[str](text_of)
        self._names = Interner[str](text_of)
        self._actor_of = np.zeros(0, np.int32)
        self.guids: list[str] = [""]
        self.named = np.full(1, -1, np.int32)
        self.flags = np.zeros(1, np.uint32)
        self.owner = np.zeros(1, np.int32)
        self._kinds: dict[int, str] = {}

    @property
    def count(self) -> int:
        """The number of the last actor."""
        return len(self.guids) - 1

    def find(self, buffer: Bytes, words: Words, start: Ints, end: Ints) -> tuple[Actors, Mask]:
        """Return the actors whose GUIDs these tokens are, and which tokens are GUIDs at all."""
        codes = self._guids.number(buffer, words, start, end)
        if len(self._guids.values) > len(self._actor_of):
            self._add_new()
        actors = self._actor_of[codes]
        return np.maximum(actors, 0), actors >= 0

    def find_text(self, guid: bytes) -> int:
        """Return the actor of one GUID."""
        buffer = np.frombuffer(bytes(16) + guid + bytes(16), np.uint8)
        at = np.array([16])
        words = np.ndarray((len(buffer) - 7,), "<u8", buffer=buffer.data, strides=(1,))
        return int(self.find(buffer, words, at, at + len(guid))[0][0])

    def _add_new(self) -> None:
        fresh = self._guids.values[len(self._actor_of) :]
        actors = []
        for guid in fresh:
            if guids.is_null(guid):
                actors.append(0)
            elif not guids.is_guid(guid):
                actors.append(-1)
            else:
                actors.append(len(self.guids))
                self.guids.append(guid)
        self._actor_of = np.concatenate([self._actor_of, np.array(actors, np.int32)])
        missing = len(self.guids) - len(self.named)
        self.named = np.concatenate([self.named, np.full(missing, -1, np.int32)])
        self.flags = np.concatenate([self.flags, np.zeros(missing, np.uint32)])
        self.owner = np.concatenate([self.owner, np.zeros(missing, np.int32)])

    def number_names(self, buffer: Bytes, words: Words, start: Ints, end: Ints) -> Codes:
        """Return the numbers of names."""
        return self._names.number(buffer, words, start, end)

    def meet(self, actors: Actors, names: Codes, flags: NDArray[np.uint32]) -> None:
        """Remember the first name of units that have none yet, and what their flags say."""
        if not len(actors):
            return
        first = np.full(len(self.guids), -1, np.int32)
        first[actors[::-1]] = names[::-1]
        said = [text not in {"", "Unknown"} for text in self._names.values]
        usable = (self.named < 0) & (first >= 0)
        usable[usable] = np.array(said)[first[usable]]
        self.named[usable] = first[usable]
        np.bitwise_or.at(self.flags, actors, flags)

    def own(self, pets: Actors, owners: Actors) -> None:
        """Take the owners of pets; a unit owns not itself."""
        real = (pets > 0) & (owners > 0) & (pets != owners)
        self.owner[pets[real]] = owners[real]

    def name(self, actor: int) -> str:
        """Return the name, the GUID of a unit that was never named."""
        code = int(self.named[actor])
        return self._names.values[code] if code >= 0 else self.guids[actor]

    def kind(self, actor: int) -> str:
        """Return player, pet, guardian, npc, object or none."""
        kind = guids.kind_of(self.guids[actor], int(self.flags[actor]))
        owned = kind == "npc" and self.master(actor)
        return "guardian" if owned else kind

    def players(self) -> Mask:
        """Tell for every actor whether it is a player."""
        kinds = [False] + [guids.kind_of(guid, 0) == "player" for guid in self.guids[1:]]
        return np.array(kinds)

    def npc_ids(self) -> Ints:
        """Return every actor's npc id, 0 where it has none."""
        ids = [0] + [guids.npc_id_of(guid) or 0 for guid in self.guids[1:]]
        return np.array(ids, np.int64)

    def masters(self) -> Actors:
        """Return for every actor the player it belongs to, 0 for players and the free."""
        return np.array([self.master(actor) for actor in range(len(self.guids))], np.int32)

    def master(self, actor: int) -> int:
        """Return the player that owns this unit, or owns its owner; 0 when none does."""
        owner = int(self.owner[actor]) or self._of_same_pet(actor)
        for _ in range(_DEEPEST):
            if not owner:
                return 0
            if guids.kind_of(self.guids[owner], 0) == "player":
                return owner
            owner = int(self.owner[owner])
        return 0

    def _of_same_pet(self, actor: int) -> int:
        """Return the owner of the same pet at another summon: the hex spelling has its number."""
        guid = self.guids[actor]
        if not guid.startswith("0xF14"):
            return 0
        for other, spelled in enumerate(self.guids):
            if spelled[:12] == guid[:12] and self.owner[other]:
                return int(self.owner[other])
        return 0
