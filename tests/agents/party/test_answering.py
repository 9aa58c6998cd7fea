"""Who is spoken to answers at a table without a model, and every wish comes to something."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation
from tests.agents.party.test_consequences import printed
from tests.agents.party.test_improvising import done, inn

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.answering import companion_says, person_says, taken_up
from ruleplay.agents.party.policy.answers import answer_of, facts_of
from ruleplay.agents.party.policy.handbook import spell_line
from ruleplay.agents.party.policy.parsing import understand
from ruleplay.agents.party.policy.picking import known_ids
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.agents.party.policy.replies import could_do, looked_up, whose_move
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import event_of
from ruleplay.story.beats import Beat, listed


def waiting(seat: str, lang: str = "en") -> tuple[Table, Book]:
    """Return a table before wolves that wait and do not fight yet."""
    state, book = laid(lang=lang, adventure="glass-orchard")
    now = state.table.expedition
    there = now.model_copy(update={"scene": "rows", "begun": True, "flags": (*now.flags, "asked")})
    return state.table.model_copy(update={"expedition": there, "current_turn": seat}), book


def asked(words: str, place: str, seat: str, topic: str, lang: str = "en") -> str:
    table, book = situation(lang, place, seat)
    asks = Consulted.model_validate({"seat": seat, "topic": topic, "about": words, "asked": True})
    return answer_of([asks], table, book).passage


def test_a_person_answers_what_is_written_for_them_and_says_what_they_do_not_know() -> None:
    table, book = situation("en", "inn", "pell")
    own = book.story.persons["brenna"]
    assert own.unknown
    assert "counter" in person_says("brenna", "How much does this pay?", table, book)
    shrug = person_says("brenna", "What do they eat in the capital?", table, book)
    assert any(one in shrug for one in own.unknown.en.split("\n\n"))


def test_a_person_who_does_not_know_says_who_may() -> None:
    table, book = situation("en", "inn", "pell")
    told = person_says("brenna", "What became of the ferry?", table, book)
    assert "Old Jory is the one to ask" in told


def test_of_what_was_told_once_a_person_says_just_that() -> None:
    table, book = situation("fr", "inn", "pell")
    flags = (*table.expedition.flags, "talk:brenna-bell")
    table = table.model_copy(
        update={"expedition": table.expedition.model_copy(update={"flags": flags})}
    )
    told = person_says("brenna", "et votre garçon, il a disparu quand ?", table, book)
    assert book.story.talks["brenna-bell"].text.fr not in told
    assert "déjà dit" in told


def test_a_question_to_nobody_is_for_whoever_knows_and_wares_have_their_price() -> None:
    table, book = situation("en", "inn", "pell")
    assert taken_up("who owns the mill around here?", table, book) == "brenna"
    assert taken_up("what is the capital of the moon?", table, book) == ""
    assert "5 sp" in person_says("brenna", "what does a room cost?", table, book)


async def test_companions_answer_without_a_model_and_nobody_is_left_hanging(room: Open) -> None:
    table = await room(humans=["pell"])
    await table.does({"do": "play"})
    for _ in range(3):
        turn = await table.does({"do": "round"})
        if turn.events[-1]["type"] == "TurnPassed" or not turn.events:
            break
    turn = await table.says("Sunniva, what should we do next?", "pell")
    spoke = [one["seat"] for one in turn.events if one["type"] == "Spoke"]
    assert spoke == ["pell", "sunniva"]
    turn = await table.says("nice place, this", "pell")  # the talk goes on
    assert [one["seat"] for one in turn.events if one["type"] == "Spoke"] == ["pell", "sunniva"]


def test_companions_speak_of_what_all_can_see_and_in_their_own_voice() -> None:
    table, book = situation("en", "mill", "pell")
    said = companion_says("thorin", "what now?", "pell", table, book, alone=True)
    assert "I'd " in said
    assert "alone" not in said  # Pell's secret talk with the miller
    assert companion_says("thorin", "I like rain.", "pell", table, book, alone=False) == ""
    assert companion_says("thorin", "I like rain.", "pell", table, book, alone=True).startswith(
        "Heard."
    )


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("nice hat, did your mother knit it?", "jests"),
        ("could you open that door for me?", "agrees"),
        ("I hold the stairs and you take the cart. All right with you?", "agrees"),
    ],
)
def test_companions_take_bets_and_plans_as_what_they_are(words: str, kind: str) -> None:
    table, book = situation("en", "inn", "pell")
    said = companion_says("thorin", words, "pell", table, book, alone=True)
    assert said == texts("answering_thorin")[kind].en


def test_a_rule_is_answered_alone_and_with_who_stands_near() -> None:
    words = "would pell get her sneak attack if I shove that rat?"
    told = asked(words, "fight", "thorin", "rules").split("\n")
    assert len([one for one in told if ":" in one and "Feet" not in one]) <= 2
    assert any(one.startswith("Feet from Thorin: ") for one in told)
    table, book = situation("en", "fight", "thorin")
    asks = Consulted(seat="thorin", topic="fight", about="which is nearest to Pell?", asked=True)
    far = [one for one in facts_of([asks], table, book) if one.startswith("Feet from Pell")]
    assert "giant rat 40" in far[0]


@pytest.mark.parametrize(("lang", "words", "rule"), [
    ("fr", "si je m'éloigne d'un rat collé à moi, a-t-il le droit de me frapper ?", "opportunity"),
    ("en", "does he get a swing at me as I back away from him?", "opportunity"),
    ("fr", "si je tombe à zéro, je meurs ?", "dying"),
])  # fmt: skip
def test_a_rule_is_found_by_what_a_question_means(lang: str, words: str, rule: str) -> None:
    _, book = situation(lang, "fight", "pell")
    name = book.rules.glossary[rule].name.of("fr" if lang == "fr" else "en")
    assert f"{name}{' ' if lang == 'fr' else ''}:" in asked(words, "fight", "pell", "rules", lang)


async def test_what_came_of_an_act_in_a_fight_is_told_when_it_is_asked(room: Open) -> None:
    there = await room(humans=("thorin",), lang="en")
    for words in ("To the causeway!", "I attack the nearest rat"):
        while (await there.state()).current_turn != "thorin":
            await there.does({"do": "play"})
        struck = await there.says(words, seat="thorin")
    told = (await there.says("did I get it?? how many of them are left", seat="thorin")).asides
    line = next(one for one in struck.reply.split("\n") if "Thorin" in one)
    assert line in told[0].text
    assert "are still up" in told[0].text


def test_whose_turn_it_is_is_told_with_whether_one_has_had_it() -> None:
    assert "missed nothing" in asked("did I miss my turn?", "fight", "thorin", "help")
    table, _ = situation("en", "fight", "thorin")
    assert any(one in whose_move(table, "pell") for one in ("still to come", "have had yours"))


def test_what_may_be_tried_is_answered_with_its_roll() -> None:
    told = asked("could I pick his pocket while he sleeps?", "inn", "pell", "rules")
    assert "Sleight of Hand +" in told
    assert "it is rolled once you say" in told.casefold()


def test_the_ready_characters_have_the_voices_that_their_words_were_written_for() -> None:
    state, _ = laid()
    voices = {key: one.en for key, one in texts("voices").items()}
    assert {seat: state.table.personas[seat].voice.en for seat in voices} == voices


@pytest.mark.parametrize(
    ("message", "place", "lang"),
    [
        ("sunniva, soigne pell s'il te plaît", "inn", "fr"),
        ("zeph read this before i sign", "inn", "en"),
        ("pell mind the stairs", "inn", "en"),
    ],
)
def test_what_begins_with_a_companions_name_is_said_to_them(
    message: str, place: str, lang: str
) -> None:
    table, book = situation(lang, place, "thorin")
    (act,) = understand(message, table, book, "thorin").acts
    assert act.do == "say"
    assert act.to in table.characters


@pytest.mark.parametrize(
    ("message", "lang", "item", "spares"),
    [
        ("I hit the lean rat, nothing fancy", "en", "attack:longsword:giant-rat-2", False),
        ("I dodge, but I don't attack", "en", "dodge", False),
        ("j'esquive, pas d'attaque", "fr", "dodge", False),
        ("I hit the lean rat with my longsword, don't kill it", "en", "attack", True),
    ],
)
def test_what_is_not_to_be_takes_nothing_from_what_is_done(
    message: str, lang: str, item: str, spares: bool
) -> None:
    table, book = situation(lang, "fight", "thorin")
    found = understand(message, table, book, "thorin").acts
    assert [(act.item, act.spare) for act in found] == [(item, spares)]


def test_a_blow_before_the_fight_begins_it_and_is_kept() -> None:
    table, book = waiting("pell")
    found = understand("shoot the wolf with my shortbow", table, book, "pell").acts
    assert [(act.do, act.item, act.to, act.with_) for act in found] == [
        ("rule", "attack", "wolves", "shortbow"),
    ]


def test_a_spell_that_is_not_plain_is_offered_by_its_name_and_cast_when_it_is_picked() -> None:
    table, book = waiting("sunniva")
    choice = understand("sacred flame on whoever bites Thorin", table, book, "sunniva").choices[0]
    found = understand(choice, table, book, "sunniva").acts
    assert [(act.do, act.item, act.with_) for act in found] == [("rule", "cast", "sacred-flame")]


def test_what_is_ordered_without_a_name_is_asked_with_what_is_served() -> None:
    table, book = situation("en", "inn", "thorin")
    found = understand("I buy Jory a drink", table, book, "thorin")
    assert "mug of ale" in found.choices


def test_the_rest_of_a_message_is_told_where_only_some_of_it_was_plain() -> None:
    table, book = situation("en", "fight", "sunniva")
    message = "healing word on Pell. the mace goes where the mace goes"
    found = understand(message, table, book, "sunniva")
    done_ = understand(found.choices[0], table, *(book, "sunniva"))
    assert not done_.acts or done_.acts[-1].text  # picked only once it was asked
    assert "the rest" in found.choices[0]


def test_a_question_is_answered_by_what_it_names() -> None:
    told = asked("is pell dead??", "fight", "thorin", "scene")
    assert "Pell" in told
    assert "Sunniva" not in told
    assert "dying" in told
    told = asked("how many are left", "fight", "thorin", "sheet")
    assert told.startswith("Against you 3 of 3")
    told = asked("combien de sorts il me reste ?", "fight", "sunniva", "sheet", lang="fr")
    assert "mplacements" in told
    assert "hachette" not in told


def test_a_shield_that_is_carried_is_meant_before_a_spell_of_that_name() -> None:
    told = asked("c koi ma CA si je lache le bouclier ?", "inn", "thorin", "rules", lang="fr")
    assert "sort de niveau" not in told
    assert "classe d'armure 19" in told


def test_what_could_be_done_reads_as_a_sentence() -> None:
    table, book = situation("en", "inn", "pell")
    told = could_do(table, book, "pell")
    assert told.startswith("You could ask Brenna about the bell, ")
    assert " or " in told
    assert ":" not in told


def test_a_fight_that_begins_has_to_be_told() -> None:
    table, book = waiting("pell")
    play = done(table, book, "pell", "attack", acts=[{"do": "pick", "item": "provoke:wolves"}])
    laid_out = tell_events(table, [event_of(one) for one in play.done], book).laid_out()
    beats = [one for one in laid_out if isinstance(one, Beat)]
    assert any(isinstance(one, h.FightBegan) for one in play.done)
    assert "comes to a fight" in listed(beats)


@pytest.mark.parametrize(
    ("seat", "item", "with_"),
    [("sunniva", "cast", "sacred-flame"), ("pell", "attack", "shortbow")],
)
def test_a_spell_or_blow_at_who_waits_begins_a_fight_and_is_not_lost(
    seat: str, item: str, with_: str
) -> None:
    table, book = waiting(seat)
    act = {"do": "rule", "item": item, "to": "wolves", "with": with_, "text": "I strike first"}
    began = first = 0
    for seed in range(12):
        cast = table.cast.model_copy(update={"draws": seed})
        play = done(table.model_copy(update={"cast": cast}), book, seat, "strike", acts=[act])
        began += any(isinstance(one, h.FightBegan) for one in play.done)
        kept = [one for one in play.done if isinstance(one, t.LeftUndone)]
        struck = any(isinstance(one, h.ActionTaken) and one.who == seat for one in play.done)
        assert bool(kept) != struck  # it falls at once where nobody is quicker
        assert all(one.why == "fight" for one in kept)
        first += struck
    assert began == 12
    assert 0 < first < 12


def test_of_a_sum_that_nobody_can_pay_here_what_can_be_spared_is_paid_and_the_rest_promised() -> (
    None
):
    table, book = situation("en", "mill", "thorin")
    act = {"do": "say", "to": "vask", "want": "give", "coin": 150, "approach": "bargain"}
    outcomes = set()
    for seed in range(12):
        cast = table.cast.model_copy(update={"draws": seed})
        play = done(
            table.model_copy(update={"cast": cast}),
            book,
            "thorin",
            "half of it up front",
            acts=[{**act, "text": "half of it up front"}],
        )
        paid = [one.amount for one in play.done if isinstance(one, CoinChanged)]
        kinds = [one.kind for one in play.done if isinstance(one, t.DetailEstablished)]
        outcomes.add((*paid, *kinds))
    assert outcomes == {(), (200, "promise")}


def test_a_sign_is_a_sign_and_a_whisper_is_words() -> None:
    table, book = inn()
    acts = [{"do": "say", "to": "thorin", "secret": True, "text": "go and stand by the stairs"}]
    play = done(table, book, "pell", "I give Thorin the nod, subtle like", acts=acts)
    (sign,) = (one for one in play.done if isinstance(one, p.Whispered))
    assert sign.sign
    assert set(sign.to) == {"thorin"}
    told = " ".join(one.text for one in tell_events(table, [event_of(sign)], book).asides)
    assert "whispers" not in told


def test_a_drink_is_no_ink() -> None:
    table, book = inn()
    order = {"do": "say", "to": "brenna", "want": "give", "item": "a drink", "text": "a drink"}
    play = done(table, book, "thorin", "a drink", acts=[order])
    assert play.table.cast.the("thorin").inventory == table.cast.the("thorin").inventory
    assert play.table.expedition.purse == table.expedition.purse
    assert not [one for one in play.done if isinstance(one, t.InVain) and one.why.endswith("1000")]


def test_the_ear_knows_of_slots_purse_and_what_is_sold() -> None:
    table, book = situation("en", "inn", "sunniva")
    told = known_ids(table, book, "sunniva")
    assert told["spell slots left"] == "level 1: 2 of 2"
    assert "empty" in told["purse"]
    assert "ale (mug of ale, 4 cp)" in told["sold here"]


def test_words_that_were_meant_are_no_order_as_its_player_put_it() -> None:
    table, book = inn()
    act = {"do": "say", "to": "brenna", "text": "Something strong, please."}
    play = done(table, book, "pell", "chat a bit, then order something strong", acts=[act])
    said = [one.text for one in play.done if isinstance(one, p.Spoke | t.Did)]
    assert said == ["Something strong, please."]


def test_a_price_question_is_answered_from_all_that_is_sold_here() -> None:
    asks = Consulted(seat="thorin", topic="sheet", about="What is a rope?", asked=True)
    (told,) = [one for one in facts_of([asks], *inn()) if one.startswith("Sold here: ")]
    assert all(one in told for one in ("mug of ale, 4 cp", "meal, 3 sp", "hempen rope, 1 gp"))
    assert "lantern" not in told
    for place in ("causeway", "fight"):
        facts = facts_of([asks], *situation("en", place, "thorin"))
        assert not any("Sold here" in one for one in facts)


def test_a_price_question_to_the_game_is_answered_with_the_price() -> None:
    table, book = inn()
    asks = Consulted(seat="thorin", topic="scene", about="What does an ale cost here?", asked=True)
    assert answer_of([asks], table, book).passage == "mug of ale, 4 cp"


def test_several_wares_are_asked_the_price_of_and_are_no_topic() -> None:
    table, book = situation("en", "inn", "sunniva")
    (act,) = understand("rope, torches, holy water?", table, book, "sunniva").acts
    assert (act.do, act.topic) == ("say", "")
    told = person_says("brenna", "rope, torches, holy water?", table, book)
    assert "torch, 1 cp" in told
    assert "holy water, 25 gp" in told


def test_a_spell_on_somebody_unhurt_is_that_spell_or_none() -> None:
    table, book = situation("en", "inn", "sunniva")
    (act,) = understand("I cast healing word on thorin", table, book, "sunniva").acts
    assert (act.with_, act.to) == ("healing-word", "thorin")


@pytest.mark.parametrize(
    ("words", "lang", "said", "not_said"),
    [
        ("Zephrine, you wouldn't have a rope?", "en", "no hempen rope", "begin like this"),
        ("tu n'aurais pas ton grimoire ?", "fr", "grimoire", "je n'en ai pas"),
        ("what do you make of that lantern up there?", "en", "Over the counter hangs", "begin"),
        ("do you trust that old man?", "en", "costs me something to say so", "begin"),
    ],
)
def test_companions_answer_what_they_were_asked(
    words: str, lang: str, said: str, not_said: str
) -> None:
    table, book = situation(lang, "inn", "thorin")
    told = companion_says("zephrine", words, "thorin", table, book, alone=True)
    assert said in told
    assert not_said not in told


def test_two_questions_have_two_answers_and_what_is_served_its_price() -> None:
    table, book = situation("en", "inn", "thorin")
    told = person_says("jory", "You're the ferryman? And the bell, did it ring?", table, book)
    assert "I was the ferryman" in told
    assert "She rang well" in told
    told = person_says("brenna", "Ale for us, and who's paying us?", table, book)
    assert "What lies on the counter" in told
    assert "4 cp" in told


def test_questions_about_the_game_are_answered_shortly_and_with_whose_move_it_is() -> None:
    told = looked_up(Consulted(seat="thorin", topic="memory"), *situation("en", "inn", "thorin"))
    assert told.startswith("It is your turn, Thorin.")
    told = asked("what have I got left this turn", "fight", "thorin", "help")
    assert "the action" in told
    told = asked("what can she do?", "inn", "zephrine", "sheet")
    assert told.count("\n") == 0
    assert "magic missile" in told
    told = asked("would I sink in this armour?", "inn", "thorin", "rules")
    assert "swimming" in told
    assert "sleeping" not in told
    told = asked("does Zephrine's help give advantage?", "inn", "thorin", "rules")
    assert "Help, a hidden attacker" in told
    assert "Carries" not in told


def test_facts_of_a_question_say_whose_move_it_is_and_what_came_before() -> None:
    table, book = situation("en", "inn", "thorin")
    asks = Consulted(seat="thorin", topic="memory", about="what did I miss?", asked=True)
    facts = facts_of([asks], table, book)
    assert "It is your turn, Thorin." in facts
    assert book.story.pitch.en in facts
    assert not any("/style" in one for one in facts)


def test_words_that_were_part_of_others_are_not_said_again() -> None:
    table, book = inn()
    message = 'I say "Ale for us all, and who pays for this?"'
    words = ("Ale for us all, who pays?", "and who pays for this?")
    acts = [{"do": "say", "to": "brenna", "text": one} for one in words]
    play = done(table, book, "thorin", message, acts=acts)
    assert len([one for one in play.done if isinstance(one, p.Spoke)]) == 1


def test_a_face_that_was_read_gives_a_sign_and_no_certainty() -> None:
    signs = []
    for seed in range(1, 9):
        table, book = inn(seed)
        table = table.model_copy(update={"current_turn": "thorin"})
        words = "is old Jory lying to us?"
        reading = understand(words, table, book, "thorin")
        play = done(table, book, "thorin", words, **reading.model_dump(by_alias=True))
        signs += [one.text for one in play.done if isinstance(one, t.DetailEstablished)]
    assert {*signs} == {texts("signs")["keeps"].en}


def test_a_companions_face_is_read_a_plan_is_for_all_and_a_try_asked_of_the_gm_is_unseen() -> None:
    table, book = situation("en", "inn", "thorin")
    [look] = understand("can I tell if Pell is lying?", table, book, "thorin").acts
    assert (look.do, look.to, look.skill) == ("check", "pell", "insight")
    assert look.success[0].text == texts("signs")["keeps"].en  # Pell has secrets
    hushed = "(to the DM) can I check the counter for a hidden drawer?"
    [search] = understand(hushed, table, book, "thorin").acts
    assert (search.do, search.secret) == ("check", True)
    plan = "I go first, Sunniva right behind me, Pell you do your thing. anyone against that?"
    assert {act.to for act in understand(plan, table, book, "thorin").acts} == {"all"}


def test_darts_that_may_be_shared_out_are_said_to_be_so() -> None:
    _, book = situation("en", "inn", "zephrine")
    spells = book.rules.spells
    assert "or at another" in spell_line(spells["magic-missile"], "en")
    assert "or at another" not in spell_line(spells["fire-bolt"], "en")


@pytest.mark.parametrize(
    ("lang", "words", "thing"),
    [
        ("en", "What do you make of a bell that rings with nobody to pull the rope?", "rope"),
        ("fr", "Que penses-tu d'une cloche qui sonne sans personne pour tirer la corde ?", "corde"),
    ],
)
def test_a_thing_that_is_mentioned_in_a_question_is_not_what_it_asks_for(
    lang: str, words: str, thing: str
) -> None:
    table, book = situation(lang, "inn", "zephrine")
    told = companion_says("sunniva", words, "zephrine", table, book, alone=True)
    assert told
    assert thing not in told


@pytest.mark.parametrize(
    ("words", "rules", "not_"),
    [
        (
            "c'est quoi la différence entre un tour de magie et un sort",
            ("tour de magie :", "lancer un sort :"),
            "tour :",
        ),
        (
            "c'est quoi l'action d'aider ? et combien de pieds je peux bouger",
            ("aider :", "déplacement :", "Vitesse : 25"),
            "",
        ),
        ("je peux lancer combien de sorts ? j'ai peur de tout gâcher", ("Emplacements",), "peur :"),
    ],
)
def test_every_clause_of_a_question_gets_its_own_rule(
    words: str, rules: tuple[str, ...], not_: str
) -> None:
    told = asked(words, "inn", "thorin" if "pieds" in words else "zephrine", "rules", "fr")
    told = told.replace("\u00a0", " ")
    assert all(one in told for one in rules)
    assert not not_ or not any(line.startswith(not_) for line in told.split("\n"))


def test_a_companion_agrees_to_a_plan_and_says_who_needs_no_healing() -> None:
    table, book = situation("en", "inn", "thorin")
    plan = "I go first, Sunniva behind me, Zephrine last. Pell, where are you? For I see nothing."
    said = {
        words: companion_says("sunniva", words, "thorin", table, book, alone=True)
        for words in (plan, "Sunniva, heal Pell please", "Do you pray? I have known a drowned man.")
    }
    agreed, healed, asked_ = said.values()
    assert agreed == "Have I ever left one of you standing alone? I will."
    assert healed.endswith("Pell is unhurt.")
    assert asked_ != agreed


def test_what_is_on_the_sheet_is_named_where_a_spell_is_not() -> None:
    table, book = situation("en", "inn", "zephrine")
    vain = {"do": "vain", "vain": "not_able", "text": "I cast burning hands at the rats"}
    told = printed(table, done(table, book, "zephrine", acts=[vain]), book)
    assert "“burning hands” is not on the sheet; there are: fire bolt" in told
