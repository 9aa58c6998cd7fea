"""Chat commands, such as `!undo`: messages to the server, which are answered without a turn."""

from __future__ import annotations

from dataclasses import replace

from ruleplay.errors import Conflict, NotFound
from ruleplay.records.turns import Turn
from ruleplay.server.access import Access
from ruleplay.server.openai.finding import Asked, find_spot
from ruleplay.server.openai.history import RENEWED, UNDONE, Command
from ruleplay.server.openai.live_replies import LiveReplies, LiveReply
from ruleplay.server.openai.seating import Stand, seat_list
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
"""Characters of an undone message that are quoted."""


async def obey(replies: LiveReplies, asked: Asked, command: Command, access: Access) -> LiveReply:
    """Run a command and return the answer; Conflict and NotFound become part of the chat."""
    try:
        return await _obey(replies, asked, command, access)
    except (Conflict, NotFound) as error:
        return LiveReply.saying(f"That cannot be done: {error}")


async def _obey(replies: LiveReplies, asked: Asked, command: Command, access: Access) -> LiveReply:
    match command.name:
        case "help":
            return LiveReply.saying(HELP)
        case "new":
            return LiveReply.saying(f"{RENEWED} What you write next begins a new session.")
        case "seat" if command.about:
            return await _sit(replies, asked, access, command.about)
        case _:
            return await _look(replies, asked, command, access)


async def _look(replies: LiveReplies, asked: Asked, command: Command, access: Access) -> LiveReply:
    """Run a command that is about an existing session."""
    spot = await find_spot(replies.host, replies.histories, asked)
    if not spot.session:
        return LiveReply.saying("There is no session yet. Write something, or `!help`.")
    stand = await replies.stand(asked, access, spot)
    match command.name:
        case "undo":
            text = await _undo(replies, stand)
        case "leave":
            text = await _leave(replies, asked, stand)
        case "sources":
            text = await _sources(replies, stand)
        case "seat":
            text = _seats(stand)
        case _:
            text = f"Session `{stand.head.id}` of {stand.head.agent}: {stand.head.title}"
    return LiveReply.saying(text, stand.head.id)


async def _last(replies: LiveReplies, stand: Stand) -> Turn:
    if stand.parent is None:
        raise Conflict("nothing has been played yet")
    return await replies.host.store.turn(stand.parent)


async def _undo(replies: LiveReplies, stand: Stand) -> str:
    turn = await _last(replies, stand)
    if problem := stand.table.agent.undo_problem(stand.table.state):
        raise Conflict(problem)
    stand.table.check_moving()
    if stand.head.head == turn.id:
        await replies.host.undo(stand.head.id)
    said = turn.given.message
    quoted = said if len(said) <= QUOTED else f"{said[:QUOTED]}…"
    return f"{UNDONE} Taken back: “{quoted}”. Go on from before it."


async def _sources(replies: LiveReplies, stand: Stand) -> str:
    """List the record's lines that the last reply cites, in the order of its pieces."""
    turn = await _last(replies, stand)
    lines = lines_of(turn.spans)
    cites = [cite for cite in turn.cites if not any(cite in line for line in lines)]
    numbered = [f"{number}. {line}" for number, line in enumerate([*lines, *cites], 1)]
    return "\n".join(numbered) or "The last reply rests on no lines of a record."


def _seats(stand: Stand) -> str:
    table = stand.table
    mine = f" You sit on {', '.join(table.mine)}." if table.guarded and table.mine else ""
    return f"The seats are {seat_list(table)}.{mine}"


async def _sit(replies: LiveReplies, asked: Asked, access: Access, seat: str) -> LiveReply:
    chosen = replace(asked, speaker=replace(asked.speaker, seat=seat))
    spot = await find_spot(replies.host, replies.histories, chosen)
    agent = replies.host.find_agent(asked.speaker.agent)
    if not agent.public_seat:
        return LiveReply.saying(
            f"The seats of {agent.name} are free to use: `{agent.name}@{seat}`."
        )
    stand = await replies.stand(chosen, access, spot)
    if not stand.notice:
        before = stand.parent
        stand = await replies.seating.sit_down(chosen, access, stand, seat)
        if stand.parent != before:
            await replies.histories.keep([asked.address.said], stand.head.id, str(stand.parent))
    return LiveReply.saying(stand.notice or f"You sit on {seat} already.", stand.head.id)


async def _leave(replies: LiveReplies, asked: Asked, stand: Stand) -> str:
    table = stand.table
    if not table.guarded or not table.mine:
        raise Conflict("you sit on no seat here")
    seat = asked.speaker.seat or table.mine[0]
    given = table.agent.leave(table.state, table.require_seat(seat))
    session = stand.head.id
    turn = await until_settled(
        await replies.turn_tasks.play(session, given, seat, None, stand.parent)
    )
    await replies.histories.keep([asked.address.said], session, turn.id)
    return f"You have left {seat}."
