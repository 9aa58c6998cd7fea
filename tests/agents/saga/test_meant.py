"""What is said is understood as meant or asked back about; who was there is there after a fight."""

from __future__ import annotations

import pytest
from tests.agents.saga.test_improvising import at_the_toll, kinds, played, read
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.domain import fight, spoils, surroundings
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import apply_damage
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.answers import facts_of, told_of, unanswered
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.policy.replies import coins
from ruleplay.agents.saga.state import Heard, event_of
from ruleplay.story.beats import Beat, Being, Outcome
from ruleplay.story.passage import Scene, judge
from ruleplay.story.texts import Lang

SAEL = "orcs-ally1"
OUTCOMES: tuple[fight.Outcome, ...] = ("npc_flee", "player_win", "player_flee")


def after_the_orcs(*flags: str) -> Game:
    return hero_at("tower-foot", flags=("won:orcs", *flags))


def test_who_stood_by_the_hero_is_there_after_the_fight() -> None:
    game = after_the_orcs()
    assert SAEL in surroundings.persons(game, lamp())
    assert "Sael" in prompts.read("hello", game, lamp(), None).user
    given = played(game, read(do="give", to=SAEL, item="healing-draught", text="for you"))
    assert given.game.sheet.count("healing-draught") == game.sheet.count("healing-draught") - 1
    heard = parse("I give my healing draught to Sael", game, lamp())
    assert [(act.do, act.to) for act in heard.acts] == [("give", SAEL)]


def test_an_ally_is_there_neither_before_the_fight_nor_once_dead() -> None:
    assert SAEL not in surroundings.persons(hero_at("tower-foot"), lamp())
    there = {}
    for outcome in OUTCOMES:
        play = Play(fight_with("orcs"), lamp())
        apply_damage(play, "ally1", play.fight.the("ally1").hp)
        spoils.conclude(play, outcome)
        after = {"place": "tower-foot", "flags": (*play.game.flags, "won:orcs")}
        there[outcome] = SAEL in surroundings.persons(play.game.model_copy(update=after), lamp())
    # Who is down is saved by whoever holds the field, and dies if left behind.
    assert there == {"npc_flee": True, "player_win": True, "player_flee": False}


def test_allies_and_captives_are_brought_along() -> None:
    along = played(after_the_orcs(), read(do="follow", to=SAEL, text="come with me"))
    assert along.game.story.company == (SAEL,)
    captive = played(
        after_the_orcs("yielded:orcs:foe2"), read(do="follow", to="foe2", text="walk ahead of me")
    )
    assert captive.game.story.company == ("orcs-foe2",)
    there = captive.game.model_copy(update={"place": "ford"})
    assert "Skrit" in prompts.read("hello", there, lamp(), None).user
    assert "foe2" not in surroundings.passed(captive.game, lamp())


@pytest.mark.parametrize(
    ("message", "lang"),
    [
        ("has she ever found her way back", "en"),
        ("so then I may cross, agreed?", "en"),
        ("et je passe, ça te va ?", "fr"),
    ],
)
@pytest.mark.parametrize("place", ["ford", "greenway"])
def test_nobody_leaves_for_a_word_of_talk(message: str, lang: Lang, place: str) -> None:
    heard = parse(message, hero_at(place, lang=lang), lamp())
    assert not any(one.act == "travel" for one in heard.intents)


def test_a_blow_that_names_nobody_is_asked_about_and_not_lost_in_a_trick() -> None:
    heard = parse(
        "I pretend to tie my shoe, then I hit the tallest of them",
        hero_at("greenway"),
        lamp(),
    )
    assert not heard.acts
    assert not heard.intents
    struck = [one.rpartition(". ")[2] for one in heard.choices]
    assert {"attack Tam Thistle", "attack Rudge"} <= set(struck)


def test_what_is_taken_back_in_the_same_breath_is_not_paid() -> None:
    message = "fine, here is your toll... no, forget about that, I slug Tam"
    heard = parse(message, hero_at("greenway"), lamp())
    assert not any(one.act == "pay" for one in heard.intents)


@pytest.mark.parametrize(
    "message",
    [
        "ok I go to bed... no wait actually scratch that, I wanna go out back and see what's there",
        "I go upstairs to bed",
        "je monte dans ma chambre",
        "je vais dehors derrière voir ce qu'il y a",
    ],
)
def test_a_move_within_a_place_that_is_not_clear_leads_nowhere_else(message: str) -> None:
    heard = parse(message, hero_at("inn"), lamp())
    assert not any(one.act == "travel" for one in heard.intents)


def test_questions_about_the_game_have_facts() -> None:
    game = hero_at("inn")
    facts = "\n".join(facts_of("help", game, lamp()))
    assert "Every turn is kept" in facts
    assert "new session can begin with others" in facts
    assert "kept by itself" in told_of("how can I save my game?", "rules", game, lamp())[0]
    assert "one attack a turn" in told_of("may I attack twice in a turn", "rules", game, lamp())[0]


def test_ones_own_numbers_for_blows_are_facts_once() -> None:
    game = hero_at("inn")
    facts = "\n".join(facts_of("rules", game, lamp()))
    assert facts.count("Your blows: 1d100 +2, with the longsword") == 1
    asked = "when it gets to a fight is it roll under on d100 or roll high?"
    assert "Your blows" in told_of(asked, "rules", game, lamp())[0]


@pytest.mark.parametrize(
    "message",
    ["My grandson wants to know is there a dog.", "I buy some bread and cheese"],
)
def test_a_guessed_subject_of_the_game_is_no_answer(message: str) -> None:
    heard = parse(message, hero_at("inn"), lamp())
    told = [told_of(one.text, one.to, hero_at("inn"), lamp()) for one in heard.acts]
    assert not any("nothing to save" in line or "blow" in line for some in told for line in some)


def test_a_topic_that_is_named_like_a_ware_is_talked_about() -> None:
    asked = "c'est quoi cette histoire de lampe éteinte, qqn sait depuis quand ?"
    (one,) = parse(asked, hero_at("inn", lang="fr"), lamp()).intents
    assert one.item == "maud-lamp"


def test_a_question_nobody_wrote_an_answer_to_is_not_answered_with_the_dice() -> None:
    for message in ("what is the meaning of all this purple?", "pourquoi les oies volent en V ?"):
        told = "".join(told_of(message, "rules", hero_at("inn"), lamp()))
        assert "d100" not in told


def test_one_advantage_is_said_once() -> None:
    game = hero_at("inn")
    events = [h.EdgeGained(who="hero", up=True), h.EdgeGained(who="hero", up=True)]
    (beat,) = script_of(game, events, lamp()).beats()
    assert beat.line.text.count("advantage") == 1


def test_one_coin_is_a_coin() -> None:
    assert (coins(1, "en"), coins(4, "en"), coins(1, "fr")) == ("1 coin", "4 coins", "1 pièce")


def test_what_is_paid_for_a_bed_is_told_with_what_is_left_and_that_nobody_has_slept() -> None:
    play = played(hero_at("inn"), read(do="pick", item="buy:bed", text="a bed"))
    says = script_of(hero_at("inn"), play.done, lamp()).beats()[0].says
    assert f"{play.game.sheet.coin} left" in says
    assert "sleep" in says
    assert "Rested" not in kinds(play)


WOLF = Being(id="foe1", names=("Museau-Gris", "Museau"))
MISS = Beat(id="b1", kind="miss", who="hero", about=("foe1",), says="hero misses")


def judged(text: str, *, lang: Lang = "fr", **scene: object) -> list[str]:
    there = Scene(lang=lang, beings=(Being(id="hero", names=("Lise",)), WOLF), **scene)  # type: ignore[arg-type]
    return judge(text, [MISS], (), there).problems


def test_what_is_dead_around_somebody_is_no_death() -> None:
    for where in ("dans les feuilles mortes", "dans de l'herbe morte"):
        assert judged(f"Museau-Gris s'aplatit et la flèche se perd {where} [b1].") == []
    assert judged("Lise shoots past Museau-Gris into dead leaves [b1].", lang="en") == []
    assert judged("La flèche passe, et Museau-Gris tombe mort [b1].")
    assert judged("The arrow flies and Museau-Gris falls dead [b1].", lang="en")


def test_who_was_fought_may_be_named_and_what_is_too_early_is_said() -> None:
    fled = "Lise tire, et la flèche frôle Museau-Gris [b1]."
    assert judged(fled, unsaid=("museau gris",)) == []
    assert judged(fled, unsaid=("lise",)) == []
    told = judged("Lise tire vers Morlug, qui baisse la tête [b1].", unsaid=("morlug",))
    assert any("'morlug' is not known yet" in one for one in told)
    assert Outcome(who="foe1", state="dead") not in MISS.results


def test_where_one_stands_is_nowhere_to_flee_to() -> None:
    game = fight_with("orcs")
    here = lamp().scenario.places[game.place].name.en
    heard = parse(f"I drink my draught and step back into {here}", game, lamp())
    assert not any(act.item == "flee" for act in heard.acts)


def test_the_bow_one_has_is_taken_in_hand() -> None:
    heard = parse("well then, give me the bow and I shoot Tam", at_the_toll(), lamp())
    assert [act.item for act in heard.acts if act.do == "rule"] == ["equip", "attack"]


def test_a_weapon_let_go_of_gives_up_a_fight_and_lies_where_it_fell() -> None:
    said = 'I drop the sword, hands up, "sorry friend, took you for someone else"'
    armed = {"weapon": "sword"}
    toll = at_the_toll()
    assert toll.fight
    game = toll.model_copy(update={"sheet": toll.sheet.model_copy(update=armed)})
    acts = [act.do for act in parse(said, game, lamp()).acts]
    assert acts == ["give", "say", "yield"]  # what is said is said before the fight is over
    inn = hero_at("inn").model_copy(update={"sheet": game.sheet})
    (down,) = (act for act in parse("I drop my sword on the floor", inn, lamp()).acts)
    assert (down.do, down.to, down.item) == ("give", "", "sword")
    again = parse(
        "I take my sword", played(inn, read(do="give", item="sword", text=down.text)).game, lamp()
    )
    assert [(act.do, act.item) for act in again.acts] == [("take", "sword")]


def test_a_question_in_a_fight_costs_no_turn() -> None:
    said = "hold on, what are my actual odds of hitting him and how hurt am i if he hits back"
    assert {act.do for act in parse(said, at_the_toll(), lamp()).acts} == {"ask"}


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "I want twelve coins for the job, half up front"),
        ("fr", "Je demande cinq pièces pour la peine"),
        (
            "fr",
            "Je lui propose mes services, mais pas à moins de dix pièces et la moitié d'avance.",
        ),
    ],
)
def test_coins_that_are_asked_for_are_not_paid(lang: Lang, said: str) -> None:
    heard = parse(said, hero_at("inn", lang=lang), lamp())
    assert not any(act.coin or act.want for act in heard.acts)
    offer = parse("I offer Halvard two coins to tell me what he saw", hero_at("ford"), lamp())
    assert [act.coin for act in offer.acts] == [2]


def test_who_says_that_they_pass_is_asked_how() -> None:
    heard = parse("allez on passe tranquillement", hero_at("greenway", lang="fr"), lamp())
    assert heard.question
    assert (heard.acts, heard.intents) == ((), ())
    plea = parse("come on lads, let a poor traveller by", hero_at("greenway"), lamp())
    assert [act.want for act in plea.acts] == ["pass"]


def test_what_is_asked_in_passing_is_answered_too() -> None:
    def asked(said: str, place: str) -> Heard:
        return parse(said, hero_at(place), lamp())

    who = asked("aight skip the intro who do i gotta talk to for work around here", "inn")
    assert {act.do for act in who.acts} == {"ask"}
    both = asked("INVENTORY. also what time of day is it", "inn")
    assert [one.act for one in both.intents] == ["inventory", "look"]
    (water,) = asked("How deep is it, how fast, and is anyone on the other bank?", "ford").acts
    assert any("stirrup" in fact for fact in told_of(water.text, "place", hero_at("ford"), lamp()))


def test_an_odds_answer_says_what_a_hit_takes() -> None:
    (tam, _) = told_of("what are my odds of hitting him?", "rules", at_the_toll(), lamp())[:2]
    assert "times in a hundred, for about" in tam


def test_a_success_that_leads_nowhere_says_that_one_stays() -> None:
    wish = [{"kind": "place", "what": "l'autre rive"}]
    tried = read(do="check", skill="survival", band="sure", success=wish, text="across")
    play = played(hero_at("ford"), tried)
    assert [one.about for one in play.done if isinstance(one, h.Refused)] == ["ford"]
    within = read(
        do="check", skill="athletics", band="sure", success=[{"kind": "place", "what": "up"}]
    )
    assert not any(isinstance(one, h.Refused) for one in played(hero_at("ford"), within).done)


def test_a_reader_and_a_teller_know_what_everybody_knows_of_the_place() -> None:
    prompt = prompts.read("on traverse à pied", hero_at("ford", lang="fr"), lamp(), None)
    assert "étrier" in prompt.user


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("How far is it to the ferry before dark?", True),
        ("Y'a-tu quelqu'un au bac ou ben faut que je crie?", True),
        ("I order an ale", False),
    ],
)
def test_what_is_known_is_shown_for_what_is_near_to_it_in_meaning(
    message: str, shown: bool
) -> None:
    user = prompts.read(message, hero_at("inn"), lamp(), None).user
    assert (lamp().scenario.lores["river"].text.en[:300] in user) is shown


@pytest.mark.parametrize("message", ["does anyone remember anything?", "do you have any jokes"])
def test_a_sentence_that_hangs_on_the_one_before_is_not_near_to_anything_alone(
    message: str,
) -> None:
    assert surroundings.lore_about(message, lamp(), 0.24) == []


def test_how_one_plays_is_told_shortly() -> None:
    game, asked = hero_at("inn"), "What do I do here? Do I just type stuff?"
    (text,) = [unanswered("help", asked, game, lamp())]
    assert text.startswith("Just write")
    assert "Commands:" not in text
    assert len(facts_of("help", game, lamp())) < 12


def test_a_roll_is_a_fact_under_its_skill_and_no_block_repeats_part_of_another() -> None:
    rolled = ("Halla · discrétion 96 ≥ 50 ✓ (1d100+2 = 96)",)
    asked = h.Consulted(topic="rules", key="Combien de chances j'avais de me glisser dessous ?")
    script = script_of(hero_at("inn", lang="fr"), [event_of(asked)], lamp(), rolled=rolled)
    (beat,) = script.beats()
    assert "Halla · discrétion: 96 ≥ 50 ✓ (1d100+2 = 96)" in beat.facts
    assert beat.passage.count("discrétion:") == 1


def test_what_would_have_been_is_no_ware() -> None:
    rolled = ("Halla · discrétion 96 ≥ 50 ✓ (1d100+2 = 96)",)
    asked = "et si j'avais eu un couteau entre les dents"
    text = " ".join(told_of(asked, "rules", hero_at("inn", lang="fr"), lamp(), rolled))
    assert "Rien de cela n'est arrivé" in text
    assert "discrétion: " in text
    assert "Maud" not in text


def test_a_blow_at_somebody_who_is_not_there_names_who_is() -> None:
    blow = "je fonce sur le premier garde et je lui colle mon poing dans la figure"
    heard = parse(blow, hero_at("inn", lang="fr"), lamp())
    assert heard.question.startswith("Personne n'a été frappé. Ici : Maud Fennick.")
    assert "attaquer Maud Fennick" in heard.choices


@pytest.mark.parametrize(
    ("message", "lang", "do"),
    [
        ("right, how much for a lantern and dont give me the tourist price", "en", "ask"),
        ("I go to the inn and find whoever sells things", "en", "flourish"),
        ("I climb on the table n sing the filthiest song I know. see who joins in", "en", "check"),
        (
            "Je me glisse sous le chariot, sans bruit, et je regarde s'il y a un coffre",
            "fr",
            "check",
        ),
    ],
)
def test_what_is_free_or_one_try_is_done_and_not_asked_about(
    message: str, lang: Lang, do: str
) -> None:
    heard = parse(message, hero_at("inn", lang=lang), lamp())
    assert not heard.question
    assert {act.do for act in heard.acts} == {do}


def test_a_ware_that_is_not_paid_in_coins_is_asked_about_with_its_price() -> None:
    order = "je commande une pinte et je paie avec un bouton en disant que c'est une monnaie"
    heard = parse(order, hero_at("inn", lang="fr"), lamp())
    assert not heard.intents
    assert "chope de bière : 1 pièce" in heard.question
    haggled = "nah too dear. just the rope then, and chuck in a bit of cheese or I walk"
    assert "buy coil of rope" in parse(haggled, hero_at("inn"), lamp()).choices
    assert parse("I buy an ale and sit down", hero_at("inn"), lamp()).intents


def test_bread_for_the_old_one_is_no_coin() -> None:
    heard = parse("She offers the old one a bit of bread", hero_at("inn"), lamp())
    assert not any("coin" in choice for choice in heard.choices)


def test_the_plural_of_a_known_name_is_no_stranger() -> None:
    beat = Beat(id="b1", kind="answer", says="who am I?", must=False, facts=("Halla: Humain",))
    scene = Scene(lang="fr", beings=(Being(id="hero", names=("Halla",)),))
    assert judge("Vous êtes Halla, du peuple des Humains. [b1]", [beat], (), scene).problems == []
    assert judge("Vous êtes Halla, du peuple des Nains. [b1]", [beat], (), scene).problems


def test_what_is_in_vain_is_not_said_twice() -> None:
    play = played(hero_at("inn"), read(do="vain", vain="not_here", text="the wagon"))
    (beat,) = script_of(hero_at("inn"), [event_of(one) for one in play.done], lamp()).beats()
    assert beat.echo
    assert beat.line.items
