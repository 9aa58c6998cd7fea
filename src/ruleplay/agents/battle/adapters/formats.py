"""Battle formats of the installed Showdown package."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ruleplay.agents.battle.adapters.set_pool import FORMAT
from ruleplay.agents.battle.adapters.showdown_package import node_program
from ruleplay.agents.battle.policy.nearest import nearest
from ruleplay.errors import NotFound, Unavailable

SCRIPT = Path(__file__).with_name("look_up_format.cjs")
SECONDS = 60
"""Time limit of the look-up."""


class BattleFormat(BaseModel):
    """A format; `own_team` tells that players bring their teams, `level` is everybody's there."""

    model_config = ConfigDict(frozen=True)

    id: str
    game: str
    own_team: bool
    level: int


@lru_cache(maxsize=64)
def find_format(package: Path, name: str) -> BattleFormat:
    """Look up a format (NotFound, with the nearest names; Unavailable without Node)."""
    told = _looked_up(package, name) if FORMAT.fullmatch(name) else {"others": ["gen9randombattle"]}
    try:
        if "others" not in told:
            return BattleFormat.model_validate(told)
        others = TypeAdapter(list[str]).validate_python(told["others"])
    except ValidationError as error:
        raise Unavailable("the package names no formats; is it whole?") from error
    near = nearest(name, others) or ("gen9randombattle",)
    raise NotFound(f"no format {name!r}; did you mean {' or '.join(near)}?")


def _looked_up(package: Path, name: str) -> dict[str, object]:
    try:
        made = subprocess.run(
            [node_program(), str(SCRIPT), str(package), name],
            capture_output=True,
            check=True,
            timeout=SECONDS,
        )
        return TypeAdapter(dict[str, object]).validate_json(made.stdout)
    except (OSError, subprocess.SubprocessError, ValidationError) as error:
        raise Unavailable(f"the format {name!r} could not be looked up in {package}") from error
