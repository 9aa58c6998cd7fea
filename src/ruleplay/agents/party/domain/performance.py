"""The state of a reading that is being carried out: by whom, how far, and what is left undone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from ruleplay.agents.party.domain.addressing import leg_to
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.exploration.acts import RESTS, Exploration
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import ExitOpened
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.staging import mover, roster
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import END
from ruleplay.story.acts import Act
from ruleplay.story.texts import words_of
from ruleplay.story.undone import Undone
from ruleplay.story.wording import Phrase, find, in_own_words, spoken

COSTLY = ("pick", "rule", "move", "use", "check", "follow", "yield", "wait", "give", "take")
"""The acts that only the seat whose move it is may do."""
OFFSTAGE = ("ask", "meta", "whisper")
"""The acts that are said to the game rather than done in it."""
SPENT = ("no-action", "no-bonus", "no-bonus-action", "no-movement")
"""The refusals after which an act is kept for the next turn."""
LEEWAY = 2
"""The difference in words that an account of a quotation may have from the original."""
QUOTED = 200
"""Most characters of a player's words that are quoted back; they end with a whole word."""
Done = bool
"""True when an act came about."""


@dataclass
class Performance:
    """A reading that a seat is carrying out: `act` is the current act, `coming` are the later ones.

    `ahead` holds words that were already said, and `aloud` the phrases used, by listener. `left`
    holds what there was no room for: the reason, the words, and by what flag it is settled. `tried`
    are the checks made for this message. `heard` is true once whoever was asked something has
    answered, `asked` what they were asked, `wanted` what companions were asked to hand over,
    and `returned` the wares that went back to whoever had sold them.
    `stranded` says why a move has been left undone, `vows` whether something is promised,
    `hangs` are acts that wait for an answer or for what is found. `worded` says that a model has
    read the words, `among` to which companions words to several are, and `bound` whom else a thing
    is to be given to that a companion was asked for. `told` is what the turn has told to all,
    `plans` are what was meant to be done before it.
    """

    play: TableTurn
    seat: str
    message: str = ""
    last: bool | None = None
    used: bool = False
    confirmed: str = ""
    failed: bool = False
    heard: bool = False
    stranded: Undone | None = None
    vows: bool = False
    act: Act | None = None
    coming: tuple[Act, ...] = ()
    ahead: list[str] = field(default_factory=list)
    aloud: defaultdict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))
    left: list[tuple[Undone, str, str]] = field(default_factory=list)
    asked: set[tuple[str, str]] = field(default_factory=set)
    wanted: dict[str, str] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)
    tried: set[tuple[str, str]] = field(default_factory=set)
    worded: bool = False
    told: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    hangs: list[Act] = field(default_factory=list)
    bound: dict[str, str] = field(default_factory=dict)
    among: dict[str, tuple[str, ...]] = field(default_factory=dict)
    owned: bool = field(init=False)

    def __post_init__(self) -> None:
        self.owned = self.mine

    @property
    def mine(self) -> bool:
        """Whether it is this seat's move."""
        return self.play.table.current_turn == self.seat

    @property
    def who(self) -> str:
        """Return who acts: the seat's character, or the creature that the DM moves."""
        return mover(self.play.table, self.seat)

    @property
    def fighting(self) -> bool:
        """Whether there is a fight."""
        return self.play.table.cast.fight is not None

    def downed(self, who: str) -> bool:
        """Whether somebody who was up at the start of the turn is out of the fight."""
        before, after = self.play.began.cast.get(who), self.play.table.cast.get(who)
        stood = before is not None and before.present and before.conscious
        return stood and not (after and after.present and after.conscious)

    def vain(self, why: str, text: str = "") -> Done:
        """Record that the act came to nothing, so that the story can tell it."""
        said = self.words(self.act) if self.act and self.act.text else text
        thing = self.act.item if self.act and why == "not_carried" else ""
        if thing and find(words_of(self.message), words_of(thing)) is not None:
            said = thing  # the thing in the player's words, not all that they tried with it
        self.play.add(t.InVain(who=self.who, why=why, text=said[:300]))
        return False

    def took(self, refused: Refusal | None) -> Done:
        """Take over the rules' answer; a refusal costs nothing and quotes what was refused.

        An act that is refused because the turn's actions are spent is left for the next turn.
        """
        if refused is None:
            self.used = True
        elif refused.reason in SPENT and self.act:
            self.leave(self.act, "turn")
        else:
            self.play.refuse(self.seat, refused, self.words(self.act) if self.act else "")
        return refused is None

    def wait(self) -> Done:
        """Do nothing more, and end the turn."""
        fight = self.play.table.cast.fight
        if fight and fight.actor == self.who:
            self.play.step(self.who, END)
        self.play.finish(self.seat, "acts" if self.used else "passes")
        self.used = False
        return False

    def words(self, act: Act) -> str:
        """Return the words for an act as it was read; of speech, those that are spoken."""
        said = spoken(self.message, act.text) if act.do == "say" else ""
        said = (said or named(self.play, act)).rstrip(". ")
        return said if len(said) <= QUOTED else f"{said[:QUOTED].rsplit(None, 1)[0]} …"

    def leave(self, act: Act, why: Undone) -> None:
        """Note an act as left undone; waiting without words is not noted."""
        one = self.play.table.cast.get(self.who)
        if not why and one and one.gone:
            why = "vain"  # whoever has left a fight waits for nothing there
        if act.do == "move":
            self.stranded = why
        # What was asked aloud has been heard.
        asked = act.do == "say" and act.text in self.ahead and act.want in ("", "know", "like")
        if (act.do != "wait" or act.text) and not (asked and not why):
            self.left.append((why, self.words(act), settled_by(act)))

    def redirected(self, act: Act) -> Act:
        """Return what an act comes to: the dead only ask, the dying do nothing, ways have any name.

        A move to something unlisted leads by the one way that this message has opened, and one to a
        place farther off that they know of to the next place on the way there.
        """
        me = self.play.table.cast.get(self.who)
        if me and me.dead and act.do not in OFFSTAGE:
            return Act(do="ask", to="help", text=self.words(act))
        if me and me.dying and self.fighting and act.do in COSTLY and act.do != "wait":
            return Act(do="vain", vain="not_able", text=self.words(act))
        if act.do != "move":
            return act
        known = roster(self.play.table, self.play.book, self.seat)
        opened = {one.to for one in self.play.done if isinstance(one, ExitOpened)} & {*known.ways}
        if act.to in (*known.ways, *known.anybody):
            return act
        if len(opened) == 1:
            return act.model_copy(update={"to": opened.pop()})
        first, goal = leg_to(self.play.table, self.play.book, act.to)
        if first:
            self.leave(act.model_copy(update={"to": goal}), "far")
        return act.model_copy(update={"to": first or act.to})


def struck(act: Act) -> str:
    """Return the target of an attack act; empty for other acts."""
    kind, _, rest = (act.item if act.do == "pick" else f"{act.item}::{act.to}").partition(":")
    return rest.rpartition(":")[2] if act.do in ("pick", "rule") and kind == "attack" else ""


def settled_by(act: Act) -> str:
    """Return the adventure's flag with which an act is settled, whoever does it; "" for none."""
    kind, _, what = act.item.partition(":") if act.do == "pick" else ("", "", "")
    topic = act.topic or (what.partition("/")[2] if kind == "talk" else "")
    if topic:
        return f"talk:{topic}"
    if kind == "deed":
        return act.item
    to = act.to if act.do == "move" else what if kind == "go" else ""
    return f"at:{to}" if to else ""


def named(play: TableTurn, act: Act) -> str:
    """Return an act in the words that it was read from, or else by what it is about."""
    if act.text:
        return act.text
    lang, book = play.table.lang, play.book
    offered = {one.id: one.label for one in choices(play.table, book, play.table.current_turn)}
    label = offered.get(act.item)
    if label is None and act.do == "move" and act.to in book.story.scenes:
        label = venture_label(Exploration(act="go", target=act.to), book.story)
    if label:
        return label.of(lang)
    what = book.effect(act.item or act.with_).of(lang) if act.item or act.with_ else act.do
    return f"{what} {play.table.name(act.to)}".strip() if act.to else what


def reworded(now: Performance, account: str, to: str) -> str:
    """Return the player's own words when an account only changes their forms (go, goes)."""
    own, theirs = in_own_words(now.message, account), words_of(account)
    mine = [
        one for one in words_of(own) if one not in words_of(now.play.table.name(to) if to else "")
    ]
    forms = all(any(word[:2] == one[:2] for one in mine) for word in theirs)
    return own if forms and abs(len(mine) - len(theirs)) <= LEEWAY else ""


def rests(act: Act) -> bool:
    """Tell whether an act is a rest."""
    return act.do == "pick" and act.item in RESTS


def leaves(play: TableTurn, act: Act) -> bool:
    """Tell whether an act leads to another place of the story."""
    to = act.to if act.do == "move" else act.item.removeprefix("go:")
    return act.do in ("move", "pick") and not play.table.cast.fight and to in play.book.story.scenes


def volley(now: Performance, act: Act) -> Act:
    """Turn a picked multi-ray spell into a rule act, so that its rays can be divided up."""
    kind, key, to = (*act.item.split(":"), "", "")[:3]
    spell = now.play.book.rules.spells.get(key)
    if act.do != "pick" or kind != "cast" or spell is None or spell.rays < 2:
        return act
    body = {"do": "rule", "item": "cast", "with": key, "to": to}
    return Act.model_validate({**body, "count": act.count, "text": act.text, "when": act.when})


def dart_of(act: Act, first: Act) -> bool:
    """Whether an act is another ray of the same cast at a different target."""
    like = all(getattr(act, name) == getattr(first, name) for name in ("with_", "when"))
    return like and (act.do, act.item) == (first.do, first.item) == ("rule", "cast")


def unanswered(play: TableTurn, seat: str) -> list[tuple[str, str]]:
    """Return whom a seat has whispered to in this turn, and what, if nobody plays them.

    A whisper counts as answered once they have whispered back.
    """
    said = [one for one in play.done if isinstance(one, p.Whispered)]
    back = {one.seat: at for at, one in enumerate(said) if one.to == (seat,)}
    own = ((at, one) for at, one in enumerate(said) if one.seat == seat and not one.sign)
    return [
        (to, one.text)
        for at, one in own
        for to in one.to
        if to in play.table.characters and at > back.get(to, -1)
        if not play.table.is_held(to) and not play.table.is_fallen(to)
    ]
