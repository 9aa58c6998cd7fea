"""Nothing said is lost: every act of a reading reaches the telling, or is named as still open."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_improvising import kinds, played, read
from tests.agents.saga.worlds import enacted, fight_with, hero_at, lamp
from tests.samples import sample

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import blows, improvising, setting, spoils, surroundings
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.nodes import lead_of
from ruleplay.agents.saga.policy.answers import told_of as facts_named
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.recap import recap
from ruleplay.agents.saga.state import event_of
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.turns import Turn
from ruleplay.story.acts import Act, Reading, problems
from ruleplay.story.beats import listed
from ruleplay.story.wording import in_own_words

DEBT = open_book("grey-debt")
WORDY = ("say", "flourish", "ask", "whisper", "vain", "check", "give")
"""Acts whose words have to come back; of the others something has to have happened."""


def debt_at(place: str, *flags: str, **changes: object) -> Game:
    seen = tuple(dict.fromkeys(("quay", "landing", "eaves", "glade", "bridge", "hall", place)))
    base = hero_at("inn").model_copy(update={"place": place, "visited": seen, "flags": flags})
    return base.model_copy(update=changes)


def done_by(game: Game, reading: Reading, words: str = "", book: object = DEBT) -> Play:
    play = Play(game, book, 1, words)  # type: ignore[arg-type]
    if left := enacted(play, reading):
        play.add(h.LeftUndone(what=improvising.texts(play, left), why="far"))
    return play


def told_of(game: Game, play: Play) -> str:
    """Return all that a telling is given of a turn, and what is said to be open."""
    script = script_of(game, [event_of(one) for one in play.done], play.book)
    beats = script.beats()
    asked = play.game.story.asked
    later = " ".join(act.text for act in asked.acts) if asked else ""
    written = " ".join(beat.passage + beat.line.text for beat in beats)
    return f"{listed(beats[lead_of(beats) :])} {written} {' '.join(script.closing)} {later}"


def random_acts(rng: Random, where: str) -> list[Act]:
    """Return acts that name what is there, or not, each with a word of its own."""
    people = {"inn": ["maud", "all"], "greenway": ["foe1", "foe2", "all"], "fight": ["foe1", "all"]}
    shapes = [
        {"do": "say", "to": rng.choice(people[where]), "approach": rng.choice(["plain", "charm"])},
        {"do": "say", "to": rng.choice(people[where]), "want": rng.choice(["know", "leave"])},
        {"do": "say", "to": "all", "approach": "threaten", "want": "yield"},
        {"do": "flourish"},
        {"do": "ask", "to": rng.choice(["sheet", "rules", "memory", "scene", "help"])},
        {"do": "whisper", "to": "dm"},
        {"do": "vain", "vain": "not_here"},
        {"do": "check", "skill": "athletics", "band": rng.choice(["sure", "easy", "hard"])},
        {"do": "give", "to": rng.choice(people[where]), "item": "arrow"},
        {"do": "use", "item": "healing-draught"},
        {"do": "move", "to": rng.choice(["greenway", "inn", "cover", "nowhere"])},
        {"do": "rule", "item": rng.choice(["attack", "equip", "search"]), "to": people[where][0]},
        {"do": "wait"},
    ]
    return [
        Act.model_validate({**rng.choice(shapes), "text": f"word{n} {rng.randint(0, 9)}zq{n}"})
        for n in range(rng.randint(1, 5))
    ]


@pytest.mark.parametrize("where", ["inn", "greenway", "fight"])
def test_every_act_reaches_the_telling_or_is_named(where: str) -> None:
    for seed in range(sample(60, 250)):
        rng = Random(f"{where}{seed}")
        start = fight_with("ruffians", seed=str(seed)) if where == "fight" else hero_at(where)
        start = start.model_copy(update={"dice_seed": str(seed)})
        acts = random_acts(rng, where)
        play = done_by(start, Reading(acts=tuple(acts)), book=lamp())
        told = told_of(start, play)
        deeds = [one for one in play.done if not isinstance(one, h.Counted | h.LeftUndone)]
        for act in acts:
            named = act.text in told
            assert named or (act.do not in WORDY and deeds), (seed, act, acts, kinds(play), told)


def test_a_question_behind_a_search_that_finds_nothing_is_answered() -> None:
    """The third act of the message was a question, and nobody answered it."""
    acts = [{"do": "pick", "item": "search", "text": "behind the panels"}]
    acts.append({"do": "ask", "to": "sheet", "text": "how many arrows have I left?"})
    game = debt_at("hall", "mercy")
    play = done_by(game, Reading.model_validate({"acts": acts}))
    assert kinds(play) == ["Refused", "Consulted"]
    assert "how many arrows have I left?" in told_of(game, play)


def test_words_that_hang_on_a_blow_are_said_when_it_hits() -> None:
    shout = {"do": "say", "to": "foe2", "text": "Next!", "when": "if_success"}
    guard = {"do": "flourish", "text": "I take a step back", "when": "if_failure"}
    blow = {"do": "rule", "item": "attack", "to": "foe1", "text": "I strike"}
    seen = set()
    for seed in range(20):
        game = fight_with("ruffians", seed=str(seed))
        play = done_by(game, Reading.model_validate({"acts": [blow, shout, guard]}), book=lamp())
        mine = [one for one in play.done if isinstance(one, h.Attacked) and one.attacker == "hero"]
        if mine:
            said = any(isinstance(one, h.Spoke) for one in play.done)
            stepped = any(isinstance(one, h.Flourished) for one in play.done)
            assert (said, stepped) == (mine[0].hit, not mine[0].hit)
            seen.add(said)
    assert seen == {True, False}


def test_who_is_free_to_go_goes_when_told_to() -> None:
    bye = read(do="say", to="nell-beaten", want="leave", text="Off you trot, Nell.")
    nell = debt_at("glade", "won:thieves", "yielded:thieves:foe2")
    play = done_by(nell, bye)
    assert kinds(play) == ["Spoke", "FlagSet", "Parted"]
    assert "nell-beaten" not in improvising.around.persons(play.game, DEBT)
    stays = done_by(debt_at("quay"), read(do="say", to="dwalma", want="leave", text="Shoo."))
    assert kinds(stays) == ["Spoke"]


def test_what_is_left_is_told_in_the_players_words() -> None:
    message = (
        'I walk back over the bridge, stop by Ruvin and tell him "the man is drowned, you can '
        'sleep now", and then take the boat down to Dwalma.'
    )
    account = "stops by Ruvin and tells him: the man is drowned, you can sleep; then takes the boat"
    assert in_own_words(message, account) == (
        'stop by Ruvin and tell him "the man is drowned, you can sleep now", '
        "and then take the boat down to Dwalma."
    )
    assert in_own_words(message, "rings the great bell") == "rings the great bell"


def test_a_known_place_is_walked_to_leg_by_leg() -> None:
    flags = ("encounter:troll:avoided", "won:thieves")
    play = done_by(debt_at("hall", *flags), read(do="move", to="quay", text="home"))
    there = [one.place for one in play.done if isinstance(one, h.Travelled)]
    assert there == ["bridge", "landing", "quay"]
    barred = done_by(debt_at("quay", "won:thieves"), read(do="move", to="hall", text="up"))
    assert barred.game.place == "bridge"
    assert "Refused" in kinds(barred)


def types(turn: Turn) -> list[object]:
    return [event["type"] for event in turn.events]


def reading(*acts: dict[str, object], **more: object) -> str:
    return json.dumps({"acts": acts, **more})


async def test_who_is_beyond_those_in_the_way_is_not_reached(sit: Sit) -> None:
    table = await sit(model="scripted")
    first = reading(
        {"do": "move", "to": "greenway", "text": "to the ford"},
        {"do": "move", "to": "the-ford", "text": "the ferryman at the ford"},
        {"do": "say", "to": "the-ferryman", "text": "Good day!"},
    )
    second = reading({"do": "vain", "vain": "not_here", "to": "foe1", "text": "the ferryman"})
    script: dict[str, list[object]] = {"saga.read": [first, second], "saga.narrator": [""] * 2}
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I talk to the ferryman at the ford")
    assert "not reached: Tam Thistle stands in the way" in turn.reply


async def test_a_message_is_followed_over_three_legs(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="grey-debt")
    first = reading(
        {"do": "move", "to": "landing", "text": "up to the landing"},
        {"do": "say", "to": "ruvin", "text": "greets whoever is there"},
        {"do": "move", "to": "nowhere-yet", "text": "and back down to the quay"},
        {"do": "say", "to": "dwalma", "text": "and tells Dwalma that it rains"},
    )
    second = reading(
        {"do": "say", "to": "ruvin", "text": "Good evening, Ruvin"},
        {"do": "move", "to": "quay", "text": "back down to the quay"},
        {"do": "say", "to": "dwalma", "text": "it rains"},
    )
    third = reading({"do": "say", "to": "dwalma", "text": "It rains, Dwalma"})
    script: dict[str, list[object]] = {
        "saga.read": [first, second, third],
        "saga.narrator": ["Gulls.", "You greet Ruvin, and the rain is with you all the way."],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("to the landing, greet Ruvin, back, tell Dwalma it rains")
        model = session.host.models.stand_ins["scripted"]
    assert [e["place"] for e in turn.events if e["type"] == "Travelled"] == ["landing", "quay"]
    assert [e["to"] for e in turn.events if e["type"] == "Spoke"] == ["ruvin", "dwalma"]
    assert "LeftUndone" not in types(turn)
    assert isinstance(model, ScriptedModel)
    assert not any(call.refusals for call in turn.calls if call.role == "saga.read")


async def test_what_stands_of_a_reading_that_is_refused_twice_is_done(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="grey-debt")
    mixed = reading(
        {"do": "use", "text": "leaves the bow for the gulls"},
        {"do": "say", "to": "dwalma", "text": "I am off"},
        {"do": "move", "to": "landing", "text": "up to the landing"},
    )
    script: dict[str, list[object]] = {
        "saga.read": [mixed, mixed],
        "saga.narrator": ["Gulls.", "You tell Dwalma that you are off, and go."],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I leaves the bow for the gulls, say I am off, up to the landing")
    assert [e["to"] for e in turn.events if e["type"] == "Spoke"] == ["dwalma"]
    assert [e["place"] for e in turn.events if e["type"] == "Travelled"] == ["landing"]
    assert "leaves the bow for the gulls" in turn.reply


PACK = [{"do": "ask", "to": "sheet", "text": "what is in my pack?"}]


async def test_a_question_is_answered_by_the_model_from_facts_and_once(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="grey-debt")
    answer = "You carry a hunting bow and 20 arrows, and your purse holds 15 coins. [b2]"
    bow = "You hum. [b1]"
    script: dict[str, list[object]] = {
        "saga.read": [reading({"do": "flourish", "text": "I hum"}, *PACK)] * 2,
        "saga.narrator": ["Gulls.", f"{bow}\n\n{answer}", f"{bow}\n\nYou have 99 coins. [b2]"],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        first = await session.turn("I hum. (what is in my pack?)")
        second = await session.turn("I hum again. (what is in my pack?)")
        model = session.host.models.stand_ins["scripted"]
    assert isinstance(model, ScriptedModel)
    prompt = str(model.seen[-1].messages[-1].content)
    assert "what is in my pack?" in prompt
    assert "Coins: 15." in prompt
    carried = "You carry:"
    shown = answer.removesuffix(" [b2]") in first.reply
    assert shown == (carried not in first.reply)
    assert second.reply.count(carried) == 1
    assert "99" not in second.reply


@pytest.mark.parametrize(
    ("to", "wanted"),
    [
        ("sheet", ["You carry:", "arrow ×"]),
        ("rules", ["1d100", "Your chances in percent"]),
        ("memory", ["What it is about", "A barge of silver"]),
        ("help", ["quotation marks", "search the place"]),
    ],
)
def test_without_a_model_the_block_is_complete(to: str, wanted: list[str]) -> None:
    game = debt_at("quay")
    script = script_of(
        game,
        [event_of(one) for one in done_by(game, read(do="ask", to=to, text="tell me")).done],
        DEBT,
    )
    block = script.beats()[0].passage
    assert [one for one in wanted if one not in block] == []


def test_the_recap_tells_goal_findings_people_and_promises_in_sentences() -> None:
    promise = {"kind": "promise", "text": "Halla promises Dwalma a jar of honey", "about": "dwalma"}
    reading_ = Reading.model_validate(
        {"acts": [{"do": "flourish", "text": "x"}], "details": [promise]}
    )
    flags = ("clue:rope-end:text", "talk:ruvin-night:text", "encounter:troll:avoided")
    game = debt_at("landing", *flags, secrets=("lanterns",))
    play = done_by(game, reading_)
    text = recap(play.game, DEBT)
    for one in (
        "A barge of silver never reached the Long Lake",
        "Lanterns were seen in the forest",
        "Behind the barrels lies a rope's end",
        "Ruvin is neither for nor against you",
        "you got past Bolg the Toll without a fight",
        "Halla promises Dwalma a jar of honey",
    ):
        assert one in text
    assert not {"→", "+ "} & {*text}
    assert "ask Ruvin about that night" not in text
    french = recap(play.game.model_copy(update={"lang": "fr"}), DEBT)
    assert "On a vu des lanternes" in french
    assert "Ce qui a été promis" in french


def test_a_greeting_answers_nobody_who_lies_or_asks_something_else() -> None:
    game = debt_at("hall")
    lie = {"do": "say", "to": "bargemaster", "approach": "deceive", "want": "know"}
    for seed in range(20):
        seeded = game.model_copy(update={"dice_seed": str(seed)})
        named = done_by(seeded, read(**lie, topic="orlo-hello", text="I buy silver."))
        assert "Attempted" in kinds(named)
        assert "SectionTold" not in kinds(named)
        paid = read(do="say", to="ruvin", approach="bargain", want="know", coin=3, text="Who?")
        bribed = done_by(debt_at("landing").model_copy(update={"dice_seed": str(seed)}), paid)
        assert "SectionTold" not in kinds(bribed)
    plain = done_by(game, read(do="say", to="bargemaster", topic="orlo-hello", text="Hello."))
    assert "SectionTold" in kinds(plain)


def test_how_words_are_taken_is_said() -> None:
    game = debt_at("hall")
    lie = read(do="say", to="bargemaster", approach="deceive", want="know", text="I buy silver.")
    seen = set()
    for seed in range(20):
        seeded = game.model_copy(update={"dice_seed": str(seed)})
        play = done_by(seeded, lie)
        roll = next(one for one in play.done if isinstance(one, h.Attempted))
        told = told_of(seeded, play)
        assert ("the host believes it" in told) == roll.success
        assert ("does not believe it" in told) == (not roll.success)
        seen.add(roll.success)
    assert seen == {True, False}


def test_small_talk_out_of_kindness_is_free() -> None:
    asks = read(do="say", to="dwalma", approach="charm", want="know", text="Have you family?")
    assert kinds(done_by(debt_at("quay"), asks)) == ["Spoke"]


def test_a_won_haggle_buys_for_less_and_never_for_under_half() -> None:
    prices = set()
    for seed in range(40):
        for coin in (0, 1, 2):
            game = debt_at("quay").model_copy(update={"dice_seed": str(seed)})
            offer = read(
                do="say", to="dwalma", approach="bargain", want="give", item="lantern", coin=coin
            )
            acts = [one.model_copy(update={"text": "for less?"}) for one in offer.acts]
            play = done_by(game, Reading(acts=tuple(acts)))
            roll = next(one for one in play.done if isinstance(one, h.Attempted))
            paid = [-one.amount for one in play.done if isinstance(one, h.CoinChanged)]
            told = [one.other for one in play.done if isinstance(one, h.Refused)]
            assert (
                bool(paid) == bool(play.game.sheet.count("lantern")) == (roll.success and coin > 0)
            )
            assert bool(told) == (roll.success and not coin)  # a price is named, and nothing paid
            prices |= {*paid, *map(int, told)}
    assert prices == {2}


def test_a_price_that_was_talked_down_is_what_is_paid() -> None:
    game = debt_at("quay")
    kept = {"ledger": game.story.ledger.plus("price:dwalma:lantern")}
    lowered = game.model_copy(update={"story": game.story.model_copy(update=kept)})
    for now, price in ((game, 3), (lowered, 2)):
        play = done_by(now, read(do="pick", item="buy:lantern", text="I take it"))
        assert [-one.amount for one in play.done if isinstance(one, h.CoinChanged)] == [price]


def test_a_companion_keeps_back_hears_and_helps_once_a_fight() -> None:
    start = debt_at("eaves")
    story = start.story.model_copy(update={"company": ("ruvin",)})
    play = Play(start.model_copy(update={"story": story}), DEBT)
    spoils.trigger(play, "spiders")
    game = play.game
    assert "ruvin" in setting.roster(game, DEBT).beings
    call = read(do="say", to="ruvin", want="help", text="Throw something!")
    first = done_by(game, call)
    assert kinds(first) == ["Spoke", "Counted", "Helped", "EdgeGained", "Counted"]
    assert "Helped" not in kinds(done_by(first.game, call))
    for act in ({"do": "move", "to": "ruvin"}, {"do": "rule", "item": "attack", "to": "ruvin"}):
        after = done_by(game, read(**act, text="x"))
        assert not {"Fled", "Died"} & {*kinds(after)}


def test_a_keepsake_is_given_and_named_shortly() -> None:
    honey = {"kind": "keepsake", "who": "hero", "text": "a comb of honey in a flask, for Dwalma"}
    for band in ("sure", "easy"):
        game = debt_at("quay")
        play = done_by(game, read(do="check", skill="survival", band=band, success=[honey]))
        roll = next(one for one in play.done if isinstance(one, h.Attempted))
        assert roll.roll is None
        assert "keepsake: a comb of honey in a flask" in told_of(game, play)
    guarded = done_by(
        hero_at("greenway"),
        read(do="check", skill="survival", band="easy", success=[honey]),
        "",
        lamp(),
    )
    assert next(one for one in guarded.done if isinstance(one, h.Attempted)).roll


def test_a_harder_number_says_why() -> None:
    edge = {"kind": "edge", "who": "hero", "what": "up"}
    climb = {
        "do": "check",
        "skill": "athletics",
        "band": "easy",
        "success": [edge],
        "text": "climb",
    }
    game = debt_at("quay")
    play = done_by(game, Reading.model_validate({"acts": [climb, climb]}))
    whys = [one.why for one in play.done if isinstance(one, h.Attempted)]
    assert whys == ["", "again"]
    assert "(second try)" in told_of(game, play)


def test_promises_and_details_with_a_name_are_kept_and_worth_nothing() -> None:
    details = [
        {"kind": "promise", "text": "Halla promises Dwalma three coins and the truth"},
        {"text": "Halla's uncle Fosco was a boatman"},
    ]
    body = {"acts": [{"do": "flourish", "text": "I bow"}], "details": details}
    play = played(hero_at("inn"), Reading.model_validate(body))
    assert [one.kind for one in play.game.story.canon] == ["detail", "promise"]
    assert play.game.sheet == hero_at("inn").sheet


def test_who_runs_has_a_line_of_their_own() -> None:
    """A miss and somebody else's flight read as if the one who missed had fled."""
    game = fight_with("ruffians", seed="3")
    play = Play(game, lamp())
    blows.strike(play, "foe1", "hero")
    play.add(h.Fled(who="foe2"))
    beats = script_of(game, [event_of(one) for one in play.done], lamp()).beats()
    last = beats[-1]
    assert (last.kind, last.who) == ("flight", "foe2")
    assert last.line.text == f"{game.fight.the('foe2').name.en}: flees"  # type: ignore[union-attr]


def test_with_foes_in_the_way_words_are_not_for_who_comes_along() -> None:
    start = debt_at("eaves")
    game = start.model_copy(
        update={"story": start.story.model_copy(update={"company": ("ruvin",)})}
    )
    heard = parse('"Good evening, both of you. Orlo sends me: leave the barge and go."', game, DEBT)
    assert [act.to for act in heard.acts] == ["foe1"]


def test_who_was_talked_past_can_still_be_spoken_to() -> None:
    game = debt_at("bridge", "encounter:troll:avoided")
    call = read(do="say", to="foe1", text="Keep your feet dry!")
    assert problems(call, setting.roster(game, DEBT)) == []
    assert "Bolg the Toll" in told_of(game, done_by(game, call))
    assert "foe1" not in told_of(game, done_by(game, call))


def test_who_gave_up_can_still_be_spoken_to() -> None:
    game = debt_at("bridge", "won:troll", "yielded:troll:foe1")
    call = read(do="say", to="foe1", text="Keep your feet dry!")
    assert problems(call, setting.roster(game, DEBT)) == []
    assert problems(call, setting.roster(debt_at("bridge", "won:troll"), DEBT))


@pytest.mark.parametrize("must_fight", [False, True])
def test_who_flees_gets_where_they_ran_to_or_back_from_foes_who_must_be_fought(
    must_fight: bool,
) -> None:
    there = debt_at("eaves")
    unseen = tuple(place for place in there.visited if place != "glade")
    story = DEBT.scenario
    spiders = story.encounters["spiders"].model_copy(update={"sneak": None, "parley": None})
    strict = story.model_copy(update={"encounters": {**story.encounters, "spiders": spiders}})
    book = DEBT.model_copy(update={"scenario": strict}) if must_fight else DEBT
    play = Play(there.model_copy(update={"visited": unseen}), book)
    spoils.trigger(play, "spiders")
    run = read(do="move", to="glade", text="deeper into the wood")
    for seed in range(20):
        game = play.game.model_copy(update={"dice_seed": str(seed)})
        after = done_by(game, run, book=book)
        if after.game.fight is None and not after.game.dead:
            left = [one.why for one in after.done if isinstance(one, h.LeftUndone)]
            assert left == (["barred"] if must_fight else [])
            assert after.game.place == ("landing" if must_fight else "glade")
            return
    raise AssertionError("nobody got away")


def test_a_condition_before_a_fight_makes_the_next_roll_easier() -> None:
    wish = {"kind": "condition", "who": "dwalma", "what": "distracted"}
    act = {"do": "check", "skill": "persuasion", "to": "dwalma", "band": "easy", "success": [wish]}
    edges = 0
    for seed in range(12):
        play = done_by(debt_at("quay", dice_seed=str(seed)), read(**act, text="points at the sky"))
        edges += "EdgeGained" in kinds(play)
    assert edges


def test_who_has_left_is_said_to_have_left() -> None:
    game = debt_at("hall")
    events = [event_of(h.FlagSet(flag="mercy"))]
    told = listed(script_of(game, events, DEBT).beats())
    gone = "bargemaster" not in surroundings.persons(game.apply(h.FlagSet(flag="mercy")), DEBT)
    assert ("the host has left" in told) == gone
    assert gone


async def test_after_the_end_the_balance_and_what_to_do_are_told(sit: Sit) -> None:
    table = await sit()
    for said in ("begin", "talk to Maud", "I give up", "yes"):
        await table.say(said)
    turn = await table.say("What a tale! What did I miss?")
    assert "experience points" in turn.reply
    assert "start another story" in turn.reply


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I have never played this before, hello!", True),
        ("begin", False),
        ("Dwalma, what do you pay for such a thing?", False),
    ],
)
async def test_a_newcomer_hears_how_to_play(sit: Sit, said: str, told: bool) -> None:
    table = await sit(scenario="grey-debt")
    assert ("quotation marks" in (await table.say(said)).reply) == told


@pytest.mark.parametrize("to", ["ruvin", ""])
def test_who_is_looked_at_shows_nothing_that_lies_elsewhere(to: str) -> None:
    looks = {"do": "check", "skill": "perception", "band": "sure", "to": to, "text": "I watch"}
    found = {
        kind
        for seed in range(20)
        for kind in kinds(done_by(debt_at("landing", dice_seed=str(seed)), read(**looks)))
    }
    assert ("SectionTold" in found) == (not to)


def test_a_question_about_failing_is_answered_for_the_skill_it_names() -> None:
    asked = "what happens if my stealth fails?"
    told = "\n".join(facts_named(asked, "rules", hero_at("greenway"), lamp()))
    assert "has a fight on their hands" in told
    assert "survival" not in told


def test_a_draught_is_not_drunk_by_who_is_whole() -> None:
    drinks = read(do="use", item="healing-draught", text="I drink")
    play = done_by(fight_with("orcs"), drinks, "", lamp())
    assert [one.reason for one in play.done if isinstance(one, h.Refused)] == ["unhurt"]
    assert play.game.sheet.count("healing-draught") == 2


def test_the_dice_just_rolled_are_facts_of_a_question() -> None:
    game, asks = fight_with("ruffians"), h.Consulted(topic="rules", key="how did that work?")
    rolled = ("Halla → Rudge −9 (1d100 = 53 · 1d100 = 11)",)
    (beat,) = script_of(game, [event_of(asks)], lamp(), rolled=rolled).beats()
    assert any(rolled[0] in fact for fact in beat.facts)


async def test_a_question_with_choices_is_told_by_code_alone(sit: Sit) -> None:
    table = await sit(model="scripted")
    asks = json.dumps({"acts": [], "question": "Which one?", "choices": ["this one", "that one"]})
    script: dict[str, list[object]] = {"saga.read": [asks], "saga.narrator": ["The fire."] * 3}
    async with table.session(script) as session:
        turn = await session.turn("I take one of them")
    assert "Which one?" in turn.reply
    assert not any(call.replies for call in turn.calls if call.role == "saga.narrator")


def test_who_has_given_up_is_bound_without_a_roll() -> None:
    game = fight_with("ruffians")
    beaten = game.model_copy(
        update={"fight": game.fight and game.fight.with_("foe1", yielded=True)}
    )
    bind = {"kind": "condition", "who": "foe1", "what": "restrained"}
    tie = read(do="check", skill="survival", to="foe1", success=[bind], text="I tie Tam up")
    play = done_by(beaten, tie, book=lamp())
    tried = next(one for one in play.done if isinstance(one, h.Attempted))
    assert (tried.roll, tried.success) == (None, True)
