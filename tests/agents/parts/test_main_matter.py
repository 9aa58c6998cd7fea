"""The main complaint before side remarks, second halves, and what is meant, in real parts."""

from __future__ import annotations

from pathlib import Path

import pytest
import tests.shared

from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.catalog import open_session
from ruleplay.settings import Settings

PUMP, LEVER, BUTTON, CHUTE = "PS11753379", "PS7786148", "PS8748092", "PS1526426"
WHEEL, SUPPORT, BLADE, SEAL = "PS8697067", "PS12712289", "PS11738973", "PS12348515"
CRUSHER, ARM = "PS2378689", "PS11755592"
DISPENSER = ("LFX25991ST bouton du distributeur d'eau", "et celui des glaçons")
DIRTY = ("58714022200A mes assiettes ressortent sales",)
NOISY = ("10640263010 is noisy", "what does the fan blade cost")
NO_ICE = ("25344352401 no ice comes out of the door though it makes ice",)
TWO = ("dishwasher ADT521PGJ2WS wont drain and the fridge BSS25GFPEWW is too warm",)
TYPO = ("PS11753379 fits 66512723K310?", "and W10348296, same?")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with the real catalog."""
    folder = tmp_path_factory.mktemp("home")
    data = tests.shared.shared_data("parts")
    files = (data / f"{name}.csv" for name in ("parts", "fits", "models"))
    import_catalog(*files, into=folder / "parts.catalog")
    return folder


async def last_reply(home: Path, *said: str) -> str:
    settings = Settings(home=home, db="", model="rules")
    async with await open_session("parts", settings=settings) as session:
        return [(await session.turn(one)).reply for one in said][-1]


@pytest.mark.parametrize(
    "said",
    [
        "dishwasher WDT780SAEM1 keeps a pool of filthy water after the wash, I ladle it out",
        "the tub of my WDT780SAEM1 stays full of grey greasy water when it has finished",
        "WDT780SAEM1: brown water sits over the filter every morning, have to sponge it up",
        "WDT780SAEM1 leaves murky water down in the base, we empty it by hand",
        "my WDT780SAEM1 ends with soapy filthy water lying at the bottom",
        "mon WDT780SAEM1 garde une flaque d'eau sale au fond après chaque cycle, je l'éponge",
        "bonjour, l'eau noire reste dans le fond de mon WDT780SAEM1, il faut que je l'écope",
        "WDT780SAEM1 le fond est plein d'eau crasseuse quand le cycle est fini",
    ],
)
async def test_dirty_water_left_inside_is_no_complaint_of_dirty_dishes(
    home: Path, said: str
) -> None:
    reply = await last_reply(home, said)
    assert PUMP in reply
    assert ARM not in reply


@pytest.mark.parametrize(
    "said",
    [
        "25344352401 drops ice on the floor by itself because the little door up there stays open",
        "ice just keeps coming out of my 25344352401, the trap door by the glass won't close",
        "25344352401 la trappe à glaçons reste ouverte et il en tombe plein la cuisine",
        "sur mon 25344352401 les glaçons n'arrêtent pas de tomber, le clapet est coincé",
    ],
)
async def test_ice_on_the_floor_is_too_much_ice(home: Path, said: str) -> None:
    reply = await last_reply(home, said)
    assert f"1. {CHUTE}" in reply
    assert "leak" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "price of PS11753379? I spent my whole lunch break clicking around on your pages",
        "how much for PS11753379, and please no more links, I clicked enough today",
        "PS11753379 price please. I have clicked on everything here",
        "combien coûte PS11753379 ? j'en ai marre de cliquer sur vos liens",
    ],
)
async def test_clicking_on_a_page_is_no_clicking_machine(home: Path, said: str) -> None:
    reply = await last_reply(home, said)
    assert "64.05" in reply.replace(",", ".")
    assert "sound" not in reply
    assert "cliquetis" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "is it in stock, and is that tricky to do alone?",
        "do you stock it? would I manage to put it in myself?",
        "vous l'avez ? et je peux la poser tout seul ?",
        "c'est dispo ? et c'est compliqué à monter ?",
        "vous en avez ? est-ce que je peux la monter moi-même ?",
    ],
)
async def test_a_second_half_is_answered_too(home: Path, said: str) -> None:
    reply = (await last_reply(home, WHEEL, said)).replace(",", ".")
    assert "18.54" in reply
    assert "15 min" in reply


@pytest.mark.parametrize(
    "said",
    [
        "celle à une dizaine de dollars, c'est pour quoi faire ?",
        "et la pièce à une dizaine de dollars, quel est son rôle ?",
        "the one for about ten dollars, what does it do?",
        "and the part at around ten dollars, what is it for exactly?",
    ],
)
async def test_a_price_that_points_at_a_part_asks_for_no_price(home: Path, said: str) -> None:
    reply = await last_reply(home, *DIRTY, said)
    assert SUPPORT in reply
    assert "5304518968" in reply


@pytest.mark.parametrize(
    "said",
    [
        "which of these two is cheaper and does it come with screws?",
        "le moins cher des deux, lequel, et il est livré avec ses vis ?",
    ],
)
async def test_what_comes_with_the_cheaper_one_is_asked_of_that_one(home: Path, said: str) -> None:
    reply = await last_reply(home, *DISPENSER, said)
    (about,) = [line for line in reply.split("\n") if "screws" in line or "vis" in line]
    assert BUTTON in about
    assert LEVER not in about


@pytest.mark.parametrize("said", ["total for both?", "ça fait combien les deux ensemble ?"])
async def test_a_total_repeats_no_single_price(home: Path, said: str) -> None:
    reply = (await last_reply(home, *DISPENSER, said)).replace(",", ".")
    assert "117.18" in reply
    assert reply.count(BUTTON) == reply.count(LEVER) == 1


@pytest.mark.parametrize(
    "said", ["je prends 2, envoyez les moi", "ok jen veux 2, vous menvoyez ça"]
)
async def test_it_is_the_part_spoken_of_though_another_list_is_in_sight(
    home: Path, said: str
) -> None:
    cheaper = "le moins cher des deux c'est lequel ?"
    reply = await last_reply(home, *DISPENSER, cheaper, said)
    assert "numéro de la pièce (par exemple" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "ok and which of the two motors is easier to fit? I am no handyman",
        "which of the two is quicker to put in, the blade or the condenser fan motor? never did it",
        "so the blade or the condenser fan motor, which is the easier job? never opened one",
    ],
)
async def test_the_easier_one_is_told_by_effort(home: Path, said: str) -> None:
    reply = await last_reply(home, *NOISY, said)
    assert "PS11739140" in reply
    assert "30 - 60 mins" in reply
    assert "costs less" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "is the crusher thing in stock and what would it look like",
        "the crusher thing, is it available and what color is it",
    ],
)
async def test_what_is_untold_is_said_of_the_part_asked_about(home: Path, said: str) -> None:
    reply = await last_reply(home, *NO_ICE, said)
    assert CRUSHER in reply
    assert "64.50" in reply
    assert CHUTE not in reply


@pytest.mark.parametrize(
    "said",
    [
        "my sister's leaks too, she has a 400910. would that same one do?",
        "my neighbour's is leaking as well, a 400910. the same one?",
        "my mum has a 400910 and it leaks. will this one do as well?",
    ],
)
async def test_another_leaking_machine_is_checked_for_the_same_part(home: Path, said: str) -> None:
    reply = await last_reply(home, f"does {SEAL} fit my WDT780SAEM1?", said)
    assert SEAL in reply
    assert "✓" not in reply
    assert "PS258167" in reply


@pytest.mark.parametrize(
    "said", ["how long does it take", "et c'est dur à poser ?", "how hard? any video?"]
)
async def test_a_mistyped_number_of_the_part_in_sight_holds_nothing_up(
    home: Path, said: str
) -> None:
    reply = await last_reply(home, *TYPO, said)
    assert PUMP in reply
    assert "15" in reply
    assert "W10348296" not in reply


async def test_the_same_is_asked_of_another_machine(home: Path) -> None:
    reply = await last_reply(home, *TWO, "how hard is the fridge one", "the dishwasher first, same")
    assert "30 - 60 mins" in reply
    assert "PS16219695" in reply
    assert "PS1017716" not in reply


@pytest.mark.parametrize(
    "said",
    [
        "25344352401 screeches at the back of the freezer, and it stops as soon as I open the door",
        "10640263010 a shriek from behind, and when I pull the freezer door open it is gone",
    ],
)
async def test_a_door_that_stops_the_noise_is_not_looked_for(home: Path, said: str) -> None:
    reply = await last_reply(home, said)
    assert "freezer door" not in reply
    assert "porte du" not in reply


async def test_a_nameless_part_is_not_taken_for_what_it_is_asked_to_be(home: Path) -> None:
    before = ("does PS11701542 fit 10651132213?",)
    reply = await last_reply(home, *before, "et W10311524, c'est un filtre aussi ?")
    assert "PS2580853" in reply
    assert "n'a pas de nom" in reply


async def test_a_nameless_part_is_among_those_known_for_a_fault(home: Path) -> None:
    complaint = "our fridge 10672002015: the ice maker makes no ice and the water is a dribble"
    reply = await last_reply(home, complaint)
    assert "these parts are known" in reply
    assert {"PS11754529", "PS11722130"} <= {*reply.replace(":", " ").split()}
    assert "PS11722130" in await last_reply(home, complaint, "the cheaper one, what is it?")


async def test_what_tells_no_place_may_be_of_the_one_that_is_named(home: Path) -> None:
    reply = await last_reply(home, "do you sell a wheel for the lower rack of a bosch dishwasher?")
    assert {"PS8697067", "PS8727423"} <= {*reply.split()}
