"""Decodes GUIDs: the kind of a unit and, for creatures, the npc id.

Two spellings: `Creature-0-server-instance-zone-npcID-spawn` (since 6.0, all Classic clients) and
0x + 16 hex digits (3.3.5a and before: 4 digits of kind, 6 of entry, 6 of counter; Wowpedia "GUID").
"""

from __future__ import annotations

_KINDS = {
    "Player": "player",
    "Pet": "pet",
    "Creature": "npc",
    "Vehicle": "npc",
    "Vignette": "npc",
    "GameObject": "object",
    "Item": "object",
    "Cast": "object",
}
_HEX_KINDS = {0x000: "player", 0x110: "object", 0x130: "npc", 0x140: "pet", 0x150: "npc"}
_HEX_LENGTH = 18

PET_TYPE, GUARDIAN_TYPE = 0x1000, 0x2000
MINE, FRIENDLY, HOSTILE = 0x1, 0x10, 0x40
BY_PLAYER, BY_NPC, PLAYER = 0x100, 0x200, 0x400
"""Unit flags: the controller's type, and whether the unit itself is a player."""


def is_null(guid: str) -> bool:
    """Whether this is the null unit, written where an event has no source or target."""
    return not guid.removeprefix("0x").strip("0") or guid == "nil"


def is_guid(text: str) -> bool:
    """Whether this text is a GUID, in either spelling."""
    if text.startswith("0x"):
        return len(text) == _HEX_LENGTH and all(c in "0123456789abcdefABCDEF" for c in text[2:])
    return is_null(text) or "-" in text


def kind_of(guid: str, flags: int) -> str:
    """One of player, pet, guardian, npc, object, none; guardians are recognised by their flags."""
    if is_null(guid):
        return "none"
    if guid.startswith("0x"):
        kind = _HEX_KINDS.get(int(guid[3:6], 16), "none")
    else:
        kind = _KINDS.get(guid.partition("-")[0], "none")
    if kind in {"npc", "pet"} and flags & GUARDIAN_TYPE:
        return "guardian"
    if kind == "npc" and flags & PET_TYPE:
        return "pet"
    return kind


def npc_id_of(guid: str) -> int | None:
    """Look up a creature's npc id; None for players, and for pets in the hex spelling."""
    if guid.startswith("0x"):
        is_npc = _HEX_KINDS.get(int(guid[3:6], 16)) in {"npc", "object"}
        return int(guid[6:12], 16) if is_npc else None
    parts = guid.split("-")
    if parts[0] not in _KINDS or parts[0] == "Player" or len(parts) != 7:
        return None
    spelled = parts[5]
    found = int(spelled) if spelled.isascii() and spelled.isdigit() and len(spelled) < 11 else -1
    return found if 0 <= found < 1 << 32 else None
