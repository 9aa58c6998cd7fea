"""Interpret one part of a message in its scene: whom and what it names, and what it may mean.

`Ear` combines a classified `Part` with the game, and offers one property for each question that
the parser asks about it. Thresholds are probabilities from the classifier's heads `tone`, `want`,
`subject`, `voice` and `free`.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Act as Named
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import place_named
from ruleplay.agents.saga.policy.labels import LABELS
from ruleplay.agents.saga.policy.phrases import COINS
from ruleplay.story.acts import Act, Approach
from ruleplay.story.hearing import BRIEF, Part, heard, part_of
from ruleplay.story.mentions import Named as Mentioned
from ruleplay.story.mentions import Scope, conditional, mentioned, only_person, topic_in
from ruleplay.story.texts import Frozen, Lang, numbered, table, words_of
from ruleplay.story.wording import Phrase, find

UNSURE, CLEAR, NAMED = 0.35, 0.6, 0.8
"""Least probability of an act that is free, of one that is clear, and of one that is exact."""
TONED, LEADING, PLAINER = 0.5, 0.35, 2.5
"""Thresholds for a tone other than plain: sure enough by itself (`TONED`), or at least `LEADING`
and `PLAINER` times as likely as plain."""
ASKS, ASKED, FAINTLY = 0.85, 0.75, 0.2
"""Thresholds for a question without a question mark: that somebody wants to know something, what
it is about, and that some act asks at all."""
DEMANDS = ("pass", "leave", "yield", "give")
"""What players ask of those who bar the way."""
SHORT, LONG_TALK, GREETING = 4, 14, 2
"""Most words of a part that says a single thing; most of one in which a name alone tells the
topic; words that a greeting takes."""
ONE = ("un", "une")
"""The number one where it is an article, too."""
OWN = ("inventory", "sheet")
"""Acts that ask what the hero has."""
FOR = frozenset(("for", "pour"))
"""Words before whom something is for."""
OBJECTS = frozenset(("le", "la", "les"))
"""French pronouns for what was named before, if no noun follows them."""
WORDS = re.compile(r"\w+")
TONGUES: dict[Lang, tuple[str, ...]] = {"en": ("english", "anglais"), "fr": ("french", "francais")}


class Meant(Frozen):
    """What a part means: acts, or one intent; how sure, and whether its target was named.

    `choice` is the offer by which it can be asked about, `said` the words; `lead` is how many
    times likelier it is than what comes next, `speech` how likely they are mere
    words, which they may also be where somebody is named or something asked; `denied`: it is said
    not to be done.
    """

    sure: float
    acts: tuple[Act, ...] = ()
    intent: Intent | None = None
    choice: Intent | None = None
    costly: bool = False
    named: bool = True
    onward: bool = False
    lead: float = 1.0
    said: str = ""
    speech: float = 0.0
    asks: bool = False
    denied: bool = False
    part: Part | None = None


class Ear(Frozen):
    """A part that is to be understood, where it was said."""

    part: Part
    quoted: tuple[str, ...]
    scope: Scope
    game: Game
    book: Book

    @property
    def thing(self) -> str:
        """Id of the item that is named, or empty."""
        return self.part.item.id if self.part.item else ""

    @property
    def weapon(self) -> str:
        """Id of the carried weapon that is named or implied by a verb ("stab"), or empty."""
        items, carried = self.book.rules.items, self.scope.weapons
        done = (one for one in carried for verb in items[one].verbs.all if self.says(verb))
        return self.thing if self.thing in carried else next(done, "")

    def says(self, phrase: str) -> bool:
        """Whether the part contains a phrase, typos allowed."""
        return find(self.part.words, words_of(phrase)) is not None

    @property
    def who(self) -> str:
        """Id, as readings use it, of the being that is named.

        An encounter is resolved to the foe whose name was said, else to its first.
        """
        one = self.part.being
        if one is None or not one.id.startswith("encounter:"):
            return one.id if one else ""
        foes = setting.waiting_foes(self.game, self.book)
        said = set(self.part.words)
        own = (k for k, foe in foes.items() for n in foe.name.both if said & set(words_of(n)))
        return next(iter((*own, *foes)), "")

    @property
    def absent(self) -> str:
        """Id of somebody named who is not here; empty if somebody who is here is named."""
        words = (*self.part.words, *words_of(" ".join(self.quoted)))
        named = None if self.who else mentioned(words, self.scope.absent)
        return named.id if named else ""

    @property
    def person(self) -> str:
        """Id of the person meant: the one who is named, or the only one here."""
        barred = bool(setting.waiting_foes(self.game, self.book))
        alone = "" if barred or self.absent else only_person(self.scope)
        return self.who or alone

    @property
    def foe(self) -> str:
        """Id of the foe meant: the one who is named, or the only candidate."""
        fight = self.game.fight
        waiting = setting.waiting_foes(self.game, self.book)
        foes = fight.side("foes") if fight else ()
        # If exactly one foe is wounded, an unaddressed blow continues with that one.
        there = [foe.id for foe in foes if foe.hp < foe.max_hp]
        there = there if len(there) == 1 else [foe.id for foe in foes] if fight else [*waiting]
        return self.who or (there[0] if len(there) == 1 else "")

    @property
    def opponent(self) -> str:
        """Id of a trick's target: the foe meant, else the foe within reach who has lost most."""
        fight = self.game.fight
        near = [one for one in fight.side("foes") if not one.far] if fight else []
        worn = min(near, key=lambda one: one.hp - one.max_hp, default=None)
        return self.foe or (worn.id if worn else "")

    @property
    def brief(self) -> bool:
        """Whether the part is too short to say more than one thing."""
        return len(self.part.words) <= 2 * SHORT

    @property
    def inquires(self) -> bool:
        """Whether somebody is named or asked; a mere statement does not bring up a topic."""
        want = self.part.heard["want"][0]
        asked = want.label == "know" and want.sure >= TONED
        return asked or "?" in self.part.text or bool(self.who)

    def topic(self, words: Phrase, who: str) -> str:
        """Find the topic of a person that words are about.

        A greeting followed by a question is about the question, so its first words are skipped.
        """
        found = topic_in(words, self.scope, who)
        greeting = bool(found) and self.book.scenario.talks[found].default
        if greeting and "?" in self.part.text:
            found = topic_in(words[GREETING:], self.scope, who)
        return found

    @property
    def coins(self) -> int:
        """The number of coins that is mentioned, or 0."""
        words, named = self.part.words, (text for one in COINS.values() for text in one.both)
        coins = {words_of(text)[-1] for text in named}
        said = (counted((n,)) for n, word in pairwise(words) if word in coins)
        return next((n for n, *_ in filter(None, said)), 0)

    @property
    def tenders(self) -> bool:
        """Whether coins are named as in a bargain: they are offered, and not asked about."""
        return bool(self.coins) and self.approach == "bargain"

    @property
    def one_coin(self) -> int:
        """1 if a single coin is mentioned without a number ("a coin"), else 0."""
        return int(any(words_of(text)[-1] in self.part.words for text in COINS[False].both))

    @property
    def approach(self) -> Approach:
        """The tone in which words are said, `plain` if it is unclear."""
        tone, *others = self.part.heard["tone"]
        plain = next((one.sure for one in others if one.label == "plain"), 0.0)
        clear = tone.sure >= TONED or (tone.sure >= LEADING and tone.sure >= PLAINER * plain)
        return LABELS.tones.get(tone.label, "plain") if clear else "plain"

    @property
    def demanded(self) -> str:
        """What those who bar the way are asked for, from several weak guesses together."""
        asked = [one for one in self.part.heard["want"] if one.label in DEMANDS]
        return asked[0].label if sum(one.sure for one in asked) >= LEADING else ""

    @property
    def want(self) -> str:
        """What words are meant to achieve, empty if that is unclear."""
        want = self.part.heard["want"][0]
        return want.label if want.sure >= TONED and want.label not in ("none", "like") else ""

    @property
    def asks(self) -> float:
        """Probability that the game master is asked something, whatever it is."""
        return sum(map(self.part.chance, LABELS.asks))

    @property
    def inquiring(self) -> bool:
        """Whether the part is a question, with or without a question mark."""
        first, want = self.part.heard["subject"][0], self.part.heard["want"][0]
        plain = want.label == "know" and want.sure >= ASKS and first.sure >= ASKED
        plain = plain and self.asks >= FAINTLY / 2
        return "?" in self.part.text or self.asks >= FAINTLY or (plain and first.label != "would")

    @property
    def wonders(self) -> bool:
        """Return whether the player plainly wants to know something, and asks nobody aloud."""
        want, free = self.part.heard["want"][0], self.part.heard["free"][0].label
        wants = want.label == "know" and want.sure >= ASKS
        return wants and free != "speak" and self.part.sure < CLEAR and not self.who

    @property
    def greets(self) -> bool:
        """Whether words are a mere greeting or thanks."""
        calls = len(self.part.words) <= SHORT and bool(self.who) and "?" not in self.part.text
        return self.brief and (calls or self.part.subject == "greeting")

    @property
    def reports(self) -> bool:
        """Whether the player reports speech ("I tell her that …") rather than speaking directly."""
        voice = self.part.heard["voice"][0]
        return voice.label == "told" and voice.sure >= TONED

    @property
    def reported(self) -> str:
        """The spoken words without the address: "I will" of "tell Maud I will".

        The whole part, if what follows the name does not read as direct speech.
        """
        being, text = self.part.being, self.part.text
        names = {word for phrase in being.phrases for word in phrase} if being else set()
        opening = [*WORDS.finditer(text)][: SHORT + 1]
        ends = [one.end() for one in opening if names & {*words_of(one[0])}]
        said = text[ends[-1] :].strip(" ,:") if ends and self.reports else ""
        voice = heard(part_of(said, self.scope)).heard["voice"][0] if said else None
        return (
            said
            if voice and voice.label == "direct" and not conditional(words_of(said)[:1])
            else text
        )

    @property
    def ware(self) -> str:
        """Id of a ware for sale here that the words ask, haggle or pay for; empty for none."""
        asks = "?" in self.part.text and not self._raises
        deals = asks or self.approach == "bargain" or self.want == "give"
        wares = (one.id for one in self.scope.items if one.id in self.scope.sold)
        named = {one.id for one in self.scope.items if names(self.part, one)}
        return next((ware for ware in wares if ware in named), "") if deals else ""

    @property
    def _raises(self) -> bool:
        """Whether a question names a topic of somebody here, and is about no purchase or price."""
        part = self.part
        deals = part.subject in ("price", "gear") or part.chance("buy") >= FAINTLY / 2
        return not deals and bool(self.topic(part.words, self.person))

    def beside(self, to: str) -> bool:
        """Whether a mere direction to a place goes on to a zone of this one: "out back"."""
        own = place_named(to, self.book.scenario.places[to]).phrases
        named = {word for phrase in own for word in phrase}
        ways = (way for way in surroundings.exits(self.game, self.book) if way.to == to)
        led = {word for way in ways for word in way.words.all} - named
        after = (then for word, then in pairwise(self.part.words) if word in led)
        return any(word in LABELS.zones and word not in led for word in after)

    def here(self, who: str) -> str:
        """Return somebody's id if a reading may name them here and now, else an empty string."""
        return who if who in setting.roster(self.game, self.book).beings else ""

    def intent(self, act: Named, *, target: str = "", item: str = "") -> Intent:
        """Build an intent in this part's words."""
        return Intent(act=act, target=target, item=item, said=self.part.text[:200])

    def put(self) -> Meant:
        """Make this part a question to the game, which code answers from the state."""
        part = self.part
        to = LABELS.asks.get(part.act, "scene") if part.sure >= UNSURE else "scene"
        if part.subject in ("purse", "gear") and sum(map(part.chance, OWN)) >= FAINTLY:
            to = "sheet"
        return Meant(sure=1.0, acts=(Act(do="ask", to=to, text=part.text),))

    def meant(self, act: Act, *, costly: bool = False, named: bool = True) -> Meant:
        """Wrap an act as the meaning of this part."""
        return Meant(sure=self.part.sure, acts=(act,), costly=costly, named=named)


def as_words(ear: Ear) -> Ear:
    """Reinterpret a part as speech if it is: reported speech, or a question outside a fight.

    "I tell her I am the king" is a claim made to somebody, not one about the world.
    """
    part, said = ear.part, sum(map(ear.part.chance, ("speak", "claim")))
    told = part.act in ("speak", "claim") and ear.reports and said >= TONED
    words = part.heard["free"][0].label == "speak" and not ear.game.fight
    if words and ear.want == "know" and part.act in LABELS.skills:
        told, said = True, part.sure
    return ear.model_copy(update={"part": part.instead("speak", sure=said)}) if told else ear


def names(part: Part, one: Mentioned) -> bool:
    """Whether a part names something."""
    return any(find(part.words, phrase) is not None for phrase in one.phrases)


def tongue_of(part: Part) -> Lang | None:
    """Return the language that a short message or a question asks for, or None."""
    most = 2 * BRIEF if "?" in part.text else BRIEF
    known = TONGUES.items() if len(part.words) <= most else ()
    return next((lang for lang, names in known if not set(names).isdisjoint(part.words)), None)


def count_of(words: Phrase, ware: Mentioned | None) -> int:
    """Return how many of a ware are wanted: the number right before its name, else one.

    "An ale for me, one for the lady" are two.
    """
    places = [(at, p) for p in ware.phrases if (at := find(words, p)) is not None] if ware else []
    most = max((1, *(n for at, _ in places for n in counted(words[at - 1 : at]))))
    shared = any({*words[at + len(p) : at + len(p) + 1]} & FOR for at, p in places)
    return most + sum(shares(words)) if shared else most


def shares(words: Phrase) -> list[int]:
    """List how many are for somebody, without naming what: 1 of "and one for the lady"."""
    pairs = [word for word, then in pairwise(words) if then in FOR]
    return [n for word in pairs for n in (counted((word,)) or [1] * (word in ONE))]


def counted(words: Phrase) -> list[int]:
    """Collect the numbers among words, in digits or spelt out; each is capped at 99."""
    counted = (int(w[:6]) if w.isdigit() else _numbers().get(w, 0) for w in words)
    return [min(n, 99) for n in counted if n]


@cache
def _numbers() -> dict[str, int]:
    return {word: n for lang in ("en", "fr") for n, word in numbered(lang)}


def refers(words: Phrase) -> bool:
    """Whether words do something with what was named before: "put it on …", "keep them"."""
    joins = (*table("prepositions", "en"), *table("prepositions", "fr"), "")
    nouns = any(word in OBJECTS and then in joins for word, then in pairwise((*words, "")))
    return nouns or not {"it", "them"}.isdisjoint(words)
