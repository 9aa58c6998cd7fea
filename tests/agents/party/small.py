"""A very small adventure, for tests of the format."""

SMALL = """---
key: small
title: {en: Small, fr: Petit}
pitch: {en: A room., fr: Une pièce.}
intro: {en: You are in a room., fr: Vous êtes dans une pièce.}
start: room
---

## scene room
```yaml
name: {en: the room, fr: la pièce}
safe: true
exits:
  - {to: yard, when: {has: [key]}}
```
### en
Four walls.
### fr
Quatre murs.

## scene yard
```yaml
name: {en: the yard, fr: la cour}
exits:
  - {to: room}
```
### en
No walls.
### fr
Point de murs.

## deed find-key
```yaml
scene: room
search: true
hint: {en: look under the mat, fr: regarder sous le paillasson}
test: {skill: perception, dc: 10}
gain: {flags: [key], clues: [mat]}
```
### en
A key.
### fr
Une clé.
### en failure
Dust.
### fr failure
De la poussière.

## deed break-door
```yaml
scene: room
hint: {en: break the door, fr: enfoncer la porte}
gain: {flags: [key, broken]}
```
### en
It gives.
### fr
Elle cède.

## clue mat
### en
Keys lie under mats.
### fr
Les clés sont sous les paillassons.

## ending out
```yaml
name: {en: Out, fr: Dehors}
tone: bright
when: {has: ["at:yard"], lacks: [broken]}
```
### en
Out.
### fr
Dehors.

## ending splinters
```yaml
name: {en: Splinters, fr: Éclats}
tone: bitter
when: {has: ["at:yard", broken]}
```
### en
Out, with splinters.
### fr
Dehors, avec des éclats.

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
