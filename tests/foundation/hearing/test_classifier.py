"""A sentence is read as the wordings that were learnt say; the file keeps the weights."""

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from ruleplay.hearing import encoder
from ruleplay.hearing.classifier import Classifier, pack, unpack

TRAINING = Path(__file__).parents[3] / "training"
WORDINGS = [
    {"text": text, "lang": "en", "measure": measure, "mood": mood}
    for measure, mood, texts in [
        (
            "deaths",
            "ask",
            ["who died first", "who died on <boss>", "did <player> die", "list who died"],
        ),
        (
            "damage",
            "ask",
            ["who did most damage", "damage of <player>", "how much damage on <boss>"],
        ),
        ("deaths", "order", ["show me the deaths", "give me every death"]),
        ("damage", "order", ["show me the damage", "give me the damage meter"]),
    ]
    for text in texts
]


@pytest.fixture(scope="module")
def training() -> ModuleType:
    """Return the program, whose libraries take seconds to import."""
    return importlib.import_module("training.__main__")


@pytest.fixture(scope="module")
def classifier(training: ModuleType) -> Classifier:
    heads = {"measure": ("damage", "deaths"), "mood": ("ask", "order")}
    return training.train(WORDINGS, heads, dict.fromkeys(heads, (0.3, 3.0, 8.0)), "balanced")


@pytest.mark.parametrize(
    ("text", "measure"),
    [("who deid frist?", "deaths"), ("WHO DIED", "deaths"), ("dammage <player>", "damage")],
)
def test_a_slip_of_the_keyboard_is_read_over(
    classifier: Classifier, text: str, measure: str
) -> None:
    first, second = classifier.read(text)["measure"]
    assert first.label == measure
    assert first.sure > second.sure
    assert first.sure + second.sure == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("who hurt <boss> the worst", "damage"),
        ("who hit hardest on <boss>", "damage"),
        ("wer starb bei <boss>", "deaths"),
    ],
)
def test_other_words_of_one_meaning_are_heard(
    classifier: Classifier, text: str, measure: str
) -> None:
    by_words = classifier.by_words()
    assert classifier.read(text)["measure"][0].label == measure
    assert classifier.read(text)["measure"][0].sure > by_words.read(text)["measure"][0].sure


def test_letters_without_a_word_mean_nothing(classifier: Classifier) -> None:
    by_words = classifier.by_words()
    assert classifier.read("asdf jkl qwer") == by_words.read("asdf jkl qwer")


def test_a_sentence_means_the_same_alone_and_among_others() -> None:
    texts = ["Who died FIRST on <boss>?", "où est passé <player> ?", "x " * 2_000]
    together = encoder.meanings(texts)
    for text, row in zip(texts, together, strict=True):
        assert encoder.meaning(text) == pytest.approx(row, abs=1e-3)


def test_what_was_just_read_is_not_scored_again(classifier: Classifier) -> None:
    assert classifier.read("who died then") is classifier.read("who died then")
    assert classifier.by_words() is classifier.by_words()


def test_each_head_speaks_for_itself(classifier: Classifier) -> None:
    heard = classifier.read("give me the deaths")
    assert (heard["measure"][0].label, heard["mood"][0].label) == ("deaths", "order")


def test_the_file_keeps_the_weights(classifier: Classifier) -> None:
    again = unpack(pack(classifier, trained_on="x"))
    for wording in WORDINGS:
        assert again.read(wording["text"]) == classifier.read(wording["text"])


def test_nothing_known_is_sure_of_nothing(classifier: Classifier) -> None:
    assert all(guess.sure < 0.9 for guess in classifier.read("")["measure"])


@pytest.mark.parametrize("source", sorted(TRAINING.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_shipped_weights_were_trained_on_the_wordings_at_hand(
    training: ModuleType, source: Path
) -> None:
    line = (training.folder_of(source.stem) / "reader.bin").read_bytes().partition(b"\n")[0]
    assert json.loads(line)["trained_on"] == training.digest(source), (
        f"run python -m training {source.stem}"
    )
