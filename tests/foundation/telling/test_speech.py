"""A text on its way to readers: gaps, one repair, what stands in for a sentence, must-rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from infirmary import HEALERS, PRICES, TABLES, reader
from lectern import MINUTE, Lapse, Lectern

from ruleplay.kernel.context import Prompt
from ruleplay.kernel.tell import tell
from ruleplay.models.scripted import Entry, ScriptedModel
from ruleplay.records.tape import Tape
from ruleplay.telling.citing import Reader
from ruleplay.telling.sentences import bounded
from ruleplay.telling.speech import Speech, Told
from ruleplay.telling.table import Must, Table

TEMPLATE = "Oda healed 116,225, Bram 107,947."
TRUE = "Oda healed 116,225 [r1.1]. "
FALSE = "Bram healed 116,226 [r1.2]. "
VIEW = "I would let Bram lead. "
LINE = (
    "Bram-Northwind: healing 107,947 (2 of 4), overhealing 20.5 % (3 of 3), activity 88 % (1 of 4)"
)

ODD = (
    "[r1.1]", "[r1]", "[r9.9]", "[", "]", "**", "- ", "| ", "\n", "\n\n", " ", ".", "1.", "only ",
    "4", "%", "Oda", "```", "> ", "(", "\u201c", "[sum(r1.healing)]", "nobody ", "all ", ":",
)  # fmt: skip
"""Pieces of which a model may put together what no grammar foresees."""


async def told(
    *script: Entry,
    tables: tuple[Table, ...] = TABLES[:3],
    tape: Tape | None = None,
    judge: Callable[[], Reader] = reader,
) -> tuple[Told, Lectern]:
    lectern = Lectern(ScriptedModel(script), tape=tape)
    found = await tell(
        lectern.context,
        "healers",
        prompt=lambda: Prompt(system="Tell of the healers.", user="Who healed most?"),
        facts=tables,
        check=judge,
        otherwise=lambda: TEMPLATE,
        deadline=MINUTE,
    )
    return found, lectern


async def test_what_holds_is_shown_without_its_tags_as_it_comes() -> None:
    found, lectern = await told([TRUE[:12], TRUE[12:], VIEW])
    assert found.text == "Oda healed 116,225. I would let Bram lead."
    assert [span.state for span in found.spans] == ["vouched", "view"]
    assert "".join(span.text for span in found.spans) == found.text
    assert (found.source, found.citations) == ("model", ("[r1.1]",))
    assert lectern.text.rstrip() == found.text


async def test_a_gap_is_repaired_by_one_call_in_its_place() -> None:
    found, lectern = await told(
        TRUE + FALSE + VIEW, "1. Bram healed 107,947 [r1.2], less than Oda."
    )
    assert found.text.startswith("Oda healed 116,225. Bram healed 107,947, less than Oda.")
    assert found.text.endswith(VIEW.rstrip())
    assert "116,226" not in lectern.text
    (call,) = lectern.context.calls
    assert len(call.replies) == 2
    assert len(found.refusals) == 1


async def test_what_fails_again_leaves_nothing_not_even_its_rows_line() -> None:
    found, _ = await told(TRUE + TRUE.replace("Oda", "So Oda") + FALSE, "1. " + FALSE)
    assert LINE not in found.text
    assert "116,226" not in found.text
    assert "d'Arvil" not in found.text


async def test_what_fails_again_without_a_tag_is_dropped() -> None:
    found, _ = await told(TRUE + "Bram healed 107,947. " + VIEW, "1. Bram healed 107,947.")
    assert found.text == "Oda healed 116,225. I would let Bram lead."


async def test_when_most_of_it_fails_the_policy_speaks_whole() -> None:
    found, _ = await told(FALSE + FALSE.replace("healed", "gave") + VIEW, "1. no\n2. no")
    assert (found.text, found.source, found.spans) == (TEMPLATE, "policy", ())


async def test_rows_that_must_be_told_are_added_by_their_line() -> None:
    found, _ = await told(VIEW, tables=(HEALERS, PRICES))
    assert found.text.endswith("\n\nPS900123 fits the model that you named.")
    again, _ = await told("The drain pump costs $42.10 [r4.1]. ", tables=(HEALERS, PRICES))
    assert "fits the model" not in again.text


async def test_a_failing_or_absent_model_leaves_the_policy() -> None:
    for entry in ("", "<think>Oda healed 116,225 [r1.1].</think>", [Lapse()]):
        found, _ = await told(entry)
        assert (found.text, found.source) == (TEMPLATE, "policy")


async def test_after_a_deadline_the_unfinished_sentence_is_dropped_unrepaired() -> None:
    found, lectern = await told([TRUE + FALSE + "Oda also", Lapse()])
    assert found.text.startswith("Oda healed 116,225.")
    assert "Oda also" not in found.text
    assert len(lectern.context.calls[0].replies) == 1


async def test_a_replay_tells_the_same_its_repair_included() -> None:
    script = (TRUE + FALSE + VIEW, "1. Bram healed 107,947 [r1.2].")
    found, lectern = await told(*script)
    again, _ = await told(tape=Tape(tuple(lectern.context.calls), {}))
    assert again == found


async def test_repeats_and_fences_are_left_out() -> None:
    found, _ = await told(TRUE + TRUE + "```\nOda healed 116,225 [r1.1], they say.\n```\n")
    assert found.text.count("Oda healed 116,225") == 2
    assert "```" not in found.text


OPENS, CLOSES = "The ledger is closed.", "Which healer did you have in mind?\n1. Oda\n2. Bram"


def with_own_lines() -> tuple[Table, ...]:
    always = (
        Must(row=1, line=OPENS, always="first"),
        Must(row=0, line="1. Oda; 2. Bram"),
        Must(row=2, line=CLOSES, always="last"),
    )
    return (TABLES[0].model_copy(update={"musts": always}), *TABLES[1:3])


async def own(*script: Entry) -> tuple[Told, Lectern]:
    tables = with_own_lines()
    return await told(*script, tables=tables, judge=lambda: Reader(tables))


async def test_lines_that_always_stand_open_and_close_the_reply_whatever_is_cited() -> None:
    found, lectern = await own([TRUE, VIEW])
    assert found.text == f"{OPENS}\n\nOda healed 116,225. I would let Bram lead.\n\n{CLOSES}"
    assert lectern.text.split() == found.text.split()
    assert "".join(span.text for span in found.spans) == found.text


async def test_they_are_not_said_twice_when_the_model_repeats_them() -> None:
    found, _ = await own(
        [f"{OPENS} [r1.1] ", TRUE, "\n- Oda\n", "Which healer did you have in mind?"]
    )
    assert found.text.count(OPENS) == found.text.count("Which healer") == 1


async def test_a_tables_line_is_added_only_where_none_of_its_rows_is_cited() -> None:
    found, _ = await own([VIEW])
    assert found.text.count("1. Oda; 2. Bram") == 1
    cited, _ = await own([TRUE])
    assert "1. Oda; 2. Bram" not in cited.text


def test_an_earlier_answer_keeps_its_rows_and_ends_with_one() -> None:
    row = "| Gulag | 116,225 |\n"
    kept = bounded("Both healed.\n\n" + row * 9, 100)
    assert kept.startswith("Both healed.\n\n| Gulag")
    assert kept.endswith("| 116,225 | …")
    assert len(kept) <= 102


def test_a_lead_in_may_count_its_list_in_words() -> None:
    items = "".join(f"- one of them [r1.{n}]\n" for n in range(1, 5))
    for count, refused in (("four", 0), ("7", 1)):
        speech = Speech(reader(), lambda text: None)
        speech.hear(f"Here are all {count} healers:\n{items}Good night.")
        speech.end()
        assert len(speech.refusals) == refused, speech.refusals


def test_what_holds_stays_when_most_fails_where_an_answer_has_to_cite() -> None:
    for must_cite in (False, True):
        speech = Speech(reader(), lambda text: None, must_cite=must_cite)
        speech.hear(TRUE + FALSE + "Bram healed 116,227 [r1.2]. ")
        speech.end()
        told_ = speech.told(TABLES[:3])
        assert bool(told_ and "Oda healed 116,225" in told_.text) == must_cite


LIST = "\n\n- Oda: 116,225 [r1.1]\n- Bram: 107,947 [r1.2]\n"


async def test_a_lead_in_rests_on_the_rows_of_the_list_that_it_announces() -> None:
    parts = "\n\n- PS900123, the pump: $42.10 [r4.1]\n- PS900456, the seal: $1,250 [r4.2]\n"
    (found, lectern) = await told(f"PS900123 and PS900456 are for you:{parts}", tables=(PRICES,))
    assert found.text.startswith("PS900123 and PS900456 are for you:\n\n- PS900123")
    (call,) = lectern.context.calls
    assert len(call.replies) == 1, "nothing was left to repair"


async def test_a_figure_in_a_lead_in_has_to_be_that_of_each_row() -> None:
    found, _ = await told(f"Both kept at it 88 % of the time:{LIST}", "")
    assert "88 %" not in found.text, "Oda's activity is another"
    assert found.text.endswith("- Oda: 116,225\n- Bram: 107,947")


async def test_the_repair_of_one_gap_needs_no_number() -> None:
    found, _ = await told(TRUE + FALSE + VIEW, "Bram healed 107,947 [r1.2].")
    assert found.text == "Oda healed 116,225. Bram healed 107,947. I would let Bram lead."


@pytest.mark.parametrize("mended", ["{}", "1. {}", "1. 2. {}", "1. - {}"])
async def test_a_repaired_item_of_a_list_keeps_its_mark(mended: str) -> None:
    listed = "1. Oda healed 116,225 [r1.1].\n2. Bram healed 116,226 [r1.2].\n3. Let Bram lead.\n"
    found, _ = await told(listed, mended.format("Bram healed 107,947 [r1.2]."))
    assert found.text == "1. Oda healed 116,225.\n2. Bram healed 107,947.\n3. Let Bram lead."


@pytest.mark.parametrize("written", ["[r1.1]", "[r1].", "- [r1.2]", "**[r1.1]**", "| [r1] |"])
async def test_a_tag_without_words_says_nothing(written: str) -> None:
    found, _ = await told(written)
    assert (found.text, found.source) == (TEMPLATE, "policy")


@settings(deadline=None)
@given(st.lists(st.sampled_from(ODD), max_size=12))
def test_no_text_is_too_odd_to_be_judged(pieces: list[str]) -> None:
    speech = Speech(reader(), lambda text: None)
    speech.hear("".join(pieces))
    speech.end()
    shown = speech.told(TABLES[:3])
    assert shown is None or shown.text
