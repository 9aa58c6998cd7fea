"""Records stat stages, status conditions and temporary effects."""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex, protocol
from ruleplay.agents.battle.domain.mechanics import words
from ruleplay.agents.battle.domain.protocol import Line, Tags
from ruleplay.agents.battle.domain.record.seen import Seen, shows_item
from ruleplay.agents.battle.domain.record.strokes import Strokes

ONE_TURN = frozenset(words("of_one_turn"))
"""Effects that end with the turn."""
NOT_HELD = frozenset(words("not_held"))
"""Effects announced by `-activate` that do not persist."""


class Conditions(Strokes):
    """Handles messages about stages, status and effects."""

    def _boost(self, line: Line, tags: Tags) -> None:
        self._shift(line, +1)

    def _unboost(self, line: Line, tags: Tags) -> None:
        self._shift(line, -1)

    def _shift(self, line: Line, sign: int) -> None:
        if mon := self.mon(line[2]):
            stage = mon.boosts.get(line[3], 0) + sign * int(line[4])
            mon.boosts[line[3]] = max(-6, min(6, stage))

    def _setboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts[line[3]] = int(line[4])

    def _clearboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {}

    def _clearallboost(self, line: Line, tags: Tags) -> None:
        for mon in self.mons.values():
            mon.boosts = {}

    def _clearpositiveboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {k: v for k, v in mon.boosts.items() if v < 0}

    def _clearnegativeboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {k: v for k, v in mon.boosts.items() if v > 0}

    def _copyboost(self, line: Line, tags: Tags) -> None:
        source, target = self.mon(line[2]), self.mon(line[3])
        if source and target:
            source.boosts = dict(target.boosts)

    def _swapboost(self, line: Line, tags: Tags) -> None:
        one, other = self.mon(line[2]), self.mon(line[3])
        if not one or not other:
            return
        named = line[4].split(", ") if len(line) > 4 and not line[4].startswith("[") else ()
        for stat in named or {*one.boosts, *other.boosts}:
            one.boosts[stat], other.boosts[stat] = (
                other.boosts.get(stat, 0),
                one.boosts.get(stat, 0),
            )

    def _invertboost(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.boosts = {k: -v for k, v in mon.boosts.items()}

    def _status(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2])
        if mon is None:
            return
        self._set_status(mon, line[3])
        mon.effects.pop("yawn", None)
        mon.rested = line[3] == "slp" and tags.source_id == "rest"
        if tags.source.startswith("item:"):
            shows_item(mon, tags.source_id)
            # Orbs poison after the damage at the end of a turn, so this end does not count.
            mon.poisoned_for = -1 if line[3] == "tox" else 0

    def _curestatus(self, line: Line, tags: Tags) -> None:
        if (mon := self.mon(line[2])) and mon.status != "fnt":
            self._set_status(mon, "")

    def _cureteam(self, line: Line, tags: Tags) -> None:
        for mon in self.mons.values():
            if mon.side == line[2][:2] and mon.status != "fnt":
                self._set_status(mon, "")

    def _start(self, line: Line, tags: Tags) -> None:
        mon, effect = self.mon(line[2]), protocol.effect_id(line[3])
        if mon is None or effect in {"dynamax", "mimic"}:
            return
        if effect in {"futuresight", "doomdesire"}:
            self.futures[mon.side] = (self.turn, mon.ident)
            return
        self._note_start(mon, effect, line[4] if len(line) > 4 else "")
        if tags.source.startswith("ability:") and not tags.of:
            self._ability_of(mon, tags.source_id)
        # Outrage and the like end with confusion by fatigue.
        if effect == "confusion" and "fatigue" in tags.words:
            mon.effects.pop("lockedmove", None)
        layers = mon.effects.get(effect, (0, 0))[1] + 1 if effect == "stockpile" else 1
        mon.effects[effect] = (self.turn, layers)

    def _note_start(self, mon: Seen, effect: str, what: str) -> None:
        """Record what an effect changes besides being active."""
        if effect == "typechange" and what and not what.startswith("["):
            mon.types = tuple(each.lower() for each in what.split("/"))
        elif effect == "typeadd":
            mon.added_type = what.lower()
        elif effect == "substitute":
            mon.substitute = True
        elif effect == "disable":
            mon.disabled = dex.to_id(what)
        elif effect.startswith("perish"):
            # Each turn announces a new count, which replaces the old one.
            for old in [each for each in mon.effects if each.startswith("perish")]:
                del mon.effects[old]

    def _end(self, line: Line, tags: Tags) -> None:
        mon, effect = self.mon(line[2]), protocol.effect_id(line[3])
        if mon is None:
            return
        if effect in {"futuresight", "doomdesire"}:
            # The end is announced on the target, but the effect is stored for its user's side.
            self.futures.pop("p2" if mon.side == "p1" else "p1", None)
        if effect == "substitute":
            mon.substitute = False
        if effect == "disable":
            mon.disabled = None
        if effect == "illusion":
            mon.own_ability = mon.ability = "illusion"
        if effect in {"protosynthesis", "quarkdrive"}:
            for each in [name for name in mon.effects if name.startswith(effect)]:
                del mon.effects[each]
        if "partiallytrapped" in tags.words or _binds(effect):
            mon.effects.pop("partiallytrapped", None)
        if effect == "stockpile":
            mon.effects.pop("stockpile", None)
        mon.effects.pop(effect, None)

    def _single(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.effects[protocol.effect_id(line[3])] = (self.turn, 1)

    def _activate(self, line: Line, tags: Tags) -> None:
        mon = self.mon(line[2]) if line[2] else None
        if mon is None:
            return
        effect = protocol.effect_id(line[3])
        if line[3].startswith("ability:"):
            self._ability_of(mon, effect)
        elif line[3].startswith("item:"):
            shows_item(mon, effect)
        elif effect == "trapped":
            mon.effects[effect] = (self.turn, 1)
        # The substitute took the hit, so its damage says nothing about the target.
        elif effect == "substitute" and self._strike:
            self._strike = None
        # Protect and the like blocked the move.
        elif effect in ONE_TURN:
            self._missed(line, tags)
        elif effect in NOT_HELD:
            pass
        elif "[of]" in "|".join(line) and _binds(effect):
            mon.effects["partiallytrapped"] = (self.turn, 1)

    def _prepare(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.charging = dex.to_id(line[3])

    def _mustrecharge(self, line: Line, tags: Tags) -> None:
        if mon := self.mon(line[2]):
            mon.recharging = True


def _binds(effect: str) -> bool:
    return dex.move(effect).volatile == "partiallytrapped"
