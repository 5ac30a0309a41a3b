"""Takes posted lines in: each into its hand's stream, into quarantine, or back with a reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.errors import CorruptHistory
from services.errors import ServiceError, StaleStream
from services.identity import hand_id
from services.projecting.folding import HAND_TYPES
from services.store.players import as_id
from services.store.port import Append, Recorded, facts
from services.store.room import Room
from services.witness.aside import Aside, Held
from services.witness.lines import LineAnswer, MisreadLine, Posted, as_posted, posted_line
from services.witness.standing import Standing

MOST_TRIES = 20
"""How often lines are judged anew because somebody else added to one of their hands meanwhile."""

RELEASED = "release of a suspended hand"
OURS = "hands of this site are dealt here"
UNKNOWN = "no such hand: it begins with fact 1, hand_started.v1"


class NotSuspended(ServiceError):
    """The hand does not wait for anybody."""


class Sender(msgspec.Struct, frozen=True, kw_only=True):
    """Who posts: a subject's id; `request_id` and `causation` go to the envelope."""

    id: UUID
    request_id: str | None = None
    causation: str | None = None


class Witness:
    """Posted hands of a room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.aside = Aside(room.pool)

    def take(self, lines: Sequence[tuple[int, bytes]], sender: Sender) -> list[LineAnswer]:
        """Take numbered lines in, in one commit; an answer for each, in their order.

        Raises StaleStream if others never leave us a turn; what is stored then stays stored, and
        the same lines may be sent again.
        """
        answers: dict[int, LineAnswer] = {}
        read: list[Posted] = []
        for number, raw in lines:
            try:
                read.append(posted_line(number, raw))
            except MisreadLine as wrong:
                answers[number] = wrong.answer
        by_hand = self._by_hand(self._with_ids(read), sender, answers)
        self._take_hands(by_hand, sender, answers)
        return [answers[number] for number, _ in lines]

    def release(self, hand: UUID, event: e.HandEvent | None, sender: Sender) -> list[LineAnswer]:
        """Let a suspended hand go on. With an `event`, it stands for the line that could not be
        applied, and what came after it is tried again; without, the sender must send all of it.

        Raises NotSuspended where that is so, but to say it again does no harm. If the `event`
        cannot be applied either, the hand stays suspended.
        """
        held = self.aside.held(hand)
        if not held:
            if event is None and self._room.store.existing([hand]):
                return []
            raise NotSuspended(f"hand {hand} is not suspended")
        answers: dict[int, LineAnswer] = {}
        lines = [] if event is None else self._instead(hand, event, held)
        if lines and not self._applies(hand, lines[0], answers):
            return [answers[0]]
        self.aside.release([one.id for one in held], sender.id)
        self._take_hands({hand: lines} if lines else {}, sender, answers)
        return [answers[line.line] for line in lines]

    def _instead(self, hand: UUID, event: e.HandEvent, held: Sequence[Held]) -> list[Posted]:
        """The event in place of the first line kept aside, and those that came after it."""
        first, *rest = held
        after = sorted((one for one in rest if one.n > first.n), key=lambda one: one.n)
        corrected = Posted(line=0, called=str(hand), n=first.n, event=as_posted(event))
        return [
            *self._with_ids([corrected]),
            *(
                Posted(line=line, called=str(hand), n=one.n, event=e.decode(one.event))
                for line, one in enumerate(after, 1)
            ),
        ]

    # -- which hand ------------------------------------------------------------------------------

    def _with_ids(self, lines: Sequence[Posted]) -> list[Posted]:
        """The lines with opaque ids for the players' names."""
        names: dict[str, set[str]] = defaultdict(set)
        for line in lines:
            if isinstance(line.event, e.HandStarted):
                names[line.event.site].update(taken.player for taken in line.event.seats)
        ids = {site: self._room.players.resolve(site, own) for site, own in names.items()}
        return [_with_ids(line, ids) for line in lines]

    def _by_hand(
        self, lines: Sequence[Posted], sender: Sender, answers: dict[int, LineAnswer]
    ) -> dict[UUID, list[Posted]]:
        """The lines by the hand they tell of; the others are answered."""
        known = self._named(lines, sender)
        there = self._room.store.existing(
            [hand for line in lines if (hand := as_id(line.called)) and line.called not in known]
        )
        ours = self.aside.ours({site for line in lines if (site := _site(line))})
        by_hand: dict[UUID, list[Posted]] = defaultdict(list)
        for line in lines:
            hand = known.get(line.called) or as_id(line.called)
            if _site(line) in ours:
                answers[line.line] = _refused(line, OURS)
            elif hand is None or not (line.called in known or hand in there):
                answers[line.line] = _refused(line, UNKNOWN)
            else:
                by_hand[hand].append(line)
        return by_hand

    def _named(self, lines: Sequence[Posted], sender: Sender) -> dict[str, UUID]:
        """What the sender's names stand for; one that is new for the hand that begins under it."""
        known = self.aside.named(sender.id, {line.called for line in lines})
        begun: dict[str, UUID] = {}
        for line in lines:
            if line.called not in known and line.n == 1 and isinstance(line.event, e.HandStarted):
                begun.setdefault(line.called, _id(line.event))
        return known | (self.aside.name(sender.id, begun) if begun else {})

    # -- into the log ----------------------------------------------------------------------------

    def _take_hands(
        self, by_hand: Mapping[UUID, list[Posted]], sender: Sender, answers: dict[int, LineAnswer]
    ) -> None:
        waiting = dict(by_hand)
        for _ in range(MOST_TRIES):
            standings = self._judged(waiting, answers)
            stale = self._store(standings, sender, answers)
            for standing in standings:
                if standing.aside and standing.id not in stale:
                    self.aside.keep(standing.id, sender.id, standing.aside)
            waiting = {hand: waiting[hand] for hand in stale}
            if not waiting:
                return
        raise StaleStream("others are posting the same hands: send the lines again")

    def _judged(
        self, by_hand: Mapping[UUID, list[Posted]], answers: dict[int, LineAnswer]
    ) -> list[Standing]:
        """Every hand with its lines taken, and each line answered."""
        stored = self._room.store.load_many(list(by_hand))
        suspended = self.aside.reasons(list(by_hand))
        standings = []
        for hand, lines in by_hand.items():
            standing = _standing(hand, stored.get(hand, ()), suspended.get(hand))
            for line in lines:
                answers[line.line] = (
                    _refused(line, UNKNOWN) if not standing else standing.take(line)
                )
            if standing:
                standings.append(standing)
        return standings

    def _store(
        self, standings: Sequence[Standing], sender: Sender, answers: dict[int, LineAnswer]
    ) -> frozenset[UUID]:
        """Append what is new, all in one commit; the hands somebody else was faster with."""
        growing = [standing for standing in standings if standing.new]
        appended = self._room.store.append([_append(one, sender) for one in growing])
        for standing, answer in zip(growing, appended, strict=True):
            for line, position in zip(standing.new, answer.positions, strict=False):
                answers[line.line] = replace(answers[line.line], position=position)
        return frozenset(answer.stream for answer in appended if answer.status == "stale")

    def _applies(self, hand: UUID, line: Posted, answers: dict[int, LineAnswer]) -> bool:
        """Whether a line could be added to the hand were it not suspended; it is answered."""
        standing = _standing(hand, self._room.store.load(hand), None)
        if isinstance(line.event, e.HandStarted) and _id(line.event) != hand:
            standing = None
        answers[line.line] = _refused(line, UNKNOWN) if standing is None else standing.take(line)
        return answers[line.line].status in ("stored", "duplicate")


def _standing(hand: UUID, stored: Sequence[Recorded], suspended: str | None) -> Standing | None:
    """The hand as it stands; None for a stream that is no hand, or one that cannot be applied."""
    if stored and stored[0].type not in HAND_TYPES:
        return None
    try:
        return Standing(hand, stored, suspended)
    except (CorruptHistory, msgspec.MsgspecError):
        return None


def _append(standing: Standing, sender: Sender) -> Append:
    """What is new of a hand; one that begins gets its secret."""
    stored = len(standing.positions)
    return Append(
        stream=standing.id,
        expected=stored,
        facts=facts(line.event for line in standing.new),
        actor=str(sender.id),
        request_id=sender.request_id,
        causation=sender.causation,
        secret=stored == 0,
    )


def _id(started: e.HandStarted) -> UUID:
    """The same for every sender, and for an import of the same hand."""
    return hand_id(started, started.number, digest="")


def _site(line: Posted) -> str | None:
    """Where the hand is dealt, if the line says so."""
    return line.event.site if isinstance(line.event, e.HandStarted) else None


def _with_ids(line: Posted, ids: Mapping[str, Mapping[str, str]]) -> Posted:
    if not isinstance(line.event, e.HandStarted):
        return line
    own = ids[line.event.site]
    seats = tuple(replace(taken, player=own[taken.player]) for taken in line.event.seats)
    return replace(line, event=replace(line.event, seats=seats))


def _refused(line: Posted, reason: str) -> LineAnswer:
    return LineAnswer(
        line=line.line,
        hand=None,
        called=line.called,
        n=line.n,
        status="refused",
        reason=reason,
    )
