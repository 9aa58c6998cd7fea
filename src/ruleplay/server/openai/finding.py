"""Finds the session and the turn that a chat request continues, by ids or by its messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ruleplay.errors import NotFound
from ruleplay.kernel.host import Host
from ruleplay.kernel.turn import HEAD
from ruleplay.records.turns import Head, Turn, whole_reply
from ruleplay.server.openai.errors import Refusal
from ruleplay.server.openai.history import Address, History, likeness, normal
from ruleplay.server.openai.models import Speaker
from ruleplay.storage.histories import MOST, Histories, Place, digest

AFTER = "after"
"""Prefix of the digest that leads from a turn to the last of the other seats' moves after it."""
STEPS_BACK = 3
"""Exchanges at the end of a history that may be unknown."""
COMPARED = 8
"""Turns with the same last exchange whose earlier messages are compared."""


@dataclass(frozen=True)
class Asked:
    """A request: the agent, the conversation, and what identifies the session, if anything.

    `turn` is the turn to continue from, if the client names one.
    """

    speaker: Speaker
    history: History
    caller: str = ""
    chat: str = ""
    session: str = ""
    turn: str = ""
    key: str | None = None
    retried: bool = False

    @cached_property
    def address(self) -> Address:
        """The hashes of the history."""
        return Address(self.speaker.agent, self.caller, self.history)

    @property
    def placed(self) -> bool:
        """Whether anything but its first message distinguishes this chat from others."""
        named = self.session or self.chat or self.turn or self.key or self.history.codes
        return bool(named or self.history.exchanges)


@dataclass(frozen=True)
class Spot:
    """Where to continue: after `parent` in `session` ("": a new one).

    `lost`: the history is unknown, which the reply tells. `chat_known`: the session need not be
    recorded for the chat.
    """

    session: str = ""
    parent: str | None = None
    lost: bool = False
    chat_known: bool = False


@dataclass(frozen=True)
class _Scope:
    """The sessions to search (None: all), and `own`, the chat's session for a first message.

    `named`: the client has named the session explicitly.
    """

    sessions: tuple[str, ...] | None = None
    own: str = ""
    named: bool = False


async def find_spot(host: Host, histories: Histories, asked: Asked) -> Spot:
    """Find where a request continues.

    Ids come first, then a match of the whole conversation, then of the last exchange, then of the
    questions alone. If nothing matches, a new session starts, and its reply says so.
    """
    if asked.turn:
        return await _after_turn(host, histories, asked)
    scope = await _scope(host, histories, asked)
    if not asked.history.exchanges:
        return await _beginning(histories, asked, scope)
    finder = _Finder(host, histories, asked, scope)
    if found := await finder.find():
        return Spot(found.session, found.turn, chat_known=scope.sessions is not None)
    if scope.named:
        return Spot(scope.own, HEAD, lost=True, chat_known=True)
    return Spot(lost=True)


async def _after_turn(host: Host, histories: Histories, asked: Asked) -> Spot:
    try:
        turn = await host.store.turn(asked.turn)
        await _session(host, asked, turn.session)
    except NotFound as error:
        code, param = "previous_response_not_found", "previous_response_id"
        raise Refusal(404, f"no response 'resp_{asked.turn}' here", code, param) from error
    moved = await histories.places(digest(AFTER, turn.id), (turn.session,))
    return Spot(turn.session, moved[0].turn if moved else turn.id, chat_known=True)


async def _session(host: Host, asked: Asked, session: str) -> Head:
    head, _ = await host.store.read(session)
    if head.agent != asked.speaker.agent:
        detail = f"session {session!r} belongs to {head.agent!r}; take that as the model"
        raise Refusal(400, detail, "wrong_model", "model")
    return head


async def _scope(host: Host, histories: Histories, asked: Asked) -> _Scope:
    if asked.session:
        head = await _session(host, asked, asked.session)
        shared = (head.origin,) if head.origin else ()
        return _Scope((head.id, *shared), head.id, named=True)
    if asked.history.codes:
        session = asked.history.codes[-1][0]
        return _Scope((session,), session)
    if asked.chat:
        places = await histories.places(asked.address.chat(asked.chat))
        sessions = tuple(dict.fromkeys(place.session for place in places))
        now = (p.session for p in places if p.turn == str(asked.history.renewed))
        return _Scope(sessions or None, next(now, ""))
    return _Scope()


async def _beginning(histories: Histories, asked: Asked, scope: _Scope) -> Spot:
    """Find where a chat begins: in its session if it has one, else where its key was used."""
    if scope.own:
        # Sitting down is a turn, so the first message may come after it.
        start = await histories.places(asked.address.said, (scope.own,))
        if start:
            return Spot(scope.own, start[0].turn, chat_known=True)
        if scope.named and not await histories.knows(scope.own):
            return Spot(scope.own, HEAD, chat_known=True)
        return Spot(scope.own, chat_known=True)
    places = await histories.places(asked.address.key(asked.key)) if asked.key else ()
    return Spot(places[0].session) if places else Spot()


@dataclass(frozen=True)
class _Finder:
    host: Host
    histories: Histories
    asked: Asked
    scope: _Scope
    steps_back: int = 0

    async def find(self) -> Place | None:
        """Find the turn that the request continues."""
        address = self.asked.address
        said = await self._places(address.said)
        if said:
            return said[0]
        # A literal match of the last exchange is better evidence than similar replies: programs
        # truncate long histories, whose first question is then not that of the chat.
        return (
            await self._by_exchange(address)
            or await self._by_questions(address)
            or await self._by_the_one_before()
        )

    async def _places(self, hash_: str) -> Sequence[Place]:
        places = await self.histories.places(hash_, self.scope.sessions)
        if not self.scope.named:
            return places
        return [place for place in places if await self._in_tree(place)]

    async def _in_tree(self, place: Place) -> bool:
        if place.session == self.scope.own:
            return True
        try:  # a turn of the parent session: is it before the fork?
            head, _ = await self.host.store.read(self.scope.own)
            await self.host.check_in_tree(head, place.turn)
        except NotFound:
            return False
        return True

    async def _by_questions(self, address: Address) -> Place | None:
        """Find the turn after the same questions whose reply is most similar to the one sent."""
        replied = self.asked.history.exchanges[-1].replied
        best, most = None, 0 if self.scope.sessions is None else -1
        for place in await self._places(address.asked):
            if turn := await self._turn(place):
                alike = likeness(replied, whole_reply(turn, self.asked.speaker.seat or turn.seat))
                if alike > most:
                    best, most = place, alike
        return best

    async def _by_exchange(self, address: Address) -> Place | None:
        """Find the newest turn with the same last exchange, preferring those with the same past."""
        places = list(await self._places(address.last))[:COMPARED]
        if len(places) < 2:
            return places[0] if places else None
        shared = [await self._shared(place) for place in places]
        return places[shared.index(max(shared))]

    async def _by_the_one_before(self) -> Place | None:
        """Find the last exchange among the children of the turn that the history before leads to.

        This finds interrupted replies in truncated histories, and turns that were never indexed.
        """
        *before, last = self.asked.history.exchanges
        if not before or self.steps_back >= STEPS_BACK:
            return None
        history = replace(self.asked.history, exchanges=tuple(before))
        asked = replace(self.asked, history=history)
        found = await replace(self, asked=asked, steps_back=self.steps_back + 1).find()
        if found is None:
            return None
        turns = [
            (likeness(last.replied, whole_reply(turn, self.asked.speaker.seat or turn.seat)), turn)
            for turn in await self.host.store.children(found.turn, MOST)
            if normal(turn.given.message) == normal(last.asked)
        ]
        alike, turn = max(turns, key=lambda pair: pair[0], default=(0, None))
        return Place(turn.session, turn.id) if turn and alike else None

    async def _shared(self, place: Place) -> int:
        """Count the questions that agree with a turn's ancestors, going back from the last."""
        questions = [normal(exchange.asked) for exchange in self.asked.history.exchanges]
        line = await self.host.store.lineage(place.turn, 2 * len(questions))
        course = [normal(turn.given.message) for turn in line if turn.given.message]
        pairs = zip(reversed(questions), reversed(course), strict=False)
        return next((n for n, (one, other) in enumerate(pairs) if one != other), len(course))

    async def _turn(self, place: Place) -> Turn | None:
        try:
            return await self.host.store.turn(place.turn)
        except NotFound:
            return None
