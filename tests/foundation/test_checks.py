"""The claim reader on hand-written cases, and its figures on the development corpus."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.foundation.gate_corpus_dev import SHOP as SHOP_WORLD
from tests.foundation.gate_corpus_dev import WORLDS, World, corpus, fact
from tests.foundation.gate_corpus_fresh import FRESH_WORLDS, THIRD_WORLDS
from tests.foundation.gate_corpus_more import MORE_WORLDS

from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure, Outcome


def _outcomes(kind: str, value: str, phrases: str, negated: str = "") -> tuple[Outcome, ...]:
    return tuple(
        Outcome(phrase=phrase, kind=kind, value=value, negated=negated)
        for phrase in phrases.split("|")
    )


SHOP = checker(
    Lexicon(
        entities=(
            Entity(
                name="PS117", kind="part", aliases=("drain pump", "the pump", "pompe de vidange")
            ),
            Entity(
                name="PS343", kind="part", aliases=("door gasket", "the gasket", "joint de porte")
            ),
            Entity(name="PS900", kind="part", aliases=("rack wheel",)),
            Entity(name="WDT780SAEM1", kind="model"),
            Entity(name="GE500X", kind="model"),
        ),
        outcomes=(
            *_outcomes(
                "fit",
                "listed",
                "fits|fit|list|listed|listing|compatible|convient|répertorié",
                "not_listed",
            ),
            *_outcomes("fixes", "leaking", "leaking|leaks"),
            *_outcomes("fixes", "noisy", "noisy|noise"),
            *_outcomes("difficulty", "easy", "easy|facile"),
            *_outcomes("difficulty", "difficult", "difficult"),
        ),
        measures=(
            Measure(kind="price", units=("$", "dollars")),
            Measure(kind="minutes", units=("minutes", "min")),
        ),
    )
)
SHOP_FACTS = (
    fact("price-1", "PS117 costs $42.10.", ("price", "PS117", "42.10 usd", "")),
    fact("price-2", "PS343 costs $71.", ("price", "PS343", "71 usd", "")),
    fact("price-3", "PS900 costs $21.05.", ("price", "PS900", "21.05 usd", "")),
    fact("fit-1", "PS117 is listed for WDT780SAEM1.", ("fit", "PS117", "listed", "WDT780SAEM1")),
    fact(
        "fit-2",
        "PS343 is not listed for WDT780SAEM1.",
        ("fit", "PS343", "not_listed", "WDT780SAEM1"),
    ),
    fact("fixes-1", "PS117 fixes leaking.", ("fixes", "PS117", "leaking", "")),
    fact("fixes-2", "PS343 fixes noise.", ("fixes", "PS343", "noisy", "")),
    fact("time-1", "PS117 takes 30 minutes.", ("minutes", "PS117", "30", "")),
    fact("time-2", "PS343 takes 15-30 minutes.", ("minutes", "PS343", "15-30", "")),
    fact("hard-1", "PS117 is easy.", ("difficulty", "PS117", "easy", "")),
    fact("hard-2", "PS343 is difficult.", ("difficulty", "PS343", "difficult", "")),
)
FIGHT = checker(
    Lexicon(
        entities=(
            Entity(name="Aria", kind="being", pronouns=("she", "her", "elle", "lui")),
            Entity(name="Borin", kind="being", pronouns=("he", "him", "his", "il", "lui")),
            Entity(
                name="the goblin",
                kind="being",
                aliases=("goblin", "le gobelin", "gobelin"),
                pronouns=("it", "he", "him", "il", "lui"),
            ),
            Entity(
                name="the troll",
                kind="being",
                aliases=("troll", "le troll"),
                pronouns=("it", "he", "him", "lui"),
            ),
            Entity(name="axe", kind="weapon", aliases=("hache",)),
            Entity(name="club", kind="weapon"),
            Entity(name="bow", kind="weapon", aliases=("arc",)),
        ),
        outcomes=(
            *_outcomes("damage", "", "hits|hit|strikes|struck|strike|frappe|frappé|touche"),
            *_outcomes(
                "state",
                "dead",
                "dies|dead|killed|kills|slain|die|died|meurt|mort|morte|lifeless",
                "alive",
            ),
            *_outcomes("state", "alive", "survives|alive|survive", "dead"),
            *_outcomes("miss", "", "misses|miss|rate"),
            *_outcomes("condition", "poisoned", "poisoned|empoisonnée"),
        ),
        measures=(
            Measure(
                kind="damage", units=("damage", "points of damage", "dégâts", "points de dégâts")
            ),
            Measure(kind="hp", units=("hit points", "HP", "points de vie", "hit points left")),
        ),
        atmosphere=True,
    )
)
FIGHT_FACTS = (
    fact(
        "hit-1",
        "The goblin hits Aria for 7 damage with its club.",
        ("damage", "the goblin", "7", "Aria"),
        ("weapon", "the goblin", "club", ""),
    ),
    fact(
        "hit-2",
        "Aria hits the goblin for 12 damage with her axe.",
        ("damage", "Aria", "12", "the goblin"),
        ("weapon", "Aria", "axe", ""),
    ),
    fact(
        "hit-3",
        "Borin hits the troll for 5 damage with his bow.",
        ("damage", "Borin", "5", "the troll"),
        ("weapon", "Borin", "bow", ""),
    ),
    fact("hp-1", "Aria has 18 hit points left.", ("hp", "Aria", "18", "")),
    fact("hp-2", "Borin has 23 hit points left.", ("hp", "Borin", "23", "")),
    fact("dead", "The goblin dies.", ("state", "the goblin", "dead", ""), must=True),
    fact("alive-1", "Aria survives.", ("state", "Aria", "alive", "")),
    fact("alive-2", "Borin survives.", ("state", "Borin", "alive", "")),
    fact("miss", "The troll misses Borin.", ("miss", "the troll", "", "Borin")),
    fact("poison", "Aria is poisoned.", ("condition", "Aria", "poisoned", "")),
)
SHOP_TRUE = """
Choose PS117 for $42.10 or PS343 for $71.
The pump at $42.10; the gasket at $71.
PS343 costs $28.90 more than PS117.
PS900 costs half as much as PS117.
The cheapest option is PS900.
PS117 – drain pump – $42.10
1. PS117: $42.10
2. PS343: $71
| PS117 | $42.10 | 30 min | easy |
PS117 costs 42.10 USD.
PS117 costs US$42.10.
The pump will set you back $42.10.
You can install PS117 in 30 minutes.
Allow yourself half an hour: PS117 takes 30 minutes.
That part, PS343, is not listed for your model WDT780SAEM1, so I can't say that it fits.
The catalog does not list PS343 for WDT780SAEM1.
Is PS117 compatible with your WDT780SAEM1? Yes, it is listed.
Does PS117 fit WDT780SAEM1?
La pompe de vidange coûte 42,10 $ et le joint de porte coûte 71 $.
Le joint de porte est plus cher que la pompe de vidange.
Il faut compter trente minutes pour installer PS117.
Would you like the installation steps for PS117?
Please disconnect the power first.
Sure! PS117 is easy to install.
$71 is the price of the gasket.
- **PS117** — $42.10
- PS117: $42.10, 30 minutes, easy
A seventy-one dollar part, the gasket is difficult to replace.
As it stands, PS117 costs $42.10.
At $42.10, the drain pump is a fair deal.
Between PS117 and PS343, PS117 is cheaper.
Both PS117 and PS343 are in the catalog.
Could you tell me your model number?
Expect to spend $42.10 on PS117 and half an hour installing it.
For $71 you get PS343.
For noise, the usual fix is PS343 at $71.
Happy to help!
Here is what I found for your WDT780SAEM1:
I couldn't find PS343 listed for WDT780SAEM1.
I recommend PS117.
If it is leaking, PS117 fixes that.
If you'd like, I can walk you through the installation of PS117.
Installation is easy with PS117 and takes 30 minutes.
Installation of the drain pump: easy, about 30 minutes.
Is your dishwasher leaking?
It takes half an hour to install PS117.
Le PS117 est facile à installer et prend 30 minutes.
Le joint de porte co\xfbte 71 $.
Neither takes long.
No, PS343 is not listed for WDT780SAEM1.
Of the three, PS900 is the cheapest at $21.05.
PS117 ($42.10) and PS343 ($71) are options.
PS117 (the drain pump) fits; PS343 (the gasket) does not.
PS117 and PS343 cost $42.10 and $71, respectively.
PS117 costs $28.90 less than PS343.
PS117 costs $42.10 and PS343 costs $71.
PS117 costs $42.10.
PS117 costs just over $42.
PS117 costs more than $40.
PS117 costs under $50.
PS117 fits your WDT780SAEM1.
PS117 fixes leaking, and PS343 fixes noise.
PS117 is $42.10; PS343, on the other hand, is $71.
PS117 is cheaper than PS343.
PS117 is less expensive than PS343 but costs more than PS900.
PS117 is twice as expensive as PS900.
PS117 ne co\xfbte que 42,10 $.
PS117 sells for forty-two dollars and ten cents.
PS117 should take around 30 minutes to install.
PS117 takes thirty minutes, PS343 between 15 and 30.
PS117 will fix the leaking for $42.10.
PS117's price is $42.10, and PS343's is $71.
PS117, which costs $42.10, fits the WDT780SAEM1.
PS343 does not fit your WDT780SAEM1.
PS343 is the most expensive part.
PS343 isn't listed for the WDT780SAEM1.
PS343 n'est pas compatible avec WDT780SAEM1.
PS343 n'est pas répertorié, mais PS117 convient au WDT780SAEM1.
PS343 takes 15 to 30 minutes.
PS343 takes 15-30 minutes.
PS900 is the cheapest.
Price: $42.10 for PS117.
Replacing the gasket takes between 15 and 30 minutes.
Step 1: unplug the machine.
Thanks for asking! I can help with that.
The PS117 drain pump is priced at $42.10.
The drain pump (PS117) costs $42.10.
The drain pump costs $42.10 and takes 30 minutes to install.
The drain pump, PS117, is listed for your model and costs $42.10.
The gasket is not as cheap as the drain pump.
The job takes 30 minutes with PS117.
The price of PS117 is $42.10, while PS343 goes for $71.
The pump's price is $42.10.
There is no listing of PS343 for WDT780SAEM1.
Unlike PS343, PS117 fits your WDT780SAEM1.
WDT780SAEM1 is listed for PS117 but not for PS343.
Yes, PS117 is listed as compatible with WDT780SAEM1.
You asked about PS117: it costs $42.10 and fits your WDT780SAEM1.
You'll pay $42.10 for the drain pump.
ps117 costs $42.10
"""
SHOP_FALSE = """
It costs $42.10, takes 30 minutes, and is easy to install.
It costs $71.
For your WDT780SAEM1 I would take PS117 ($42.10).
The model GE500X takes PS117.
PS343, at $42.10, is the better deal.
Choose PS343 for $42.10 or PS117 for $71.
The gasket at $42.10; the pump at $71.
PS117 and PS343 are both listed for WDT780SAEM1.
Both PS117 and PS343 fit WDT780SAEM1.
Neither PS117 nor PS343 fits WDT780SAEM1.
PS117 costs ten dollars more than PS343.
PS900 costs half as much as PS343.
PS900 is a third of the price of PS117.
PS117 is the cheapest option.
The cheapest option is PS117.
PS117 costs the same as PS343.
PS117 takes longer than PS343.
PS117 fixes leaking and noise.
The noise will be gone after you install PS117, at $42.10.
2. PS343: $42.10
| PS343 | $42.10 | 30 min | easy |
La pompe de vidange est plus chère que le joint de porte.
Sure! PS343 is easy to install.
- PS343: $71, 30 minutes, easy
Did you know that PS343 fits WDT780SAEM1?
For noise, the usual fix is PS117 at $42.10.
Have you tried PS555?
Installation of the door gasket: easy, about 30 minutes.
It costs $42.10, takes 30 minutes, and is difficult to install.
It costs $72.
It is not true that PS117 costs $42.10.
It takes half an hour to install the rack wheel.
No, PS117 is not listed for WDT780SAEM1.
Nobody pays $50 for PS117.
Of the three, PS117 is the cheapest at $42.10.
PS117 ($71) and PS343 ($42.10) are options.
PS117 and PS343 cost $71 and $42.10, respectively.
PS117 costs $1042.10.
PS117 costs $28.90 less than PS900.
PS117 costs $42.10 each way, $84.20 in all.
PS117 costs $42.10? No, it costs $71.
PS117 costs $71 and PS343 costs $42.10.
PS117 costs less than $40.
PS117 costs more than $50.
PS117 fits GE500X.
PS117 is $42.10; PS900, on the other hand, is $71.
PS117 is the cheapest.
PS117 isn't listed for WDT780SAEM1.
PS117 n'est pas compatible avec WDT780SAEM1.
PS117 takes 15-30 minutes.
PS117's price is $71, and PS343's is $42.10.
PS1l7 costs $42.10.
PS343 costs $42.10.
PS343 costs twice as much as PS900.
PS343 fits your WDT780SAEM1.
PS343 fixes leaking.
PS343 is cheaper than PS117.
PS343 takes 30 minutes.
Part PS118 might work too.
The catalog says PS117 costs four hundred dollars.
The heating element costs $42.10 too, and so does PS343.
The pump is more expensive than the gasket, at $71 versus $42.10.
WDT780SAEM1 is listed for PS343 but not for PS117.
You asked about PS343: it costs $42.10 and fits your WDT780SAEM1.
"""
FIGHT_TRUE = """
The goblin was cleaved by Aria for 12.
Aria loses 7 to the goblin's club.
Damage to Aria: 7.
Damage dealt by Aria: 12.
Twelve damage, straight from Aria's axe into the goblin.
Against the goblin, Aria deals 12 damage.
On the goblin, Aria inflicts 12 damage.
Against Aria, the goblin deals 7 damage.
The one dealing 12 damage was Aria.
Aria is the one who deals 12 damage to the goblin.
Aria's health: 18 hit points.
Hit points: Aria 18, Borin 23.
Aria (18 HP) faces the troll.
Aria is hit for 7 damage.
Borin's hit on the troll does 5 damage.
Poison courses through Aria: she is poisoned.
The goblin has been slain.
Bravo! The goblin is dead, Aria lives on.
Le troll est touché par Borin pour 5 dégâts.
C'est Aria qui frappe le gobelin pour 12 dégâts.
Aria, elle, garde 18 points de vie.
Grâce à sa hache, Aria inflige douze dégâts au gobelin.
Le gobelin encaisse 12 dégâts de la part d'Aria.
Aucun héros ne parle.
The mud is thick and the night is cold.
Aria, bleeding from the goblin's blow for 7 damage, raises her axe.
Down goes the goblin, dead at last.
What will you do next, Aria?
The troll swings, but it misses Borin entirely.
Aria now has eighteen hit points; Borin has twenty-three.
7 damage was dealt to Aria by the goblin.
A dozen damage from Aria drops the goblin.
A roar, a flash of steel: 7 damage to Aria.
Aria and Borin are both alive.
Aria and Borin survive.
Aria answers: her axe cuts deep into the goblin for 12 damage.
Aria deals 12 damage and Borin deals 5 damage.
Aria deals more damage than Borin.
Aria does not die.
Aria frappe le gobelin de sa hache et lui inflige 12 points de dégâts.
Aria hits the goblin with her axe for 12 damage, and it dies.
Aria is down to 18 hit points.
Aria is hit by the goblin for 7 damage.
Aria is poisoned, but she survives.
Aria is poisoned.
Aria n'est pas morte.
Aria now stands at 18 HP, Borin at 23.
Aria staggers back as the goblin's club deals her 7 damage.
Aria still has 18 of her hit points.
Aria strikes the goblin for 12 and Borin strikes the troll for 5.
Aria subit 7 dégâts du gobelin.
Aria takes 7 damage from the goblin.
Aria took 7 damage; Borin took none.
Aria wields the axe.
Aria's axe bites into the goblin for 12 damage.
Aria, hit by the goblin for 7 damage, has 18 hit points left.
Aria, who took 7 damage from the goblin, is still alive.
Borin looses an arrow from his bow; it hits the troll for 5 damage.
Borin touche le troll pour cinq dégâts.
Borin, with 23 hit points left, looses an arrow for 5 damage at the troll.
Her axe falls, and the goblin takes 12 damage.
Il reste 18 points de vie à Aria.
It was the goblin who hit Aria for 7.
Le gobelin est mort.
Le gobelin frappe Aria pour 7 points de dégâts.
Le gobelin inflige sept dégâts à Aria.
Le gobelin meurt.
Le troll rate Borin.
Neither Aria nor Borin dies.
Nobody speaks.
Only 18 hit points remain for Aria.
Poisoned, Aria sways on her feet.
Round 2 begins.
Seven damage for Aria from the goblin, five for the troll from Borin.
Struck for 12 by Aria, the goblin staggers.
The axe sinks into the goblin, 12 damage.
The goblin deals 7 damage to Aria.
The goblin dies.
The goblin falls, dead.
The goblin hits Aria for 7, leaving her with 18 hit points.
The goblin hits Aria for 7.
The goblin hits Aria.
The goblin hits her for 7.
The goblin is no longer alive.
The goblin that Aria hit for 12 damage is dead.
The goblin's club crashes into Aria's side for 7 damage.
The goblin, which dealt 7 damage to Aria, is dead.
The troll misses Borin.
The troll swings at Borin and misses.
The troll's blow misses Borin by an inch.
The wind howls over the ruins.
Twelve damage! Aria's axe is merciless.
With 18 hit points left, Aria grits her teeth.
With a last gurgle the goblin dies.
"""
FIGHT_FALSE = """
Aria was cleaved by the goblin for 12.
The goblin loses 7 to Aria's axe.
The goblin's club, swung by Aria, deals 12 damage.
Damage to Aria: 12.
Damage dealt by Aria: 7.
Aria bled 12 damage under the goblin's club.
Twelve damage, straight from the goblin's club into Aria.
Against the goblin, Borin deals 12 damage.
Against Aria, the goblin deals 12 damage.
The one dealing 12 damage was the goblin.
The goblin is the one who deals 12 damage to Aria.
What hit the goblin for 12 was the troll.
Aria's health: 23 hit points.
Hit points: Aria 23, Borin 18.
Aria (23 HP) faces the troll.
Aria falls, never to rise, dead.
Aria is hit for 12 damage.
Aria gets hit by the troll.
The troll's hit on Aria does 5 damage.
The troll kills Borin.
The goblin and the troll die.
Not only the goblin dies, but also Aria.
Aria joins the goblin in death: dead.
Aria is just as dead as the goblin.
The goblin dies, as does Aria.
The goblin dies and so does Borin.
Poison courses through Borin: he is poisoned.
Aria isn't poisoned.
Aria has half of Borin's hit points.
Aria is at half health.
Three times Aria hits the goblin.
Aria takes 7 damage from the troll.
Aria hits the goblin for 12 damage with a bow.
Has Aria died? Yes: Aria died.
The dead one is Aria.
If only Aria had survived; she is dead.
Aria's death comes swiftly: she dies.
Le troll frappe Borin pour 5 dégâts.
Borin est touché par le troll pour 5 dégâts.
Aria meurt.
Aria perd 12 points de vie face au gobelin.
C'est le gobelin qui frappe Aria pour 12 dégâts.
Aria, elle, garde 23 points de vie.
Aria encaisse 12 dégâts de la part du gobelin.
7 damage was dealt to the goblin by Aria.
A roar, a flash of steel: 7 damage to Borin.
A roar, a flash of steel: 9 damage to Borin.
A second troll joins the fray and hits Borin for 5.
Aria and the goblin survive.
Aria deals twice as much damage as Borin.
Aria dies.
Aria does not hit the goblin.
Aria frappe le gobelin pour 7 points de dégâts.
Aria hits the goblin for 12 damage and the troll for 5.
Aria hits the goblin for 12 damage, dropping it to 3 hit points.
Aria hits the goblin for 7.
Aria hits the goblin twice for 12 damage.
Aria is down to 23 hit points.
Aria is no longer alive.
Aria kills the goblin.
Aria now stands at 23 HP, Borin at 18.
Aria strikes the goblin for 5 and Borin strikes the troll for 12.
Aria wields the bow.
Aria's bow bites into the goblin for 12 damage.
Aria, who took 7 damage from the troll, is still alive.
Borin almost dies.
Borin deals more damage than Aria.
Borin is hit.
Borin is poisoned.
Borin kills the goblin.
Borin looses an arrow from his bow; it hits the goblin for 5 damage.
Borin misses the troll.
Borin swings at the troll and misses.
Everyone dies.
Everyone survives.
Gorak hits Aria for 7.
Il reste 23 points de vie à Aria.
Le gobelin frappe Aria et lui inflige 12 points de dégâts.
Le gobelin n'est pas mort.
Neither Aria nor the goblin dies.
Poisoned, Borin sways on his feet.
Struck for 12 by the goblin, Aria staggers.
The goblin answers: its club cuts deep into Borin for 7 damage.
The goblin does not die.
The goblin hits Aria for 7, leaving her with 23 hit points.
The goblin hits Borin.
The goblin hits him for 7, and Borin groans.
The goblin is hit by Aria for 7 damage.
The goblin kills Aria.
The goblin survives.
The goblin takes 7 damage from Aria.
The troll dies.
Three goblins charge.
With 23 hit points left, Aria grits her teeth.
"""


def _cases(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("sentence", _cases(SHOP_TRUE))
def test_supported_in_the_shop(sentence: str) -> None:
    assert SHOP(sentence, SHOP_FACTS).problems == ()


@pytest.mark.parametrize("sentence", _cases(SHOP_FALSE))
def test_unsupported_in_the_shop(sentence: str) -> None:
    assert SHOP(sentence, SHOP_FACTS).problems


@pytest.mark.parametrize("sentence", _cases(FIGHT_TRUE))
def test_supported_in_the_fight(sentence: str) -> None:
    assert FIGHT(sentence, FIGHT_FACTS).problems == ()


@pytest.mark.parametrize("sentence", _cases(FIGHT_FALSE))
def test_unsupported_in_the_fight(sentence: str) -> None:
    assert FIGHT(sentence, FIGHT_FACTS).problems


@pytest.mark.parametrize(
    "sentence",
    [
        "PS117 costs \uff14\uff13 dollars.",  # full-width digits
        "PS117 costs $4\u200b3.",  # a zero-width space
        "PS117 costs $4\u20093.",  # a thin space
        "PS117 costs $\u0664\u0663.",  # Arabic digits
        "PS117 costs $4\u03363.",  # a combining stroke
        "P\u0405343 costs $42.10.",  # a Cyrillic look-alike
        "PS343 costs $\u2074\u00b2.",  # superscripts
        "**PS343** costs $**42**.10.",
        "The pu\u00admp costs $71.",  # a soft hyphen
    ],
)
def test_unicode_smuggles_nothing(sentence: str) -> None:
    assert SHOP(sentence, SHOP_FACTS).problems


def test_citations_name_the_facts_told() -> None:
    reading = SHOP("PS117 costs $42.10 and takes 30 minutes.", SHOP_FACTS)
    assert reading.tells == ("price-1", "time-1")


def test_a_refused_sentence_says_which_facts_it_was_about() -> None:
    reading = SHOP("PS117 costs $71.", SHOP_FACTS)
    assert reading.tells == ()
    assert reading.about == ("price-1",)
    assert SHOP("PS343 fits WDT780SAEM1.", SHOP_FACTS).about == ("fit-2",)


def test_the_record_may_change_between_sentences() -> None:
    other = (Fact(id="x", says="-", claims=(Claim(kind="price", subject="PS117", value="9 usd"),)),)
    assert SHOP("PS117 costs $42.10.", other).problems
    assert not SHOP("PS117 costs $9.", other).problems
    assert not SHOP("PS117 costs $42.10.", list(SHOP_FACTS)).problems


def test_ids_made_of_digits_alone_are_seen_by_their_pattern() -> None:
    check = checker(Lexicon(entities=(Entity(name="10045678"),), id_patterns=(r"\d{8}",)))
    facts = (Fact(id="p", says="-", claims=(Claim(kind="price", subject="10045678", value="9"),)),)
    assert not check("Order 10045678 is on its way.", facts).problems
    assert check("Order 10045679 is on its way.", facts).problems


def test_a_comparison_continues_what_was_told() -> None:
    damage = Measure(kind="damage", units=("damage",))
    names = (Entity(name="Mira", kind="player"), Entity(name="Tov", kind="player"))
    check = checker(Lexicon(entities=names, measures=(damage,)))
    facts = tuple(
        fact(n, "-", ("damage", n, v, "")) for n, v in (("Mira", "2400"), ("Tov", "1200"))
    )
    assert not check("Mira did 2,400 damage, twice as much as Tov.", facts).problems
    assert check("Mira did 2,400 damage, three times as much as Tov.", facts).problems
    assert check("Tov did 1,200 damage, twice as much as Mira.", facts).problems


def test_rounding_only_as_declared() -> None:
    facts = (
        Fact(id="d", says="-", claims=(Claim(kind="damage", subject="Mira", value="12,345"),)),
    )
    mira = (Entity(name="Mira", kind="player"),)
    exact = checker(Lexicon(entities=mira, measures=(Measure(kind="damage", units=("damage",)),)))
    rough = Measure(kind="damage", units=("damage",), round_to=100)
    rounding = checker(Lexicon(entities=mira, measures=(rough,)))
    assert exact("Mira did 12.3k damage.", facts).problems
    assert not rounding("Mira did 12.3k damage.", facts).problems
    assert rounding("Mira did 12.4k damage.", facts).problems


@pytest.mark.parametrize("world", WORLDS, ids=[world.name for world in WORLDS])
def test_figures_on_the_development_corpus(world: World) -> None:
    check = checker(world.lexicon)
    samples = list(corpus(world, seed=11, count=3_000))
    passed = [sample for sample in samples if not check(sample.sentence, world.facts).problems]
    lies = [sample.sentence for sample in passed if not sample.true]
    true = sum(sample.true for sample in samples)
    assert lies == []
    assert len(passed) >= 0.95 * true


_OTHERS = (*MORE_WORLDS, *FRESH_WORLDS, *THIRD_WORLDS)


@pytest.mark.parametrize("world", _OTHERS, ids=[f"{w.name}-{n}" for n, w in enumerate(_OTHERS)])
def test_figures_on_further_phrasings(world: World) -> None:
    check = checker(world.lexicon)
    samples = list(corpus(world, seed=23, count=1_500))
    passed = [sample for sample in samples if not check(sample.sentence, world.facts).problems]
    lies = [sample.sentence for sample in passed if not sample.true]
    true = sum(sample.true for sample in samples)
    assert len(lies) <= 0.01 * (len(samples) - true), lies
    assert len(passed) - len(lies) >= 0.9 * true


DATED = (
    fact(
        "fit",
        "PS117 is listed for GE500X. Source: fits.csv line 129.",
        ("fit", "PS117", "listed", "GE500X"),
        ("source", "PS117", "fits.csv line 129", ""),
    ),
    fact(
        "price",
        "PS117 costs $42.10 as of 2025-06-02.",
        ("price", "PS117", "42.10 usd", ""),
        ("priced_on", "PS117", "2025-06-02", ""),
    ),
    fact("time", "PS117 takes Less than 15 mins.", ("minutes", "PS117", "Less than 15 mins", "")),
    fact("steps", "Steps for PS117:\n1. Pull it out.\n2. Push the new one in until it clicks."),
)
DATED_TRUE = """
PS117 costs $42.10 as of 2025-06-02.
The price of PS117 was $42.10 on 2025-06-02.
Source: fits.csv line 129.
PS117 takes less than 15 minutes.
PS117 costs more than $40.
2. Push the new one in until it clicks.
Here is what happened: Source: fits.csv line 129.
In short, PS117 takes Less than 15 mins.
It costs $42.10.
"""
DATED_FALSE = """
PS117 costs $42.10 as of 2025-06-03.
Source: fits.csv line 130.
Source: parts.csv line 129.
PS117 takes less than 150 minutes.
PS117 takes less than 10 minutes.
PS117 takes 15 minutes.
PS117 takes at most 15 minutes.
It is not true that PS117 costs $42.10 as of 2025-06-02.
Contrary to the catalog, PS117 costs $42.10.
C'est faux que PS117 costs $42.10.
PS117 costs $42.10 per piece.
Zarquon says PS117 costs $42.10.
"""


@pytest.mark.parametrize("sentence", _cases(DATED_TRUE))
def test_dates_sources_and_bounds(sentence: str) -> None:
    assert SHOP(sentence, DATED).problems == ()


@pytest.mark.parametrize("sentence", _cases(DATED_FALSE))
def test_other_dates_sources_and_bounds(sentence: str) -> None:
    assert SHOP(sentence, DATED).problems


def test_names_without_a_claim_between_them_pass_only_as_atmosphere() -> None:
    names = (Entity(name="Mira", kind="player"), Entity(name="Tov", kind="player"))
    facts = (fact("d", "-", ("damage", "Mira", "7", "Tov")),)
    assert checker(Lexicon(entities=names))("Mira outdid Tov.", facts).problems
    tale = checker(Lexicon(entities=names, atmosphere=True))
    assert not tale("Mira smiles at Tov.", facts).problems
    assert tale("Mira smiles at Tov, 9 times.", facts).problems


def test_none_recorded_is_not_having_died() -> None:
    died = Outcome(phrase="died", kind="deaths")
    names = (Entity(name="Mira", kind="player"), Entity(name="Tov", kind="player"))
    check = checker(
        Lexicon(entities=names, outcomes=(died,), measures=(Measure(kind="deaths", counts=True),))
    )
    facts = tuple(fact(n, "-", ("deaths", n, v, "")) for n, v in (("Mira", "0"), ("Tov", "2")))
    assert not check("Tov died.", facts).problems
    assert not check("Tov died twice.", facts).problems
    assert check("Mira died.", facts).problems
    assert check("Tov died three times.", facts).problems


def test_a_check_is_fast() -> None:
    check = checker(SHOP_WORLD.lexicon)
    sentences = [sample.sentence for sample in corpus(SHOP_WORLD, seed=2, count=300)]
    check(sentences[0], SHOP_WORLD.facts)
    start = time.process_time()
    for sentence in sentences:
        check(sentence, SHOP_WORLD.facts)
    assert (time.process_time() - start) / len(sentences) < 1e-3  # ten times the aim


_WORDS = """PS117 PS343 the pump Aria Gorak costs $42.10 $ 7 seven half twice than as who not no
    neither nor and , ( ) : ; ? . - | more less cheapest respectively hits dies by from to 30-60
    1:30 12k a an hour minutes between … é 'S \u200b ４ que qui ne pas # % '"""
_SHARDS = tuple(_WORDS.split())


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(_SHARDS), max_size=20).map(" ".join) | st.text(max_size=60))
def test_any_text_gets_a_reading(text: str) -> None:
    for check, facts in ((SHOP, SHOP_FACTS), (FIGHT, FIGHT_FACTS)):
        reading = check(text, facts)
        assert not (reading.tells and reading.problems)


@pytest.mark.parametrize("world", WORLDS, ids=[world.name for world in WORLDS])
def test_template_sentences_pass_as_they_are(world: World) -> None:
    check = checker(world.lexicon)
    for known in world.facts:
        for text in (known.says, f"As it stands, {known.says}", f"So: {known.says}"):
            reading = check(text, world.facts)
            assert reading.problems == ()
            assert known.id in reading.tells
