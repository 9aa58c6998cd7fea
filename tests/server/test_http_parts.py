"""A shop's catalog over HTTP: files received, named for what they hold, and imported together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import httpx

Serve = Callable[..., AbstractAsyncContextManager[httpx.AsyncClient]]
WAIT = {"Prefer": "wait"}
BYTES = {"Content-Type": "application/octet-stream"}
PARTS = "sku,name,price,colour\nQ100,Pump,12.50,red\nQ101,Gasket,no price,\n"
FITS = "model_number,part_number\nWASH1,Q100\nWASH1,Q101\n"


async def send(client: httpx.AsyncClient, name: str, text: str) -> dict[str, str]:
    got = await client.post(f"/api/parts/files?name={name}", content=text, headers=BYTES)
    assert got.status_code == 201
    found: dict[str, str] = got.json()
    return found


async def test_files_are_named_for_what_they_hold_and_imported(client: httpx.AsyncClient) -> None:
    parts = await send(client, "list.csv", PARTS)
    fits = await send(client, "which.csv", FITS)
    models = await send(client, "m.csv", "model,brand\nWASH1,Roper\n")
    assert [one["kind"] for one in (parts, fits, models)] == ["parts", "fits", "models"]
    given = {"parts": parts["file"], "fits": fits["file"], "models": models["file"]}
    report = (await client.post("/api/parts/imports", json=given)).json()
    assert (report["parts"], report["models"], report["pairs"]) == (2, 1, 2)
    assert report["columns"][0]["used"]["part_number"] == "sku"
    assert report["columns"][0]["ignored"] == ["colour"]
    assert "/" not in str(report)


async def test_files_that_are_not_there_or_no_catalog_change_nothing(
    client: httpx.AsyncClient,
) -> None:
    gone = await client.post("/api/parts/imports", json={"parts": "upload-gone"})
    assert gone.status_code == 404
    outside = await client.post("/api/parts/imports", json={"parts": "../../etc"})
    assert outside.status_code == 422
    odd = await send(client, "odd.csv", "this,is\nno,catalog\n")
    refused = await client.post("/api/parts/imports", json={"parts": odd["file"]})
    assert refused.status_code == 422


async def test_a_file_that_is_no_list_is_refused_in_words(client: httpx.AsyncClient) -> None:
    for text in ("x" * 300_000, '"' + "x" * 300_000, "\0\0\n\0", "{" * 200_000, ""):
        got = await send(client, "odd.csv", text)
        refused = await client.post("/api/parts/imports", json={"parts": got["file"]})
        assert refused.status_code == 422, text[:10]


async def test_the_owner_reads_what_was_asked_and_not_answered(client: httpx.AsyncClient) -> None:
    made = (await client.post("/api/sessions", json={"agent": "parts"})).json()
    for message in ("how much is PS3406971?", "how much is PS99999999?"):
        asked = {"message": message}
        turn = await client.post(f"/api/sessions/{made['id']}/turns", json=asked, headers=WAIT)
        assert turn.status_code in (200, 201, 202)
    (day,) = (await client.get("/api/parts/report")).json()["days"]
    assert day["turns"] == 2
    assert day["top_parts"] == [["PS3406971", 1]]
    assert day["unknown_numbers"] == [["PS99999999", 1]]
    assert (await client.get("/api/parts/report?days=0")).status_code == 422


async def test_nobody_but_the_owner_reads_it(serve: Serve) -> None:
    async with serve(token="owner-token-of-a-test") as client:
        for headers in ({}, {"Authorization": "Bearer guess"}):
            assert (await client.get("/api/parts/report", headers=headers)).status_code == 401
