"""Identifies the data that battles are played with: a package's version and its files' hashes.

The package is not ours to copy, so sessions keep hashes only; see
docs/decisions/0029-sessions-keep-their-rules-data.md.
"""

from __future__ import annotations

from importlib.metadata import distribution

from ruleplay.records.rules import RuleData, Texts

PACKAGE = "poke-env"


def _hashes() -> Texts:
    package = distribution(PACKAGE)
    hashes = {str(file): file.hash.value for file in package.files or () if file.hash}
    return {PACKAGE: package.version, **{n: h for n, h in hashes.items() if "/data/static/" in n}}


DATA = RuleData(_hashes, reads_older=False)
"""Other versions' data is not kept, so turns played with it are applied, not decided again."""
