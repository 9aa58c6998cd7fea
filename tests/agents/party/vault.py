"""A small adventure that holds a secret in every place there is for one, and goes on for ever."""

from __future__ import annotations

from ruleplay.records.events import Json

FOUR = {"anna": "fighter", "bert": "rogue", "cora": "cleric", "dunn": "wizard"}
OWN = 4
"""Secrets that stand on a character's sheet."""
SHEET = """name: {name}
race: human
class: {klass}
level: 2
persona:
  secrets:
{secrets}
"""
DEALT = """
## secret burden-{at}
```yaml
suits: [{klass}]
```
### en
You carry zqburdenx{at}k.
### fr
Tu portes zqburdenx{at}k.
"""
FOUND = """
## deed dig-{at}
```yaml
scene: room
search: true
hint: {{en: dig at place {at}, fr: creuser à l'endroit {at}}}
test: {{skill: perception, dc: 12}}
gain: {{clues: [find-{at}]}}
```
### en
Somebody digs.
### fr
Quelqu'un creuse.

## clue find-{at}
```yaml
audience: finder
```
### en
The ground hides zqfindx{at}k.
### fr
Le sol cache zqfindx{at}k.
"""
WORLD = """---
key: vault
title: {en: The Vault, fr: Le Caveau}
pitch: {en: A room., fr: Une pièce.}
intro: {en: You are in a room., fr: Vous êtes dans une pièce.}
start: room
---

## scene room
```yaml
name: {en: the room, fr: la pièce}
safe: true
exits:
  - {to: yard}
  - {to: road}
```
### en
Four walls.
### fr
Quatre murs.

## scene yard
```yaml
name: {en: the yard, fr: la cour}
encounter: rat
exits:
  - {to: room}
```
### en
No walls.
### fr
Point de murs.

## scene road
```yaml
name: {en: the road, fr: la route}
exits:
  - {to: room}
```
### en
Far away.
### fr
Loin.

## encounter rat
```yaml
foes:
  - {kind: giant-rat}
retreat: room
```
### en
A rat.
### fr
Un rat.
### en won
It is over.
### fr won
C'est fini.

## deed call
```yaml
scene: room
hint: {en: call out, fr: appeler}
gain: {flags: [called]}
```
### en
Nobody answers.
### fr
Nul ne répond.

## detail echo
```yaml
plant: {lacks: [called]}
returns: {has: [called]}
```
### en
There is an echo here.
### fr
Il y a un écho ici.
### en payoff
The echo calls back.
### fr payoff
L'écho rappelle.

## ending out
```yaml
name: {en: Out, fr: Dehors}
tone: bright
when: {has: ["at:road"], lacks: [called]}
```
### en
Out.
### fr
Dehors.

## ending heard
```yaml
name: {en: Heard, fr: Entendus}
tone: bitter
when: {has: ["at:road", called]}
```
### en
Out, and heard.
### fr
Dehors, et entendus.

## ending fallen
```yaml
name: {en: Over, fr: Fini}
tone: dark
```
### en
Over.
### fr
Fini.
"""


def sheets() -> list[str]:
    """Return characters with secrets of their own."""
    return [
        SHEET.format(
            name=seat.title(),
            klass=klass,
            secrets="\n".join(f'    - "I hide {own(seat, n)}."' for n in range(OWN)),
        )
        for seat, klass in FOUR.items()
    ]


def own(seat: str, number: int) -> str:
    """Return a canary of a character's sheet."""
    return f"zq{seat}x{number}k"


def config() -> Json:
    """Return a table whose sheets, secrets and clues hold canaries."""
    dealt = (DEALT.format(at=at, klass=klass) for at, klass in enumerate(FOUR.values()))
    found = (FOUND.format(at=at) for at in range(8))
    return {"source": "".join((WORLD, *dealt, *found)), "characters": [*sheets()]}
