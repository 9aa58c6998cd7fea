"""What players see come of their words: who was meant, what success brings, what is refused."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation
from tests.agents.party.models import Able
from tests.agents.party.test_improvising import done, fight, inn, kinds
from tests.agents.party.test_mercy import RAT, asleep, at_hand

from ruleplay.agents.party.domain.addressing import Here, called
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices, in_area
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import ExitOpened
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.intended import Pick
from ruleplay.agents.party.domain.mastering import detail
from ruleplay.agents.party.domain.remembering import worth_remembering
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.nodes.acting import offered_to
from ruleplay.agents.party.policy.replies import looked_up, refusal
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.state import event_of
from ruleplay.kernel.replay import replay
from ruleplay.kernel.turn import run_turn
from ruleplay.records.given import Given
from ruleplay.story.acts import Reading
from ruleplay.story.beats import Beat
from ruleplay.story.mentions import Named

SEEDS = range(12)


def printed(before: Table, play: TableTurn, book: Book) -> str:
    """Return what code prints of a turn."""
    told = tell_events(before, [event_of(one) for one in play.done], book)
    laid_out = told.laid_out()
    return "\n".join(one.line.text if isinstance(one, Beat) else one for one in laid_out)


def won(play: TableTurn) -> bool:
    return any(isinstance(one, h.Checked) and one.success for one in play.done)


@pytest.mark.parametrize(
    ("to", "effects"),
    [
        ("", []),
        ("jory", []),
        ("brenna", [{"kind": "morale", "who": "brenna"}]),
        ("jory", [{"kind": "condition", "who": "jory", "what": "distracted"}]),
        ("", [{"kind": "condition", "who": "the dragon", "what": "prone"}]),
        ("", [{"kind": "detail", "text": "Old Jory keeps one foot on his rope"}]),
    ],
)
def test_a_roll_that_was_won_brings_something_that_is_printed(
    to: str, effects: list[dict[str, str]]
) -> None:
    act = {
        "do": "check", "to": to, "skill": "persuasion", "band": "easy", "success": effects,
        "text": "sees what there is to see",
    }  # fmt: skip
    seen = 0
    for seed in SEEDS:
        table, book = inn(seed)
        play = done(table, book, "thorin", acts=[act])
        if won(play):
            seen += 1
            brought = t.AttitudeChanged | t.EdgeGained | t.DetailEstablished
            assert any(isinstance(one, brought) for one in play.done), kinds(play)
            line = printed(table, play, book)
            assert any(said in line for said in ("advantage", "thinks better", "one foot on"))
    assert seen


def test_a_third_success_in_a_place_is_kept_in_mind() -> None:
    for seed in range(40):
        table, book = inn(seed)
        acts = [
            {"do": "check", "skill": skill, "band": "easy", "text": text}
            for skill, text in (
                ("athletics", "tries the bolt with one hand"),
                ("perception", "listens at the shutters"),
            )
        ]
        play = done(table, book, "thorin", acts=acts)
        rolls = [one.success for one in play.done if isinstance(one, h.Checked)]
        if rolls == [True, True]:
            assert "listens at the shutters" in [one.text for one in play.table.tale.canon]
            return
    raise AssertionError("no two successes in a row")


def test_names_kinds_plurals_and_slips_mean_who_is_there() -> None:
    wolf = Named(id="wolf-1", phrases=(("lean", "dire", "wolf"), ("wolf",)))
    other = Named(id="wolf-2", phrases=(("grey", "dire", "wolf"), ("wolf",)))
    assert called("wolves", (wolf, other)) == ("wolf-1", "wolf-2")
    assert called("lean dire wolf", (wolf, other)) == ("wolf-1",)
    assert called("the wlof", (wolf,)) == ("wolf-1",)
    assert called("the tavern", (wolf, other)) == ()


def test_in_a_fight_a_kind_means_all_and_a_look_means_one() -> None:
    table, book, seat = fight()
    here, rats = Here(table, book, seat), [one.id for one in table.cast.foes_of(seat)]
    assert sorted(here.meant("rats")) == sorted(rats)
    assert sorted(here.meant("the giant ratts")) == sorted(rats)
    (lean,) = here.meant("the lean one")
    assert "lean" in table.cast.the(lean).name.en
    assert here.meant("le rat maigre") == (lean,)
    assert here.meant("Sunnivva")[0] in ("sunniva", "Sunnivva")
    assert here.meant("gilbert") == ("gilbert",)


def test_a_place_goes_by_its_name_too() -> None:
    table, book = inn()
    act = {"do": "move", "to": "the old causeway", "text": "out"}
    play = done(table, book, "thorin", acts=[act])
    assert play.table.expedition.scene == "causeway"


async def test_what_is_established_is_shown_to_who_tells_and_to_companions(room: Open) -> None:
    said, kept = "There is a patched sail for a curtain.", "a patched sail hangs as a curtain"
    acts = [{"do": "flourish", "text": "looks round"}, {"do": "wait"}]
    model = Able({said: {"acts": acts, "details": [{"text": kept}]}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn(said, seat="thorin")
        await session.turn(action={"do": "play"})
    asked = [text for role, text in model.asked if role == "party.pell"]
    assert kept in asked[-1]


def test_words_to_all_of_a_kind_are_a_demand_to_each() -> None:
    table, book, seat = fight()
    act = {"do": "say", "to": "wolves or rats", "approach": "threaten", "want": "leave",
           "text": "Off with you!"}  # fmt: skip
    play = done(table, book, seat, "Off with you!", acts=[act])
    asked = {one.who for one in play.done if isinstance(one, t.Unmoved)}
    assert asked == {one.id for one in table.cast.foes_of(seat)}


def test_who_waited_is_the_same_once_they_fight() -> None:
    table, book = inn()
    acts = [
        {"do": "move", "to": "causeway", "text": "out to the causeway"},
        {"do": "say", "to": "rats", "approach": "threaten", "want": "leave", "text": "Shoo!"},
    ]
    play = done(table, book, "thorin", "Out to the causeway. Shoo!", acts=acts)
    foes = {one.id for one in play.table.cast.creatures if one.side != "party"}
    assert foes
    assert {one.who for one in play.done if isinstance(one, t.Unmoved)} == foes


def test_details_are_kept_and_printed() -> None:
    table, book = inn()
    act = {"do": "flourish", "text": "looks round"}
    details = [
        {"text": "a patched sail hangs as a curtain"},
        {"kind": "promise", "text": "bring Pim home", "about": "brenna"},
    ]
    play = done(table, book, "thorin", acts=[act], details=details)
    assert [one.text for one in play.table.tale.canon] == [one["text"] for one in details]
    line = printed(table, play, book)
    assert "a patched sail hangs as a curtain" in line
    assert "promises “bring Pim home”" in line
    vow = {"kind": "promise", "text": "Thorin brings Pim home", "about": "brenna"}
    line = printed(table, done(table, book, "thorin", acts=[act], details=[vow]), book)
    assert "— Thorin brings Pim home" in line
    assert "promises" not in line


def test_the_lantern_of_an_inn_of_that_name_may_have_a_detail() -> None:
    table, book = inn()
    act = {"do": "flourish", "text": "looks up"}
    play = done(table, book, "thorin", acts=[act], details=[{"text": "the lantern hook is worn"}])
    assert [one.text for one in play.table.tale.canon] == ["the lantern hook is worn"]


def test_a_detail_that_cannot_be_is_named_to_who_claimed_it() -> None:
    table, book = inn()
    act = {"do": "flourish", "text": "looks round"}
    claimed = "a golden key under the stair"
    play = done(table, book, "thorin", acts=[act], details=[{"text": claimed}])
    (refused,) = [one for one in play.done if isinstance(one, p.Refused)]
    assert claimed in refusal(refused, play.table, book)


def test_a_promise_kept_in_whatever_words_is_over_and_nobody_is_refused() -> None:
    table, book = inn()
    act, vow = {"do": "flourish", "text": "nods"}, "Thorin gives Pell the silver thimble back"
    play = done(table, book, "thorin", acts=[act], details=[{"kind": "promise", "text": vow}])
    kept = {"text": "Thorin gave Pell the silver thimble, as promised", "instead": vow}
    play = done(play.table, book, "thorin", acts=[act], details=[kept])
    assert not play.table.tale.canon
    assert not [one for one in play.done if isinstance(one, p.Refused)]
    assert "silver" not in printed(table, play, book)


def test_the_game_masters_detail_of_a_person_is_kept_and_told() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    detail(play, "Brenna Tolk has a burn on her thumb.")
    assert [one.text for one in play.table.tale.canon] == ["Brenna Tolk has a burn on her thumb."]
    other = TableTurn(table, book)
    detail(other, "Odrin Vask was here this morning.")  # the author's, and elsewhere
    assert not other.table.tale.canon
    assert "Odrin Vask was here" in printed(table, other, book)


def wizard_at_the_sextons(seed: int = 1) -> tuple[Table, Book]:
    state, book = laid(seed)
    expedition = state.table.expedition.model_copy(
        update={"begun": True, "scene": "sexton", "flags": ("scene:inn", "scene:sexton")}
    )
    table = state.table.model_copy(update={"expedition": expedition, "current_turn": "zephrine"})
    return table, book


def test_a_spell_that_a_deed_is_done_with_is_cast_once_and_helps() -> None:
    table, book = wizard_at_the_sextons()
    mage = table.cast.the("zephrine")
    spell = next(key for key in mage.spells if book.rules.spells[key].level == 1)
    act = {"do": "pick", "item": "deed:read-ledger", "with": spell, "text": "by its light"}
    play = done(table, book, "zephrine", acts=[act])
    cast = [one for one in play.done if isinstance(one, h.SpellCast)]
    (check,) = [one for one in play.done if isinstance(one, h.Checked)]
    assert [one.spell for one in cast] == [spell]
    assert play.table.cast.the("zephrine").slots[0] == mage.slots[0] - 1
    assert "2d20kh1" in check.roll.formula or len(check.roll.faces) == 2


def test_without_a_slot_the_spell_is_refused_by_name_and_nothing_is_done() -> None:
    table, book = wizard_at_the_sextons()
    mage = table.cast.the("zephrine")
    spell = next(key for key in mage.spells if book.rules.spells[key].level == 1)
    for _ in range(mage.slots[0]):
        left = table.cast.the("zephrine").slots[0] - 1
        table = table.apply(h.SlotSpent(who="zephrine", level=1, left=left))
    act = {"do": "pick", "item": "deed:read-ledger", "with": spell, "text": "read it by magic"}
    play = done(table, book, "zephrine", "I read it by magic", acts=[act])
    (refused,) = play.done
    assert isinstance(refused, p.Refused)
    assert (refused.reason, refused.words) == ("no-slot", "read it by magic")


@pytest.mark.parametrize("order", [("rest", "feature"), ("feature", "rest")])
def test_what_a_rest_brings_back_is_not_denied_beside_it(order: tuple[str, str]) -> None:
    table, book = inn()
    table = table.apply(h.SlotSpent(who="zephrine", level=1, left=1))
    table = table.model_copy(update={"current_turn": "zephrine"})
    acts = {
        "rest": {"do": "pick", "item": "short_rest", "text": "rest an hour"},
        "feature": {"do": "rule", "item": "feature", "with": "arcane-recovery", "text": "recover"},
    }
    play = done(table, book, "zephrine", acts=[acts[one] for one in order])
    assert "FeatureUsed" in kinds(play)
    assert "Refused" not in kinds(play)
    assert play.table.cast.the("zephrine").slots[0] == 2


def test_a_recovery_without_a_rest_is_refused_by_its_name() -> None:
    table, book = inn()
    table = table.model_copy(update={"current_turn": "zephrine"})
    act = {"do": "rule", "item": "feature", "with": "arcane-recovery", "text": "I recover a slot"}
    play = done(table, book, "zephrine", "I recover a slot", acts=[act])
    (refused,) = play.done
    assert isinstance(refused, p.Refused)
    said = refusal(refused, play.table, book)
    assert "I recover a slot" in said
    assert "rest" in said
    assert "You could" in said


def test_what_is_in_vain_names_the_words() -> None:
    table, book = inn()
    act = {"do": "vain", "vain": "not_here", "text": "kick the barrel"}
    play = done(table, book, "thorin", "I kick the barrel.", acts=[act])
    assert "“kick the barrel”" in printed(table, play, book)


def test_words_come_before_what_is_done_and_what_answers_them() -> None:
    table, book = inn()
    acts = [
        {"do": "flourish", "text": "pushes the coppers back"},
        {"do": "say", "to": "brenna", "text": "Keep it."},
    ]
    play = done(table, book, "thorin", 'I push the coppers back. "Keep it."', acts=acts)
    assert kinds(play)[:2] == ["Spoke", "Did"]
    assert kinds(play).count("Spoke") == 1


def at_arms_length(play: TableTurn, seat: str) -> None:
    """Put a seat's foes beside it, each a blow from falling."""
    me, cast = play.table.cast.the(seat), play.table.cast
    foes = {one.id for one in cast.foes_of(seat)}
    weak = {"hp": 1, "position": me.position}
    made = [one.model_copy(update=weak) if one.id in foes else one for one in cast.creatures]
    moved = cast.model_copy(update={"creatures": tuple(made)})
    play.table = play.table.model_copy(update={"cast": moved})


@pytest.mark.parametrize("how", ["a person's words", "a companion's own wish", "nobody's"])
def test_companions_spare_where_they_or_a_person_want_it(how: str) -> None:
    felled = 0
    for seed in range(12):
        table, book, seat = fight(seed)
        words = {"do": "say", "to": "all", "text": "Alive!", "spare": how == "a person's words"}
        play = TableTurn(done(table, book, seat, "Alive!", acts=[words]).table, book)
        at_arms_length(play, seat)
        fight_turn(play, seat, spare=how == "a companion's own wish")
        if any(isinstance(one, h.AttackRolled) and one.hit for one in play.done):
            felled += 1
            assert ("Died" in kinds(play)) is (how == "nobody's")
    assert felled


def test_a_companion_who_spares_does_not_strike_whoever_has_gone_down_since() -> None:
    table, book, seat = fight(3)
    play = TableTurn(table, book)
    at_arms_length(play, seat)
    foe, *_ = play.table.cast.foes_of(seat)
    down = [
        one.model_copy(update={"hp": 0, "stable": True}) if one.id == foe.id else one
        for one in play.table.cast.creatures
    ]
    cast = play.table.cast.model_copy(update={"creatures": tuple(down)})
    play.table = play.table.model_copy(update={"cast": cast})

    def struck(pick: Pick) -> bool:
        blows = (one.steps for one in offered_to(pick, play, seat))
        return any(step.act == "attack" and step.target == foe.id for own in blows for step in own)

    assert struck(Pick())
    assert not struck(Pick(spare=True))


async def test_undo_in_words_takes_back_ones_own_last_turn(room: Open) -> None:
    climb, undo = "I climb on the counter.", "No wait, I don't."
    model = Able(
        {
            climb: {"acts": [{"do": "flourish", "text": climb}, {"do": "wait"}]},
            undo: {"acts": [{"do": "meta", "meta": "undo", "text": undo}]},
        }
    )
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        before = await session.head()
        await session.turn(climb, seat="thorin")
        await session.turn(action={"do": "play"})
        taken = await session.turn(undo, seat="thorin")
        after = await session.head()
        assert (after.head, after.number, after.state) == (before.head, before.number, before.state)
        assert "takes the last turn back" in taken.reply
        assert any(climb in aside.text for aside in taken.asides)
        assert "What happens instead?" in taken.reply
        again = await session.turn(climb, seat="thorin")
        assert again.parent == before.head
        # A client that knows the reply by its turn goes on from there as well.
        host, given = session.host, Given(message=climb)
        beside = await run_turn(host, session.id, given, seat="thorin", after=taken.id)
        assert beside.parent == before.head
        assert (await replay(session.host, session.id)).identical


async def test_undo_is_refused_where_another_person_would_lose_a_turn(room: Open) -> None:
    table = await room("1", humans=["thorin", "pell"])
    await table.does({"do": "play"})
    await table.does({"do": "pass"}, "thorin")
    turn = await table.does({"do": "undo"}, "thorin")
    assert [event["type"] for event in turn.events] == ["Refused"]


class Willing(Able):
    """Lets Pell do what she was asked, which no option is."""

    def answer(self, role: str, text: str) -> str:
        """Return an answer to a prompt."""
        if role != "party.pell":
            return super().answer(role, text)
        finds = "the notch nearest the door is the freshest"
        tries = {"skill": "perception", "band": "easy", "text": "counts the notches"}
        return json.dumps({"tries": {**tries, "finds": finds}, "say": "As you like."})


async def test_a_companion_may_do_what_it_was_asked_and_code_rolls(room: Open) -> None:
    asked = "Pell, count those notches."
    reading = {"acts": [{"do": "say", "to": "pell", "text": asked}, {"do": "wait"}]}
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(Willing({asked: reading})) as session:
        await session.turn(action={"do": "play"})
        await session.turn(asked, seat="thorin")
        turn = await session.turn(action={"do": "play"})
        assert (await replay(session.host, session.id)).identical
    types = [event["type"] for event in turn.events]
    assert types.index("Spoke") < types.index("Checked")
    (check,) = [event for event in turn.events if event["type"] == "Checked"]
    assert (check["who"], check["what"]) == ("pell", "perception")
    assert "counts the notches" in turn.reply
    assert ("freshest" in turn.reply) is check["success"]


def test_an_area_spell_picked_at_one_foe_reaches_the_others_near() -> None:
    table, book = situation("en", "fight", "zephrine")
    zephrine = table.cast.the("zephrine")
    offered = {one.id: one for one in choices(table, book, "zephrine")}
    sleep = offered["cast:sleep:giant-rat-2"]
    assert {*sleep.steps[-1].targets} == {"giant-rat-1", "giant-rat-2", "giant-rat-3"}
    far = table.cast.with_("giant-rat-3", position=60)
    apart = table.model_copy(update={"cast": far})
    near = in_area(apart, zephrine, book.rules.spells["sleep"], far.the("giant-rat-2"))
    assert near == ("giant-rat-2", "giant-rat-1")
    assert not in_area(apart, zephrine, book.rules.spells["fire-bolt"], far.the("giant-rat-2"))


def test_a_spell_for_a_friend_names_the_friend() -> None:
    table, book = inn()
    play = done(table.model_copy(update={"current_turn": "zephrine"}), book, "zephrine",
                acts=[{"do": "rule", "item": "cast", "with": "light", "to": "thorin"}])  # fmt: skip
    assert "Zephrine: light → Thorin" in printed(table, play, book)


def at_the_mill(seed: int = 1) -> tuple[Table, Book]:
    table, book = situation("en", "mill", "pell")
    cast = table.cast.model_copy(update={"dice_seed": str(seed)})
    now = table.expedition
    there = now.model_copy(update={"flags": (*now.flags, "scene:mill")})
    return table.model_copy(update={"cast": cast, "expedition": there}), book


@pytest.mark.parametrize("to", ["the hole behind the sacks", "down there", "le trou"])
def test_a_way_that_was_opened_just_now_is_taken_by_whatever_name(to: str) -> None:
    ends = set()
    for seed in SEEDS:
        table, book = at_the_mill(seed)
        acts = [
            {"do": "pick", "item": "deed:open-trapdoor", "text": "throws the sacks aside"},
            {"do": "move", "to": to, "when": "if_success", "text": "jumps down"},
        ]
        play = done(table, book, "pell", acts=acts)
        opened = any(isinstance(one, ExitOpened) for one in play.done)
        assert (play.table.expedition.scene == "cellar") is opened
        ends.add(opened)
    assert True in ends


def test_an_unknown_place_is_still_refused_when_nothing_was_opened() -> None:
    table, book = at_the_mill()
    play = done(table, book, "pell", acts=[{"do": "move", "to": "the moon", "text": "flies up"}])
    assert "InVain" in kinds(play)
    assert play.table.expedition.scene == "mill"


def test_who_was_attacked_in_peace_is_gone_for_good_and_it_is_remembered() -> None:
    table, book = at_the_mill()
    stab = {"do": "rule", "item": "attack", "to": "vask", "with": "rapier", "text": "stabs at Vask"}
    asked = done(table, book, "pell", acts=[stab]).table
    assert any(one.id.startswith("talk:vask/") for one in choices(asked, book, "pell"))
    play = done(asked, book, "pell", acts=[stab])
    after = play.table
    assert not any(one.id.startswith("talk:vask/") for one in choices(after, book, "pell"))
    here = "Here: Odrin Vask"
    assert here in looked_up(scene_asked(), asked, book)
    assert here not in looked_up(scene_asked(), after, book)
    assert "stabs at Vask" in printed(asked, play, book)
    noted = worth_remembering(play.done, lambda who: "")
    assert [one.value for one in noted if one.about == "pell"] == ["stabs at Vask"]


def scene_asked() -> p.Consulted:
    return p.Consulted.model_validate({"seat": "pell", "topic": "scene"})


@pytest.mark.parametrize(
    ("act", "gone"),
    [
        ({"do": "check", "skill": "animal-handling", "band": "medium", "text": "flings it"}, True),
        ({"do": "flourish", "text": "raises the mug"}, False),
        ({"do": "say", "text": "Here is to you!"}, False),
    ],
)
def test_food_and_drink_that_an_act_was_done_with_are_gone(act: dict[str, str], gone: bool) -> None:
    table, book = inn()
    has = table.apply(h.ItemGained(who="pell", item="ale", count=2))
    has = has.model_copy(update={"current_turn": "pell"})
    after = done(has, book, "pell", acts=[{**act, "with": "ale"}]).table
    assert after.cast.the("pell").count("ale") == (1 if gone else 2)


def test_a_tool_that_an_act_was_done_with_stays() -> None:
    table, book = inn()
    here = table.model_copy(update={"current_turn": "pell"})
    act = {"do": "check", "skill": "stealth", "band": "easy", "text": "taps", "with": "dagger"}
    after = done(here, book, "pell", acts=[act]).table
    assert after.cast.the("pell").count("dagger") == here.cast.the("pell").count("dagger")


def test_ale_dashed_into_eyes_with_a_blow_is_gone() -> None:
    table, book, seat = at_hand()
    table = table.apply(h.ItemGained(who=seat, item="ale", count=1))
    offered = (one.id for one in choices(table, book, seat) if one.id.endswith(RAT))
    key = next(one for one in offered if one.startswith("attack:"))
    act = {"do": "pick", "item": key, "with": "ale", "text": "dashes ale into its eyes"}
    assert not done(table, book, seat, acts=[act]).table.cast.the(seat).count("ale")


def test_what_was_to_be_done_elsewhere_is_not_done_on_the_way() -> None:
    table, book = situation("en", "inn", "pell")
    over = (one for one in table.expedition.flags if one != "over:rats")
    now = table.expedition.model_copy(update={"flags": tuple(over)})
    acts = [
        {"do": "move", "to": "causeway", "text": "marches out"},
        {"do": "move", "to": "mill", "text": "on to the mill"},
        {"do": "flourish", "text": "knocks at the mill door"},
        {"do": "say", "text": "Come along!"},
    ]
    start = table.model_copy(update={"expedition": now})
    play = TableTurn(start, book)
    reading = Reading.model_validate({"acts": acts})
    perform(play, "pell", reading, "Come along! …")
    assert play.table.expedition.scene == "causeway"
    told = [one.text for one in play.done if isinstance(one, t.Did | p.Spoke)]
    assert "knocks at the mill door" not in told
    left = [text for one in play.done if isinstance(one, t.LeftUndone) for text in one.texts]
    assert "knocks at the mill door" in left


def test_whoever_leaves_where_only_sleepers_lie_walks_away() -> None:
    table, book, seat = fight(3)
    rats = [one.id for one in table.cast.foes_of(seat)]
    table = asleep(table.apply(p.SeatHeld(seat=seat, by="human")), *rats)
    play = done(table, book, seat, acts=[{"do": "move", "to": "reeds", "text": "goes on"}])
    told = printed(table, play, book)
    assert "walks away" in told
    assert not [one for one in ("runs for it", "gets away", "wakes") if one in told]
    assert (play.table.mode, play.table.expedition.scene) == ("exploring", "reeds")
