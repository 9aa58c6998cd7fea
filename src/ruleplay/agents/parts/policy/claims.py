"""What is checkable in the assistant's prose: ids, prices, verdicts, symptoms fixed, the work."""

from __future__ import annotations

from functools import cache

from ruleplay.foundation.claims import Check
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.lexicon import Lexicon, Measure, Outcome
from ruleplay.foundation.prose.phrasebook import Phrasebook

LISTED, NOT_LISTED = "listed", "not listed"
_FITS = (
    *(
        "listed for",
        "is listed",
        "are listed",
        "fits",
        "fit",
        "will fit",
        "compatible",
        "works with",
    ),
    *("works in", "will work", "goes in", "belongs to", "suits", "made for"),
)
_DOES_NOT_FIT = ("incompatible", "unlisted", "unsuitable", "wrong part")
_FIXES = ("fixes", "fix", "fixed", "solves", "cures", "repairs", "helps with", "takes care of")

LEXICON = Lexicon(
    outcomes=(
        *(Outcome(phrase=p, kind="fit", value=LISTED, negated=NOT_LISTED) for p in _FITS),
        *(Outcome(phrase=p, kind="fit", value="incompatible") for p in _DOES_NOT_FIT),
        *(Outcome(phrase=p, kind="fixes") for p in _FIXES),
    ),
    measures=(
        Measure(
            kind="price",
            units=("usd", "$", "dollars"),
            higher=("costlier", "dearer", "more expensive", "priciest", "most expensive"),
            lower=("cheaper", "cheapest", "less expensive", "least expensive"),
        ),
        Measure(
            kind="time",
            units=("min", "mins", "minutes", "minute", "hours", "hour"),
            higher=("longer", "longest", "slower", "slowest"),
            lower=("shorter", "shortest", "quicker", "quickest", "faster", "fastest"),
        ),
    ),
    id_patterns=(
        r"PS\s?\d{4,}",
        r"(?=[A-Z0-9./-]*\d)(?=[A-Z0-9./-]*[A-Z])[A-Z0-9][A-Z0-9./-]{4,23}",
        r"\d{7,}",
    ),
)

PHRASEBOOK = Phrasebook(
    phrasing={
        "fit": ("{subject} is {value} for {object}", "For {object}, {subject} is {value}"),
        "price": ("{subject} costs {value}", "The price of {subject} is {value}"),
        "fixes": ("{subject} fixes {value}", "{value} is fixed by {subject}"),
        "time": ("Installing {subject} takes {value}",),
        "difficulty": ("Installing {subject} is rated {value}",),
        "name": ("{subject} is the {value}",),
    },
    names=("PS11752778", "WRS325SDHZ", "AP6019471", "WPW10730972"),
)
"""How the hostile model words the assistant's claims."""


@cache
def check() -> Check:
    """Return the check of the assistant's sentences; compiled once."""
    return checker(LEXICON)
