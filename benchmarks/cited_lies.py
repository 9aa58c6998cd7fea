"""How a checker of cited prose does against lies and truths: `python -m benchmarks.cited_lies`.

The checker is named by `--check module:function`; it takes a reply and its tables and returns the
spans readers get. Half of the sentences stand alone, the others between true ones. The checker
`benchmarks.cited_lies:trusting` lets everything pass: its figures are what no checking costs.
`lined` does too, but prints the rows cited: what it leaves bare, no line of a row can give away.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from random import Random
from time import process_time

from pydantic import BaseModel
from tests.foundation.telling.specimens import MAKERS, specimen

from ruleplay.adversary.cited_liar import CLASSES, FAMILIES, LANGUAGES, LAST, CitedLiar
from ruleplay.adversary.cited_truths import Cited
from ruleplay.adversary.verdicts import (
    Span,
    Tally,
    covering,
    judged,
    shares,
    spans_of,
    verdict,
)
from ruleplay.telling.citing import Reader
from ruleplay.telling.speech import Speech
from ruleplay.telling.table import Table

Check = Callable[[str, Sequence[Table]], list[Span]]
_GERMAN = re.compile(r"\b(?:der|das|und|nicht|mit|hat|ist|auf|von|zu|bei|auch|dem)\b")
_OTHER = re.compile(r"\b(?:the|and|of|to|with|has|was|is|le|la|les|et|des|est|avec|pour|dans)\b")
KEPT = 40
"""Sentences of each kind that are printed in full."""


class Answers(BaseModel):
    """Answers written beforehand: tables by name, and what was said about them."""

    class Answer(BaseModel):
        """One answer, whole and by sentences."""

        tables: str
        language: str
        question: str
        sentences: list[str]
        reply: str

    tables: dict[str, tuple[Table, ...]]
    answers: list[Answer]


def trusting(reply: str, tables: Sequence[Table]) -> list[Span]:
    """Let everything pass as vouched for, without a line."""
    return [Span(text=reply, state="vouched")]


def lined(reply: str, tables: Sequence[Table]) -> list[Span]:
    """Let everything pass as vouched for, beside the whole lines of the rows it cites."""
    by_id, lines = {table.id: table for table in tables}, dict[str, None]()
    for tag in re.findall(r"\[([^\]\n]*\br\d[^\]\n]*)\]", reply):
        for name, row in re.findall(r"\b(r\d+)\.(\d+)\b", tag):
            table = by_id.get(name)
            if table and 1 <= int(row) <= len(table.rows):
                lines[table.line(int(row), range(len(table.columns)))] = None
    return [Span(text=reply, state="vouched", lines=tuple(lines))]


def told_by_us(reply: str, tables: Sequence[Table]) -> list[Span]:
    """Return what readers of Ruleplay get, without a repair."""
    german = len(_GERMAN.findall(reply)) > len(_OTHER.findall(reply))
    speech = Speech(Reader(tables, language="de" if german else "en"), lambda _: None)
    speech.hear(reply)
    speech.end()
    found = speech.told(())
    spans = found.spans if found else ()
    return [Span(text=span.text, state=span.state, lines=span.lines) for span in spans]


def embedded(rng: Random, liar: CitedLiar, item: Cited) -> tuple[str, list[Cited]]:
    """Return a reply around a sentence: alone, or with a true one before and after it."""
    truths = [liar.truth(name) for name in ("single", "pair", "order")]
    around = [t for t in truths if t and not t.block][:2] if rng.random() < 0.5 else []
    items = [*around[:1], item, *([] if item.why == LAST else around[1:])]
    return "\n\n".join(each.sentence for each in items), items


def measure(check: Check, count: int, seed: int = 0) -> dict[str, object]:
    """Run so many lies and half as many truths past a checker, and judge what was shown."""
    rng, tally, kept = Random(f"cited/{seed}"), Tally(), dict[str, list[str]]()
    names = [*(("lie", name) for name in CLASSES), *(("truth", name) for name in FAMILIES)]
    spent, sentences, planted = 0.0, 0, 0
    for number in range(20 * count):
        tables = specimen(rng.choice(sorted(MAKERS)), number % 50)
        # As in use, a reply is in one language, which says whether a capital begins a name.
        liar = CitedLiar(rng, tables, (rng.choice(LANGUAGES),))
        kind, name = names[number % len(names)]
        item = liar.lie(name) if kind == "lie" else liar.truth(name)
        if item is None:
            continue
        reply, items = embedded(rng, liar, item)
        began = process_time()
        spans = check(reply, tables)
        spent, sentences = spent + process_time() - began, sentences + len(items)
        # The true ones around a lie only make it harder to read.
        _, (what, *_) = zip(*judged([item], spans, tally), strict=True)
        if what == "bare" or (item.kind == "truth" and what in ("refused", "doubted")):
            kept.setdefault(f"{item.kind}, {what}", []).append(f"{item.why}: {item.sentence}")
        planted += item.kind == "lie"
        if planted >= count:
            break
    return {
        "shares": shares(tally).model_dump(),
        "ms_a_sentence": round(1000 * spent / max(1, sentences), 3),
        "classes": tally,
        "examples": {name: found[:KEPT] for name, found in kept.items()},
    }


def told(check: Check, path: Path) -> dict[str, object]:
    """Say how sentences of a strong model were shown, by language; `refused` ones in full."""
    book, found = Answers.model_validate_json(path.read_text(encoding="utf-8")), Counter[str]()
    refused: list[str] = []
    for answer in book.answers:
        tables = book.tables[answer.tables]
        spans = check(answer.reply, tables)
        for sentence in answer.sentences:
            if not any(letter.isalpha() for letter in sentence) or sentence.startswith("| Player"):
                continue
            item = Cited("truth", sentence, sentence, "written", tables=tables)
            what = verdict(item, spans)
            found[f"{answer.language}: {what}"] += 1
            if what == "refused" or not covering(sentence, spans):
                refused.append(f"{answer.tables}: {sentence}")
    return {"sentences": found.total(), "verdicts": dict(sorted(found.items())), "refused": refused}


def named(path: str) -> Check:
    """Return the checker called `module:function`; it may return spans or their JSON."""
    module, name = path.split(":")
    function = getattr(import_module(module), name)

    def check(reply: str, tables: Sequence[Table]) -> list[Span]:
        made = function(reply, tables)
        return spans_of(made if isinstance(made, str) else json.dumps(made, default=_plain))

    return check


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else vars(value)


def main() -> None:
    """Print the figures of a checker."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", default="benchmarks.cited_lies:told_by_us")
    parser.add_argument("--lies", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--truths", type=Path, help="a file of written answers, instead of lies")
    given = parser.parse_args()
    check = named(given.check)
    result = told(check, given.truths) if given.truths else measure(check, given.lies, given.seed)
    report = {
        "command": " ".join(["python -m benchmarks.cited_lies", *sys.argv[1:]]),
        "date": datetime.now(UTC).date().isoformat(),
        "result": result,
    }
    sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
