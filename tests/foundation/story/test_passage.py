"""A paragraph is shown whole or not at all: what passes, and which lies do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.story_lies import measured

from ruleplay.story.beats import Beat, Being, Item, Line, Outcome, answer, arrow, printed, who
from ruleplay.story.passage import Scene, judge, without_one, without_wrong
from ruleplay.story.style import Style
from ruleplay.story.texts import Lang

CAST = (
    Being(id="thorin", names=("Thorin", "the dwarf")),
    Being(id="pell", names=("Pell",)),
    Being(id="rat2", names=("the one-eared rat", "giant rat")),
    Being(id="rat3", names=("the lean rat", "giant rat")),
    Being(id="rat7", names=("the grey rat", "giant rat")),
)
SCENE = Scene(beings=CAST, heard="Thorin and Pell on the causeway; giant rats.")


def beat(ident: str, kind: str, by: str, about: str, *results: tuple[str, str]) -> Beat:
    return Beat.model_validate(
        {
            "id": ident,
            "kind": kind,
            "who": by,
            "about": (about,),
            "results": [{"who": who_, "state": state} for who_, state in results],
            "says": f"{by} {kind} {about}",
            "line": Line(items=(who(by), arrow(), who(about))),
        }
    )


BEATS = (
    beat("b1", "hit", "thorin", "rat2", ("rat2", "dead"), ("rat2", "hurt")),
    beat("b2", "miss", "rat3", "thorin"),
    beat("b3", "hit", "rat7", "pell", ("pell", "hurt")),
)
GOOD = (
    "They come all at once, the way water comes. The first leaps too early, and Thorin's longsword "
    "is simply there, waiting for it; it falls in two directions. [b1] The next finds his shield "
    "instead of his knee. [b2]",
    "The last of them never meant to fight the dwarf at all. It comes round him wide and low and "
    "fastens on Pell's calf, and for once she has nothing clever to say. [b3]",
)


def test_a_natural_passage_passes_and_its_marks_are_taken_out() -> None:
    first = judge(GOOD[0], BEATS, (), SCENE)
    assert first.problems == []
    assert [one.id for one in first.shown] == ["b1", "b2"]
    assert "[" not in first.text
    second = judge(GOOD[1], BEATS, ("b1", "b2"), SCENE)
    assert second.problems == []


@pytest.mark.parametrize(
    ("paragraph", "why"),
    [
        ("Steel meets the one-eared rat and it is over. [b1] Pell is bitten hard. [b3]", "order"),
        ("Thorin cuts the one-eared rat down for 7 damage, dead at last. [b1]", "digits"),
        ("Thorin strikes for seven points of damage, and it dies. [b1]", "number in words"),
        ("Thorin's blade comes round and it dies. [b1] Pell dies too.", "did not happen"),
        ("Thorin's blade comes round, a clean end. [b1] The lean rat flees.", "did not happen"),
        ("Thorin's blade ends it and he finds a golden ring, a treasure. [b1]", "worth"),
        ("Thorin's blade ends it before Gandalf can even shout. [b1]", "nobody has heard"),
        ("Thorin. [b1]", "too few words"),
        ("The sword comes down {hp: 9} on the rat's neck. [b1]", "no part of prose"),
        ("Behind the one-eared rat Thorin sees a hidden door. [b1]", "no such way"),
        ("Thorin ends the one-eared rat there. [b9]", "no beat"),
        ("Thorin's blade misses the one-eared rat altogether. [b1]", "in a hit"),
    ],
)
def test_what_the_beats_do_not_carry_is_refused(paragraph: str, why: str) -> None:
    found = judge(paragraph, BEATS, (), SCENE).problems
    assert any(why in one for one in found), found


def test_a_word_is_fine_where_it_is_said_not_to_be_so() -> None:
    text = "Thorin's blade ends the one-eared rat. [b1] Pell is not dead, whatever it looks like."
    assert judge(text, BEATS, (), SCENE).problems == []


@pytest.mark.parametrize("said", ["I'll", "I’m", "I"])
def test_who_says_i_is_no_stranger(said: str) -> None:
    text = f"Thorin's blade ends the one-eared rat, and {said} glad of it. [b1]"
    assert judge(text, BEATS, (), SCENE).problems == []


def test_what_was_told_before_may_be_spoken_of() -> None:
    text = (
        "The one-eared rat lies dead on the stones. The lean one comes at the dwarf, in vain. [b2]"
    )
    assert judge(text, BEATS, ("b1",), SCENE).problems == []


def test_lines_stand_in_order_behind_their_mark() -> None:
    assert printed(BEATS[:2]) == "› thorin → rat2 · rat3 → thorin"


FRENCH = Scene(
    lang="fr",
    beings=(Being(id="hero", names=("Halla", "vous")), Being(id="brack", names=("Brack",))),
    heard="Halla, Brack, la clairière",
)


def test_a_french_passage_passes() -> None:
    yields = beat("b1", "flight", "hero", "brack", ("brack", "fled"), ("brack", "checked"))
    text = (
        "Vous ne criez pas. Vous le dites tout bas, les yeux dans les siens, et Brack comprend "
        "chaque mot. La corde lui tombe des mains ; il recule, il trébuche, puis il se sauve entre "
        "les troncs sans même se retourner. [b1]"
    )
    assert judge(text, (yields,), (), FRENCH).problems == []
    lie = "Vous frappez Brack, qui tombe mort à vos pieds. [b1]"
    assert judge(lie, (yields,), (), FRENCH).problems


def test_most_natural_passages_pass_and_most_lies_do_not() -> None:
    found = measured(1200, 17)
    truths, shown, caught = found["truths"], found["truths_shown"], found["caught"]
    assert isinstance(truths, int)
    assert isinstance(shown, int)
    assert isinstance(caught, int)
    assert shown >= 0.95 * truths
    assert caught >= 0.84 * 1200


@pytest.mark.parametrize(
    "paragraph",
    [
        'Thorin\'s blade ends it. [b1] "That tickled," says the one-eared rat.',
        'Thorin\'s blade ends it. [b1] The one-eared rat laughs. "Again!"',
    ],
)
def test_the_dead_say_nothing(paragraph: str) -> None:
    found = judge(paragraph, BEATS, (), SCENE).problems
    assert found == ["rat2 is dead and says nothing"]
    others = 'Thorin\'s blade ends the one-eared rat. [b1] "One less," says Pell.'
    assert judge(others, BEATS, (), SCENE).problems == []


def test_a_bolt_is_no_flight_and_a_club_that_comes_down_kills_nobody() -> None:
    shot = "The dwarf's bolts go in where fur is thin, and the one-eared rat is done. [b1]"
    assert judge(shot, BEATS, (), SCENE).problems == []
    swung = beat("b1", "miss", "brack", "hero")
    falls = "La massue de Brack s'abat là où vous étiez. Vous frappez à l'aveugle. [b1]"
    assert judge(falls, (swung,), (), FRENCH).problems == []
    assert judge("Brack vous abat. [b1]", (swung,), (), FRENCH).problems
    low = "Brack abat sa masse au moment où vous filez ; elle ne rencontre que l'air. [b1]"
    assert judge(low, (swung,), (), FRENCH).problems == []
    for own in ("Brack abat le poing sur la table.", "Brack touche sa ceinture, et vous attendez."):
        assert judge(f"{own} [b1]", (swung,), (), FRENCH).problems == []
    snaps = "Brack snaps again and gets a mouthful of your cloak. [b1]"
    assert judge(snaps, (swung,), (), SCENE).problems == []


def test_whoever_was_named_before_may_be_meant_by_what_is_theirs() -> None:
    steps = (beat("b1", "miss", "thorin", "rat2"), beat("b2", "miss", "thorin", "rat2"))
    told = "Thorin swings wide. [b1] His eyes go to Pell, and his next blow goes wide too. [b2]"
    assert judge(told, steps, (), SCENE).problems == []
    assert judge(told.replace("His", "The"), steps, (), SCENE).problems


def test_the_numbers_of_a_roll_are_those_of_its_skill() -> None:
    facts = (
        "discrétion: 68%/53%/38%/23%",
        "Derniers jets : Halla · discrétion 96 ≥ 50 ✓ (1d100+2 = 96).",
        "Halla · discrétion: 96 ≥ 50 ✓ (1d100+2 = 96)",
    )
    asked = Beat(id="b1", kind="answer", says="mes chances ?", must=False, facts=facts)
    scene = Scene(lang="fr", beings=(Being(id="hero", names=("Halla",)),), player="hero")
    told = (
        "La discrétion, à difficulté moyenne, c'était 53 % pour vous (1d100 plus 2, contre 50). "
        "Et le jet était fait : 96 contre 50, vous étiez passée. [b1]"
    )
    assert judge(told, [asked], (), scene).problems == []
    assert judge(told.replace("53", "81"), [asked], (), scene).problems


def test_whoever_stands_has_two_feet() -> None:
    told = "Vous restez au bord, les deux pieds sur la pierre sèche, et vous écoutez. [b1]"
    looks = (beat("b1", "other", "hero", ""),)
    scene = Scene(lang="fr", player="hero")
    assert judge(told, looks, (), scene).problems == []
    assert judge(told.replace("deux", "trente"), looks, (), scene).problems
    for own in ("on all four feet", "on its four wet feet", "while one counts feet on the stair"):
        assert judge(f"It squeals and comes up {own}. [b1]", looks, (), SCENE).problems == []
    for far in ("four feet away", "all thirty feet off"):
        assert judge(f"It squeals and comes up {far}. [b1]", looks, (), SCENE).problems


def test_a_number_of_coins_in_words_has_to_be_that_of_the_line() -> None:
    paid = Beat(
        id="b1",
        kind="gain",
        who="pell",
        says="Pell gets coins",
        gained=("coins",),
        line=Line(items=(who("Pell"), Item(kind="gain", text="+5 coins"))),
    )
    text = "Pell counts {} coins into her palm and grins. [b1]"
    assert judge(text.format("five"), (paid,), (), SCENE).problems == []
    assert judge(text.format("six"), (paid,), (), SCENE).problems


PACK = (
    "longsword, in use",
    "2 healing potions",
    "coins: 14",
    "3 of 5 tries left: a check is 1d100",
)
ASKED = (*BEATS[:1], answer("b2", "what do I carry?", PACK))


@pytest.mark.parametrize(
    ("paragraph", "passes"),
    [
        ("You have the longsword in hand, 2 healing potions and 14 coins. [b2]", True),
        ("You have your longsword and two healing potions, and fourteen coins. [b2]", True),
        ("You have 3 of 5 tries left at a check, which is 1d100. [b2]", True),
        (
            "What I am given does not say where your coins went, only that you have 14 now. [b2]",
            True,
        ),
        ("You have 3 healing potions, and 2 of 14 tries. [b2]", False),
        ("A check is 2d6. [b2]", False),
        ("You have the longsword and 3 healing potions. [b2]", False),
        ("You have the longsword and 14 healing potions. [b2]", False),
        ("With that they have lost 14 of what they had. [b2]", False),
        ("You have the longsword, and nine coins. [b2]", False),
        ("Thorin cuts the one-eared rat down. [b1] You have 14 coins. [b2]", False),
        ("You have 14 coins.", False),
        ("You have the longsword, and Pell is dead. [b2]", False),
        ("Nobody says it, but you can die of a rat. [b2]", True),
    ],
)
def test_an_answer_has_the_digits_of_its_facts_and_no_others(paragraph: str, passes: bool) -> None:
    judged = judge(paragraph, ASKED, (), SCENE)
    assert (not judged.problems) == passes, judged.problems


@pytest.mark.parametrize(
    ("paragraph", "passes"),
    [
        ("A blow of yours is good for about 9, and they have 40. [b1]", True),
        ("They own 9 of them. [b1]", False),
        ("About 9. They own a boat. [b1]", True),
    ],
)
def test_the_words_of_a_number_are_those_of_its_sentence(paragraph: str, passes: bool) -> None:
    facts = ("Your blows are good for about 9. They own 40 boats, and have 40 oars.",)
    judged = judge(paragraph, (answer("b1", "how good are my blows?", facts),), (), SCENE)
    assert (judged.problems == []) is passes


@pytest.mark.parametrize(
    ("lang", "lie"),
    [
        ("en", "With that they have lost 2 of what they had. [b1]"),
        ("fr", "Et avec cela, ils ont perdu 2 de ce qu'ils avaient. [b1]"),
    ],
)
def test_small_words_make_no_number_a_facts(lang: Lang, lie: str) -> None:
    facts = ("gear: one begins with 2 potions", "équipement : on commence avec 2 de ces potions")
    shown = (answer("b1", "what have I got?", facts),)
    scene = replace(SCENE, lang=lang)
    assert judge(lie, shown, (), scene).problems


@pytest.mark.parametrize(
    ("paragraph", "passes"),
    [
        ("Its 5d8 are 5 to 40 of them, some 22 on average, the weakest first. [b1]", True),
        ("Its 5d8 are some 30 of them on average. [b1]", False),
        ("They throw 5d8. With that they have lost 22 of what they had. [b1]", False),
        ("A watch of it lasts 480 min, which is 8 hours. [b1]", True),
        ("A watch of it lasts 480 min, which is 9 hours. [b1]", False),
    ],
)
def test_what_dice_can_throw_follows_from_them(paragraph: str, passes: bool) -> None:
    facts = ("sleep: 5d8 hit points of creatures, the weakest first", "watch: lasts 480 min")
    judged = judge(paragraph, (answer("b1", "how many fall asleep?", facts),), (), SCENE)
    assert (not judged.problems) == passes, judged.problems


ODDS = (
    "Your chances in percent, by skill, easy/medium/hard:",
    "persuasion: 72%/57%/42%",
    "stealth: 68%/53%/38%",
)


@pytest.mark.parametrize(
    ("paragraph", "passes"),
    [
        ("Persuasion it is: 72% if it is easy, 57% at medium, 42% when it is hard. [b1]", True),
        ("Persuasion: 72%/57%/42%. [b1]", True),
        ("Persuasion it is: 68% if it is easy. [b1]", False),
        ("It will work in 72% of your tries. [b1]", False),
    ],
)
def test_numbers_are_of_what_stands_before_the_colon(paragraph: str, passes: bool) -> None:
    judged = judge(paragraph, (answer("b1", "how hard is it?", ODDS),), (), SCENE)
    assert (not judged.problems) == passes, judged.problems


NELL = (
    Being(id="hero", names=("Tolly Underbough", "Tolly")),
    Being(id="nell", names=("Sly Nell", "Nell")),
    Being(id="brack", names=("Brack",)),
    Being(id="dwalma", names=("Dwalma",)),
    Being(id="wolf", names=("limping wolf", "wolf")),
    Being(id="lean", names=("lean wolf",)),
    Being(id="grey", names=("grey wolf",)),
    Being(id="sunniva", names=("Sunniva",)),
)


def told_as(kind: str, who_: str, about: str = "", *results: tuple[str, str], must: bool) -> Beat:
    made = beat("b1", kind, who_, about, *results)
    return made.model_copy(update={"must": must, "about": (about,) if about else ()})


TRUE = {
    "who hears a failed threat": (
        told_as("check", "hero", must=False),
        "Sly Nell puts a hand to her hair, and something like cheer comes into her face. [b1]",
    ),
    "a foe that is called by its colour": (
        told_as("other", "grey", must=False),
        "The lean wolf keeps its place, low and watchful, while the grey one peels away. [b1]",
    ),
    "a miss that hits the ground": (
        told_as("miss", "nell", "hero", must=True),
        "Nell swings at what is sliding away from her, and hits the ground hard enough. [b1]",
    ),
    "a nod": (told_as("say", "hero", "dwalma", must=True), "Dwalma nods. [b1]"),
    "the dead of another beat": (
        told_as("flight", "sunniva", "", ("sunniva", "fled"), must=False),
        "Sunniva picks up her skirts, counts the dead beasts once, and is away. [b1]",
    ),
    "a comparison": (
        told_as("hit", "hero", "wolf", ("wolf", "hurt"), must=True),
        "You come up as out of a trapdoor, and the blade goes in behind the wolf's leg. [b1]",
    ),
    "coins where silver was spoken of": (
        told_as("other", "hero", must=True),
        "You set the coins down on the stone one by one, each with its own small voice. [b1]",
    ),
}
TRUE_IN_FRENCH = {
    "finishing what one does": (
        told_as("say", "hero", "dwalma", must=True),
        "Dwalma achève d'abord d'essuyer son poids de cuivre. [b1]",
    ),
    "leave to run": (
        told_as("say", "hero", "brack", must=False),
        "Vous devant et lui libre de détaler au premier bruit. [b1]",
    ),
    "the dead one": (
        told_as("hit", "hero", "wolf", ("wolf", "hurt"), must=True),
        "La voilà entravée, tirant sur le mort comme un chien sur sa chaîne. [b1]",
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_strangers_models_told_truly_is_shown(name: str) -> None:
    shown, text = TRUE[name]
    scene = Scene(beings=NELL, heard="five silver on the wall; a dagger and a cudgel")
    assert judge(text, [shown], (), scene).problems == []


@pytest.mark.parametrize("name", TRUE_IN_FRENCH)
def test_what_strangers_models_told_truly_in_french_is_shown(name: str) -> None:
    shown, text = TRUE_IN_FRENCH[name]
    assert judge(text, [shown], (), Scene(lang="fr", beings=NELL)).problems == []


@pytest.mark.parametrize(
    ("lang", "paragraph"),
    [
        ("en", "Nell swings, and hits you square in the chest. [b1]"),
        ("en", "Nell swings and misses, and they look at the corpse of Brack. [b1]"),
        ("en", "Nell swings wide of the mark, and Brack falls dead. [b1]"),
        ("fr", "Nell frappe dans le vide, et tout le monde regarde le cadavre de Brack. [b1]"),
        ("fr", "Nell frappe dans le vide, puis achève Brack sans un mot. [b1]"),
        ("fr", "Nell frappe dans le vide, et son couteau touche Brack. [b1]"),
    ],
)
def test_the_same_words_of_somebody_to_whom_it_did_not_happen_are_refused(
    lang: str, paragraph: str
) -> None:
    miss = told_as("miss", "nell", "hero", must=True)
    scene = Scene(lang="fr" if lang == "fr" else "en", beings=NELL)
    assert judge(paragraph, [miss], (), scene).problems


def test_the_book_stands_where_its_mark_does() -> None:
    book = Beat(id="b2", kind="arrive", must=False, says="", passage="You come to the bridge.")
    walk = told_as("say", "hero", "nell", must=False)
    assert judge("[b2]", [walk, book], (), Scene()).shown == (book,)
    assert judge("[b2]", [walk, book], ("b2",), Scene()).problems == ["b2 is told twice"]
    assert judge("[b1]", [walk, book], (), Scene()).problems == ["a mark without words"]


@pytest.mark.parametrize(
    ("paragraph", "passes"),
    [
        ("The wolf stabs at nothing with its muzzle, and the teeth close on the wood. [b1]", True),
        ("The wolf lunges and pierces Tolly to the bone. [b1]", False),
    ],
)
def test_who_strikes_in_vain_is_not_hurt_by_it(paragraph: str, passes: bool) -> None:
    missed = (told_as("miss", "wolf", "hero", must=True),)
    judged = judge(paragraph, missed, (), Scene(beings=NELL, heard="wood"))
    assert (not judged.problems) == passes, judged.problems


def test_whoever_is_named_in_a_quotation_need_not_be_who_acts() -> None:
    shows = told_as("check", "hero", "wolf", must=True)
    text = "“Very funny, Nell,” you say, and hold the hand under the light. [b1]"
    assert judge(text, (shows,), (), Scene(beings=NELL, heard="light")).problems == []
    text = "Nell holds a hand under the light. [b1]"
    assert judge(text, (shows,), (), Scene(beings=NELL, heard="light")).problems


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("fr", "Pell hoche la tête avant même que vous n'ayez fini votre phrase."),
        ("fr", "Pell te regarde vider ton gobelet, et attend la suite."),
        ("fr", "Pell marche devant, et la route est à nous deux."),
        ("en", "Pell nods before the last of your words is out."),
        ("en", "Pell leads on, and the road is ours."),
    ],
)
def test_whoever_is_addressed_is_named(lang: str, told: str) -> None:
    beats = (beat("b1", "say", "thorin", ""),)
    scene = Scene(lang=lang, beings=CAST, heard=SCENE.heard)  # type: ignore[arg-type]
    as_player = replace(scene, player="thorin")
    assert judge(f"{told} [b1]", beats, (), as_player).problems == []
    assert judge(f"{told} [b1]", beats, (), scene).problems == ["b1: names only somebody else"]
    third = replace(as_player, style=Style(person="third"))
    assert judge(f"{told} [b1]", beats, (), third).problems == ["b1: names only somebody else"]


def test_a_quotation_addresses_nobody_in_the_telling() -> None:
    beats = (beat("b1", "say", "thorin", ""),)
    told = "« Vous d'abord », dit Pell, et Pell recule d'un pas. [b1]"
    scene = Scene(lang="fr", beings=CAST, heard=SCENE.heard, player="thorin")
    assert judge(told, beats, (), scene).problems == ["b1: names only somebody else"]


SHARED = (
    "La bourse du groupe : 15 po.",
    "`/dis` parle à voix haute, `/w NOM` et `/mj` chuchotent.",
)


@pytest.mark.parametrize(
    ("paragraph", "passes"),
    [
        ("La bourse tient 15 po : à quatre, cela fait 3 po chacun, et il en reste 3. [b1]", True),
        ("La bourse tient 15 po : à quatre, cela fait 5 po chacun, et il en reste 1. [b1]", False),
        ("Pour cela, `/w NOM` chuchote ; `/dis`, au contraire, parle à voix haute. [b1]", True),
        ("Pour cela, `/kick NOM` fait ce que vous voulez, et cela suffit bien. [b1]", False),
    ],
)
def test_answers_share_out_what_facts_count_and_cite_what_is_typed(
    paragraph: str, *, passes: bool
) -> None:
    asked = answer("b1", "15 pièces par 4, combien chacun, et comment chuchoter ?", SHARED)
    judged = judge(paragraph, (asked,), (), replace(SCENE, lang="fr", heard=" ".join(SHARED)))
    assert bool(judged.problems) != passes


@pytest.mark.parametrize(("state", "passes"), [("healed", True), ("checked", False)])
def test_whoever_is_healed_had_wounds_that_close(state: str, *, passes: bool) -> None:
    told = (beat("b1", "heal", "thorin", "pell", ("pell", state)),)
    prose = "Thorin dit le mot, et Pell reprend des couleurs, ses plaies se resserrant. [b1]"
    judged = judge(prose, told, (), replace(SCENE, lang="fr"))
    assert bool(judged.problems) != passes


def test_a_wound_that_is_tended_may_be_named_and_no_other() -> None:
    tends = beat("b1", "other", "thorin", "pell").model_copy(
        update={"says": "Thorin panse la plaie de Pell", "must": False}
    )
    scene = replace(SCENE, lang="fr")
    told = "Thorin se penche et serre une bande de toile sur la plaie de Pell. [b1]"
    assert judge(told, (tends,), (), scene).problems == []
    wrong = "Thorin se penche vers Pell, et la plaie de Thorin saigne encore. [b1]"
    assert judge(wrong, (tends,), (), scene).problems


def test_what_the_book_says_and_what_it_brings_need_no_words_of_the_tellers() -> None:
    told = Beat(
        id="b1", kind="other", must=False, says="", passage="He counts coins into your palm."
    )
    coins = Beat(id="b2", kind="gain", who="hero", must=False, says="coins are gained")
    assert judge("[b1] [b2]", (told, coins), (), SCENE).problems == []
    assert judge("[b2]", (coins,), (), SCENE).problems


@pytest.mark.parametrize(
    ("prose", "passes"),
    [
        ("Thorin se penche, et Pell souffle, repliée sur sa blessure. [b1]", True),
        ("Thorin se penche, et le rat gris, repliée sur sa blessure, crache. [b1]", False),
        ("Thorin se penche, et Pell se casse une dent sur la pierre. [b1]", False),
    ],
)
def test_who_was_wounded_before_may_still_show_it_and_gets_no_new_wound(
    prose: str, *, passes: bool
) -> None:
    tends = beat("b1", "other", "thorin", "").model_copy(update={"must": False})
    rat = Being(id="rat7", names=("le rat gris",))
    hurt = (CAST[0], CAST[1].model_copy(update={"was": ("wounded",)}), rat)
    judged = judge(prose, (tends,), (), replace(SCENE, lang="fr", beings=hurt))
    assert bool(judged.problems) != passes


@pytest.mark.parametrize(
    ("told", "passes"),
    [
        ("Pell, who has missed them all night, does not miss now, and cuts Thorin's arm.", True),
        ("Pell swings at Thorin, and has missed by a hand.", False),
        ("Pell cuts Thorin's arm with an oath that needs no Khuzdul.", True),
        ("Pell cuts Thorin's arm beside the smith Bofrin.", False),
    ],
)
def test_what_was_before_and_what_is_not_there_are_no_lies(told: str, passes: bool) -> None:
    beings = (Being(id="pell", names=("Pell",)), Being(id="thorin", names=("Thorin",)))
    hurt = (Outcome(who="thorin", state="hurt"),)
    says = "Pell hits Thorin"
    beat = Beat(id="b1", kind="hit", who="pell", about=("thorin",), results=hurt, says=says)
    found = judge(f"{told} [b1]", (beat,), (), Scene(beings=beings, heard=says))
    assert (not found.problems) is passes, found.problems


def test_a_quotation_is_not_left_open_for_the_sake_of_its_last_sentence() -> None:
    beings = (Being(id="pell", names=("Pell",)),)
    beat = Beat(id="b1", kind="say", who="pell", says="Pell speaks of the road")
    scene = Scene(beings=beings, heard="Pell speaks of the road")
    told = "Pell looks along the road. [b1] “It goes on and on. It is 400 miles.” So it is."
    assert judge(told, (beat,), (), scene).problems
    assert without_one(told, (beat,), (), scene) is None


def test_a_wrong_sentence_takes_its_beat_and_the_pronoun_after_it_and_leaves_the_rest() -> None:
    beings = (Being(id="pell", names=("Pell",)), Being(id="rat", names=("rat",)))
    beats = tuple(
        Beat(id=f"b{n}", kind="miss" if n == 1 else "other", who="pell", says=says)
        for n, says in enumerate(("Pell misses the rat", "Pell drinks", "Pell steps back"), 1)
    )
    scene = Scene(beings=beings, heard="Pell the rat drinks steps back")
    told = (
        "The rat bleeds on to the floor beside Pell. [b1] He wipes the blade. Pell empties the "
        "flask to the last drop of it. [b2] Then Pell steps back to the cold wall and waits. [b3]"
    )
    assert judge(told, beats, (), scene).problems
    judged = without_one(told, beats, (), scene)
    assert judged
    assert judged.text.startswith("Pell empties the flask")
    assert [beat.id for beat in judged.shown] == ["b2", "b3"]
    assert [beat.id for beat in judged.unshown] == ["b1"]


def test_blood_in_ones_own_ears_is_nobody_elses() -> None:
    beings = (Being(id="hero", names=("Halla",)), Being(id="ruvin", names=("Ruvin",)))
    hurt = (Outcome(who="hero", state="hurt"),)
    beat = Beat(id="b1", kind="hit", about=("hero",), results=hurt, says="a spider hits Halla")
    scene = Scene(lang="fr", beings=beings, heard="Ruvin araignee crie", player="hero")
    told = (
        "L'aiguillon entre dans votre cuisse jusqu'à la garde. [b1] Ruvin crie quelque chose que "
        "le sang dans vos oreilles couvre."
    )
    assert judge(told, (beat,), (), scene).problems == []
    assert judge(told.replace("dans vos oreilles", "aux oreilles"), (beat,), (), scene).problems


@pytest.mark.parametrize(
    ("told", "left"),
    [
        (
            "Pell s'arrête au bord de l'eau, là où les pierres glissent\u00a0; Thorin saigne de la "
            "tête\u00a0; dans son dos, les joncs bougent à peine, et la nuit se referme. [b1]",
            "Pell s'arrête au bord de l'eau, là où les pierres glissent. Dans son dos, les joncs "
            "bougent à peine, et la nuit se referme.",
        ),
        (
            "Pell s'arrête au bord de l'eau, là où les pierres glissent [b1]\u00a0; Thorin saigne.",
            "Pell s'arrête au bord de l'eau, là où les pierres glissent.",
        ),
    ],
)
def test_clauses_beside_one_that_was_left_out_are_sentences(told: str, left: str) -> None:
    beings = (Being(id="pell", names=("Pell",)), Being(id="thorin", names=("Thorin",)))
    beat = Beat(id="b1", kind="other", who="pell", says="Pell stops at the water")
    scene = Scene(lang="fr", beings=beings, heard="Pell Thorin")
    assert judge(told, (beat,), (), scene).problems
    judged = without_one(told, (beat,), (), scene)
    assert judged
    assert judged.text.replace(" .", ".") == left


def test_clauses_that_are_left_of_colour_are_sentences() -> None:
    scene = Scene(beings=(Being(id="pell", names=("Pell",)),), heard="Pell")
    told = "The rain keeps on falling over the reeds; Pell is dead; the lantern burns a little low."
    judged = without_wrong(told, (), (), scene)
    assert judged
    assert (
        judged.text == "The rain keeps on falling over the reeds. The lantern burns a little low."
    )


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("You rolled athletics, 5 < 45, and that was that. [b1]", True),
        ("You rolled athletics, 4 < 45, and that was that. [b1]", False),
        ("You rolled athletics <5>, against 45. [b1]", False),
    ],
)
def test_an_answer_cites_a_roll_as_the_fact_has_it(text: str, passes: bool) -> None:
    facts = ("Halla · athletics: 5 < 45 ✗ (1d100+1 = 5)",)
    judged = judge(text, (answer("b1", "why did that fail?", facts),), (), SCENE)
    assert (not judged.problems) == passes
