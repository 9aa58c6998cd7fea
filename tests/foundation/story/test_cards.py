"""Character cards come in as they are found in the wild, and go out as others read them."""

from __future__ import annotations

import base64
import json
import struct
import zlib

import pytest

from ruleplay.story.cards import (
    PNG,
    Card,
    Entry,
    read_card,
    read_lorebook,
    written,
)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def inside_png(text: str, picture: bytes, *, version: int = 2) -> bytes:
    """Return a PNG with a card inside, in place of what it held."""
    keyword = b"chara" if version == 2 else b"ccv3"
    header = len(PNG) + 25  # the IHDR chunk always has 13 bytes of data
    held = chunk(b"tEXt", keyword + b"\x00" + base64.b64encode(text.encode()))
    return picture[:header] + held + picture[header:]


PICTURE = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(b"\x00\x00"))
    + chunk(b"IEND", b"")
)
CARD = Card(
    name="Hob",
    description="{{char}} has forearms like hams.",
    personality="Gruff.",
    lore=(Entry(keys=("dice", "drover"), content="The drovers play for matches."),),
)


@pytest.mark.parametrize("version", [2, 3])
def test_a_card_survives_json_and_png(version: int) -> None:
    text = written(CARD, version=version)
    assert read_card(text.encode()) == CARD
    assert read_card(inside_png(text, PICTURE, version=version)) == CARD
    assert json.loads(text)["spec"] == f"chara_card_v{version}"


def test_the_newer_format_goes_first_where_a_picture_holds_both() -> None:
    old, new = Card(name="Old"), Card(name="New")
    both = inside_png(written(new, version=3), inside_png(written(old), PICTURE), version=3)
    assert read_card(both).name == "New"


def test_cards_of_the_first_version_and_world_info_are_read() -> None:
    assert (
        read_card(json.dumps({"name": "Wyn", "description": "A thatcher."}).encode()).name == "Wyn"
    )
    info = {"entries": {"0": {"key": ["bell"], "content": "It rings by itself.", "disable": False}}}
    assert read_lorebook(json.dumps(info).encode())[0].keys == ("bell",)


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"[]", b'{"name": ""}', PICTURE, PICTURE[:20], b"\x89PNG\r\n\x1a\n"],
)
def test_what_is_no_card_says_so(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_card(data)


def test_a_broken_picture_is_no_crash() -> None:
    bad = PICTURE[:33] + chunk(b"tEXt", b"chara\x00" + base64.b64encode(b"{")) + PICTURE[33:]
    with pytest.raises(ValueError, match="neither JSON"):
        read_card(bad)
