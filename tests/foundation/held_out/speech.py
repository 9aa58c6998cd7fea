"""How values of the worlds are written in a sentence: names, prices, times, number words."""

import random

from tests.foundation.held_out.vocabulary import FIGHTERS, LEVELS, WEAPONS

_EN = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_EN_TENS = ("twenty", "thirty", "forty", "fifty", "sixty")
_FR = [
    "zéro",
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
    "dix-sept",
    "dix-huit",
    "dix-neuf",
]
_FR_TENS = ("vingt", "trente", "quarante", "cinquante", "soixante")
_TIMES = {1: "once", 2: "twice"}


def number_words(number: int, lang: str) -> str:
    """0 to 69 in English or French; digits above."""
    ones, tens = (_EN, _EN_TENS) if lang == "en" else (_FR, _FR_TENS)
    if number > 69:
        return str(number)
    if number < 20:
        return ones[number]
    ten, one = tens[number // 10 - 2], number % 10
    if lang == "fr" and one == 1:
        return f"{ten} et un"
    return f"{ten}-{ones[one]}" if one else ten


def spoken(kind: str, value: str, form: str, lang: str, rng: random.Random) -> str:
    """Write a value of a type; `form` is what the template asks for after the colon."""
    if kind == "fighter":
        alias = FIGHTERS.get(value, (value, value))[lang == "fr"]
        return alias if rng.random() < 0.25 else value
    if kind == "weapon":
        return WEAPONS[value] if lang == "fr" else value
    if kind == "level":
        return LEVELS[value] if lang == "fr" else value
    if kind in ("int", "count", "min"):
        return _whole(int(value.split()[0]), kind, form, lang)
    if kind in ("amount", "rate"):
        return _grouped(value, rng)
    if kind in ("pct", "usd", "sec"):
        return _measured(kind, value.split()[0], form, lang, rng)
    return value


def _whole(number: int, kind: str, form: str, lang: str) -> str:
    if form in ("w", "W"):
        words = number_words(number, lang)
        return words.capitalize() if form == "W" else words
    if form == "t":
        return _TIMES.get(number, f"{number_words(number, 'en')} times")
    if kind == "min" and form != "n":
        return f"{number} minutes"
    return str(number)


def _grouped(value: str, rng: random.Random) -> str:
    whole, point, rest = value.partition(".")
    return f"{int(whole):,}{point}{rest}" if rng.random() < 0.75 else value


def _measured(kind: str, number: str, form: str, lang: str, rng: random.Random) -> str:
    if kind == "sec":
        seconds = int(number)
        if form == "clock":
            return f"{seconds // 60}:{seconds % 60:02d}"
        return rng.choice((f"{seconds} seconds", f"{seconds} s"))
    if lang == "fr":
        number = number.replace(".", ",")
        return f"{number} %" if kind == "pct" else rng.choice((f"{number} $", f"{number} dollars"))
    if kind == "pct":
        return rng.choice((f"{number}%", f"{number}%", f"{number} percent"))
    return rng.choice((f"${number}", f"${number}", f"{number} dollars", f"USD {number}"))
