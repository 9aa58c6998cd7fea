"""What a result lets a model say: ordered claims per row, and the check that holds prose to them.

A number passes for the metric, pull and player that a result of this turn gives it to, or as a
stated difference, ratio, percentage or rounding of such. A sentence that names a pull is read
against that pull's rows alone, one that names none only where all rows are of one pull.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from ruleplay.agents.raid.domain.outcomes import Metric, Row
from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.domain.toolbox import BY_NAME, SPECS
from ruleplay.agents.raid.policy.tables import Sheet, seconds
from ruleplay.agents.raid.state import ToolReturned
from ruleplay.foundation.claims import Check, Claim, Fact, Reading
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure, Outcome
from ruleplay.foundation.prose.phrasebook import Phrasebook

FACTS = 400
"""Rows that a turn's prose is checked against."""
CITATION = re.compile(r"\s*\[\s*r\d+(?:\s*[,;]\s*r\d+)*\s*\]", re.IGNORECASE)
