"""What strangers asked, opened while the training was written, is read as what they meant."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from ruleplay.agents.raid.domain.overview import Member, Night, PullSummary
from ruleplay.agents.raid.domain.spelling import named_abilities
from ruleplay.hearing.classifier import load

ROOT = Path(__file__).parents[2]
OPENED = ROOT / "wordings/raid_opened.jsonl"
TRAINING = ROOT.parent / "training/raid.jsonl"
BAR = 0.8


def lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_strangers_are_understood() -> None:
    reader = load("ruleplay.agents.raid", "reader.bin")
    asked = lines(OPENED)
    right = [reader.read(one["text"])["measure"][0].label == one["measure"] for one in asked]
    assert sum(right) / len(right) >= BAR


def test_they_are_not_in_the_training() -> None:
    learnt = {one["text"].casefold() for one in lines(TRAINING)}
    long = [one["text"] for one in lines(OPENED) if len(one["text"].split()) > 3]
    assert not [text for text in long if text.casefold() in learnt]


def test_every_language_puts_the_same_things_into_a_sentence() -> None:
    text = files("ruleplay.agents.raid.policy").joinpath("sentences.toml").read_text("utf-8")
    told = tomllib.loads(text)
    for language in ("fr", "de"):
        for key, sentence in told[language].items():
            english = set(re.findall(r"{(\w+)}", told["en"][key]))
            assert set(re.findall(r"{(\w+)}", sentence)) <= english, (language, key)


NIGHT = Night(
    code="x",
    title="x",
    pulls=(PullSummary(fight=1, name="Patchwerk", kill=True, ended="kill", seconds=1),),
    members=(Member(name="Hateful"),),
)
SPELLS = {
    "Commander of the Dead": 4,
    "Hateful Strike": 9,
    "Poison Bolt Volley": 4,
    "Tranquility": 3,
    "Frostbolt Volley": 2,
}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("how bad was the poison volley", ("Poison Bolt Volley",)),
        ("was tranq used", ("Tranquility",)),
        ("who took the hateful strikes", ("Hateful Strike",)),
        ("how is Hateful doing", ()),
        ("what did patchwerk do", ()),
        ("did we kill it", ()),
        ("average dps of the raid", ()),
    ],
)
def test_abilities_are_named_by_parts(text: str, names: tuple[str, ...]) -> None:
    night = NIGHT if "is Hateful" in text else NIGHT.model_copy(update={"members": ()})
    assert named_abilities(text, night, SPELLS) == names
