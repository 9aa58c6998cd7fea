"""Request and response bodies of the parts agent's routes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from ruleplay.server.shapes import Body, Plain

FileId = Annotated[str, Field(pattern=r"^upload-[A-Za-z0-9_]{1,40}$")]


class CatalogFile(BaseModel):
    """A file that was received: what its columns say it is."""

    file: str
    name: str
    kind: Literal["parts", "fits", "models"]
    columns: tuple[str, ...]


class CatalogImport(Body):
    """Received files to be the catalog from now on; `mapping` names the column of a field."""

    parts: FileId
    fits: FileId | None = None
    models: FileId | None = None
    mapping: dict[Plain, Plain] = Field(default={}, max_length=40)


class ColumnsTold(BaseModel):
    """What became of a file's columns."""

    file: str
    preset: str
    used: dict[str, str]
    ignored: tuple[str, ...]
    empty: tuple[str, ...]


class RowTold(BaseModel):
    """A row, or with `kept` only a value of it, that was not taken over."""

    file: str
    line: int
    reason: str
    kept: bool


class CatalogImported(BaseModel):
    """What an import took over."""

    parts: int
    models: int
    pairs: int
    rejected: int
    flawed: int
    duplicates: int
    undated_prices: int
    columns: tuple[ColumnsTold, ...]
    rejected_rows: tuple[RowTold, ...]
