"""What strangers type: answered in the story, asked back where it would cost, never rebuffed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_improvising import kinds, played, read
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import improvising, setting, surroundings
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.nodes import hear
from ruleplay.agents.saga.policy.answers import block_of
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.responses import by_rules
from ruleplay.agents.saga.state import event_of
from ruleplay.models.scripted import ScriptedModel
from ruleplay.story.acts import Reading
from ruleplay.story.beats import Beat, Being, is_line
from ruleplay.story.passage import Scene, judge
from ruleplay.story.style import Style
from ruleplay.story.texts import Lang

TOLD = ("talk:maud-hello:text",)


def reading(*acts: dict[str, object], **more: object) -> str:
    return json.dumps({"acts": acts, **more})


@pytest.mark.parametrize(
    "message",
    [
        "ok if anything is trying to hurt me I hit it, and otherwise I put my sword away",
        "Si on m'attaque je me défends, la garde haute, sans chercher à tuer.",
        "Une gorgée de potion si je suis mal en point, sinon rien.",
        "Halvard, venez jusqu'à la lisière, vous connaissez le bois mieux que personne au village.",
        "well that was a long night and I wait for nobody these days, least of all tax men",
    ],
)
@pytest.mark.parametrize("place", ["greenway", "ford", "inn"])
def test_a_sentence_that_says_more_costs_nothing(message: str, place: str) -> None:
    heard = parse(message, hero_at(place), lamp())
    acts = {one.act for one in heard.intents}
    assert heard.question or acts <= {"look", "talk", "help"}


def test_a_question_looks_up_what_can_be_looked_up() -> None:
    heard = parse("wait what was that thing I learned earlier? the clue", hero_at("inn"), lamp())
    assert heard.question or [one.act for one in heard.intents] == ["journal"]
    both = parse("What do I have on me, again? And can I buy a boat here?", hero_at("inn"), lamp())
    assert [one.act for one in both.intents] == ["inventory"]


def test_going_on_takes_the_only_way_and_asks_where_there_are_more() -> None:
    inn = parse("Off I go then", hero_at("inn"), lamp())
    assert [(one.act, one.target) for one in inn.intents] == [("travel", "greenway")]
    clear = hero_at("greenway", flags=("won:ruffians",))
    fork = parse("I go on to the next place", clear, lamp())
    assert fork.question == "Which way?"
    assert len(fork.choices) > 1
    for choice in fork.choices:
        assert [one.act for one in parse(choice, clear, lamp()).intents] == ["travel"]


async def test_again_is_what_was_said_before(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    first = await table.say("inventory")
    assert (await table.say("again")).reply == first.reply
    assert (await table.say("again")).reply == first.reply


async def test_a_greeting_is_answered_until_every_topic_is_told(sit: Sit) -> None:
    table = await sit(scenario="grey-debt")
    await table.say("begin")
    await table.say("I say good evening to Dwalma")
    reply = (await table.say("I say good evening to Dwalma")).reply
    assert "nothing more" not in reply
    assert "ask Dwalma about the barge" in reply
    await table.say("ask Dwalma about the barge")
    assert "nothing more" in (await table.say("I say good evening to Dwalma")).reply


@pytest.mark.parametrize("topic", ["", "maud-ruffians"])
def test_a_threat_wins_no_friend_and_a_topic_only_where_it_is_named(topic: str) -> None:
    game = hero_at("inn", flags=TOLD)
    for seed in range(40):
        act = {"do": "say", "to": "maud", "approach": "threaten", "want": "know", "text": "Well?"}
        seeded = game.model_copy(update={"dice_seed": str(seed)})
        play = played(seeded, read(**act, topic=topic))
        roll = next(one for one in play.done if isinstance(one, h.Attempted))
        assert "AttitudeChanged" not in kinds(play) or not roll.success
        assert ("SectionTold" in kinds(play)) == (roll.success and bool(topic))


def test_what_is_readied_waits_and_never_strikes_first() -> None:
    body = {"do": "rule", "item": "attack", "when": "trigger", "text": "ready to parry"}
    calm = Play(hero_at("ford"), lamp())
    improvising.enact(calm, Reading.model_validate({"acts": [body]}))
    assert kinds(calm) == ["Readied"]
    barred = Play(hero_at("greenway"), lamp())
    improvising.enact(barred, Reading.model_validate({"acts": [body]}))
    assert kinds(barred) == ["Readied"]


def test_words_readied_for_whoever_bars_the_way_are_said_on_arrival() -> None:
    game = hero_at("inn").model_copy(update={"visited": ("inn",)})
    offer = {"do": "say", "approach": "bargain", "want": "pass", "when": "trigger", "coin": 2}
    acts = [{"do": "move", "to": "greenway"}, {**offer, "text": "Two coins and a joke?"}]
    play = Play(game, lamp())
    improvising.enact(play, Reading.model_validate({"acts": acts}))
    assert kinds(play)[:2] == ["Travelled", "Spoke"]
    assert "SkillChecked" in kinds(play)


def test_leaving_out_the_walk_goes_on_or_says_what_stands_in_the_way() -> None:
    skip = Reading.model_validate({"acts": [{"do": "meta", "meta": "fast_forward"}]})
    on = Play(hero_at("inn").model_copy(update={"visited": ("inn",)}), lamp())
    improvising.enact(on, skip)
    assert on.game.place == "greenway"
    stuck = Play(hero_at("ford"), lamp())
    improvising.enact(stuck, skip)
    assert stuck.done == [h.Refused(reason="no_way_on")]


def test_a_promise_that_hung_on_a_vain_offer_is_not_kept() -> None:
    promise = {"kind": "promise", "text": "I'll owe you one.", "about": "halvard"}
    vain = {"acts": [{"do": "vain", "vain": "not_able", "text": "x"}], "details": [promise]}
    kept = {"acts": [{"do": "flourish", "text": "we shake hands"}], "details": [promise]}
    for body, count in ((vain, 0), (kept, 1)):
        play = Play(hero_at("ford"), lamp())
        improvising.enact(play, Reading.model_validate(body))
        assert len(play.game.story.canon) == count


@pytest.mark.parametrize("told", [True, False])
async def test_a_refusal_without_numbers_has_its_line_where_no_prose_tells_it(
    sit: Sit, told: bool
) -> None:
    table = await sit(model="scripted")
    slips = "You keep to the wall, and nobody is there to mind. [b1]"
    script: dict[str, list[object]] = {
        "saga.narrator": ["The fire crackles.", slips if told else "The fire crackles."],
        "saga.read": [reading({"do": "rule", "item": "sneak", "text": "I slip round"})],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I try to slip round whatever's in the way, keeping low")
    prose, *line = turn.reply.split("\n\n")
    assert not told or prose == slips.removesuffix(" [b1]")
    assert line == ([] if told else ["› there is nobody here to hide from"])
    assert all(map(is_line, line))


async def test_a_flourish_beside_a_look_at_the_sheet_is_told(sit: Sit) -> None:
    table = await sit(model="scripted")
    breath = "You back off a step and get your breath. [b1]"
    acts = ({"do": "flourish", "text": "I back off"}, {"do": "ask", "to": "sheet"})
    script: dict[str, list[object]] = {
        "saga.narrator": ["The fire crackles.", breath],
        "saga.read": [reading(*acts)],
    }
    async with table.session(script) as session:
        await session.turn("begin")
        turn = await session.turn("I back off a step and have a look at how badly I'm hurt")
    assert turn.reply.startswith(breath.removesuffix(" [b1]"))
    assert "Coins: 15." in turn.reply


async def test_what_is_found_stands_before_what_comes_of_it(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="grey-debt", seed="4")
    search = {"do": "check", "skill": "perception", "band": "easy", "text": "I listen"}
    edge = {"success": [{"kind": "edge", "who": "hero", "what": "up"}]}
    told = "You stand still and listen to the jetty. [b1]\n\nRuvin's knife halts for a moment."
    clue = open_book("grey-debt").scenario.clues["rope-end"].text.en
    script: dict[str, list[object]] = {
        "saga.narrator": ["Gulls.", "Gulls."] + [told] * 12,
        "saga.read": [reading({**search, **edge})] * 12,
    }
    async with table.session(script) as session:
        await session.turn("begin")
        await session.turn("go to the forest landing")
        for _ in range(8):
            reply = (await session.turn("I stop and listen before I go closer")).reply
            if clue in reply:
                break
    assert reply.index(clue) < reply.index("Ruvin's knife halts")


def test_a_word_the_player_said_may_come_back_as_a_word() -> None:
    talk = Beat(id="b1", kind="say", who="hero", says='Rowan says: "nobody has to bleed today"')
    ruvin, hero = Being(id="ruvin", names=("Ruvin",)), Being(id="hero", names=("Rowan",))
    scene = Scene(beings=(hero, ruvin))
    echo = "Rowan has spoken, and Ruvin weighs the word bleed for a good while. [b1]"
    assert not judge(echo, [talk], [], scene).problems
    dies = "Rowan has spoken, and Ruvin dies of it in the end. [b1]"
    assert judge(dies, [talk], [], scene).problems


def test_a_french_article_is_no_number() -> None:
    scene = Scene(lang="fr")
    said = "Elle le regarde comme une pièce rognée, sans un point de colère."
    assert not judge(said, [], [], scene).problems
    assert judge("Il vous reste trois pièces.", [], [], scene).problems


async def test_prompts_know_the_goal_and_who_bars_the_way(sit: Sit) -> None:
    table = await sit(model="scripted")
    script: dict[str, list[object]] = {
        "saga.narrator": ["The fire crackles."] * 4,
        "saga.read": [reading({"do": "flourish", "text": "I hum"})],
    }
    async with table.session(script) as session:
        for said in ("begin", "go to the Greenway"):
            await session.turn(said)
        await session.turn("I hum a tune that nobody knows")
        model = session.host.models.stand_ins["scripted"]
    assert isinstance(model, ScriptedModel)
    shown = "\n".join(str(one.messages[-1].content) for one in model.seen)
    assert "What the story is about:" in shown
    assert "Tam Thistle" in shown
    assert "bars the way" in shown


async def test_what_are_my_chances_is_answered_about_here(sit: Sit) -> None:
    table = await sit()
    for said in ("begin", "go to the Greenway"):
        await table.say(said)
    reply = (await table.say("What are my chances here if it comes to blows?")).reply
    assert "In your way: Tam Thistle (" in reply
    assert re.search(r"negotiate \(\d+%\)", reply)


COSTS = ("CombatTriggered", "ItemLost", "ItemGained", "Rested", "Attacked", "SkillChecked")
WORDINGS = Path(__file__).parents[2] / "wordings" / "stories.jsonl"


@pytest.mark.parametrize("place", ["inn", "greenway", "ford"])
def test_strangers_wordings_cost_nothing_that_was_not_plainly_said(place: str) -> None:
    rows = [json.loads(line) for line in WORDINGS.read_text(encoding="utf-8").splitlines()]
    wrong = {}
    for row in rows:
        if row["agent"] == "saga":
            play = Play(hero_at(place, lang=row["lang"]), lamp())
            heard = parse(row["input"], play.game, lamp())
            if heard.acts and all(one.do == "say" for one in heard.acts):
                continue  # words to whoever is there: what they roll for is talk
            hear(play, heard)
            if found := [one for one in kinds(play) if one in COSTS]:
                wrong[row["id"], row["input"]] = found
    assert wrong == {}


@pytest.mark.parametrize(
    "message",
    [
        "lol do you at least get dental with this job",
        "and what if I refuse?",
        "Alors oui, Maud, j'irai. Mais racontez-moi d'abord comment il était, ces derniers temps.",
        "je lui demande qui aurait pu voler la lampe à son avis",
    ],
)
def test_words_to_the_only_person_are_said_without_asking_back(message: str) -> None:
    lang: Lang = "fr" if "j'" in message or "je " in message else "en"
    heard = parse(message, hero_at("inn", lang=lang), lamp())
    told = [one.target for one in heard.intents if one.act == "talk"]
    assert told + [act.to for act in heard.acts if act.do == "say"] == ["maud"]


def test_a_speech_of_several_sentences_is_one_act() -> None:
    said = (
        "Tam, I know you're hungry. I'll give you five coins if you let me by. "
        "What do you say? Nobody has to know."
    )
    heard = parse(said, hero_at("greenway"), lamp())
    assert [one.do for one in heard.acts] == ["say"]
    assert not heard.question


def test_a_feat_in_two_clauses_is_one_try() -> None:
    heard = parse(
        "I swing from the toll pole and land behind Rudge", fight_with("ruffians"), lamp()
    )
    assert [(one.do, one.skill) for one in heard.acts] == [("check", "athletics")]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_asking_back_is_short_and_what_is_not_clear_can_be_tried(lang: Lang) -> None:
    own = "I hang the thing over whatsit and bring the lot down crooked"
    asked = parse(own, fight_with("ruffians", lang=lang), lamp())
    assert len(asked.question) < 120
    assert len(asked.choices) < 4
    assert own not in " ".join(asked.choices)


def test_a_blow_that_is_to_leave_somebody_alive_is_no_refusal_to_strike() -> None:
    game = fight_with("ruffians")
    heard = parse("I slash at Tam's sword arm, but I don't want to kill him", game, lamp())
    assert [(one.item, one.to, one.spare) for one in heard.acts] == [("attack", "foe1", True)]
    assert not any(one.item == "attack" for one in parse("do not attack", game, lamp()).acts)


def test_a_word_of_the_story_is_no_mistyped_other_one() -> None:
    book = open_book("grey-debt")
    game = hero_at("inn", lang="fr").model_copy(
        update={"place": "landing", "visited": ("landing",)}
    )
    heard = parse("je coupe la corde et je pousse la barge", game, book)
    assert not any(one.act == "travel" for one in heard.intents)


def test_looking_around_twice_is_told_once() -> None:
    heard = parse("wait, where am I? who is here?", hero_at("inn"), lamp())
    assert [one.act for one in heard.intents] == ["look"]


def test_who_is_let_go_is_asked_first() -> None:
    game = hero_at("greenway", flags=("yielded:ruffians:foe1", "won:ruffians"))
    go = {"do": "say", "to": "tam-beaten", "want": "leave", "text": "Go home"}
    ask = {"do": "say", "to": "tam-beaten", "topic": "tam-tower", "text": "What is up there?"}
    play = Play(game, lamp())
    improvising.enact(play, Reading.model_validate({"acts": [go, ask]}))
    assert kinds(play).index("SectionTold") < kinds(play).index("Parted")


def test_a_room_is_roused_by_a_roll_and_nobody_is_won_by_it() -> None:
    shout = {"approach": "provoke", "want": "join", "text": "Who comes with me?"}
    rolled = played(hero_at("inn"), read(do="say", to="all", **shout))
    assert kinds(rolled)[:2] == ["Spoke", "Attempted"]
    assert rolled.game.story.company == ()
    plain = played(hero_at("inn"), read(do="say", to="all", text="Who is afraid of what?"))
    assert kinds(plain) == ["Spoke"]


@pytest.mark.parametrize(
    ("item", "field"), [("warm", "tone"), ("long", "length"), ("everyone", "rating"), ("", "")]
)
def test_a_setting_that_is_asked_for_is_made(item: str, field: str) -> None:
    play = played(hero_at("inn"), read(do="meta", meta="settings", item=item))
    style = play.game.story.style
    assert (style != Style()) == bool(field)
    assert not field or getattr(style, field) == item


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_chances_of_a_try_can_be_asked(lang: Lang) -> None:
    assert "%/" in block_of("rules", hero_at("inn", lang=lang), lamp())


@pytest.mark.parametrize(
    ("lang", "place", "said"),
    [
        ("en", "greenway", "I keep my hands in plain sight and stay where I am"),
        ("fr", "greenway", "je garde les mains ouvertes et j'attends"),
        ("en", "greenway", "I don't draw my sword."),
        ("en", "inn", "I walk up to the counter"),
        ("fr", "inn", "je m'assois près de l'âtre et je me tais"),
    ],
)
def test_what_costs_nothing_is_done_and_somebody_takes_it(
    lang: Lang, place: str, said: str
) -> None:
    game = hero_at(place, lang=lang)
    play = Play(game, lamp(), 1, said)
    hear(play, parse(said, game, lamp()))
    assert {*kinds(play)} <= {"Flourished", "Consulted"}
    script = script_of(game, [event_of(one) for one in play.done], lamp(), turn=1)
    told = by_rules(script, script.beats())
    there = {**setting.waiting_foes(game, lamp()), **surroundings.persons(game, lamp())}
    assert any(line.of(lang) in told for one in there.values() for line in one.notices)


def test_a_theft_from_who_is_spoken_to_is_no_mere_gesture() -> None:
    said = "Je demande à Maud des nouvelles, pendant que ma main gauche s'occupe de sa bourse."
    heard = parse(said, hero_at("inn", lang="fr"), lamp())
    assert heard.question or any(act.skill == "stealth" for act in heard.acts)


def test_who_bars_the_way_is_slipped_past_before_what_lies_beyond() -> None:
    said = "take me to the ford, and I sneak around anybody on the way"
    heard = parse(said, hero_at("greenway"), lamp())
    assert heard.intents[0].act == "sneak"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_nobody_wrote_is_not_known_in_their_own_words(lang: Lang) -> None:
    asked = "Maud, why do geese fly south?" if lang == "en" else "pourquoi les oies volent au sud ?"
    game, replies = hero_at("inn", lang=lang, flags=TOLD), list[str]()
    for turn in range(3):
        play = Play(game, lamp(), turn, asked)
        hear(play, parse(asked, game, lamp()))
        script = script_of(game, [event_of(one) for one in play.done], lamp(), turn=turn)
        replies.append(by_rules(script, script.beats()))
    own = {one.of(lang) for one in lamp().scenario.persons["maud"].unknown}
    assert {*replies} == own
