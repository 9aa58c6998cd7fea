"""The catalog file: one SQLite database, written once by an import and then only read.

    meta      what the catalog is: name, date, counts, content hash
    models    appliance models
    parts     parts; lists are JSON arrays
    names     every number that something is known by: models', parts', makers', replaced ones
    fits      the pairs, clustered by model, with the line of the fits file
    symptoms, fixes    the distinct symptom strings, and which parts fix them
    part_search        full-text index of the parts' words; rowid is the part

Typos need no index of their own: all strings one edit away from the input are looked up in `names`
(see `catalog_near`), so the file stays small however many numbers it has.
"""

from __future__ import annotations

APPLICATION_ID = 0x52504350  # "RPCP"
FORMAT = 2

# `names.via`: the kind of number, strongest first.
MODEL, NUMBER, MANUFACTURER, REPLACES = range(4)
VIA = ("model", "number", "manufacturer", "replaces")

PART_COLUMNS = (
    "number", "source_row", "manufacturer_number", "name", "brand", "appliances", "price",
    "priced_on", "availability", "difficulty", "time", "video", "symptoms", "replaces", "steps",
    "url", "image",
)  # fmt: skip

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE models (
    id INTEGER PRIMARY KEY, number TEXT NOT NULL, source_row TEXT NOT NULL,
    brand TEXT NOT NULL, appliance TEXT NOT NULL
);
CREATE TABLE parts (
    id INTEGER PRIMARY KEY, number TEXT NOT NULL, source_row TEXT NOT NULL,
    manufacturer_number TEXT NOT NULL, name TEXT NOT NULL, brand TEXT NOT NULL,
    appliances TEXT NOT NULL, price TEXT, priced_on TEXT, availability TEXT NOT NULL,
    difficulty TEXT NOT NULL, time TEXT NOT NULL, video TEXT NOT NULL,
    symptoms TEXT NOT NULL, replaces TEXT NOT NULL, steps TEXT NOT NULL, url TEXT NOT NULL,
    image TEXT NOT NULL
);
CREATE TABLE names (
    normal TEXT NOT NULL, via INTEGER NOT NULL, ref INTEGER NOT NULL,
    PRIMARY KEY (normal, via, ref)
) WITHOUT ROWID;
CREATE TABLE fits (
    model INTEGER NOT NULL, part INTEGER NOT NULL, line INTEGER NOT NULL,
    PRIMARY KEY (model, part)
) WITHOUT ROWID;
CREATE TABLE symptoms (id INTEGER PRIMARY KEY, folded TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE fixes (
    symptom INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY (symptom, part)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE part_search USING fts5 (
    name, symptoms, appliances, brand,
    content = '', tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE TEMP TABLE loaded (model INTEGER NOT NULL, part INTEGER NOT NULL, line INTEGER NOT NULL);
CREATE TEMP TABLE loaded_names (normal TEXT NOT NULL, via INTEGER NOT NULL, ref INTEGER NOT NULL);
"""

# Sorting first and inserting in key order builds a b-tree several times faster than random inserts.
CLUSTER = """
INSERT INTO fits SELECT model, part, min(line) FROM temp.loaded GROUP BY model, part;
DROP TABLE temp.loaded;
INSERT OR IGNORE INTO names SELECT normal, via, ref FROM temp.loaded_names ORDER BY 1, 2, 3;
DROP TABLE temp.loaded_names;
CREATE INDEX model_names ON names (normal) WHERE via = 0;
INSERT INTO part_search (part_search) VALUES ('optimize');
PRAGMA analysis_limit = 1000;
ANALYZE;
"""
