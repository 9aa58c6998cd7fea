"""Further phrasings for the worlds of `gate_corpus_more`, two batches of other wordings."""

# ruff: noqa: E501 -- one phrasing a line
from __future__ import annotations

from dataclasses import replace

from tests.foundation.gate_corpus_dev import _lines
from tests.foundation.gate_corpus_more import COUNTER, MELEE, NIGHT

FRESH_WORLDS = (
    replace(
        COUNTER,
        phrasings=_lines(
            """
            {a} retails at {p}. => price a p
            You are looking at {p} for {a}. => price a p
            {a}? That one is {p}. => price a p
            That would be {p} for {a}, or {q} for {b}. => price a p; price b q
            {a} sells for {p}; {b}, on the other hand, sells for {q}. => price a p; price b q
            While {a} costs {p}, {b} costs {q}. => price a p; price b q
            Both parts are available: {a} for {p}, {b} for {q}. => price a p; price b q
            The listed price of {a} is {p}. => price a p
            Priced at {p}, {a} takes {t} to install. => price a p; time a t
            {a}'s price is {p} and its rating is {r}. => price a p; stars a r
            It takes {t} to swap in {a}, and {u} for {b}. => time a t; time b u
            You need {t} for {a}. => time a t
            A repair with {a} takes {t}. => time a t
            Fitting time for {a}: {t}. => time a t
            {a} earned {r} from buyers. => stars a r
            {a} works with {m}. => fit a listed m
            {m} works with {a}. => fit a listed m
            Yes: {a} is compatible with your {m}. => fit a listed m
            {a} fits {m}; {b} doesn't. => fit a listed m; fit b not_listed m
            {a} fits {m} and so does {b}. => fit a listed m; fit b listed m
            {a} fits {m}, and {b} does too. => fit a listed m; fit b listed m
            {a} does not fit {m}, nor does {b}. => fit a not_listed m; fit b not_listed m
            {a} isn't listed for {m}, but {b} is. => fit a not_listed m; fit b listed m
            Unlike {b}, {a} fits {m}. => fit a listed m; fit b not_listed m
            As far as I can see, {a} fits {m}. => fit a listed m
            If you own a {m}, {a} fits. => fit a listed m
            {a} is not compatible with {m}, unfortunately. => fit a not_listed m
            I can't say that {a} fits {m}. => fit a not_listed m
            It isn't true that {a} fits {m}. => fit a not_listed m
            {a} (made by {k}) costs {p}. => brand a k; price a p
            {a} is a {k} part. => brand a k
            The {x} costs {p}. => never
            {a}, our {x}, is made by {k}. => title a x; brand a k
            {a} helps with {s}. => fixes a s
            {s}? {a} fixes that. => fixes a s
            {a} and {b} both fix {s}. => never
            {a} is {p} cheaper than {b}. => never
            {a} costs as much as {b}. => never
            {a} and {b} cost the same. => never
            {a} costs half of what {b} costs. => never
            {a} undercuts {b} by {p}. => never
            {a} outsells {b}. => never
            Swap {a} for {b}. => never
            {a} belongs in the {m}. => never
            {a} comes with {b}. => never
            {k} recommends {a} for {m}. => never
            {a} saves you {p}. => never
            {a} is {p} off. => never
            Shipping {a} costs {p}. => never
            The labour for {a} is {p}. => never
            {a} was {p} last year. => never
            {a} costs {p} plus {q} for shipping. => never
            Two of {a} cost {p}. => never
            {a} has {r} out of 10. => never
            Nobody says {a} costs {p}. => never
            {a} hardly costs {p}. => never
            {a} used to cost {p}. => never
            It costs {p}. => never
            It fits {m}. => never
            Xylotron says {a} costs {p}. => never
            Brandt sells {a} for {p}. => never
            Le {a} coûte {p}. => price a p
            Comptez {p} pour {a}. => price a p
            {a} coûte {p}, {b} {q}. => price a p; price b q
            {a} et {b} coûtent {p} et {q} respectivement. => price a p; price b q
            {a} est moins cher que {b}. => less:price a b
            {a} est plus cher que {b}. => more:price a b
            """
        ),
    ),
    replace(
        MELEE,
        phrasings=_lines(
            """
            {a} brings the blade down on {b}: {n} damage. => damage a n b
            {b} staggers under a blow from {a} for {n} damage. => damage a n b
            {a} lands a hit on {b} for {n} damage. => damage a n b
            A savage blow from {a} deals {b} {n} damage. => damage a n b
            {a} rushes forward and strikes {b} for {n}. => damage a n b
            {n} damage to {b} from {a}. => damage a n b
            {b} is hit for {n} by {a}'s {w}. => damage a n b; weapon a w *
            With the {w}, {a} hits {b} for {n} damage. => damage a n b; weapon a w *
            {a}, wielding the {w}, hits {b} for {n} damage. => damage a n b; weapon a w *
            {a} strikes {b}, who takes {n} damage. => damage a n b
            Hit by {a}, {b} takes {n} damage. => damage a n b
            {a} hits {b} for {n} damage before {c} hits {d} for {o} damage. => never
            {b} takes {n} damage; {d} takes {o} damage. => damage * n b; damage * o d
            {a} hits {b}, and {c} hits {d}. => damage a * b; damage c * d
            {a} hits {b} and is hit by {c}. => damage a * b; damage c * a
            {a} has just {h} hit points. => hp a h
            That leaves {a} with {h} hit points. => hp a h
            {a} remains on {h} hit points. => hp a h
            {a} stands firm with {h} HP. => hp a h
            {a} now sits at {h} of {j} HP. => hp a h; max_hp a j
            {h} of {j} hit points remain to {a}. => hp a h; max_hp a j
            {a}: {h}/{j} HP, AC {e}. => hp a h; max_hp a j; armour_class a e
            HP: {a} {h}, {c} {i}. => hp a h; hp c i
            {a} is on {h} hit points, {c} on {i}. => hp a h; hp c i
            {a} ({h} HP), {c} ({i} HP) => hp a h; hp c i
            {a} and {c} have {h} and {i} hit points respectively. => hp a h; hp c i
            {a} patches up {b}, restoring {f} hit points. => healing a f b
            {a} heals {b} for {f}. => healing a f b
            Healed by {a}, {b} regains {f} hit points. => never
            {a} swings at {b} and misses. => miss a - b
            {a}'s attack misses {b}. => miss a - b
            {a} attacks {b} but misses. => miss a - b
            {a} dodges {b}. => never
            {a} parries the attack of {b}. => never
            {b} evades {a}. => never
            {a} knocks {b} prone. => never
            {a} kills {b}. => never
            {a} is killed by {b}. => never
            {a} finishes {b} off. => never
            {a} is no longer alive. => state a dead
            {a} is down, dead. => state a dead
            {a} survives, {c} does not. => state a alive; state c dead
            {a} survives and so does {c}. => state a alive; state c alive
            Of the two, only {a} is alive. => never
            {a} and {c} are both dead. => never
            {a} is almost dead. => never
            {a} pretends to be dead. => never
            Everyone is dead. => never
            {a} is blessed and alive. => condition a blessed; state a alive
            {a} is neither blessed nor prone. => never
            {a} isn't blessed. => never
            {a} hits {b} {n} times. => never
            {a} hits {b} for {n} damage twice. => never
            {a} deals {n} damage to {b} and {o} more to {d}. => never
            {a} loses {n} hit points. => never
            {a} gains {h} hit points. => never
            {a} lost {n} hit points to {b}. => never
            {a} strikes with {n} arms. => never
            {a} rolls {e}. => never
            {a} has {h} arrows left. => never
            Morgath strikes {b} for {n} damage. => never
            Morgath and {a} hit {b} for {n} damage. => never
            Suddenly Morgath hits {b} for {n} damage. => never
            He hits {b} for {n} damage. => never
            She has {h} hit points. => never
            {a} has more hit points than {c}, with {h} against {i}. => hp a h; hp c i; more:hp a c
            {a} frappe {b} pour {n} dégâts. => damage a n b
            {b} perd {n} points de vie. => never
            {a} manque {b}. => miss a - b
            {a} soigne {b} de {f} points de vie. => healing a f b
            Ni {a} ni {c} n'est mort. => state a alive; state c alive
            {a} est mort, {c} est en vie. => state a dead; state c alive
            """
        ),
    ),
    replace(
        NIGHT,
        phrasings=_lines(
            """
            {a} ended the night on {n} damage. => damage a n
            Our log credits {a} with {n} damage. => damage a n
            Top damage: {a} with {n}. => damage a n
            {a} contributed {n} damage, {c} {o}. => damage a n; damage c o
            {a} dealt {n} damage while interrupting {k} casts. => damage a n; interrupts a k
            {n} damage, {k} interrupts and {z} deaths: that was {a}. => damage a n; interrupts a k; deaths a z
            {a} ({n} damage, {k} interrupts) => damage a n; interrupts a k
            Interrupts: {a} {k}, {c} {l}. => interrupts a k; interrupts c l
            {a} got {k} kicks. => interrupts a k
            {a} got {k} kicks in, {c} got {l}. => interrupts a k; interrupts c l
            In all, {a} interrupted {k} casts. => interrupts a k
            {a} made up {s} of the damage. => share a s
            {a}'s share was {s}. => share a s
            {a}: {s} of the damage, active {e} of the time. => share a s; activity a e
            {a} stayed active {e} of the time. => activity a e
            Activity for {a} was {e}. => activity a e
            {a}'s healing came to {h}. => healing a h
            {a} contributed {h} healing. => healing a h
            {a} died {z} times, {c} died {v} times. => deaths a z; deaths c v
            The number of deaths for {a} is {z}. => deaths a z
            {a} and {c} died {z} and {v} times respectively. => deaths a z; deaths c v
            {a} fell to {x} {t} in. => first_death a t x
            {a} first died to {x}. => first_death a * x
            {x} is what killed {a}. => never
            The first death of {a} came at {t}. => first_death a t *
            {a} first died {t} into the fight, {c} at {u}. => first_death a t *; first_death c u *
            {a} first died sooner than {c}. => less:first_death a c
            {a} first died later than {c}. => more:first_death a c
            {a} did more healing than {c}. => more:healing a c
            {a} did less healing than {c}. => less:healing a c
            {a} interrupted more casts than {c}. => more:interrupts a c
            {a} did {n} damage, {c} only {o}. => damage a n; damage c o
            {a} did {n} damage compared to {o} for {c}. => damage a n; damage c o
            With {k} interrupts, {a} beat {c}. => never
            {a} beat {c} on damage. => never
            {a} topped the meters with {n} damage. => never
            {a} was second to {c}. => never
            {a} carried {c}. => never
            {a} was killed by {c}. => never
            {a} died because of {c}. => never
            {a} blamed {c} for {z} deaths. => never
            {a} died first. => never
            {a} died last, after {c}. => never
            {a} and {c} together did {n} damage. => never
            {a} did {n} damage per second. => never
            {a} did {n} damage in {t}. => never
            {a} did {n} damage to {c}. => never
            {a} took {k} interrupts. => never
            {a} survived for {t}. => never
            {a} missed {k} interrupts. => never
            {a} failed to interrupt {k} casts. => never
            {a} wasted {z} cooldowns. => never
            {a} reached {e}. => never
            {a} dropped to {s}. => never
            {a} did twice {n} damage. => never
            It is a myth that {a} did {n} damage. => never
            No one can say that {a} died {z} times. => never
            {a} would have done {n} damage. => never
            {a} should have died {z} times. => never
            {a} was {s} short of the damage. => never
            He did {n} damage. => never
            Korvax did {n} damage. => never
            Then Korvax died {z} times. => never
            Korvax, with {n} damage, led. => never
            Thanks to Korvax, {a} did {n} damage. => never
            On pull {z}, {a} did {n} damage. => damage a n
            """
        ),
    ),
)

THIRD_WORLDS = (
    replace(
        COUNTER,
        phrasings=_lines(
            """
{a} can be had for {p}. => price a p
Expect to pay {p} for {a} and {q} for {b}. => price a p; price b q
The cost: {p} for {a}, {q} for {b}. => price a p; price b q
Your options are {a} at {p} and {b} at {q}. => price a p; price b q
{a} needs {t} of work. => time a t
Set aside {t} to install {a}. => time a t
{a} is in stock for {p}. => price a p
In your {m}, {a} fits. => fit a listed m
Good choice: {a} fits {m} and costs {p}. => fit a listed m; price a p
{a}, rated {r}, costs {p}. => stars a r; price a p
{a} and {b} are both listed for {m}. => fit a listed m; fit b listed m
For {m}, {a} is listed but {b} is not. => fit a listed m; fit b not_listed m
{a} is not listed for {m}, so I would not order it. => fit a not_listed m
{a} costs {p}, {b} costs {q}, so {a} is cheaper. => price a p; price b q; less:price a b
{a} is cheaper than {b} and takes {t}. => less:price a b; time a t
{a} is less expensive than {b}. => less:price a b
{a} is quicker than {b} at {t}. => less:time a b; time a t
The part for {s} is {a}. => fixes a s
{a} is known to fix {s}. => fixes a s
{a} from {k} costs {p}. => never
{k} charges {p} for {a}. => never
{a} is compatible with {b}. => never
{a} replaces {b}. => never
{a} works with {b} and costs {p}. => never
{a} costs {p}, unlike {b}. => never
{a} is a steal next to {b}. => never
{a} is {t} away. => never
{a} lasts {t}. => never
Delivery of {a} takes {t}. => never
{a} arrives in {t}. => never
{a} ({b}) costs {p}. => never
{m} costs {p}. => never
{m} takes {t}. => never
Some say {a} fits {m}. => never
{a} supposedly fits {m}. => never
{a} fits neither {m} nor anything else. => never
Every part fits {m}. => never
All of them cost {p}. => never
The other one costs {p}. => never
They cost {p}. => never
One of them costs {p}. => never
{a} costs {p} more than I thought. => never
{a} dropped from {p} to {q}. => never
Of course Melkor sells {a} for {p}. => never
"""
        ),
    ),
    replace(
        MELEE,
        phrasings=_lines(
            """
{a} buries the {w} in {b} for {n} damage. => weapon a w *; damage a n b
{b} is struck by {a}'s {w} for {n} damage. => weapon a w *; damage a n b
{b} howls as {a} deals {n} damage. => damage a n b
The {w} of {a} deals {n} damage to {b}. => weapon a w *; damage a n b
{a} charges {b} and hits for {n}. => damage a n b
{a} attacks {b}, dealing {n} damage. => damage a n b
{b} takes {n} damage as {a} strikes. => damage a n b
{b}, hit by {a}, takes {n} damage. => damage a n b
Then {a} strikes {b} for {n}. => damage a n b
{a} hits {b} hard for {n} points of damage. => damage a n b
{b} feels the bite of {a}'s {w}: {n} damage. => weapon a w *; damage a n b
{a} hits {b} for {n} damage and {d} for {o} damage. => damage a n b; damage a o d
{a} still has {h} HP left. => hp a h
At {h} HP, {a} looks weak; {c} has {i}. => hp a h; hp c i
{a} has {h} HP, {c} {i}. => hp a h; hp c i
{a} has {h} hit points and is alive. => hp a h; state a alive
{a} (AC {e}) has {h} hit points. => armour_class a e; hp a h
{a} misses {b} by a hair. => miss a - b
Missed by {a}, {b} laughs. => miss a - b
{b} is still alive, but {a} is dead. => state b alive; state a dead
{a} hits {b} with {c}'s weapon for {n} damage. => never
{a} saves {b}. => never
{a} shields {b} from {n} damage. => never
{a} takes {n} damage for {b}. => never
{a} hits itself for {n} damage. => never
{b} hits back at {a} for {n} damage. => damage b n a
{b} answers with {n} damage to {a}. => damage b n a
{a} reels under {b} for {n} damage. => never
{a} shrugs off the blow of {b} for {n} damage. => never
{a} barely avoids {n} damage from {b}. => never
{a} could hit {b} for {n} damage. => never
{a} wants to hit {b}. => never
{a} threatens to kill {b}. => never
{a} and {b} trade blows for {n} damage. => never
{a} has {h} allies. => never
{a} is {h} feet tall. => never
{a} is dead and {b} killed it. => never
"""
        ),
    ),
    replace(
        NIGHT,
        phrasings=_lines(
            """
{a} clocked {n} damage. => damage a n
The damage done by {a} was {n}. => damage a n
{a} wound up at {n} damage, {c} at {o}. => damage a n; damage c o
{a}'s {n} damage made up {s} of the damage. => damage a n; share a s
For {a} we count {z} deaths. => deaths a z
We saw {a} die {z} times. => deaths a z
{a} died {z} times and did {n} damage. => deaths a z; damage a n
{a} has {k} interrupts to {c}'s {l}. => interrupts a k; interrupts c l
{a} had {k} interrupts while {c} had {l}. => interrupts a k; interrupts c l
{k} interrupts by {a}, {l} by {c}. => interrupts a k; interrupts c l
{n} damage by {a}, {o} by {c}. => damage a n; damage c o
{x} killed {a} at {t}. => never
{a} fell to {x}, {c} later to {x}. => never
{a}, who did {n} damage, died {z} times. => damage a n; deaths a z
Although {a} did {n} damage, {c} did {o}. => damage a n; damage c o
{a} did {n} damage and {c} {o}. => damage a n; damage c o
{a} died to {c}. => never
{a} interrupted {c}. => never
{a} healed {c} for {h}. => never
{a} did {n} damage with {c}'s help. => never
{a} did {n} damage despite {c}. => never
{a} cost us {z} deaths. => never
{a} caused {z} deaths. => never
{a} prevented {z} deaths. => never
{a} avoided {n} damage. => never
{a} mitigated {n} damage. => never
{a} needed {k} interrupts. => never
{a} let {k} casts through. => never
The boss did {n} damage to {a}. => never
Without {a}, {n} damage would be gone. => never
{a} was idle {e} of the time. => never
{a} was alive {e} of the time. => never
{a} dealt {s} of {c}'s damage. => never
{a} did {s} more damage than {c}. => never
{a} did half the damage of {c}. => never
{a} came out ahead of {c} with {n} damage. => never
{a} trailed {c} by {n} damage. => never
Ahead of {c}, {a} did {n} damage. => damage a n; more:damage a c
{a} had {z} deaths, more than {c}. => deaths a z; more:deaths a c
{a} died at {t}; so did {c}. => never
Velmir did {n} damage; {a} did {o}. => never
"""
        ),
    ),
)
