"""Renders a review as Markdown, or as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ruleplay.agents.battle.adapters.review import Review, ReviewedTurn, Step

STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;border-bottom:1px solid "
    "#8884;text-align:left;vertical-align:top}.blunder>td:nth-child(2){color:#c22}"
    ".mistake>td:nth-child(2){color:#b60}.inaccuracy>td:nth-child(2){color:#880}"
    "svg{width:100%;height:8rem}small{opacity:.75}"
)


def markdown(review: Review) -> str:
    """Render a review as Markdown."""
    lines = [f"# {_plain(review.title)}", "", _plain(review.summary), ""]
    for lesson in review.lessons:
        turns = ", ".join(str(turn) for turn in lesson.turns)
        lines.append(f"- {lesson.text} ({-lesson.lost:.0%}; turns {turns})")
    lines += ["", "| turn | played | better | what else there was |", "|---|---|---|---|"]
    for turn in review.turns:
        cells = (_turn(turn), _played(turn), _better(turn), _others(turn))
        lines.append("| " + " | ".join(_plain(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def page(review: Review) -> str:
    """Render a review as a page: the curve, the lessons, and each choice with its continuations."""
    rows = "".join(_row(turn) for turn in review.turns)
    title = escape(review.title)
    return (
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{STYLE}</style><h1>{title}</h1><p>{escape(review.summary)}</p>"
        f"{_curve(review.turns)}{_lessons(review)}"
        "<table><thead><tr><th>turn</th><th>played</th><th>better</th>"
        f"<th>what else there was</th></tr></thead><tbody>{rows}</tbody></table></html>\n"
    )


def _curve(turns: Sequence[ReviewedTurn]) -> str:
    """Draw the winning chance over the choices."""
    known = [turn.chance for turn in turns if turn.chance is not None]
    if len(known) < 2:
        return ""
    step = 100 / (len(known) - 1)
    points = " ".join(
        f"{place * step:.2f},{100 - 100 * each:.1f}" for place, each in enumerate(known)
    )
    return (
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" '
        'aria-label="Chance of winning over the battle">'
        '<path d="M0 50H100" stroke="#8886" vector-effect="non-scaling-stroke"/>'
        f'<polyline points="{points}" fill="none" stroke="currentColor" '
        'vector-effect="non-scaling-stroke"/></svg>'
    )


def _lessons(review: Review) -> str:
    first = {turn.turn: turn.number for turn in reversed(review.turns)}
    items = "".join(
        f"<li>{escape(lesson.text)} <small>{-lesson.lost:.0%}; turns "
        + ", ".join(f'<a href="#c{first.get(turn, 1)}">{turn}</a>' for turn in lesson.turns)
        + "</small></li>"
        for lesson in review.lessons
    )
    return f"<h2>Lessons</h2><ol>{items}</ol>" if items else ""


def _row(turn: ReviewedTurn) -> str:
    notes = [_steps("best line", turn.line), _steps(f"why not {turn.played}", turn.instead)]
    if turn.sets:
        sets = "".join(f"<li>{escape(each)}</li>" for each in turn.sets)
        notes.append(f"<details><summary>sets as guessed then</summary><ul>{sets}</ul></details>")
    chance = "" if turn.chance is None else f"<br><small>{turn.chance:.0%}</small>"
    luck = "" if turn.luck is None else f"<br><small>luck {turn.luck:+.0%}</small>"
    return (
        f'<tr class="{escape(turn.grade)}" id="c{turn.number}"><td>{_turn(turn)}{chance}</td>'
        f"<td>{escape(_played(turn))}{luck}</td><td>{escape(_better(turn))}</td>"
        f"<td>{escape(_others(turn))}{''.join(notes)}</td></tr>"
    )


def _steps(title: str, steps: Sequence[Step]) -> str:
    if not steps:
        return ""
    items = "".join(f"<li>{escape(each.ours)} / {escape(each.theirs)}</li>" for each in steps)
    return f"<details><summary>{escape(title)}</summary><ol>{items}</ol></details>"


def _plain(text: str) -> str:
    """Escape text of players, so that it cannot become markup or table cells."""
    for sign in "\\`*_[]<>#|":
        text = text.replace(sign, "\\" + sign)
    return text.replace("\n", " ")


def _turn(turn: ReviewedTurn) -> str:
    return f"{turn.turn}{' (forced)' if turn.forced else ''}"


def _played(turn: ReviewedTurn) -> str:
    lost = f" (-{turn.lost:.0%})" if turn.lost and turn.grade != "good" else ""
    return f"{turn.played}: {turn.grade}{lost}"


def _better(turn: ReviewedTurn) -> str:
    return "" if turn.grade == "good" else turn.best


def _others(turn: ReviewedTurn) -> str:
    return "; ".join(
        one.order + (f" {one.value:.0%}" if one.value is not None else "") for one in turn.options
    )
