"""Parses addresses of Warcraft Logs reports as people paste them: any site's, or a bare code.

The sites are `www` (retail), `classic`, `vanilla` (Era), `sod` and `fresh`; a two-letter label in
front is the page's language. Codes of anonymous reports begin with `a:`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from ruleplay.errors import UserError

DOMAIN = "warcraftlogs.com"
ALIASES = {"": "www", "retail": "www", "era": "vanilla", "season": "sod", "anniversary": "fresh"}
_CODE = re.compile(r"(?:a:)?[A-Za-z0-9]{1,32}")
_SITE = re.compile(r"[a-z]{3,16}")


@dataclass(frozen=True)
class ReportAddress:
    """A report: its code, its site's address and the linked fight, "" if none.

    `fight` is a fight number of the report, or `last`.
    """

    code: str
    site: str
    fight: str = ""


def read_address(text: str, site: str = "") -> ReportAddress:
    """Parse a code or address; an explicit `site` takes precedence.

    Raises UserError if it is not a report, or not on Warcraft Logs.
    """
    told = text.strip()
    if "/" not in told:
        code, _, rest = told.partition("#")
        return ReportAddress(_code(code), site_of(site), _fight(rest))
    split = urlsplit(told if "://" in told else f"https://{told}")
    parts = [unquote(part) for part in split.path.split("/") if part]
    if split.scheme not in ("http", "https") or "reports" not in parts[:-1]:
        raise UserError(f"{text[:80]!r} is no address of a report: …{DOMAIN}/reports/CODE")
    here = site_of(split.hostname or "")
    fight = _fight(split.fragment) or _fight(split.query)
    code = _code(parts[parts.index("reports") + 1])
    return ReportAddress(code, site_of(site) if site else here, fight)


def site_of(name: str) -> str:
    """Normalise a short name or host to a site's address; the client secret is sent there."""
    host = name.strip().lower().removeprefix("https://").rstrip("/")
    # The secret must not leave the domain: anything that is not one known label is refused.
    labels = host.removesuffix(DOMAIN).rstrip(".").split(".")
    ours = "." not in host or f".{host}".endswith(f".{DOMAIN}")
    # Two-letter labels are languages ("fr.classic") and carry no meaning here.
    kept = [label for label in labels if len(label) != 2] or [""]
    label = ALIASES.get(kept[0], kept[0])
    if not ours or len(kept) > 1 or not _SITE.fullmatch(label):
        raise UserError(f"{name[:80]!r} is no site of {DOMAIN}; name one, such as classic")
    return f"https://{label}.{DOMAIN}"


def _code(text: str) -> str:
    if not _CODE.fullmatch(text):
        raise UserError(f"{text[:40]!r} is no report code; it is the part after /reports/")
    return text


def _fight(text: str) -> str:
    found = parse_qs(text).get("fight", [""])[0]
    return found if found == "last" or found.isdecimal() else ""
