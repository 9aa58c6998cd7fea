"""The catalog's answers, on the shipped demo and on small shops written for the case."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples import sample

from ruleplay.agents.parts.adapters.catalog import Catalog, open_catalog
from ruleplay.agents.parts.adapters.catalog_import import import_catalog
from ruleplay.agents.parts.adapters.catalog_near import likeness, look_alikes, one_edit_away
from ruleplay.agents.parts.adapters.demo import ensure_demo
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.ids import Lookup
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.stopwords import search_terms
from ruleplay.errors import NotFound, UserError

PARTS = """number,mpn,name,price,price_date,symptoms,replaces
PS1,W101,Door Gasket,12.50,2025-02-01,Leaking,OLD1
PS2,W102,Drain Pump,40,,Leaking|Noisy|Not draining,OLD1
PS3,W103,Fan Blade,,,Noisy,OLD3
PS4,W104,Light Bulb,5,,,
"""
FITS = """part,model
PS1,ABC1000
PS2,ABC1000
PS3,ABC1000
PS4,ABC1000
PS3,ABC2000
"""


def small_shop(folder: Path, fits: str = FITS) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "p.csv").write_text(PARTS, encoding="utf-8")
    (folder / "f.csv").write_text(fits, encoding="utf-8")
    into = folder / "shop.sqlite"
    import_catalog(
        folder / "p.csv",
        folder / "f.csv",
        into=into,
        priced_on=date(2025, 1, 1),
        mapping={"part_number": "number", "priced_on": "price_date"},
        imported_on=date(2025, 3, 4),
    )
    return into


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    with open_catalog(ensure_demo(path)) as catalog:
        yield catalog


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    with open_catalog(small_shop(tmp_path_factory.mktemp("shop"))) as catalog:
        yield catalog


def all_models(catalog: Catalog) -> list[str]:
    return [model.number for model in catalog.models_starting("", limit=1000)]


def test_the_demo_is_built_once_and_fast(tmp_path: Path) -> None:
    started = time.process_time()
    path = ensure_demo(tmp_path / "new" / "demo.sqlite")
    assert time.process_time() - started < 2
    first = path.stat().st_ino
    assert ensure_demo(path).stat().st_ino == first
    assert [left.name for left in path.parent.iterdir()] == ["demo.sqlite"]


def test_an_unusable_demo_is_built_again(tmp_path: Path) -> None:
    path = tmp_path / "demo.sqlite"
    path.write_bytes(b"not a database at all, but long enough to be taken for one" * 20)
    with open_catalog(ensure_demo(path)) as catalog:
        assert catalog.stamp.name == "demo catalog"


def test_the_demo_holds_what_the_product_shows(demo: Catalog) -> None:
    stamp = demo.stamp
    assert (stamp.id_only, stamp.parts >= 60, stamp.models >= 40) == (0, True, True)
    wheel = demo.part("PS3406971")[0].part
    assert (wheel.manufacturer_number, bool(wheel.steps)) == ("W10195416", True)
    causes = demo.diagnose("WDT780SAEM1", ("Leaking", "Noisy"))
    assert causes[0].share == 1
    fitting = [demo.parts_for(model) for model in all_models(demo)]
    assert all(fitting)
    parts = {part.number: part for some in fitting for part in some}.values()
    assert sum(bool(part.steps) for part in parts) >= 20
    assert [part.number for part in parts if part.video] == ["PS90001274"]
    assert all(part.price and part.priced_on and part.difficulty and part.time for part in parts)
    appliances = {demo.model(number).appliance for number in all_models(demo)}  # type: ignore[union-attr]  # just listed
    assert appliances == {"dishwasher", "refrigerator", "washer", "dryer", "range"}


@pytest.mark.parametrize(
    "text", ["WDT780SAEM1", "wdt780saem1", "wdt-780 saem1", "WDT.780/SAEM1", " ＷＤＴ780SAEM1 "]
)
def test_a_model_is_known_however_it_is_written(demo: Catalog, text: str) -> None:
    model = demo.model(text)
    assert model is not None
    assert (model.number, model.brand, model.appliance) == (
        "WDT780SAEM1",
        "Whirlpool",
        "dishwasher",
    )


@pytest.mark.parametrize(
    ("text", "via"),
    [
        ("ps 3406971", "number"),
        ("W10195416", "manufacturer"),
        ("w10195416v", "replaces"),
    ],
)
def test_a_part_is_found_by_each_of_its_numbers(demo: Catalog, text: str, via: str) -> None:
    (match,) = demo.part(text)
    assert (match.part.number, match.via, match.asked) == ("PS3406971", via, text)


def test_unknown_numbers_are_unknown(demo: Catalog) -> None:
    assert demo.model("WDT780SAEM2") is None
    assert demo.part("WDT780SAEM1") == ()
    assert demo.model("") is None
    assert demo.part("") == ()


@pytest.mark.parametrize(
    ("part", "model", "verdict", "number", "said"),
    [
        ("PS1", "abc-1000", Verdict.LISTED, "PS1", "PS1 (Door Gasket)"),
        ("w103", "ABC2000", Verdict.LISTED, "PS3", "is the manufacturer's number of PS3"),
        ("OLD3", "ABC2000", Verdict.LISTED, "PS3", "OLD3 has been replaced by PS3"),
        ("PS1", "ABC2000", Verdict.NOT_LISTED, "PS1", "no line lists this pair"),
        ("PS1", "ABC9", Verdict.UNKNOWN_MODEL, "PS1", "does not know model 'ABC9'"),
        ("PS9", "ABC1000", Verdict.UNKNOWN_PART, "PS9", "does not know part 'PS9'"),
        ("OLD1", "ABC1000", Verdict.UNKNOWN_PART, "OLD1", "can mean PS1 or PS2"),
        ("PS9", "ABC9", Verdict.UNKNOWN_PART, "PS9", "does not know part 'PS9'"),
    ],
)
def test_the_verdict_and_its_reason(
    shop: Catalog, part: str, model: str, verdict: Verdict, number: str, said: str
) -> None:
    fit = shop.fit(part, model)
    assert (fit.verdict, fit.part) == (verdict, number)
    assert said in fit.explanation
    assert "compatible" not in fit.explanation.casefold()
    assert "does not fit" not in fit.explanation.casefold()


def test_the_source_names_catalog_date_and_line(shop: Catalog) -> None:
    assert shop.fit("PS3", "ABC2000").source == "shop, imported 2025-03-04, f.csv line 6"
    assert shop.fit("PS1", "ABC2000").source == "shop, imported 2025-03-04, f.csv"


def test_prices_carry_their_date(shop: Catalog) -> None:
    dated, undated, free, _ = [shop.part(f"PS{n}")[0].part for n in range(1, 5)]
    assert (dated.price, dated.priced_on) == (Decimal("12.50"), date(2025, 2, 1))
    assert (undated.price, undated.priced_on) == (Decimal(40), date(2025, 1, 1))
    assert (free.price, free.priced_on) == (None, None)


def test_causes_are_ranked_by_share_then_by_how_few_they_fix(shop: Catalog) -> None:
    causes = shop.diagnose("ABC1000", ("leaking", "NOISY"))
    assert [cause.part.number for cause in causes] == ["PS2", "PS1", "PS3"]
    assert [cause.share for cause in causes] == [1, 0.5, 0.5]
    assert [cause.part.number for cause in shop.diagnose("ABC2000", ("Leaking",))] == []
    assert shop.diagnose("ABC9", ("Leaking",)) == ()
    assert shop.diagnose("ABC1000", ()) == ()


def test_symptoms_compare_with_either_apostrophe(demo: Catalog) -> None:
    curly = demo.diagnose("WDT780SAEM1", ("Door won’t close",))
    straight = demo.diagnose("WDT780SAEM1", ("door won't  close",))
    assert [one.part for one in curly] == [one.part for one in straight]
    assert curly


def test_symptom_strings_are_distinct(demo: Catalog, shop: Catalog) -> None:
    assert shop.symptom_strings() == ("Leaking", "Noisy", "Not draining")
    assert len(set(demo.symptom_strings())) == len(demo.symptom_strings()) >= 20


def test_parts_are_found_by_description(demo: Catalog) -> None:
    hits = demo.find("the wheels on my lower rack broke off", "WDT780SAEM1")
    assert hits[0].part.number == "PS3406971"
    assert {"wheels", "lower"} <= set(hits[0].matched)
    assert all(hit.part in demo.parts_for("WDT780SAEM1") for hit in hits)
    assert demo.find("x", terms=("drain pump",), limit=1)[0].part.name.endswith("Drain Pump")
    assert demo.find("wheel", "NOSUCHMODEL") == ()
    assert demo.find("the of and") == ()


@given(text=st.text(max_size=60))
@settings(max_examples=sample(20, 60), deadline=None)
def test_no_description_breaks_the_search(demo: Catalog, text: str) -> None:
    assert len(demo.find(text, limit=3)) <= 3
    assert len(demo.find("", terms=(text, '" OR NEAR(')[:2], limit=3)) <= 3


def test_models_starting_is_ordered_and_limited(shop: Catalog) -> None:
    assert [m.number for m in shop.models_starting("abc-")] == ["ABC1000", "ABC2000"]
    assert [m.number for m in shop.models_starting("ABC", limit=1)] == ["ABC1000"]
    assert shop.models_starting("ABD") == ()


ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def slips(number: str, rng: random.Random) -> Iterator[str]:
    at = rng.randrange(len(number) - 1)
    yield number[:at] + number[at + 1 :]
    yield number[:at] + rng.choice(ALPHABET) + number[at:]
    yield number[:at] + rng.choice(ALPHABET) + number[at + 1 :]
    yield number[:at] + number[at + 1] + number[at] + number[at + 2 :]


@given(seed=st.integers(0, 10**9))
@settings(max_examples=sample(15, 40), deadline=None)
def test_every_slip_is_near(demo: Catalog, seed: int) -> None:
    rng = random.Random(seed)
    number = normal(rng.choice(all_models(demo)))
    part = rng.choice(demo.parts_for(rng.choice(all_models(demo)))).number
    for typed in slips(number, rng):
        near = [normal(one.number) for one in demo.near_models(typed, limit=99)]
        assert number in near or typed == number
    for typed in slips(part, rng):
        assert part in [one.part.number for one in demo.near_parts(typed, 99)] or typed == part


def test_any_number_of_look_alikes_is_near(demo: Catalog) -> None:
    assert [m.number for m in demo.near_models("WDT78O5AEMI")] == ["WDT780SAEM1"]


def test_one_edit_away_is_complete_and_apart() -> None:
    near = one_edit_away("AB1")
    assert {"A1", "AB", "BA1", "A1B", "AB2", "XAB1", "AB1X"} <= near
    assert "AB1" not in near
    assert look_alikes("O" * 40) == set()


def test_likelier_slips_come_first() -> None:
    assert (
        likeness("WDT78O", "WDT780") > likeness("WDT870", "WDT780") > likeness("WDT7X0", "WDT780")
    )
    assert likeness("WDT70", "WDT780") < likeness("WDT780", "WDT7880")


def test_look_up_holds_all_and_survives_json(demo: Catalog) -> None:
    exact = demo.look_up("WDT780SAEM1")
    assert exact.model is not None
    assert exact.near_models == ()
    near = demo.look_up("WDT780SAEM")
    assert [one.number for one in near.near_models] == ["WDT780SAEM1"]
    assert [one.number for one in near.starting] == ["WDT780SAEM1"]
    assert demo.look_up("WDT780SAEM", near=False) == Lookup(normal="WDT780SAEM")
    assert Lookup.model_validate_json(near.model_dump_json()) == near


def test_a_swapped_file_is_noticed(tmp_path: Path) -> None:
    path = small_shop(tmp_path)
    with open_catalog(path) as catalog:
        before = catalog.stamp
        assert catalog.model("ABC3000") is None
        small_shop(tmp_path, FITS + "PS1,ABC3000\n")
        assert catalog.model("ABC3000") is not None
        assert (before.pairs, catalog.stamp.pairs) == (5, 6)
        assert before.content != catalog.stamp.content


def test_threads_share_a_catalog_while_it_is_swapped(tmp_path: Path) -> None:
    path = small_shop(tmp_path)
    verdicts: list[Verdict] = []

    def ask(catalog: Catalog) -> None:
        verdicts.extend(catalog.fit("PS1", "ABC1000").verdict for _ in range(300))

    with open_catalog(path) as catalog:
        threads = [threading.Thread(target=ask, args=(catalog,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            small_shop(tmp_path)
        for thread in threads:
            thread.join()
    assert verdicts == [Verdict.LISTED] * 1200


def test_a_closed_catalog_opens_again(tmp_path: Path) -> None:
    catalog = open_catalog(small_shop(tmp_path))
    catalog.close()
    assert catalog.model("ABC1000") is not None
    catalog.close()


def test_the_file_is_never_written(tmp_path: Path) -> None:
    path = small_shop(tmp_path)
    before = path.read_bytes()
    path.chmod(0o444)
    with open_catalog(path) as catalog:
        catalog.find("pump", "ABC1000")
        catalog.diagnose("ABC1000", ("Leaking",))
        catalog.look_up("ABC1001")
    assert path.read_bytes() == before
    assert sorted(left.name for left in tmp_path.iterdir()) == ["f.csv", "p.csv", "shop.sqlite"]


def test_what_is_no_catalog_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="import one first"):
        open_catalog(tmp_path / "none.sqlite")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(UserError, match="not a parts catalog"):
        open_catalog(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE meta (key, value)")
    other.close()
    with pytest.raises(UserError, match="not a parts catalog of this release"):
        open_catalog(tmp_path / "other.sqlite")


def test_search_terms_are_the_telling_words() -> None:
    assert search_terms("I need the wheel for my lower rack, the WHEEL!") == (
        "wheel",
        "lower",
        "rack",
    )


@given(text=st.text())
def test_normal_is_idempotent(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    assert normal(text.lower()) == normal(text.upper()) or not text.isascii()


def test_a_part_is_for_the_brand_that_its_name_begins_with(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(
        "number,name,brand\nPS1,Velden Dishwasher Filter,Whirlpool\nPS2,Filter,Whirlpool\n"
        "PS3,Veldenpark Filter,Whirlpool\n",
        encoding="utf-8",
    )
    into = tmp_path / "shop.sqlite"
    import_catalog(tmp_path / "p.csv", into=into, mapping={"part_number": "number"})
    with open_catalog(into) as catalog:
        numbers = ("PS1", "PS2", "PS3")
        assert catalog.made_for("velden", numbers) == {"PS1"}
        assert catalog.made_for("WHIRLPOOL", numbers) == {*numbers}
