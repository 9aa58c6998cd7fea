"""What a deed uses up is gone, what a roll counts is said, what a bargain binds is kept."""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit, Table
from tests.agents.saga.test_as_said import acts, beats_of, over_seeds, played
from tests.agents.saga.test_improvising import kinds, read
from tests.agents.saga.test_named import by
from tests.agents.saga.test_spending import with_things
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.domain import (
    archetypes,
    combat_acts,
    demands,
    improvising,
    melee,
    spoils,
    surroundings,
)
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.dice import EDGE, chance
from ruleplay.agents.saga.domain.fight import HERO, Status
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.journey import deed
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.story import Mark
from ruleplay.agents.saga.nodes import standing
from ruleplay.agents.saga.policy.answers import told_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.records.turns import Turn
from ruleplay.story.acts import Act, Reading
from ruleplay.story.texts import Lang

SEEDS = range(30)
MEND = {"do": "pick", "item": "deed:mend-ferry", "with": "rope", "text": "I splice my coil in"}
FEAR = "captain-fear"


def promises(game: Game) -> list[tuple[str, str]]:
    return [(one.about, one.text) for one in game.story.canon if one.kind == "promise"]


def rolls(play: Play) -> list[h.SkillChecked | h.Attempted | h.Demanded]:
    found = (h.SkillChecked, h.Attempted, h.Demanded)
    return [one for one in play.done if isinstance(one, found)]


# What is used up


@pytest.mark.parametrize("spent", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_what_a_deed_is_made_of_leaves_the_pack_once_it_succeeds(spent: bool, given: bool) -> None:
    game = with_things(hero_at("ford"), "rope")
    ties = {"do": "give", "item": "rope", "text": "it stays there"}
    outcomes = set()
    for play in over_seeds(game, acts({**MEND, "spent": spent}, *((ties,) if given else ()))):
        (roll,) = rolls(play)
        assert "InVain" not in kinds(play)
        assert roll.counted == ("item:rope",)
        assert play.game.sheet.count("rope") == (not roll.success and not given)
        outcomes.add(roll.success)
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("lang", "asked", "told"),
    [
        ("en", "How much rope have I got left?", "used up"),
        ("fr", "Il me reste combien de corde ?", "utilisé"),
    ],
)
def test_a_question_about_what_is_carried_knows_what_became_of_it(
    lang: Lang, asked: str, told: str
) -> None:
    play = Play(with_things(hero_at("ford", lang=lang, seed="3"), "rope"), lamp())
    for seed in SEEDS:
        play = Play(with_things(hero_at("ford", lang=lang, seed=str(seed)), "rope"), lamp())
        deed(play, Intent(act="deed", target="mend-ferry"))
        if not play.game.sheet.count("rope"):
            break
    answer = " ".join(told_of(asked, "sheet", play.game, lamp()))
    name = lamp().rules.items["rope"].name.of(lang)
    assert f"{name}, {lamp().scenario.places['ford'].name.of(lang)}" in answer
    assert told in answer
    known = prompts.read(asked, play.game, lamp(), None).user
    assert f"used up by the hero, who carries it no more: {name}" in known


async def moved(table: Table, script: dict[str, list[object]], *words: str) -> list[Turn]:
    async with table.session(script) as session:
        return [await session.turn(word) for word in words]


async def test_a_rope_that_is_spliced_in_is_carried_no_more(sit: Sit) -> None:
    ways = [{"do": "move", "to": "greenway"}, {"do": "pick", "item": "pay:ruffians"}]
    buys = {"do": "pick", "item": "buy:rope", "text": "a coil"}
    given = [acts(buys), *map(acts, ways), acts({"do": "move", "to": "ford"}), *[acts(MEND)] * 9]
    reads: list[object] = [one.model_dump_json(by_alias=True) for one in given]
    table = await sit(model="scripted", seed="1")
    script = {"saga.read": reads, "saga.narrator": ["Rain."] * 20}
    words = ("begin", "a coil, please", "north", "I pay", "to the river", "I splice it in")
    turn = (await moved(table, script, *words))[-1]
    assert any(one["type"] == "SkillChecked" and one["success"] for one in turn.events)
    assert "the coil of rope is used up" in turn.reply
    assert "(advantage, coil of rope)" in turn.reply


PLEDGE = {
    "do": "say",
    "to": "maud",
    "approach": "bargain",
    "want": "give",
    "item": "lantern",
    "with": "healing-draught",
    "spent": True,
    "text": "Lend it me against this draught",
}


def test_what_is_left_as_a_pledge_is_had_back_with_the_ware() -> None:
    game, outcomes = hero_at("inn"), set()
    had = game.sheet.count("healing-draught")
    for seed in SEEDS:
        first = played(game.model_copy(update={"dice_seed": str(seed)}), acts(PLEDGE))
        (roll,) = rolls(first)
        outcomes.add(roll.success)
        assert roll.counted == ("offer",)
        assert first.game.sheet.count("lantern") == roll.success
        assert first.game.sheet.count("healing-draught") == had - roll.success
        assert first.game.sheet.coin == game.sheet.coin
        if roll.success:
            asks = {"do": "say", "to": "maud", "want": "give", "item": "healing-draught"}
            bare = played(first.game, acts({**asks, "text": "My bottle back, please"}))
            assert bare.game.sheet.count("healing-draught") < had
            back = {"do": "give", "to": "maud", "item": "lantern", "text": "Your lantern"}
            after = played(first.game, acts(back)).game
            assert after.sheet.count("healing-draught") == had
            assert not after.sheet.count("lantern")
            again = with_things(after, "lantern")
            assert played(again, acts(back)).game.sheet.count("healing-draught") == had
    assert outcomes == {True, False}


def test_who_would_not_go_without_a_ware_stays_where_it_is_refused() -> None:
    buys = {**PLEDGE, "with": "", "spent": False, "text": "On the house"}
    goes = {"do": "move", "to": "greenway", "with": "lantern", "text": "then out with it"}
    for play in over_seeds(hero_at("inn"), acts(buys, goes)):
        assert (play.game.place == "greenway") == bool(play.game.sheet.count("lantern"))


def test_what_is_to_be_got_can_be_named_by_what_follows() -> None:
    goes = {"do": "move", "to": "greenway", "with": "lantern", "text": "then out with it"}
    read_ = standing(acts(PLEDGE, goes), hero_at("inn"), lamp())
    assert read_["reading"]
    assert [one.do for one in read_["reading"].acts] == ["say", "move"]
    alone = standing(acts(goes), hero_at("inn"), lamp())["reading"]
    assert alone
    assert [one.do for one in alone.acts] == []


# What a roll counts


def parley(words: str, *known: str, **act: object) -> list[tuple[int, tuple[str, ...]]]:
    game = hero_at("tower-top", flags=("orcs-gone",)).model_copy(update={"secrets": known})
    asks = {"do": "say", "to": "foe1", "approach": "bargain", "want": "leave", "text": words}
    play = Play(game, lamp())
    improvising.enact(play, read(**{**asks, **act}))
    return [(one.difficulty, one.counted) for one in rolls(play)]


DARK = "The dark comes up the stair behind me, Captain"


def test_a_weakness_that_was_learned_counts_where_the_words_use_it() -> None:
    ((plain, nothing),) = parley(DARK)
    ((eased, counted),) = parley(DARK, FEAR)
    assert (nothing, counted) == ((), (f"secret:{FEAR}",))
    assert eased == plain - 15
    assert parley("Walk off, Captain", FEAR) == [(plain, ())]
    ((_, apt),) = parley("Walk off, Captain", FEAR, band="easy")
    assert apt == ("apt", f"secret:{FEAR}")


def test_the_ear_knows_what_the_hero_has_learned_and_no_more() -> None:
    secret = lamp().scenario.secrets[FEAR].text.en
    game = hero_at("tower-top")
    assert secret not in prompts.read(DARK, game, lamp(), None).user
    learned = game.model_copy(update={"secrets": (FEAR,)})
    assert f"The hero has learned: {secret}" in prompts.read(DARK, learned, lamp(), None).user


def test_who_plays_the_foes_knows_what_they_want_and_that_it_is_dark() -> None:
    start = Play(hero_at("tower-top"), lamp())
    spoils.trigger(start, "captain")
    start.add(h.MarkMade(mark=Mark(place="tower-top", what="dark")))
    asked = prompts.foes("I wait", start.game, lamp(), None).user
    wants = lamp().scenario.encounters["captain"].foes[0].wants
    assert wants
    assert wants.en in asked
    assert "For now: dark." in asked


@pytest.mark.parametrize("known", [(), (FEAR,)])
def test_the_same_offer_again_counts_for_nothing_and_what_is_known_still_does(
    known: tuple[str, ...],
) -> None:
    game = with_things(hero_at("tower-top"), "lantern").model_copy(update={"secrets": known})
    asks = {"do": "say", "to": "foe1", "approach": "bargain", "want": "leave", "item": "lantern"}
    twice = 0
    for first in over_seeds(game, acts({**asks, "text": DARK})):
        if "Refused" in kinds(first):
            again = played(first.game, acts({**asks, "text": DARK}))
            secrets = tuple(f"secret:{key}" for key in known)
            assert rolls(first)[0].counted == ("offer", *secrets)
            assert rolls(again)[0].counted == secrets
            twice += 1
    assert twice


def test_what_is_given_for_passage_changes_hands_before_they_leave() -> None:
    asks = {"do": "say", "to": "foe1", "approach": "bargain", "want": "leave", "item": "lantern"}
    game, gone = with_things(hero_at("tower-top"), "lantern"), 0
    for play in over_seeds(game, acts({**asks, "text": DARK})):
        if "ItemLost" in kinds(play):
            assert kinds(play).index("ItemLost") < kinds(play).index("SectionTold")
            gone += 1
    assert gone


@pytest.mark.parametrize(("lang", "says"), [("en", "you know: "), ("fr", "vous le savez : ")])
@pytest.mark.parametrize("known", [(), (FEAR,)])
def test_it_opens_a_roll_in_a_fight_and_its_line_says_so(
    lang: Lang, says: str, known: tuple[str, ...]
) -> None:
    game = hero_at("tower-top", lang=lang).model_copy(update={"secrets": known})
    start = Play(game, lamp())
    spoils.trigger(start, "captain")
    asks = {"do": "say", "to": "foe1", "approach": "bargain", "want": "yield"}
    words = {"en": "It is dark, Morlug", "fr": "Il fait noir, Morlug"}[lang]
    play = Play(start.game, lamp())
    demands.demand(play, Act.model_validate({**asks, "text": words}))
    (asked,) = rolls(play)
    line = "\n".join(one.line.text for one in beats_of(start.game, play))
    secret = lamp().scenario.secrets[FEAR].text.of(lang).rstrip(".")
    assert (asked.roll is not None) == bool(known)
    assert (f"{says}{secret}" in line) == bool(known)


def test_apt_words_open_a_roll_but_not_where_nobody_gives_in() -> None:
    for key, opens in (("captain", True), ("wight", False)):
        start = Play(hero_at("tower-top"), lamp())
        spoils.trigger(start, key)
        asks = {"do": "say", "to": "foe1", "approach": "bargain", "want": "yield", "band": "easy"}
        play = Play(start.game, lamp())
        demands.demand(play, Act.model_validate({**asks, "text": "What you need is here"}))
        (asked,) = rolls(play)
        assert (asked.roll is not None) == opens


@pytest.mark.parametrize(
    ("lang", "up", "says"),
    [
        ("en", True, "(advantage)"),
        ("fr", True, "(avantage)"),
        ("en", False, "(disadvantage)"),
        ("fr", False, "(désavantage)"),
    ],
)
def test_a_promised_advantage_shows_in_the_roll_it_is_for(lang: Lang, up: bool, says: str) -> None:
    game = hero_at("inn", lang=lang)
    edged = game.apply(h.EdgeGained(who=HERO, up=up))
    tries = read(do="check", skill="perception", text="I count the mugs")
    assert says in by(played(edged, tries), edged)
    assert says not in by(played(game, tries), game)


def test_the_dice_of_a_check_have_its_chance() -> None:
    game = hero_at("inn").apply(h.EdgeGained(who=HERO, up=True))
    play = played(game, read(do="check", skill="perception", text="I count the mugs"))
    (roll,) = rolls(play)
    assert roll.roll
    assert roll.roll.edge == EDGE
    odds = chance(roll.roll.modifier + EDGE, roll.difficulty)
    dice = [item.dice for one in beats_of(game, play) for item in one.line.items if item.dice]
    assert [one.endswith(f"{odds}%") for one in dice] == [True]
    assert (chance(0, 1), chance(0, 50), chance(0, 150)) == (95, 51, 6)


# What a bargain binds


TERMS = "Maud strikes both lines if Halla brings the two down alive"
BINDS = {
    "do": "say",
    "to": "maud",
    "approach": "bargain",
    "want": "help",
    "text": "You strike their lines. Deal?",
    "success": [{"kind": "detail", "who": "maud", "text": TERMS}],
}


def test_the_other_sides_half_is_a_promise_once_they_agree() -> None:
    outcomes = set()
    for play in over_seeds(hero_at("inn"), acts(BINDS)):
        (roll,) = rolls(play)
        assert promises(play.game) == [("maud", TERMS)] * roll.success
        outcomes.add(roll.success)
    assert outcomes == {True, False}
    said = played(hero_at("inn"), acts({**BINDS, "approach": "plain", "want": ""}))
    assert promises(said.game) == []


@pytest.mark.parametrize(("lang", "says"), [("en", "promised: "), ("fr", "promis : ")])
def test_what_a_person_promises_is_printed(lang: Lang, says: str) -> None:
    waits = "Halvard waits with the boat until dawn"
    asks = {"do": "say", "to": "halvard", "want": "help", "text": "Wait for me till dawn"}
    effects = [{"kind": "detail", "who": "halvard", "text": waits}]
    kept = 0
    for play in over_seeds(hero_at("ford", lang=lang), acts({**asks, "success": effects})):
        told = by(play, hero_at("ford", lang=lang))
        assert (f"{says}{waits}" in told) == bool(promises(play.game))
        kept += bool(promises(play.game))
    assert kept


CARTER = "inn-folk"


def test_a_deal_with_somebody_without_a_name_is_taken_over_by_nobody_who_sells() -> None:
    asks = {"do": "say", "to": CARTER, "approach": "bargain", "want": "give", "coin": 5}
    game = hero_at("inn")
    play = played(game, acts({**asks, "item": "rope", "text": "A rope off your cart, for five"}))
    assert kinds(play) == ["Spoke", "Refused"]
    assert "The young carter has nothing of the kind" in by(play, game)
    assert play.game.sheet.coin == game.sheet.coin
    for won in over_seeds(
        game, acts({**asks, "coin": 0, "item": "", "text": "Two coins, friend?"})
    ):
        (roll,) = rolls(won)
        assert isinstance(roll, h.Attempted)
        assert roll.against == CARTER
        assert won.game.sheet.coin <= game.sheet.coin + 2


@pytest.mark.parametrize("item", ["buy:ale", "ale"])
def test_somebody_without_a_name_is_stood_a_drink_hired_and_asked_along(item: str) -> None:
    game = hero_at("inn")
    ale = {"do": "pick", "item": "buy:ale", "to": CARTER, "text": "one for him"}
    assert "InVain" not in kinds(played(game, acts(ale)))
    came = 0
    for do in ({"do": "follow"}, {"do": "say", "want": "join", "approach": "bargain", "coin": 4}):
        for play in over_seeds(game, acts({**do, "to": CARTER, "text": "Come to the river"})):
            came += play.game.story.company == (CARTER,)
            assert "InVain" not in kinds(play)
    assert came


def test_a_ware_asked_of_everybody_is_sold_by_who_sells_it_at_a_price() -> None:
    asks = {"do": "say", "to": "all", "approach": "bargain", "want": "give", "coin": 2}
    for play in over_seeds(hero_at("inn"), acts({**asks, "item": "lantern", "text": "A lantern?"})):
        (roll,) = rolls(play)
        bought = play.game.sheet.count("lantern") == 1
        named = any(isinstance(o, h.Consulted) and o.topic == "price" for o in play.done)
        assert bought == roll.success
        assert bought or named


# What is plainly done, seen or asked is that


@pytest.mark.parametrize(("lang", "says"), [("en", "takes cover"), ("fr", "se met à couvert")])
def test_cover_that_is_taken_is_taken_and_not_held_ready(lang: Lang, says: str) -> None:
    game = hero_at("tower-foot", lang=lang)
    dives = {"do": "move", "to": "cover", "text": "throws herself behind the nearest block"}
    play = played(game, acts(dives))
    told = by(play, game)
    assert says in told
    assert not {"ready", "prêt"} & {*told.split()}
    prompt = prompts.read("I listen", play.game, lamp(), None).user
    assert "Halla: cover" in prompt
    assert "stands ready" not in prompt
    start = Play(play.game, lamp())
    spoils.trigger(start, "orcs")
    melee.spring(start)
    assert any(isinstance(o, h.ActionTaken) and o.action == "cover" for o in start.done)


def test_a_gesture_that_waited_for_an_answer_is_over_once_something_is_done() -> None:
    waits = {"do": "flourish", "when": "trigger", "text": "wades out if an arrow will not carry it"}
    game = played(hero_at("ford"), acts(waits)).game
    assert game.story.readied
    talks = played(game, acts({"do": "say", "to": "halvard", "text": "Well?"})).game
    assert talks.story.readied
    play = played(game, acts({"do": "pick", "item": "deed:mend-ferry"}))
    assert not play.game.story.readied
    assert script_of(game, [event_of(one) for one in play.done], lamp()).closing == []


def test_how_somebody_looks_is_seen_in_a_fight_and_not_reckoned() -> None:
    looks = {"do": "ask", "to": "scene", "text": "How does Grashlug look?"}
    cuts = {"do": "rule", "item": "attack", "to": "foe1", "text": "I cut"}
    for game in (fight_with("orcs"), hero_at("tower-foot")):
        for given, do in ((acts(cuts, looks), "flourish"), (acts(looks), "ask")):
            read_ = standing(given, game, lamp())["reading"]
            assert read_
            assert [one.do for one in read_.acts if one.text == looks["text"]] == [do]
    still = standing(acts(looks), hero_at("inn"), lamp())["reading"]
    assert still
    assert still.acts[0].do == "ask"


# What is won is told


REEDS = {
    "do": "say",
    "to": "halvard",
    "approach": "press",
    "want": "know",
    "text": "What is it in the reeds you keep looking at?",
}


def test_a_won_question_brings_what_was_asked_for() -> None:
    outcomes = set()
    for play in over_seeds(hero_at("ford"), acts(REEDS)):
        roll = rolls(play)[0]
        told = [o.key for o in play.done if isinstance(o, h.SectionTold)]
        assert told == ["halvard-reeds"] * roll.success
        outcomes.add(roll.success)
    assert outcomes == {True, False}
    other = played(hero_at("ford"), acts({**REEDS, "text": "What do you keep from me?"}))
    assert "SectionTold" not in kinds(other)


def test_the_reeds_hold_what_the_ferryman_looks_at() -> None:
    search = Reading(acts=(Act(do="pick", item="search", text="I poke about in the reeds"),))
    found = [
        any(isinstance(o, h.SectionTold) and o.key == "reed-seat" for o in play.done)
        for play in over_seeds(hero_at("ford"), search)
    ]
    assert {*found} == {True, False}


# Who has just been saved


def test_who_has_just_been_saved_is_not_gone_for_before_those_who_stand() -> None:
    game = fight_with("orcs")
    assert game.fight
    sick = game.fight.with_("ally1", hp=2, statuses=(Status(kind="prone", rounds=1),))
    foe = sick.the("foe1")
    assert archetypes.chosen(foe, sick.foes_of("foe1")).id == HERO
    alone = tuple(one for one in sick.foes_of("foe1") if one.id != HERO)
    assert archetypes.chosen(foe, alone).id == "ally1"
    up = sick.with_("ally1", statuses=())
    assert archetypes.chosen(foe, up.foes_of("foe1")).id == "ally1"


def test_who_is_given_a_draught_where_they_lie_gets_up_in_their_own_turn() -> None:
    game = with_things(fight_with("orcs"), "healing-draught")
    assert game.fight
    down = game.model_copy(update={"fight": game.fight.with_("ally1", hp=0)})
    play = Play(down, lamp())
    combat_acts.use(play, "healing-draught", "ally1")
    saved = play.fight.the("ally1")
    assert saved.present
    assert saved.has("prone")
    play = Play(game, lamp())
    combat_acts.use(play, "healing-draught", "ally1")
    assert not play.fight.the("ally1").has("prone")


def test_who_has_left_is_passed_no_more() -> None:
    flags = ("encounter:ruffians:avoided", "fled:ruffians:foe1")
    assert [*surroundings.passed(hero_at("greenway", flags=flags), lamp())] == ["foe2"]
