"""Comparisons between subjects of the record: "cheaper than B", "twice as much", "the longest"."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ruleplay.foundation.prose.clauses import Clause
from ruleplay.foundation.prose.lexicon import Phrases
from ruleplay.foundation.prose.mentions import Mention
from ruleplay.foundation.prose.numbers import Interval
from ruleplay.foundation.prose.record import Record, Vocabulary
from ruleplay.foundation.prose.words import DETERMINERS, NEGATORS, ORDERS

_BY_DIMENSION = {
    "usd": ("costlier|costliest|pricier|priciest|dearer|dearest|more expensive|most expensive"
            "|plus cher|plus chère|plus chers|plus coûteux|plus coûteuse|costs more|cost more"
            "|moins bon marché|coûte plus|less cheap",
            "cheaper|cheapest|less expensive|least expensive|less costly|moins cher|moins chère"
            "|moins chers|costs less|cost less|coûte moins|meilleur marché"),
    "time": ("longer|longest|slower|slowest|plus long|plus longue|plus longtemps",
             "quicker|quickest|faster|fastest|shorter|shortest|plus rapide|plus court|sooner"),
}  # fmt: skip
_ADJECTIVES = {
    "usd": ("expensive|costly|pricey|cher|chère|coûteux|coûteuse|much money", "cheap|inexpensive"),
    "time": ("long|longtemps|slow", "quick|fast|short"),
}
_MORE = frozenset(
    (
        "more",
        "higher",
        "greater",
        "most",
        "highest",
        "greatest",
        "plus",
        "larger",
        "largest",
        "bigger",
        "biggest",
    )
)
_LESS = frozenset(
    ("less", "fewer", "lower", "least", "fewest", "lowest", "moins", "smaller", "smallest")
)
_EQUAL = frozenset(("same", "equal", "equally", "autant", "aussi", "identical"))
_SUPERLATIVES = frozenset(
    ("most", "least", "highest", "lowest", "fewest", "biggest", "greatest", "largest", "smallest")
)
_COSTS = frozenset(("costs", "cost", "price", "coûte", "coûtent", "prix"))
_TAKES = frozenset(("takes", "take", "time", "prend", "prennent"))
_DEGREES = frozenset(("as", "more", "less", "plus", "moins", "aussi", "so"))
_AS_FAR = frozenset(("far", "soon", "well", "if"))
_THAN = frozenset(("than", "que"))


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared: subjects, others, the kinds, the direction, by how much."""

    text: str
    subjects: tuple[int, ...]
    others: tuple[str, ...]
    kinds: tuple[str, ...]
    sign: int
    by: Mention | None = None
    superlative: bool = False
    negated: bool = False


def _table(rows: dict[str, tuple[str, str]]) -> Phrases[tuple[str, int]]:
    made: Phrases[tuple[str, int]] = Phrases()
    for dimension, (higher, lower) in rows.items():
        for phrase in higher.split("|"):
            made.add(phrase, (dimension, 1))
        for phrase in lower.split("|"):
            made.add(phrase, (dimension, -1))
    return made


_COMMON = _table(_BY_DIMENSION)
_GRADED = _table(_ADJECTIVES)


def find_comparison(clause: Clause, vocabulary: Vocabulary, record: Record) -> Comparison | None:
    """Find a comparison in a clause; None when it makes none that names or numbers take part in."""
    texts = [item.text for item in clause.items]
    trend = _trend(texts, vocabulary)
    than = next((at for at, text in enumerate(texts) if text in _THAN and at), -1)
    as_as = (
        "as" in texts
        and not _AS_FAR & set(texts)
        and (texts.count("as") >= 2 or any(text in _EQUAL for text in texts))
    )
    if as_as:
        than = len(texts) - 1 - texts[::-1].index("as")
    names = clause.names()
    if trend is None and than >= 0:
        trend = _trend(texts, vocabulary, _GRADED, _DEGREES)
    if trend is None and than < 0:
        trend_word = any(text in _SUPERLATIVES for text in texts)
        if not trend_word:
            return None
    if not names and trend is None:
        return None
    superlative = than < 0
    others = tuple(clause.items[at].keys[0] for at in names if than >= 0 and at > than)
    subjects = tuple(at for at in names if than < 0 or at < than)
    if than >= 0 and not others:
        return None if trend is None and not names else _open(clause, texts, subjects)
    by = next((item for item in clause.items if item.sort == "quantity"), None)
    by = None if superlative else by
    measured = by.dimension if by and by.dimension in ("usd", "eur", "gbp", "time") else ""
    dimension, sign = trend or (measured or _spoken_of(texts), _sign(texts, as_as))
    negated = any(text in NEGATORS for text in texts)
    if as_as and trend and not by:
        # "not as cheap as" is dearer; "as cheap as" is equal.
        sign, negated = (-sign if negated else 0), False
    kinds = _kinds(dimension, clause, record)
    if superlative and (not kinds or not sign or not _is_superlative(texts, trend)):
        return _bare(clause, texts, subjects, kinds, sign) if trend and sign in (1, -1) else None
    return Comparison(" ".join(texts), subjects, others, kinds, sign, by, superlative, negated)


def _bare(
    clause: Clause, texts: list[str], subjects: tuple[int, ...], kinds: tuple[str, ...], sign: int
) -> Comparison | None:
    """Read "between A and B, A is cheaper": the last name against the clause's others."""
    if not subjects:
        return None
    last = clause.items[subjects[-1]].keys[0]
    others = tuple(
        dict.fromkeys(
            clause.items[at].keys[0] for at in subjects if clause.items[at].keys[0] != last
        )
    )
    return Comparison(" ".join(texts), subjects[-1:], others, kinds, sign)


def _spoken_of(texts: list[str]) -> str:
    """Return the dimension a bare "as much as" is about: what something costs or takes."""
    if any(text in _COSTS for text in texts):
        return "usd"
    return "time" if any(text in _TAKES for text in texts) else ""


def _open(clause: Clause, texts: list[str], subjects: tuple[int, ...]) -> Comparison | None:
    """Compare with something unnamed: nothing in the record can carry that."""
    if any(item.sort in ("pronoun",) for item in clause.items) or subjects:
        return Comparison(" ".join(texts), subjects, (), (), 0)
    return None


def _trend(
    texts: list[str],
    vocabulary: Vocabulary,
    table: Phrases[tuple[str, int]] = _COMMON,
    after: frozenset[str] = frozenset(),
) -> tuple[str, int] | None:
    for at in range(len(texts)):
        if texts[at - 1 : at] == ["no"]:
            continue  # "no longer alive" compares nothing
        if after and texts[at - 1 : at] not in [[word] for word in after]:
            continue
        found = vocabulary.trends.find(texts, at) or table.find(texts, at)
        if found:
            return found[1][0]
    return None


def _is_superlative(texts: list[str], trend: tuple[str, int] | None) -> bool:
    if any(text in _SUPERLATIVES or (len(text) > 4 and text.endswith("est")) for text in texts):
        return True
    return trend is not None and any(text in ("le", "la", "les") for text in texts)


def _sign(texts: list[str], as_as: bool) -> int:
    said = {word for text in texts for word in text.split()}  # "500 more damage" is one quantity
    if said & _LESS:
        return -1
    if said & _MORE:
        return 1
    return 0 if as_as or any(text in _EQUAL for text in texts) else 2


def _kinds(dimension: str, clause: Clause, record: Record) -> tuple[str, ...]:
    cued = {kind for item in clause.items if item.sort == "cue" for kind in item.kinds}
    cued |= {kind for item in clause.items for kind in item.kinds}
    cued |= {one.kind for item in clause.items for one in item.outcome}
    if dimension in ("usd", "time"):
        return tuple(
            kind
            for kind, claims in record.by_kind.items()
            if any(claim.interval and claim.dimension == dimension for claim in claims)
        )
    return (dimension,) if dimension in record.by_kind else tuple(sorted(cued))


def compare(comparison: Comparison, subjects: list[str], record: Record) -> list[str] | None:
    """Return the ids of the facts that entail a comparison; None when the record does not."""
    entailed: list[str] | None = None
    for kind in comparison.kinds:
        values = {
            claim.subject: (claim.interval, claim.fact)
            for claim in record.by_kind.get(kind, ())
            if claim.interval
        }
        others = [key for key in values if key not in subjects]
        if not comparison.superlative:
            others = list(comparison.others)
        if not subjects or not others or not {*subjects, *others} <= set(values):
            continue
        pairs = ((values[one][0], values[other][0]) for one in subjects for other in others)
        if set(subjects) & set(others) or not all(_entailed(comparison, *pair) for pair in pairs):
            return None
        entailed = (entailed or []) + [values[key][1] for key in (*subjects, *others)]
    return entailed


def order_of(clause: Clause) -> int:
    """Return which side of others the clause's order words put its subject; 0 without one."""
    words_ahead = [clause.lead, *(item.text for item in clause.items)]
    for at in clause.names():
        ahead = words_ahead[: at + 1]
        while ahead and ahead[-1] in DETERMINERS | {"of", "de"}:
            ahead.pop()
        if ahead and ahead[-1] in ORDERS:
            return ORDERS[ahead[-1]]
    return 0


def _entailed(comparison: Comparison, left: Interval, right: Interval) -> bool:
    """Whether the values entail the comparison; "not more" means no more."""
    if not comparison.negated:
        return _holds(comparison, left, right)
    if comparison.by is not None or comparison.superlative:
        return False
    if comparison.sign == 1:
        return left.high <= right.low
    return left.low >= right.high if comparison.sign == -1 else left.high < right.low


def _holds(comparison: Comparison, left: Interval, right: Interval) -> bool:
    by = comparison.by
    if by is not None and by.interval is not None:
        sign = comparison.sign
        if by.dimension in ("times", "share"):
            return _is_multiple(by.interval, left, right)
        if by.dimension == "%" and _is_percentage(by.interval, left, right, sign):
            return True
        return sign in (1, -1) and (left.low - right.low) * sign == by.interval.low
    if comparison.sign == 0:
        return left == right
    if comparison.sign == 1:
        return left.low > right.high
    return comparison.sign == -1 and left.high < right.low


def _is_multiple(stated: Interval, left: Interval, right: Interval) -> bool:
    """Whether `left` is so many times `right`; a multiple told with decimals may be rounded."""
    if stated.low == 0 or left == right.times(stated.low):
        return stated.low != 0
    decimals = stated.low.denominator in (2, 5, 10) and stated.low > 1
    return (
        decimals
        and bool(right.low)
        and (abs(left.low / right.low - stated.low) <= _half_step(stated.low))
    )


def _is_percentage(stated: Interval, left: Interval, right: Interval, sign: int) -> bool:
    """Whether `left` is so many percent more (sign 1) or less (-1) than `right`, rounded."""
    if sign not in (1, -1) or not right.low:
        return False
    change = (left.low - right.low) * sign / abs(right.low) * 100
    return abs(change - stated.low) <= _half_step(stated.low)


def _half_step(stated: Fraction) -> Fraction:
    """Return half of the last place a number is told in: whole numbers, tenths, hundredths."""
    if stated.denominator == 1:
        return Fraction(1, 2)
    return Fraction(1, 20) if (stated * 10).denominator == 1 else Fraction(1, 200)
