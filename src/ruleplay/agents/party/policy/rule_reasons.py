"""Why the rules say no, in words; keys are those of the rules' refusals."""

from __future__ import annotations

from ruleplay.story.texts import Text

RULE_REASONS = {
    "adventure_over": Text(en="This adventure has ended.", fr="Cette aventure est finie."),
    "fight_on": Text(
        en="Not while there is fighting. You could: {hints}.",
        fr="Pas en plein combat. Vous pouvez : {hints}.",
    ),
    "not_for_you": Text(
        en="That is not for you to do. You could: {hints}.",
        fr="Cela ne vous revient pas. Vous pouvez : {hints}.",
    ),
    "not_begun": Text(
        en="The adventure has not begun yet; the game master opens it.",
        fr="L'aventure n'a pas commencé ; le maître du jeu l'ouvre.",
    ),
    "begun": Text(en="The adventure has already begun.", fr="L'aventure a déjà commencé."),
    "cannot_act": Text(en="{about} cannot act.", fr="{about} ne peut agir."),
    "cannot-act": Text(en="{about} cannot act.", fr="{about} ne peut agir."),
    "already_there": Text(en="You are there already.", fr="Vous y êtes déjà."),
    "no_way": Text(
        en="There is no open way to {about} from here. You could: {hints}.",
        fr="Aucun chemin ouvert ne mène d'ici à : {about}. Vous pouvez : {hints}.",
    ),
    "way_barred": Text(
        en="Not past those who wait here. You could: {hints}.",
        fr="Pas tant que ceux-là barrent le chemin. Vous pouvez : {hints}.",
    ),
    "nothing_found": Text(
        en="There is nothing more to find here. You could: {hints}.",
        fr="Il n'y a plus rien à trouver ici. Vous pouvez : {hints}.",
    ),
    "not_possible": Text(
        en="That cannot be done here. You could: {hints}.",
        fr="Ce n'est pas possible ici. Vous pouvez : {hints}.",
    ),
    "not_carried": Text(en="You do not have {about}.", fr="Vous n'avez pas ceci : {about}."),
    "not_here": Text(en="Nobody of that name is here.", fr="Cette personne n'est pas ici."),
    "nothing_more": Text(
        en="{about} has nothing more to say to you.", fr="{about} n'a plus rien à vous dire."
    ),
    "somebody_waits": Text(
        en="Not while somebody hostile looks on. You could: {hints}.",
        fr="Pas sous le regard de ceux-là. Vous pouvez : {hints}.",
    ),
    "nobody_waits": Text(
        en="There is nobody here to deal with. You could: {hints}.",
        fr="Il n'y a personne à affronter ici. Vous pouvez : {hints}.",
    ),
    "no_sneaking": Text(
        en="There is no slipping past here. You could: {hints}.",
        fr="Impossible de passer en douce ici. Vous pouvez : {hints}.",
    ),
    "no_parley": Text(
        en="There is no talking to them. You could: {hints}.",
        fr="On ne parlemente pas avec ceux-là. Vous pouvez : {hints}.",
    ),
    "rested_enough": Text(
        en="Another short rest would bring nothing today.",
        fr="Un autre repos court n'apporterait rien aujourd'hui.",
    ),
    "not_safe": Text(
        en="You cannot sleep here; it is not safe.",
        fr="On ne peut dormir ici : l'endroit n'est pas sûr.",
    ),
    "not_for_sale": Text(
        en="That is not for sale here: {about}.", fr="Cela ne se vend pas ici : {about}."
    ),
    "too_dear": Text(
        en="The party cannot pay for that: {about}.",
        fr="Le groupe ne peut pas payer cela : {about}.",
    ),
    "no-fight": Text(
        en="There is no fight. You could: {hints}.",
        fr="Il n'y a pas de combat. Vous pouvez : {hints}.",
    ),
    "already-fighting": Text(en="There is a fight already.", fr="Il y a déjà un combat."),
    "nobody-to-fight": Text(en="There is nobody to fight.", fr="Il n'y a personne à combattre."),
    "already-dead": Text(en="{about} is dead.", fr="Il n'y a plus rien à faire pour {about}."),
    "already-so": Text(en="That is so already.", fr="C'est déjà le cas."),
    "already-there": Text(en="You are there already.", fr="Vous y êtes déjà."),
    "attack-first": Text(en="That takes an attack first.", fr="Il faut d'abord attaquer."),
    "cannot-move": Text(en="{about} cannot move.", fr="{about} ne peut pas bouger."),
    "charmed": Text(
        en="You cannot bring yourself to harm {about}.",
        fr="Vous ne pouvez vous résoudre à faire du mal à {about}.",
    ),
    "frightened": Text(en="Fear of {about} holds you back.", fr="La peur vous retient : {about}."),
    "feature-spent": Text(
        en="{about} is used up until you rest.", fr="{about} est épuisé jusqu'au prochain repos."
    ),
    "no-movement": Text(
        en="You have no movement left.", fr="Il ne vous reste plus de déplacement."
    ),
    "no-slot": Text(
        en="You have no spell slot left for that.",
        fr="Il ne vous reste aucun emplacement pour ce sort.",
    ),
    "slot-too-low": Text(
        en="That slot is too low for {about}.", fr="Cet emplacement est trop bas pour {about}."
    ),
    "no-such-feature": Text(
        en="You have no such feature: {about}.", fr="Vous n'avez pas cette capacité : {about}."
    ),
    "no-such-skill": Text(
        en="There is no such skill: {about}.", fr="Il n'y a pas de telle compétence : {about}."
    ),
    "no-such-target": Text(
        en="There is nobody of that name here. You could: {hints}.",
        fr="Personne de ce nom ici. Vous pouvez : {hints}.",
    ),
    "no-target": Text(en="Whom? You could: {hints}.", fr="Qui donc ? Vous pouvez : {hints}."),
    "no-undead": Text(
        en="There are no undead near enough.", fr="Aucun mort-vivant n'est assez près."
    ),
    "not-hurt": Text(en="{about} is not hurt.", fr="{about} va bien."),
    "not-in-the-fight": Text(
        en="{about} is not in this fight.", fr="{about} n'est pas de ce combat."
    ),
    "not-oneself": Text(en="Not yourself.", fr="Pas vous-même."),
    "only-at-rest": Text(en="That takes a rest.", fr="Il faut un repos pour cela."),
    "only-attacks-wait": Text(
        en="Only an attack can be held back until something happens.",
        fr="Seule une attaque peut attendre que quelque chose arrive.",
    ),
    "no-slot-lost": Text(
        en="No slot was lost that {about} could bring back.",
        fr="Aucun emplacement perdu à regagner : {about}.",
    ),
    "not-dying": Text(en="{about} is not dying.", fr="{about} n'est pas à l'agonie."),
    "out-of-reach": Text(
        en="{about} is out of reach. Move closer first.",
        fr="{about} est hors d'atteinte. Approchez d'abord.",
    ),
    "out-of-range": Text(
        en="{about} is out of range. Move closer first.",
        fr="{about} est hors de portée. Approchez d'abord.",
    ),
    "too-far": Text(
        en="That is too far to go in one turn.", fr="C'est trop loin pour un seul tour."
    ),
    "too-far-apart": Text(
        en="They stand too far apart.", fr="Les cibles sont trop éloignées les unes des autres."
    ),
    "too-late": Text(en="It is too late for that.", fr="Il est trop tard pour cela."),
    "too-many-targets": Text(en="Those are too many targets.", fr="Cela fait trop de cibles."),
    "own-side": Text(en="{about} is on your side.", fr="{about} est de votre côté."),
    "unseen-target": Text(en="You cannot see {about}.", fr="Vous ne voyez pas {about}."),
    "wrong-kind-of-target": Text(
        en="That has no effect on {about}.", fr="Cela n'a pas d'effet sur {about}."
    ),
    "no-action": Text(
        en="You have no action left. You could end your turn.",
        fr="Il ne vous reste plus d'action. Vous pouvez finir votre tour.",
    ),
    "no-bonus": Text(
        en="You have no bonus action left.", fr="Il ne vous reste plus d'action bonus."
    ),
    "not-paused": Text(en="The table is not paused.", fr="La table n'est pas en pause."),
    "not_paused": Text(en="The table is not paused.", fr="La table n'est pas en pause."),
}
"""Reasons of the rules by key; what is missing here is told as "not possible now"."""
