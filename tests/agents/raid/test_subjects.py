"""What a question is about: bosses, pulls and nights by the names a report has, or a question."""

from __future__ import annotations

import pytest
from tests.pace import TIMES, growth

from ruleplay.agents.raid.domain.moments import cut_part
from ruleplay.agents.raid.domain.overview import Member, Night, Overview, PullSummary, Report
from ruleplay.agents.raid.domain.questions import read
from ruleplay.agents.raid.domain.subjects import find_bosses, phrases, resolve
from ruleplay.agents.raid.policy.plan import make_plan
from ruleplay.agents.raid.state import State

PULLS = (
    ("Patchwerk", "kill", "normal", "3/1"),
    ("Sapphiron", "wipe", "normal", "3/1"),
    ("Sapphiron", "wipe", "normal", "3/1"),
    ("Sapphiron", "kill", "normal", "3/1"),
    ("Grand Widow Faerlina", "kill", "heroic", "3/5"),
    ("Sapphiron", "wipe", "heroic", "3/5"),
    ("Sapphiron", "reset", "heroic", "3/5"),
)
NIGHT = Night(
    code="abc123",
    title="Naxxramas",
    pulls=tuple(
        PullSummary(
            fight=at,
            name=name,
            kill=ended == "kill",
            ended=ended,
            seconds=100,
            english=name,
            difficulty=difficulty,
            day=day,
        )
        for at, (name, ended, difficulty, day) in enumerate(PULLS, 1)
    ),
    members=(Member(name="Lutoscs-Realm"), Member(name="Kel-Realm")),
)
OTHER = Report(code="fff999", title="Icecrown", bosses=("Kel'Thuzad",))
WORLD = Overview(reports=(Report(code="abc123", title="Naxxramas"), OTHER), night=NIGHT)


@pytest.mark.parametrize(
    ("text", "bosses", "missing"),
    [
        ("how was sapph", ("Sapphiron",), ()),
        ("why did we wipe on Saphiron", ("Sapphiron",), ()),
        ("le plus gros coup du recousu", ("Patchwerk",), ()),
        ("wer starb bei Flickwerk", ("Patchwerk",), ()),
        ("damage on faerlina and patch", ("Grand Widow Faerlina", "Patchwerk"), ()),
        ("did KT die tonight", (), ("Kel'Thuzad",)),
        ("4h then?", (), ("The Four Horsemen",)),
        ("et les Quatre Cavaliers ?", (), ("The Four Horsemen",)),
        ("who died first", (), ()),
        ("how much damage did kel do", (), ()),
    ],
)
def test_bosses_are_found_by_what_players_call_them(
    text: str, bosses: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    assert find_bosses(text, NIGHT) == (bosses, missing)


def test_a_boss_has_its_name_in_three_languages() -> None:
    assert {"patchwerk", "le recousu", "flickwerk"} <= phrases("Patchwerk")


@pytest.mark.parametrize(
    ("text", "focus", "fights"),
    [
        ("the second sapphiron try on normal", None, (3,)),
        ("last pull of the night", None, (7,)),
        ("second one?", 2, (3,)),
        ("and the one after?", 2, (3,)),
        ("the one before", 6, (4,)),
        ("two 20 second pulls", None, ()),
        ("der zweite Versuch bei Sapphiron am 5. März", None, (7,)),
    ],
)
def test_pulls_are_found_by_their_place(
    text: str, focus: int | None, fights: tuple[int, ...]
) -> None:
    assert resolve(text, NIGHT, focus).fights == fights


def test_the_first_night_is_a_day_of_the_boss_and_a_try_is_counted_among_its_own() -> None:
    assert resolve("we wiped on sapphiron the first night", NIGHT).pulls == (2, 3, 4)
    assert resolve("faerlina on the first night", NIGHT).day == "3/5"
    assert read("sapphiron heroic, try 1", WORLD).fights == (6,)


@pytest.mark.parametrize(
    "text", ["healing of me (Kel) and Lutoscs", "they say i did nothing... Kel. is it true?"]
)
def test_who_signs_is_the_writer(text: str) -> None:
    assert read(text, WORLD).myself == "Kel-Realm"


def test_what_is_not_one_pull_is_asked_back_with_what_there_is() -> None:
    plan = make_plan("who died on the first sapphiron try", WORLD, State())
    assert not plan.calls
    assert plan.asks[0].startswith("Which pull do you mean? There are Sapphiron (normal), pull 2 (")
    assert "Sapphiron (heroic), pull 6 (" in plan.asks[0]


def test_a_boss_that_is_not_there_is_said_and_looked_for_elsewhere() -> None:
    plan = make_plan("who died on KT", WORLD, State())
    assert not plan.calls
    assert "Kel'Thuzad is not in this log" in plan.asks[0]
    assert plan.asks[1].startswith("Kel'Thuzad is in Icecrown")


def test_an_unknown_name_is_asked_back() -> None:
    plan = make_plan("who died on Zorblax", WORLD, State())
    assert not plan.calls
    assert plan.asks[0].startswith("Zorblax is not in this log; its bosses are ")


@pytest.mark.parametrize("greets", ["Bonsoir.", "Howdy!"])
def test_a_greeting_names_nobody(greets: str) -> None:
    asked = (
        "On me reproche d'avoir laissé mourir Lutoscs trois ou quatre fois. C'est un chasseur, "
        "est-ce que ce sont de vraies morts ou est-ce qu'il feint ?"
    )
    told = make_plan(f"{greets} {asked}", WORLD, State())
    assert told.calls
    assert not any(greets[:5].casefold() in one for one in told.asks)


def test_premises_are_checked_and_a_reset_is_no_wipe() -> None:
    killed = make_plan("why did we wipe on patchwerk", WORLD, State())
    assert killed.asks == ("Patchwerk was no wipe: Patchwerk (normal), pull 1 (kill, 1:40), 3/1.",)
    assert killed.fights == (1,)
    last = make_plan("why did we wipe on sapphiron heroic", WORLD, State())
    assert last.fights == (6,)
    assert not last.asks


def test_a_weekday_without_a_year_is_the_only_day_of_such_pulls() -> None:
    for text in ("wipes on sapph heroic on monday?", "lundi en HM sur Sapphiron, combien de wipes"):
        subject = resolve(text, NIGHT)
        assert (subject.pulls, subject.day) == ((6, 7), "3/5")
        assert "3/5" in make_plan(text, WORLD, State()).asks[0]
    assert resolve("wipes on sapph on monday?", NIGHT).lacking == "day"


def test_pulls_that_are_counted_and_people_who_are_lost_are_no_pulls() -> None:
    assert not read("we did pull 2 times on sapph, why", WORLD).fights
    assert not read("on a pull 2 fois et ça s'arrête", WORLD).fights
    assert read("deaths on pull 2", WORLD).fights == (2,)
    assert read("we lost Lutoscs on sapph, what happened", WORLD).kind == ""
    assert read("we lost on sapph, what happened", WORLD).kind == "wipe"


def test_the_writer_is_meant_where_the_question_says_so() -> None:
    assert not read("My son plays too. When did we use Heroism on sapph?", WORLD).me
    assert read("Bad night. When did I use my Heroism on sapph?", WORLD).me


def test_last_night_of_several_is_said() -> None:
    plan = make_plan("how did yesterday go", WORLD, State())
    assert plan.asks == ("This log has several nights; taken is the last one, 3/5.",)
    assert plan.question.subject.pulls == (5, 6, 7)


def _pull(fight: int, clock: str, difficulty: str) -> PullSummary:
    told = {"fight": fight, "name": "Sapphiron", "kill": False, "ended": "wipe", "seconds": 90}
    return PullSummary.model_validate(
        told | {"clock": clock, "difficulty": difficulty, "day": "3/5"}
    )


LATE = NIGHT.model_copy(
    update={
        "pulls": (
            _pull(1, "20:00:00", "+5"),
            _pull(2, "20:30:00", "heroic"),
            _pull(3, "23:50:00", "LFR"),
            _pull(4, "00:10:00", "LFR"),
        )
    }
)


@pytest.mark.parametrize(
    ("text", "fights"),
    [
        ("qui meurt le plus en HM le 5 mars", (2,)),
        ("who dies most in heroic on the 5th of march", (2,)),
        ("how many tries past midnight", (3, 4)),
        ("combien d'essais après minuit en lfr", (3, 4)),
        ("how many goes from 11:45 pm", (3, 4)),
        ("pull 4 am i right", (1, 2, 3, 4)),
        ("on l'a tombé au final", (1, 2, 3, 4)),
    ],
)
def test_difficulty_and_hour_narrow_and_a_date_is_no_keystone(
    text: str, fights: tuple[int, ...]
) -> None:
    subject = resolve(text, LATE)
    assert (subject.pulls, subject.fights) == (fights, ())
    assert not cut_part(text)[0]


def _keystone(fight: int, boss: str, dungeon: str, level: str) -> PullSummary:
    told = _pull(fight, f"20:{fight}0:00", level).model_dump()
    return PullSummary.model_validate(told | {"name": boss, "instance": dungeon})


KEYS = NIGHT.model_copy(
    update={
        "pulls": (
            _keystone(1, "Warlord Parjesh", "Eye of Azshara", "+7"),
            _keystone(2, "Wrath of Azshara", "Eye of Azshara", "+7"),
            _keystone(3, "Helya", "Maw of Souls", "+12"),
        )
    }
)


@pytest.mark.parametrize(
    ("text", "fights"),
    [
        ("did we time eye of azshara", (1, 2)),
        ("how many died in the eye of azhsara +7", (1, 2)),
        ("our mythic+ run of maw of souls, how long", (3,)),
        ("morts dans maw of souls en mythique +", (3,)),
        ("wrath of azshara, who died", (2,)),
    ],
)
def test_a_dungeon_is_no_boss_of_a_like_name(text: str, fights: tuple[int, ...]) -> None:
    subject = resolve(text, KEYS)
    assert (subject.pulls, subject.missing) == (fights, ())


def test_a_word_without_end_is_read_in_proportion() -> None:
    assert growth(lambda text: resolve(text, NIGHT), "x", 20_000) < 3 * TIMES
