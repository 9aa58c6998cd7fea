"""Words to the server itself, such as `!undo`: answered in the chat, and no turns."""

from __future__ import annotations

from dataclasses import replace

from ruleplay.errors import Conflict, NotFound
from ruleplay.records.turns import Turn
from ruleplay.server.access import Access
from ruleplay.server.openai.finding import Asked, find_spot
from ruleplay.server.openai.history import RENEWED, UNDONE, Command
from ruleplay.server.openai.plays import Play, Plays
from ruleplay.server.openai.seating import Stand, seats_told
from ruleplay.server.turns import until_settled
from ruleplay.telling.footnotes import lines_of

HELP = """\
- `!undo` takes the last turn back
- `!new` begins a new session in this chat
- `!seat NAME` sits down on a seat, `!seat` lists them, `!leave` leaves yours
- `!sources` shows the record's lines behind the last reply
- `!session` names the session
"""
QUOTED = 60
"""Characters of a message by which it is recognised."""


async def obey(plays: Plays, asked: Asked, command: Command, access: Access) -> Play:
    """Do what a command says and return the answer; what it cannot do is told, not raised."""
    try:
        return await _obey(plays, asked, command, access)
    except (Conflict, NotFound) as error:
        return Play.saying(f"That cannot be done: {error}")


async def _obey(plays: Plays, asked: Asked, command: Command, access: Access) -> Play:
    match command.name:
        case "help":
            return Play.saying(HELP)
        case "new":
            return Play.saying(f"{RENEWED} What you write next begins a new session.")
        case "seat" if command.about:
            return await _sit(plays, asked, access, command.about)
        case _:
            return await _look(plays, asked, command, access)


async def _look(plays: Plays, asked: Asked, command: Command, access: Access) -> Play:
    """Obey a command about a session that is there already."""
    spot = await find_spot(plays.host, plays.histories, asked)
    if not spot.session:
        return Play.saying("There is no session yet. Write something, or `!help`.")
    stand = await plays.stand(asked, access, spot)
    match command.name:
        case "undo":
            text = await _undo(plays, stand)
        case "leave":
            text = await _leave(plays, asked, stand)
        case "sources":
            text = await _sources(plays, stand)
        case "seat":
            text = _seats(stand)
        case _:
            text = f"Session `{stand.head.id}` of {stand.head.agent}: {stand.head.title}"
    return Play.saying(text, stand.head.id)


async def _last(plays: Plays, stand: Stand) -> Turn:
    if stand.parent is None:
        raise Conflict("nothing has been played yet")
    return await plays.host.store.turn(stand.parent)


async def _undo(plays: Plays, stand: Stand) -> str:
    turn = await _last(plays, stand)
    if problem := stand.table.agent.undo_problem(stand.table.state):
        raise Conflict(problem)
    stand.table.check_moving()
    if stand.head.head == turn.id:
        await plays.host.undo(stand.head.id)
    said = turn.given.message
    quoted = said if len(said) <= QUOTED else f"{said[:QUOTED]}…"
    return f"{UNDONE} Taken back: “{quoted}”. Go on from before it."


async def _sources(plays: Plays, stand: Stand) -> str:
    """Return the lines that the last reply rests on, those of its pieces in their order."""
    turn = await _last(plays, stand)
    lines = lines_of(turn.spans)
    cites = [cite for cite in turn.cites if not any(cite in line for line in lines)]
    told = [f"{number}. {line}" for number, line in enumerate([*lines, *cites], 1)]
    return "\n".join(told) or "The last reply rests on no lines of a record."


def _seats(stand: Stand) -> str:
    table = stand.table
    mine = f" You sit on {', '.join(table.mine)}." if table.guarded and table.mine else ""
    return f"The seats are {seats_told(table)}.{mine}"


async def _sit(plays: Plays, asked: Asked, access: Access, seat: str) -> Play:
    chosen = replace(asked, speaker=replace(asked.speaker, seat=seat))
    spot = await find_spot(plays.host, plays.histories, chosen)
    agent = plays.host.find_agent(asked.speaker.agent)
    if not agent.public_seat:
        return Play.saying(f"The seats of {agent.name} are free to use: `{agent.name}@{seat}`.")
    stand = await plays.stand(chosen, access, spot)
    if not stand.told:
        before = stand.parent
        stand = await plays.seating.sit_down(chosen, access, stand, seat)
        if stand.parent != before:
            await plays.histories.keep([asked.address.said], stand.head.id, str(stand.parent))
    return Play.saying(stand.told or f"You sit on {seat} already.", stand.head.id)


async def _leave(plays: Plays, asked: Asked, stand: Stand) -> str:
    table = stand.table
    if not table.guarded or not table.mine:
        raise Conflict("you sit on no seat here")
    seat = asked.speaker.seat or table.mine[0]
    given = table.agent.leave(table.state, table.held(seat))
    session = stand.head.id
    turn = await until_settled(
        await plays.background.play(session, given, seat, None, stand.parent)
    )
    await plays.histories.keep([asked.address.said], session, turn.id)
    return f"You have left {seat}."
