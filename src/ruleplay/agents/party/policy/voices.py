"""A few words that a character says when no model lends a voice: by calling, and by what goes on."""

# ruff: noqa: E501 -- texts
from __future__ import annotations

from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.texts import Text

EVERY = 5
"""A character says something in every fifth turn or so."""
CALLINGS = {
    "martial": ("fighter", "paladin", "barbarian"),
    "sly": ("rogue", "monk", "ranger"),
    "devout": ("cleric", "druid"),
    "learned": ("wizard", "sorcerer", "warlock", "bard"),
}
LINES = {
    ("martial", "exploring"): (
        Text(en="I go first.", fr="Je passe devant."),
        Text(en="Quiet. And stay behind me.", fr="Silence. Et restez derrière moi."),
        Text(en="That door will not hold us.", fr="Ce n'est pas cette porte qui nous arrêtera."),
        Text(en="Count us before we go in.", fr="Comptez-nous avant d'entrer."),
        Text(en="Somebody stay by the door.", fr="Que quelqu'un reste à la porte."),
    ),
    ("martial", "combat"): (
        Text(en="Hold the line!", fr="Tenez bon !"),
        Text(en="Over here, you!", fr="Par ici, vous autres !"),
        Text(en="Not one step further.", fr="Pas un pas de plus."),
        Text(en="Shields up!", fr="Boucliers !"),
        Text(en="Leave that one to me.", fr="Celui-là, je m'en charge."),
    ),
    ("sly", "exploring"): (
        Text(
            en="Let me have a look before anybody touches it.",
            fr="Laissez-moi voir, avant que quelqu'un n'y touche.",
        ),
        Text(
            en="Nobody ever looks up. So I do.", fr="Personne ne regarde jamais en l'air. Moi, si."
        ),
        Text(en="There is always another way in.", fr="Il y a toujours une autre entrée."),
        Text(
            en="If it is locked, it is worth a look.", fr="Si c'est fermé, cela vaut le coup d'œil."
        ),
        Text(en="I touched nothing. Yet.", fr="Je n'ai rien touché. Pour l'instant."),
    ),
    ("sly", "combat"): (
        Text(en="Do not mind me.", fr="Ne faites pas attention à moi."),
        Text(en="Keep them busy a little longer.", fr="Occupez-les encore un peu."),
        Text(en="Now, while nobody is looking.", fr="Maintenant, tant qu'on ne me regarde pas."),
        Text(en="You did not see that coming.", fr="Celle-là, personne ne l'a vue venir."),
        Text(en="Behind you. No, the other behind.", fr="Derrière. Non, l'autre derrière."),
    ),
    ("devout", "exploring"): (
        Text(en="Somebody prayed here, not long ago.", fr="Quelqu'un a prié ici, il y a peu."),
        Text(en="Patience. It will show itself.", fr="Patience. Cela se montrera."),
        Text(en="We are not alone, and not lost.", fr="Nous ne sommes ni seuls, ni perdus."),
        Text(en="Let me see your hands. All of you.", fr="Montrez-moi vos mains. Tous."),
        Text(en="One thing after another.", fr="Une chose après l'autre."),
    ),
    ("devout", "combat"): (
        Text(en="Stand! I have you.", fr="Debout ! Je vous tiens."),
        Text(en="Light, be with us.", fr="Lumière, reste avec nous."),
        Text(en="Enough of this.", fr="Cela suffit."),
        Text(en="Nobody stays behind.", fr="Personne ne reste en arrière."),
        Text(en="Breathe. Then strike.", fr="Respirez. Puis frappez."),
    ),
    ("learned", "exploring"): (
        Text(
            en="I have read about this. Mostly footnotes.",
            fr="J'ai lu là-dessus. Surtout des notes de bas de page.",
        ),
        Text(en="Curious. Truly curious.", fr="Curieux. Vraiment curieux."),
        Text(
            en="Give me a moment; it nearly makes sense.", fr="Un instant ; cela a presque un sens."
        ),
        Text(
            en="It says so, if one reads it backwards.", fr="C'est écrit, si l'on lit à l'envers."
        ),
        Text(
            en="Do not touch anything I have not named.", fr="Ne touchez à rien que je n'aie nommé."
        ),
    ),
    ("learned", "combat"): (
        Text(
            en="This ought to work in practice, too.", fr="En pratique aussi, cela devrait marcher."
        ),
        Text(en="Heads down!", fr="Baissez la tête !"),
        Text(en="I would rather have talked.", fr="J'aurais préféré discuter."),
        Text(en="Do hold still, please.", fr="Ne bougez plus, je vous prie."),
        Text(en="There is a formula for this.", fr="Il y a une formule pour cela."),
    ),
}


def words_of_a(character: Creature, mode: str, turn: int) -> Text | None:
    """Return what a character says in a turn; mostly nothing."""
    if turn % EVERY or mode not in ("exploring", "combat"):
        return None
    calling = next(
        (name for name, classes in CALLINGS.items() if set(classes) & set(character.classes)),
        "martial",
    )
    lines = LINES[calling, mode]
    return lines[(turn // EVERY) % len(lines)]
