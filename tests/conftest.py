"""What holds for every test: chance is the same in each run, and no machine is too slow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from ruleplay.kernel.host import Host
from ruleplay.records.turns import Head

SEED = "0001000100010001"
settings.register_profile(
    "ruleplay",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ruleplay")


@pytest.fixture(scope="session", autouse=True)
def seeded() -> Iterator[None]:
    """Give sessions that are created without a seed the same dice in every run."""
    create = Host.create

    async def with_a_seed(host: Host, *given: object, **named: object) -> Head:
        named["seed"] = named.get("seed") or SEED
        return await create(host, *given, **named)  # type: ignore[arg-type]  # handed on as given

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "create", with_a_seed)
        yield
