"""A part that is listed for no model at all: no fit is promised, and no model asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agents.parts.test_models import NOTHING_HEARD

from ruleplay.agents.parts.adapters.catalog import open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.catalog import open_session
from ruleplay.models.scripted import ScriptedModel
from ruleplay.settings import Settings

PARTS = """part_number,manufacturer_number,name,brand,appliance,price,availability
PS16217433,XWFE,Refrigerator Water Filter,GE,Refrigerator,79.91,In Stock
PS12348515,W11177741,Refrigerator Door Seal,GE,Refrigerator,46.83,In Stock
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "parts.csv").write_text(PARTS)
    (tmp_path / "fits.csv").write_text("part,model\nPS12348515,GSS25QSHECSS\n")
    (tmp_path / "models.csv").write_text("model,brand,appliance\nGSS25QSHECSS,GE,refrigerator\n")
    files = (tmp_path / f"{name}.csv" for name in ("parts", "fits", "models"))
    import_catalog(*files, into=tmp_path / "parts.catalog")
    return tmp_path


async def test_no_fit_check_is_offered_for_it(home: Path) -> None:
    catalog = open_catalog(home / "parts.catalog", home, home / "parts.catalog")
    assert catalog.unlisted(["PS16217433", "PS12348515"]) == ("PS16217433",)
    offers = []
    for part in ("PS16217433", "PS12348515"):
        settings = Settings(home=home, db="", model="rules")
        async with await open_session("parts", settings=settings) as session:
            offers.append("I can check that it is listed" in (await session.turn(part)).reply)
            offers[-1] |= "I can check" in (await session.turn(f"price of {part}?")).reply
    assert offers == [False, True]


async def test_a_model_is_told_so(home: Path) -> None:
    settings = Settings(home=home, db="", model="scripted")
    async with await open_session("parts", settings=settings) as session:
        model = ScriptedModel({"parts.extract": [NOTHING_HEARD], "parts.tell": [["Hm."]]})
        session.host.models.stand_ins["scripted"] = model
        await session.turn("what does PS16217433 cost for my fridge?")
        asked = str(model.seen[-1].messages[-1].content)
    assert "listed for no model, so none can be checked" in asked
    assert "where the model number is" not in asked
