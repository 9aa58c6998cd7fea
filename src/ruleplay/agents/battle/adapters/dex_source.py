"""Which data of species, moves and types battles are played with: a package's, known by hashes."""

from __future__ import annotations

from importlib.metadata import distribution

from ruleplay.records.rules import RuleData, Texts

PACKAGE = "poke-env"


def _hashes() -> Texts:
    package = distribution(PACKAGE)
    hashes = {str(file): file.hash.value for file in package.files or () if file.hash}
    return {PACKAGE: package.version, **{n: h for n, h in hashes.items() if "/data/static/" in n}}


DATA = RuleData(_hashes, reads_older=False)
