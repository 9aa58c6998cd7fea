"""Numbers in messages: what is taken, what is asked, and what is left alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from benchmarks.parts.ids import measure_ids
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from tests.agents.parts.conftest import Talk
from tests.pace import TIMES, growth
from tests.samples import sample

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.domain.id_context import surroundings
from ruleplay.agents.parts.domain.id_judgement import judge
from ruleplay.agents.parts.domain.ids import (
    MAX_CANDIDATES,
    Choice,
    Found,
    ModelFound,
    PartFound,
    Unknown,
    candidates,
)
from ruleplay.agents.parts.domain.numbers import normal

MODELS = [
    *("WDT780SAEM1", "WDT750SAHZ0", "WDT750SAHZ1", "WRS325SDHZ", "WRS325SDHZ/04", "17774-OA"),
    *("17774-OB", "17774", "18385", "001", "100", "2000", "1035B", "60W", "F2E1", "4052700"),
    *("10632852010", "10632852011", "10632852012", "10632852013", "10632852014", "10632852015"),
    *("78764", "REFSVC", "WFW85HEFW0", "WFW85HEFC0", "5551234"),
]
PARTS = """part_number,manufacturer_number,name,replaces
PS3406971,W10195416,Rack Wheel,"W10195416V, 8193951"
PS11700001,W10300001,Seal,"3369172, 78764"
PS11700002,W10300002,Pump,3369172
PS11700003,RPWFE,Water Filter,
PS11700004,XWF,Water Filter,
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("ids")
    (folder / "parts.csv").write_text(PARTS)
    (folder / "fits.csv").write_text("part,model\nPS3406971,WDT780SAEM1\n")
    (folder / "models.csv").write_text("model\n" + "\n".join(MODELS) + "\n")
    into = folder / "shop.sqlite"
    import_catalog(
        folder / "parts.csv",
        folder / "fits.csv",
        folder / "models.csv",
        into=into,
        priced_on=date(2025, 1, 1),
    )
    with open_catalog(into) as opened:
        yield opened


def read(catalog: Catalog, message: str) -> tuple[Found, ...]:
    proposed = candidates(message)
    return judge(message, proposed, catalog.look_up_all(proposed))


def told(found: Found) -> str:
    """Write a finding as one readable word list."""
    match found:
        case ModelFound():
            return f"model {found.model.number}"
        case PartFound():
            return f"part {found.part.number} via {found.part.via}"
        case Choice():
            numbers = ",".join(option.number for option in found.options)
            return f"{found.reason} {found.kind} {numbers}{' +' if found.more else ''}"
        case Unknown():
            return f"unknown {found.kind} {found.normal}".replace("  ", " ")


TAKEN = [
    ("My WDT780SAEM1 is leaking", ["model WDT780SAEM1"]),
    ("my wdt780saem1 leaks", ["model WDT780SAEM1"]),
    ("WDT-780-SAEM1", ["model WDT780SAEM1"]),
    ("it is a WDT 780 SAEM1.", ["model WDT780SAEM1"]),
    ("WDT780SAEM1.It leaks", ["model WDT780SAEM1"]),
    ('model "WDT780SAEM1"', ["model WDT780SAEM1"]),
    ("(WDT780SAEM1)", ["model WDT780SAEM1"]),
    ("the ＷＤＴ780SAEM1 leaks", ["model WDT780SAEM1"]),
    (
        "Is PS3406971 compatible with WDT780SAEM1?",
        ["part PS3406971 via number", "model WDT780SAEM1"],
    ),
    ("the PS3406971-wheel", ["part PS3406971 via number"]),
    ("18385 DISHWASHER IS LEAKING", ["model 18385"]),
    (
        "WDT780SAEM1/WDT750SAHZ0 both leak",
        ["model WDT780SAEM1", "model WDT750SAHZ0"],
    ),
    ("W10195416 or w10195416v", ["part PS3406971 via manufacturer", "part PS3406971 via replaces"]),
    ("I want to order PS3406971", ["part PS3406971 via number"]),
    ("wrs325sdhz/04 is warm", ["model WRS325SDHZ/04"]),
    ("1035B is noisy", ["model 1035B"]),
    ("my model number is 18385", ["model 18385"]),
    ("model # 100", ["model 100"]),
    ("the number is 2000", ["model 2000"]),
    ("2000", ["model 2000"]),
    ("model: 001, leaking since 2000", ["model 001"]),
    ("18385 dishwasher leaks", ["model 18385"]),
    ("The model is REFSVC", ["model REFSVC"]),
    ("4052700 leaks", ["model 4052700"]),
    ("4052700 Door seal torn", ["model 4052700"]),
]

ASKED = [
    ("WDT78OSAEM1 leaks", ["near model WDT780SAEM1"]),
    ("WDT78OSAEMI leaks", ["near model WDT780SAEM1"]),
    ("WDT708SAEM1", ["near model WDT780SAEM1"]),
    ("WDT780SAEM", ["near model WDT780SAEM1"]),
    ("my WDT780SAEM11 leaks", ["near model WDT780SAEM1"]),
    ("part PS340697I", ["near part PS3406971"]),
    ("WDT780 leaks", ["prefix model WDT780SAEM1"]),
    ("WDT750SA", ["prefix model WDT750SAHZ0,WDT750SAHZ1"]),
    ("WFW85HEFX0", ["near model WFW85HEFC0,WFW85HEFW0"]),
    (
        "1063285201 is warm",
        ["near model 10632852011,10632852010,10632852012,10632852013,10632852014 +"],
    ),
    ("part 3369172", ["ambiguous part PS11700001,PS11700002"]),
    ("78764 here", ["ambiguous either 78764,PS11700001"]),
    ("I have model 78764", ["ambiguous either 78764,PS11700001"]),
    ("my 18385 broke", ["confirm model 18385"]),
    ("I cleaned it 100 with it", ["confirm model 100"]),
    ("F2E1 came up", ["confirm model F2E1"]),
    ("rpwfe leaks, what now", ["confirm part PS11700003"]),
    ("THE RPWFE LEAKS", ["confirm part PS11700003"]),
    ("RPWFE leaks, what now", ["part PS11700003 via manufacturer"]),
    ("a water filter, the old one says XWF", ["part PS11700004 via manufacturer"]),
    ("the old one says XWF", ["confirm part PS11700004"]),
    ("XWF, un filtre à eau", ["part PS11700004 via manufacturer"]),
    ("17774-OX", ["near model 17774-OA,17774-OB"]),
    ("call 555-1234", ["confirm model 5551234"]),
    ("model 17774 XY", ["confirm model 17774"]),
]

UNKNOWN = [
    ("model XYZ12345Q", ["unknown model XYZ12345Q"]),
    ("my KLM99XY7 leaks", ["unknown KLM99XY7"]),
    ("part PS99887766", ["unknown part PS99887766"]),
    ("PS99887766", ["unknown part PS99887766"]),
    ("model number is 998877", ["unknown model 998877"]),
    ("what about KDTM354ESSX", ["unknown model KDTM354ESSX"]),
    ("c'est plutôt 363.98252704", ["unknown model 36398252704"]),
    ("part KDTM354ESSX", ["unknown part KDTM354ESSX"]),
]

LEFT_ALONE = [
    "",
    "It leaks",
    "I sprayed WD-40 on it on May 25th at 110v",
    "MAY 25TH IT LEAKED 3 TIMES",
    "order number 112-3456789-1234567",
    "order 44718290011 has not come",
    "my order #A1B2C3D4 has not come",
    "invoice INV20391",
    "tracking 1Z999AA10123456784",
    "serial number is FR1234567K",
    "call me at 555-123-4567",
    "call (555) 123-4567 or 5559876",
    "I paid $2000, then $18,385.00, then 100 dollars",
    "bought 05/25/2023 or 2023-05-25 at 10:30am",
    "since 2000 it leaks, my 2000 model",
    "it is 24in by 36 inches, 25 cu ft, 1/2hp, 15 amp, 120V/60Hz",
    "a 60W bulb and a 60w lamp",
    "windows10 iphone13 covid19 mp3 3rd 2x4",
    "100% 100°F 100 degrees 100 times",
    "mail me: joe123456x@example.com",
    "http://example.com/x1y2z3w4",
    "zip 18385",
    "error code F2E1",
    "what does code F2E1 mean",
    "the model is broken",
    "Which part do I need for the REFRIGERATOR 2 DRAWER",
]


@pytest.mark.parametrize(("message", "expected"), TAKEN)
def test_listed_numbers_are_taken(catalog: Catalog, message: str, expected: list[str]) -> None:
    assert [told(found) for found in read(catalog, message)] == expected


@pytest.mark.parametrize(("message", "expected"), ASKED)
def test_doubtful_numbers_are_asked(catalog: Catalog, message: str, expected: list[str]) -> None:
    assert [told(found) for found in read(catalog, message)] == expected


@pytest.mark.parametrize(("message", "expected"), UNKNOWN)
def test_plausible_numbers_are_reported(
    catalog: Catalog, message: str, expected: list[str]
) -> None:
    assert [told(found) for found in read(catalog, message)] == expected


@pytest.mark.parametrize("message", LEFT_ALONE)
def test_other_numbers_are_left_alone(catalog: Catalog, message: str) -> None:
    assert [told(found) for found in read(catalog, message)] == []


@pytest.mark.parametrize(
    "message",
    [
        "17774-OC",  # begins with a listed model
        "model 17774-OC",
        "17774 OC is noisy",
        "17774-CAN",
        "My model is 17774 - CAN",
        "WRS325SDHZ/01",
        "WRS325SDHZ-X2",
        "WDT780SAEM2",
        "WDT750SAHZ2",
        "10632852016",
        "W 8193952",
        "W 8193951",
    ],
)
def test_an_unlisted_number_is_never_taken_for_a_listed_one(catalog: Catalog, message: str) -> None:
    found = read(catalog, message)
    assert not [one for one in found if isinstance(one, ModelFound | PartFound)]
    assert found


def test_a_number_with_spaces_and_its_piece_are_a_choice(catalog: Catalog) -> None:
    (found,) = read(catalog, "WRS325SDHZ 04")
    assert told(found) == "ambiguous model WRS325SDHZ/04,WRS325SDHZ"


def test_the_choice_reads_back_what_was_typed(catalog: Catalog) -> None:
    message = "It says WDT-78O-SAEM1, I think"
    (found,) = read(catalog, message)
    assert isinstance(found, Choice)
    assert (found.asked, message[found.start : found.end]) == ("WDT-78O-SAEM1", found.text)


WORDS = st.sampled_from(
    [*MODELS, "PS3406971", "W10195416", "model", "part", "is", "my", "-", "/", "$", "2", "leaks"]
)
MESSAGES = st.text(max_size=120) | st.lists(
    WORDS | WORDS.map(str.lower) | st.text("AB01-/. ", max_size=12), max_size=14
).map(" ".join)


@given(message=MESSAGES)
@example("WDT780SAEM1" * 40)
@settings(max_examples=sample(20, 60), deadline=None)
def test_findings_quote_the_message_and_never_correct_it(catalog: Catalog, message: str) -> None:
    found = read(catalog, message)
    assert found == read(catalog, message)
    assert len(candidates(message)) <= MAX_CANDIDATES
    ends = 0
    for one in found:
        assert message[one.start : one.end] == one.text
        assert one.start >= ends
        ends = one.end
        if isinstance(one, ModelFound):
            assert normal(one.model.number) == normal(one.text)
        elif isinstance(one, PartFound):
            assert one.part.number in [match.part.number for match in catalog.part(one.text)]
        elif isinstance(one, Choice):
            assert 1 <= len(one.options) <= 5


@given(seed=st.integers(0, 10**9))
@settings(max_examples=sample(30, 100), deadline=None)
def test_a_slip_is_never_taken_for_another_model(catalog: Catalog, seed: int) -> None:
    rng = random.Random(seed)
    number = normal(rng.choice([model for model in MODELS if len(normal(model)) >= 8]))
    at = rng.randrange(len(number))
    typed = number[:at] + rng.choice("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") + number[at + 1 :]
    found = read(catalog, f"my model is {typed} and it leaks")
    if catalog.model(typed) is None:
        offered = [o.number for one in found if isinstance(one, Choice) for o in one.options]
        assert number in map(normal, offered) or "10632852" in number
        assert not any(isinstance(one, ModelFound) for one in found)
    else:
        assert [told(one) for one in found] == [f"model {catalog.model(typed).number}"]  # type: ignore[union-attr]  # asked above


def test_findings_survive_json(catalog: Catalog) -> None:
    findings: TypeAdapter[tuple[Found, ...]] = TypeAdapter(tuple[Found, ...])
    found = read(catalog, "WDT780SAEM1 WDT78OSAEM1, PS3406971, model QQQ1234Z")
    assert len(found) == 4
    assert findings.validate_json(findings.dump_json(found)) == found


def test_a_candidate_without_lookup_is_passed_over() -> None:
    message = "my WDT780SAEM1"
    assert judge(message, candidates(message), {}) == ()


@pytest.mark.parametrize(
    "piece",
    [
        "A1B2C3 ",
        "1",
        "a-",
        "1 ",
        "model ",
        "(555) ",
        "1.1x",
        "number is the ",
        "a1/",
        "\u0661",
        "é9",
    ],
)
def test_megabytes_take_a_moment(catalog: Catalog, piece: str) -> None:
    def take_in(message: str) -> None:
        proposed = candidates(message)
        judge(message, proposed, catalog.look_up_all(proposed))
        assert len(proposed) <= MAX_CANDIDATES

    assert growth(take_in, piece, sample(400_000, 4_000_000)) < 3 * TIMES


def test_the_real_number_is_kept_among_many(catalog: Catalog) -> None:
    message = "12 " * 500 + "and my WDT780SAEM1 leaks"
    assert [told(found) for found in read(catalog, message)] == ["model WDT780SAEM1"]


def test_numbers_in_real_titles(tmp_path: Path, shared_data: Path) -> None:
    into = tmp_path / "real.sqlite"
    import_catalog(
        shared_data / "parts.csv",
        shared_data / "fits.csv",
        shared_data / "models.csv",
        into=into,
        priced_on=date(2025, 1, 1),
    )
    lines = (shared_data / "customer_titles.jsonl").read_text(encoding="utf-8").splitlines()
    titles = [str(json.loads(line)["text"]) for line in lines]
    with open_catalog(into) as catalog:
        cells = measure_ids(catalog, titles, trials=sample(60, 200), seed=11)
    assert not any(cell["wrong"] for cell in cells.values() if "wrong" in cell)
    assert cells["titles alone"]["taken"] <= 2  # one customer did write a part number
    for kind in ("model", "part", "alias"):
        for way in ("clean", "lower", "dashes"):
            assert cells[f"{kind}, {way}"]["found"] >= 0.99
        assert cells[f"{kind}, spaces"]["found"] >= 0.97
        assert cells[f"{kind}, slip"]["offered"] >= 0.95


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("Le frigo à mon chum, un 71059, fait un vacarme", "71059"),
        ("mon frigo coule, c'est un 71059", "71059"),
        ("le modèle de mon frigo est 71059", "71059"),
        ("mi nevera hace ruido, es una 71059", "71059"),
        ("my fridge is dead, it's a 71059", "71059"),
    ],
)
def test_a_number_that_is_what_a_machine_is_names_it(message: str, number: str) -> None:
    at = message.index(number)
    around = surroundings(message, at, at + len(number))
    assert around.appliance or around.cue == "model"
    assert not around.noise


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("il a 12345 lavages", "12345"),
        ("commande 1234567, rien reçu", "1234567"),
        ("mi pedido 1234567 no llega", "1234567"),
        ("depuis 12 ans", "12"),
    ],
)
def test_other_numbers_are_other_numbers_in_any_language(message: str, number: str) -> None:
    at = message.index(number)
    assert surroundings(message, at, at + len(number)).noise


async def test_an_unknown_number_that_a_machine_is_said_to_be_is_its_model(talk: Talk) -> None:
    (turn,) = await talk("mon lave-vaisselle coule, c'est un 2531234")
    assert "2531234" in turn.reply
    filled = [event for event in turn.events if event["type"] == "ModelFilled"]
    assert [event["slot"]["value"] for event in filled] == ["2531234"]
