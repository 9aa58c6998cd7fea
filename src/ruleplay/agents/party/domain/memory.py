"""A seat's bounded memory of the game: recent lines and a digest of older ones.

When there are too many recent lines, the older half is condensed by weight into the digest; of the
lines dropped only the number is kept.
"""

from __future__ import annotations

from typing import Final

from ruleplay.story.texts import Frozen

RECENT, KEPT, SAID = 40, 30, 240
"""The limits on recent lines, lines of the digest, and characters of quoted speech."""
WEIGHT: Final = {
    kind: weight
    for weight, kinds in (
        (9, "ending"), (8, "secret promise"), (7, "clue whisper"), (6, "death fight"),
        (5, "gift planted returned level"), (4, "slain beaten keepsake scene item met"),
        (3, "down"), (2, "check tried failed"), (1, "did said rest"),
    )
    for kind in kinds.split()
}  # fmt: skip
"""The weight of each kind of line when some must be dropped; unknown kinds go first."""


class Line(Frozen):
    """One remembered thing: when, what kind, about whom or what, and a value or words."""

    round: int
    kind: str
    about: str = ""
    other: str = ""
    value: str = ""


class Memory(Frozen):
    """A seat's memory; `gone` counts the lines that were let go."""

    recent: tuple[Line, ...] = ()
    digest: tuple[Line, ...] = ()
    gone: int = 0

    def with_line(self, line: Line) -> Memory:
        """Return the memory after one more line, condensed when it has grown too long."""
        line = line.model_copy(update={"value": line.value[:SAID]})
        grown = self.model_copy(update={"recent": (*self.recent, line)})
        return condensed(grown) if len(grown.recent) > RECENT else grown

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return everything that is left, oldest first."""
        return (*self.digest, *self.recent)


def condensed(memory: Memory) -> Memory:
    """Return the memory with the older half of its recent lines condensed into the digest."""
    half = len(memory.recent) // 2
    aged = dict[tuple[str, str, str, str], Line]()
    for line in (*memory.digest, *memory.recent[:half]):
        words = line.value if line.kind in ("whisper", "said") else ""
        same = (line.kind, line.about, line.other, words)
        aged.pop(same, None)  # the newest of its kind stands at its own place in time
        aged[same] = line
    order = list(aged.values())
    ranked = sorted(
        range(len(order)), key=lambda at: (WEIGHT.get(order[at].kind, 0), at), reverse=True
    )
    kept = tuple(order[at] for at in sorted(ranked[:KEPT]))
    gone = memory.gone + len(memory.digest) + half - len(kept)
    return Memory(recent=memory.recent[half:], digest=kept, gone=gone)
