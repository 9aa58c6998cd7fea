"""Charts as inline SVG: a night's pulls, bars of a ranking, values over time with deaths.

Colours are CSS variables of the page, so charts follow its light or dark theme. Every mark has a
title that states its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ruleplay.agents.raid.view.tables import clock

WIDTH = 760
LEFT, RIGHT = 150, 90
ROW = 22


@dataclass(frozen=True)
class Bar:
    """A bar of a ranking: label, value, and the value as displayed."""

    label: str
    value: float
    shown: str
    colour: str = "var(--bar)"


@dataclass(frozen=True)
class Stretch:
    """A pull on the night's time axis: from `start` to `end` seconds; `note` is its title."""

    start: float
    end: float
    note: str
    kill: bool


def bars(entries: Sequence[Bar], title: str) -> str:
    """Draw a ranking as horizontal bars; "" without entries."""
    if not entries:
        return ""
    most = max(bar.value for bar in entries) or 1
    room = WIDTH - LEFT - RIGHT
    drawn = []
    for place, bar in enumerate(entries):
        top, wide = place * ROW + 4, max(1.0, bar.value / most * room)
        drawn.append(
            f'<text class="name" x="{LEFT - 8}" y="{top + 13}">{escape(bar.label)}</text>'
            f'<rect x="{LEFT}" y="{top}" width="{wide:.1f}" height="16" rx="3" fill="{bar.colour}">'
            f"<title>{escape(bar.label)}: {escape(bar.shown)}</title></rect>"
            f'<text class="value" x="{LEFT + wide + 6:.1f}" y="{top + 13}">'
            f"{escape(bar.shown)}</text>"
        )
    return _svg("".join(drawn), len(entries) * ROW + 8, title)


def line(
    points: Sequence[tuple[float, float]], deaths: Sequence[tuple[float, str]], title: str, top: str
) -> str:
    """Draw values over seconds as an area; "" for fewer than two points.

    `deaths` are (time, label) marks; `top` is the highest value as displayed.
    """
    if len(points) < 2:
        return ""
    high, room = 150, WIDTH - 70
    last = max(at for at, _ in points) or 1
    most = max(value for _, value in points) or 1

    def x(at: float) -> float:
        return 60 + at / last * room

    path = " ".join(f"{x(at):.1f},{high - value / most * (high - 20):.1f}" for at, value in points)
    first, end = x(points[0][0]), x(points[-1][0])
    marks = "".join(
        f'<line class="death" x1="{x(at):.1f}" x2="{x(at):.1f}" y1="12" y2="{high}">'
        f"<title>{escape(said)}</title></line>"
        for at, said in deaths
    )
    ticks = "".join(
        f'<text class="tick" x="{x(at):.1f}" y="{high + 16}">{clock(at)}</text>'
        for at in _ticks(last)
    )
    body = (
        f'<text class="tick" x="54" y="24" text-anchor="end">{escape(top)}</text>'
        f'<polygon class="area" points="{first:.1f},{high} {path} {end:.1f},{high}"/>'
        f'<polyline class="line" points="{path}"/>{marks}{ticks}'
    )
    return _svg(body, high + 24, title)


def night(stretches: Sequence[Stretch], title: str) -> str:
    """Draw a night's pulls on one time axis; "" without pulls."""
    if not stretches:
        return ""
    begin, end = min(s.start for s in stretches), max(s.end for s in stretches)
    room, span = WIDTH - 20, max(1.0, end - begin)
    drawn = "".join(
        f'<rect class="{"kill" if s.kill else "wipe"}"'
        f' x="{10 + (s.start - begin) / span * room:.1f}"'
        f' y="8" height="28" rx="3" width="{max(3.0, (s.end - s.start) / span * room):.1f}">'
        f"<title>{escape(s.note)}</title></rect>"
        for s in stretches
    )
    return _svg(f'<line class="axis" x1="10" x2="{WIDTH - 10}" y1="36" y2="36"/>{drawn}', 44, title)


def _ticks(last: float) -> list[float]:
    step = next((s for s in (15, 30, 60, 120, 300) if last / s <= 8), 600)
    return [float(at) for at in range(0, int(last) + 1, step)]


def _svg(body: str, high: float, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {high:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{body}</svg>"
    )
