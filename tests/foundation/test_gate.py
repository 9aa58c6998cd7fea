"""The gate: only checked text comes out, refused sentences are told from the record instead."""

from __future__ import annotations

import random

import pytest
from tests.foundation.gate_corpus_dev import FIGHT, SHOP, WORLDS, World, corpus

from ruleplay.foundation.claims import Claim, Fact, Reading
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.gate import Gate, Passed

CHECKS = {world.name: checker(world.lexicon) for world in WORLDS}


def run(
    world: World, chunks: list[str], complete: bool = True, first: bool = False
) -> list[Passed]:
    gate = Gate(CHECKS[world.name], world.facts, thinks_first=first)
    shown = [piece for chunk in chunks for piece in gate.feed(chunk)]
    return shown + gate.close(complete)


def text_of(shown: list[Passed]) -> str:
    return "".join(piece.text for piece in shown)


REPLY = (
    "<think>The troll hits Aria for 99.</think>The wind howls. Aria hits the goblin for 7 damage. "
    "The troll hits Aria for 12 damage. It is a grim day.\n\nThe goblin dies. Borin rests"
)


def test_true_sentences_pass_and_lies_do_not() -> None:
    shown = run(FIGHT, [REPLY])
    assert text_of(shown).startswith("The wind howls. Aria hits the goblin for 7 damage. ")
    assert "troll hits Aria" not in text_of(shown)
    assert "99" not in text_of(shown)
    assert text_of(shown).endswith("It is a grim day.\n\nThe goblin dies. Borin rests")
    assert [piece.citations for piece in shown if piece.text.strip() == "The goblin dies."] == [
        ("dead",)
    ]


def test_the_same_at_every_cut() -> None:
    whole = run(FIGHT, [REPLY])
    assert run(FIGHT, list(REPLY)) == whole
    for at in range(len(REPLY) + 1):
        assert run(FIGHT, [REPLY[:at], REPLY[at:]]) == whole, at


def test_a_refused_sentence_is_replaced_in_place() -> None:
    shown = run(SHOP, ["Hello! PS3406971 costs $47.40. Anything else?"])
    said = "Hello! PS3406971 (lower rack wheel) costs $12.95. Anything else?"
    assert text_of(shown) == said
    replaced = [piece for piece in shown if piece.replaced]
    assert len(replaced) == 1
    assert replaced[0].problems


def test_a_fact_is_never_told_twice_by_template() -> None:
    lie = "Borin hits Aria for 7 damage. "
    shown = run(FIGHT, [lie * 4])
    told = [cited for piece in shown for cited in piece.citations]
    assert len(told) == len(set(told))


def test_layout_stays_readable() -> None:
    shown = text_of(run(SHOP, ["Parts:\n- PS3406971: $47.40\n- PS8260087: $47.40\n\nBye."]))
    lines = shown.splitlines()
    assert lines[0] == "Parts:"
    assert lines[1].startswith("- ")
    assert lines[2].startswith("- ")
    assert lines[-1] == "Bye."


def test_must_facts_are_added_at_the_end_once() -> None:
    assert text_of(run(FIGHT, ["A quiet night."])) == "A quiet night. The goblin dies."
    assert text_of(run(FIGHT, ["The goblin dies."])) == "The goblin dies."
    assert text_of(run(FIGHT, [])) == "The goblin dies."


def test_an_unfinished_unit_is_dropped_after_a_deadline() -> None:
    shown = text_of(run(FIGHT, ["A quiet night. Aria hits the gob"], complete=False))
    assert shown == "A quiet night. The goblin dies."


def test_models_that_start_thinking() -> None:
    assert (
        text_of(run(FIGHT, ["Hm, 99.</think>The goblin dies."], first=True)) == "The goblin dies."
    )
    assert text_of(run(FIGHT, ["A quiet night."], first=True)) == "The goblin dies."


def test_stops_reading_at_the_bound() -> None:
    gate = Gate(CHECKS["fight"], FIGHT.facts, max_shown=500)
    shown = [piece for _ in range(1_000) for piece in gate.feed("A quiet night passes. ")]
    assert len(text_of(shown)) <= 500
    assert text_of(gate.close()).strip() == "The goblin dies."


def test_tally_counts_what_happened() -> None:
    gate = Gate(CHECKS["fight"], FIGHT.facts)
    gate.feed("A quiet night. Gorak hits Aria for 7. Aria hits the goblin for 7 damage. ")
    gate.close()
    assert (gate.tally.passed, gate.tally.dropped, gate.tally.appended) == (2, 1, 1)
    assert gate.tally.refused[0].sentence.startswith("Gorak")


def test_a_sentence_shown_once_is_not_shown_again() -> None:
    gate = Gate(CHECKS["fight"], FIGHT.facts)
    shown = [piece for _ in range(3) for piece in gate.feed("A quiet night passes. Hm. ")]
    assert text_of(shown + gate.close()).startswith("A quiet night passes. Hm. Hm. Hm. The goblin")
    assert (gate.tally.passed, gate.tally.repeated) == (4, 2)


@pytest.mark.parametrize("world", WORLDS, ids=[world.name for world in WORLDS])
def test_lies_among_truths_never_come_out(world: World) -> None:
    rng = random.Random(5)
    samples = list(corpus(world, seed=5, count=200))
    reply = " ".join(
        f"{sample.sentence.rstrip('.')}." for sample in samples if "|" not in sample.sentence
    )
    chunks = []
    while reply:
        size = rng.randrange(1, 12)
        chunks.append(reply[:size])
        reply = reply[size:]
    shown = [piece.text.strip() for piece in run(world, chunks)]
    truths = {f"{sample.sentence.rstrip('.')}." for sample in samples if sample.true}
    lies = {f"{sample.sentence.rstrip('.')}." for sample in samples if not sample.true}
    assert sorted((lies - truths) & set(shown)) == []
    assert len(truths & set(shown)) > 0.8 * len(truths)


def test_blocks_stand_on_lines_of_their_own() -> None:
    facts = [
        Fact(id=n, says=f"{n} is kind.", claims=(Claim(kind="mood", subject=n, value="kind"),))
        for n in ("Aria", "Borin")
    ]
    facts = [fact.model_copy(update={"must": True, "block": True}) for fact in facts]
    gate = Gate(lambda sentence, known: Reading(), facts)
    shown = [*gate.feed("Well met. "), *gate.close()]
    assert (
        "".join(p.text for p in shown).rstrip()
        == "Well met. \n\n- Aria is kind.\n\n- Borin is kind."
    )


def test_pieces_say_what_they_rest_on_where_an_agent_shows_that() -> None:
    def cite(text: str, citations: tuple[str, ...]) -> str:
        body = text.rstrip()
        return f"{body} {len(citations)}{text[len(body) :]}" if citations else text

    gate = Gate(CHECKS[FIGHT.name], FIGHT.facts, cite=cite)
    shown = gate.feed("The wind howls. Aria hits the goblin for 7 damage. On") + gate.close()
    assert text_of(shown).startswith("The wind howls. Aria hits the goblin for 7 damage. 1 ")
