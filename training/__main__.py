"""Train an agent's classifier: `python -m training AGENT [--wrong]`.

AGENT may also be a package that agents share: `story` is what saga and party hear with. Reads
`training/AGENT.jsonl`, lines like `{"text": "who died first on <boss>", "lang": "en",
"measure": "deaths", "from": "officer-3"}`; a head that a line does not name is not learnt from
it. Writes `reader.bin` into the folder, and prints what ten-fold cross-validation says of it.
Lines with the same `from` (a writer, a dialogue) stay in one fold.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import fill

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold
from sklearn.svm import LinearSVC

from ruleplay.agents.parts.domain.descriptions import parts_named, qualifiers
from ruleplay.agents.parts.domain.ids import Span
from ruleplay.agents.parts.domain.reader import may_name_part
from ruleplay.agents.parts.domain.tokens import read_words
from ruleplay.hearing.classifier import SURE_BY_WORDS, Classifier, Sense, features, pack
from ruleplay.hearing.encoder import WIDE, meanings
from ruleplay.hearing.gaps import SHORTEST, WORD, tokens, window
from ruleplay.hearing.joints import CUT, places

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src/ruleplay"
NOT_HEADS = {"text", "lang", "from"}
AS_THEY_OCCUR = {"story"}
"""Where rare labels count as little as they are rare: few lines of an evening ask for a pause."""
BY_WORDS = {"act", "free"}
"""Heads that hear words alone: what somebody does, and may pay for, has to be plainly said."""
SURE = 0.6
TEMPERATURES = tuple(0.5 * 1.2**step for step in range(20))
"""What margins may be multiplied with to become likelihoods."""
SHARES = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 1.0)
"""How much of what is heard may come from a sentence's meaning; the rest comes from its words."""
STRETCHED = (0.8, 1.0, 1.25, 1.5, 1.8)
"""What both may be multiplied with together."""
SMOOTH = 50.0
"""Penalty on what is learnt from meanings."""
NAMES = {"<player>": "player", "<boss>": "boss", "<ability>": "ability", "<noun>": "part",
         "<mon>": "mon", "<move>": "move", "<item>": "item", "<type>": "type"}  # fmt: skip
"""Marks whose places are learnt where an agent has a `names.bin`."""
NAMED = 0.3
"""How often a word may at most stand where a part's name does, to be a plain one."""
WIDTH = 100
"""Characters of a line of such words."""
ROWS = 36_000
"""Features kept: those with the greatest weights."""

MEANINGS: dict[str, NDArray[np.float32]] = {}
"""What texts mean, once read."""

Row = Mapping[str, str]
Weights = NDArray[np.float64]
Warmth = tuple[float, float, float]
"""What margins of a head are multiplied with: those of words; where these leave it open, the
product once more, beside those of meanings."""


def main() -> None:
    """Train, check and write."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__.splitlines()[0])
    parser.add_argument("agent")
    parser.add_argument("--wrong", action="store_true", help="list what cross-validation got wrong")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    asked = parser.parse_args()
    source = HERE / f"{asked.agent}.jsonl"
    whole: list[Row] = [json.loads(line) for line in source.read_text().splitlines() if line]
    rows = [clause for row in whole for clause in clauses_of(row)]
    heads = {
        key: labels_of(rows, key) for key in sorted({k for row in rows for k in row} - NOT_HEADS)
    }
    weight = None if asked.agent in AS_THEY_OCCUR else "balanced"
    warmth = {
        head: validate(rows, head, weight, show=asked.wrong, deep=head not in BY_WORDS)
        for head in heads
    }
    if not asked.dry:
        classifier = train(rows, heads, warmth, weight)
        target = folder_of(asked.agent) / "reader.bin"
        target.write_bytes(pack(classifier, trained_on=digest(source)))
        size, kept = target.stat().st_size, len(classifier.rows)
        print(f"{target.relative_to(HERE.parent)}: {size:,} bytes, {kept:,} features")
        if (names := folder_of(asked.agent) / "names.bin").is_file():
            gaps = [*gaps_of(map(with_nouns, rows))]
            learn("name", gaps, names, digest(source), words_of(rows))
            write_plain_words(rows, folder_of(asked.agent) / "domain")
        if any(CUT in row["text"] for row in whole):
            joints = HERE.parent / "src" / "ruleplay" / "hearing" / "joints.bin"
            learn("joint", [*joints_of(whole)], joints, digest(source))


def learn(
    head: str, rows: Sequence[Row], target: Path, trained_on: str, words: Iterable[str] = ()
) -> None:
    """Learn and write one head: where wordings have names, or where their clauses meet."""
    warmth = {head: validate(rows, head, "balanced", show=False, deep=False)}
    trained = train(rows, {head: labels_of(rows, head)}, warmth, "balanced")
    trained = replace(trained, words=frozenset(words))
    target.write_bytes(pack(trained, trained_on=trained_on))


def clauses_of(row: Row) -> Iterator[Row]:
    """Yield the clauses of a wording that marks them; its labels are as many, `-` for none."""
    if CUT not in row["text"]:
        yield row  # a label may have a space: "not starting"
        return
    texts = [text.strip() for text in row["text"].split(CUT)]
    labels = {key: row[key].split() for key in row.keys() - NOT_HEADS}
    for at, text in enumerate(texts):
        own = {key: told[at] if len(told) > 1 else told[0] for key, told in labels.items()}
        plain = {key: row[key] for key in NOT_HEADS & row.keys()}
        yield {**plain, "text": text, **{key: told for key, told in own.items() if told != "-"}}


def joints_of(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield each place between a wording's words, and whether clauses meet there."""
    for row in rows:
        parts = re.split(rf"\s*{CUT}\s*", row["text"])
        cuts = {len(" ".join(parts[: n + 1])) + 1 for n in range(len(parts) - 1)}
        for at, around in places(" ".join(parts)):
            label = "cut" if at in cuts else "none"
            yield {"text": around, "joint": label, "from": row.get("from", "")}


def with_nouns(row: Row) -> Row:
    """Return a wording with marks for the kinds of parts that it names."""
    text = row["text"]
    for noun in reversed(parts_named(text, row["lang"]) if "goal" in row else ()):
        text = f"{text[: noun.start]} <noun> {text[noun.end :]}"
    return {**row, "text": text}


def gaps_of(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield each name and each longer word as a gap in its sentence, with what it held."""
    for row in rows:
        said = tokens(row["text"])
        for at, word in enumerate(said):
            if word in NAMES or (word.isalpha() and len(word) >= SHORTEST):
                held = NAMES.get(word, WORD)
                yield {"text": window(said, at, at + 1), "name": held, "from": row["from"]}


def words_of(rows: Sequence[Row]) -> list[str]:
    """Return the wordings' longer words, folded, without the marks that stand for names."""
    found = set[str]()
    for row in rows:
        plain = unicodedata.normalize("NFKD", re.sub("<[a-z]+>", " ", row["text"])).casefold()
        letters = "".join(char for char in plain if not unicodedata.combining(char))
        found.update(re.findall(r"[^\W\d_]{4,}", letters))
    return sorted(found)


def write_plain_words(rows: Sequence[Row], folder: Path) -> None:
    """Write the words by language that several writers use and that stand where no part does."""
    for target in folder.glob("plain.*.txt"):
        own = [row for row in rows if row["lang"] == target.suffixes[0][1:] and "goal" in row]
        target.write_text(fill(" ".join(plain_words(own)), WIDTH) + "\n", "utf-8")


def plain_words(rows: Sequence[Row]) -> list[str]:
    """Return the words of wordings in one language that no part is called."""
    writers: dict[str, set[str]] = {}
    named: dict[str, list[bool]] = {}
    parts = set[str]()
    for row in rows:
        text = re.sub("<[a-z]+>", lambda mark: " " * len(mark[0]), row["text"])
        nouns = parts_named(text, row["lang"])
        for word in read_words(text):
            if qualifiers(word.text, row["lang"]) or any(
                noun.start <= word.start < noun.end for noun in nouns
            ):
                parts.add(word.text)
            elif word.text.isalpha() and len(word.text) >= SHORTEST:
                span = Span(text=word.text, start=word.start, end=word.end)
                writers.setdefault(word.text, set()).add(row["from"])
                named.setdefault(word.text, []).append(may_name_part(text, span, ()))
    return sorted(
        word
        for word, by in writers.items()
        if len(by) > 1 and word not in parts and sum(named[word]) < NAMED * len(named[word])
    )


def folder_of(name: str) -> Path:
    """Return the folder of an agent, or of a package that agents share."""
    own = PACKAGE / "agents" / name
    return own if own.is_dir() else PACKAGE / name


def digest(source: Path) -> str:
    """Return what the weights say they were trained on."""
    return hashlib.sha256(source.read_bytes()).hexdigest()[:16]


def labels_of(rows: Sequence[Row], head: str) -> tuple[str, ...]:
    """Return a head's labels, sorted."""
    return tuple(sorted({row[head] for row in rows if head in row}))


@cache
def hashes(text: str) -> array[int]:
    """Return a text's features: every fold and head asks for them again."""
    return array("L", sorted(features(text)))


def matrix(texts: Sequence[str], columns: Mapping[int, int]) -> csr_matrix:
    """Return a row of unit length per text, over the hashes in `columns`."""
    places, starts, values = [], [0], []
    for text in texts:
        found = [columns[hashed] for hashed in hashes(text) if hashed in columns]
        places += found
        values += [1 / np.sqrt(max(len(found), 1))] * len(found)
        starts.append(len(places))
    return csr_matrix((values, places, starts), shape=(len(texts), len(columns)))


def columns_of(texts: Sequence[str]) -> Mapping[int, int]:
    """Return a column per hash that more than one text has."""
    counts: dict[int, int] = {}
    for text in texts:
        for hashed in hashes(text):
            counts[hashed] = counts.get(hashed, 0) + 1
    return {hashed: n for n, hashed in enumerate(sorted(h for h, c in counts.items() if c > 1))}


def fit(x: csr_matrix, y: Sequence[str], weight: str | None) -> LinearSVC:
    """Learn one head; with a weight "balanced" rare labels count as much as frequent ones."""
    return LinearSVC(C=1.0, class_weight=weight, fit_intercept=False, random_state=0).fit(x, y)


def margins(model: LinearSVC, x: csr_matrix) -> Weights:
    """Return a column per label; two labels are one column and its opposite."""
    found: Weights = model.decision_function(x)
    return found if found.ndim == 2 else np.column_stack([-found, found]) / 2


def likelihoods(found: Weights) -> Weights:
    """Return margins as shares that add up to 1 in each row."""
    raised = np.exp(found - found.max(axis=1, keepdims=True))
    shares: Weights = raised / raised.sum(axis=1, keepdims=True)
    return shares


def honest(found: Weights, truth: NDArray[np.int_]) -> float:
    """Return how likely the truth is by these margins, a logarithm."""
    return float(np.log(likelihoods(found)[np.arange(len(truth)), truth] + 1e-9).sum())


def warm(found: Weights, truth: NDArray[np.int_]) -> float:
    """Return the temperature that makes margins most honest."""
    return max(TEMPERATURES, key=lambda warmth: honest(warmth * found, truth))


def warmest(found: Weights, meant: Weights, truth: NDArray[np.int_]) -> Warmth:
    """Return the temperatures that make margins most honest: words', and where both are heard."""
    words = warm(found, truth)
    found = words * found
    open_ = likelihoods(found).max(axis=1) < SURE_BY_WORDS
    found, meant, truth = found[open_], meant[open_], truth[open_]
    if not open_.any():
        return words, 1.0, 0.0
    meanings = warm(meant, truth)
    pairs = [((1 - share) * by, share * meanings * by) for share in SHARES for by in STRETCHED]
    trust, by = max(pairs, key=lambda pair: honest(pair[0] * found + pair[1] * meant, truth))
    return words, trust, by


def together(found: Weights, meant: Weights, warmth: Warmth) -> Weights:
    """Return the margins that count: of words where these are plain, else the surer ones."""
    words = warmth[0] * found
    both = warmth[1] * words + warmth[2] * meant
    by_words, by_both = (likelihoods(one).max(axis=1, keepdims=True) for one in (words, both))
    surer: Weights = np.where((by_words < SURE_BY_WORDS) & (by_both > by_words), both, words)
    return surer


def meaning_of(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return a row of meaning per text: each text is read once."""
    new = sorted({text for text in texts if text not in MEANINGS})
    MEANINGS.update(zip(new, meanings(new), strict=True) if new else ())
    return np.stack([MEANINGS[text] for text in texts])


def fit_sense(rows: Sequence[Row], head: str, labels: Sequence[str], weight: str | None) -> Ridge:
    """Learn one head from what rows mean; when balanced, by the roots of how rare labels are."""
    at = {label: n for n, label in enumerate(labels)}
    held = np.array([at[row[head]] for row in rows])
    wanted = np.full((len(rows), len(labels)), -1.0, np.float32)
    wanted[np.arange(len(rows)), held] = 1
    rare = np.sqrt(len(rows) / (len(labels) * np.bincount(held)))[held] if weight else None
    return Ridge(SMOOTH).fit(meaning_of([row["text"] for row in rows]), wanted, rare)


def garbled(row: Row, seed: int) -> Row:
    """Return the wording with two slips of the keyboard, outside its marks."""
    draw = random.Random(seed)
    text = row["text"]
    free = [
        n
        for n, char in enumerate(text)
        if char.isalpha() and text.rfind("<", 0, n) <= text.rfind(">", 0, n)
    ]
    for at in sorted(draw.sample(free, min(2, len(free))), reverse=True):
        swap = text[at + 1 : at + 2] + text[at] if draw.random() < 0.3 else ""
        text = text[:at] + (swap + text[at + 2 :] if swap else text[at + 1 :])
    return {**row, "text": text}


def widened(rows: Sequence[Row]) -> list[Row]:
    """Return the rows and a garbled copy of each."""
    return [*rows, *(garbled(row, seed) for seed, row in enumerate(rows))]


def validate(
    rows: Sequence[Row], head: str, weight: str | None, *, show: bool, deep: bool
) -> Warmth:
    """Print how often the likeliest label was right, and how often when it was sure.

    Returns the temperatures under which likelihoods are most honest; `deep` listens to meanings.
    """
    known = [row for row in rows if head in row]
    labels = labels_of(known, head)
    truth = np.array([labels.index(row[head]) for row in known])
    found, meant = (np.full((len(known), len(labels)), -5.0) for _ in range(2))
    groups = [row.get("from", str(n)) for n, row in enumerate(known)]
    for learnt, asked in GroupKFold(min(10, len(set(groups)))).split(known, groups=groups):
        lines = widened([known[n] for n in learnt])
        columns = columns_of([row["text"] for row in lines])
        labelled = [row[head] for row in lines]
        texts = [known[n]["text"] for n in asked]
        model = fit(matrix([row["text"] for row in lines], columns), labelled, weight)
        places = np.ix_(asked, [labels.index(label) for label in model.classes_])
        found[places] = margins(model, matrix(texts, columns))
        if deep:
            sense = fit_sense([known[n] for n in learnt], head, model.classes_, weight)
            meant[places] = sense.predict(meaning_of(texts))
    warmth = warmest(found, meant, truth) if deep else (warm(found, truth), 1.0, 0.0)
    found = together(found, meant, warmth)
    shares, guess = likelihoods(found).max(axis=1), found.argmax(axis=1)
    right, sure = guess == truth, shares >= SURE
    if show:
        for n in np.flatnonzero(~right):
            heard = f"{labels[truth[n]]} heard as {labels[guess[n]]} ({shares[n]:.2f})"
            print(f"  {head}: {heard}: {known[n]['text']}")
    print(
        f"{head}: {right.sum()} of {len(known)} right ({right.mean():.1%}); sure ({SURE}) of "
        f"{sure.mean():.0%}, of these {right[sure].mean():.1%} right"
    )
    return warmth


def train(
    rows: Sequence[Row],
    heads: Mapping[str, tuple[str, ...]],
    warmth: Mapping[str, Warmth],
    weight: str | None,
) -> Classifier:
    """Learn all heads and keep the features that matter, a signed byte per label."""
    wide = widened(rows)
    columns = columns_of([row["text"] for row in wide])
    blocks, senses, biases = [], [], []
    trust: dict[str, float] = {}
    for head, labels in heads.items():
        known = [row for row in wide if head in row]
        labelled = [row[head] for row in known]
        by_words, trust[head], by_meaning = warmth[head]
        model = fit(matrix([row["text"] for row in known], columns), labelled, weight)
        blocks.append(_weights(model, labels) * by_words)
        if by_meaning:
            sense = fit_sense([row for row in rows if head in row], head, labels, weight)
            senses.append(sense.coef_.T * by_meaning)
            biases.append(sense.intercept_ * by_meaning)
        else:
            del trust[head]
            senses.append(np.zeros((WIDE, len(labels))))
            biases.append(np.zeros(len(labels)))
    weights = np.hstack(blocks)
    strongest = np.argsort(-np.abs(weights).max(axis=1))[:ROWS]
    scales, steps = as_bytes(weights, weights[strongest])
    hashes = sorted(columns, key=columns.__getitem__)
    kept = {hashes[n]: tuple(map(int, steps[n])) for n in strongest}
    sense = sense_of(np.hstack(senses), np.hstack(biases), trust)
    return Classifier(heads, scales, kept, sense=sense)


def sense_of(weights: Weights, bias: Weights, trust: Mapping[str, float]) -> Sense | None:
    """Return what was learnt from meanings, if any of it counts."""
    scales, steps = as_bytes(weights, weights)
    found = Sense(steps.astype(np.int8).tobytes(), scales, tuple(bias.tolist()), trust)
    return found if trust else None


def as_bytes(weights: Weights, strongest: Weights) -> tuple[tuple[float, ...], NDArray[np.int_]]:
    """Return what a step of each column is worth, and the weights in such steps, -127 to 127."""
    scales = np.abs(strongest).max(axis=0) / 127
    steps = np.rint(weights / np.where(scales == 0, 1, scales)).astype(int)
    return tuple(map(float, scales)), steps


def _weights(model: LinearSVC, labels: Sequence[str]) -> Weights:
    coefficients: Weights = model.coef_.T
    if coefficients.shape[1] == 1:  # two labels share one column
        coefficients = np.hstack([-coefficients / 2, coefficients / 2])
    assert coefficients.shape[1] == len(labels)
    return coefficients


if __name__ == "__main__":
    main()
