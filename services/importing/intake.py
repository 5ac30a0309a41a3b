"""Hands read into the log: ids for names, each hand once, differing witnesses kept apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import NAMESPACE_OID, UUID, uuid5

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.discreet import Discreet
from domain.units import Card, Seat
from services.driver_errors import lies_in_the_values
from services.errors import StaleStream
from services.identity import conflicting_id, known_cards, public_facts
from services.importing.naming import id_of
from services.importing.result import ImportResult
from services.projecting.folding import HAND_TYPES
from services.readers.record import HandRead, Rejected, unexpected
from services.store.port import Append, Text, facts
from services.store.room import Room

ACTOR = "import"
MOST_TRIES = 5
"""How often a batch is judged anew because somebody else stored one of its hands meanwhile."""

Events = tuple[e.HandEvent, ...]


class NotAHand(ValueError):
    """A hand is told under an id that is taken by what is none."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A hand ready to be compared: players by their ids, public facts as a digest.

    `place` is where in its batch it was read.
    """

    place: int
    id: UUID
    digest: str
    started: e.HandStarted
    events: Events
    text: Text


class Known(Discreet, frozen=True, kw_only=True):
    """What a stream tells that is there already: public facts as a digest, and known cards.

    `events` are empty where nothing is stored yet.
    """

    digest: str
    cards: frozenset[Card] = frozenset()
    events: Events = ()


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a hand belongs. `first` is the hand whose number it shares but not the facts.

    `shows_more` if it is stored already, but this record shows cards that one does not.
    """

    told: Told
    stream: UUID
    is_new: bool
    first: UUID | None = None
    shows_more: bool = False


class Intake:
    """Takes batches of hands in and counts what became of each.

    With `dry_run` it only counts; what would have been stored is remembered.
    """

    def __init__(self, room: Room, result: ImportResult, *, dry_run: bool) -> None:
        self._room = room
        self._result = result
        self._dry_run = dry_run
        self._would_be_stored: dict[UUID, str] = {}

    def take(self, batch: Sequence[HandRead]) -> list[Rejected]:
        """Store every hand that is new; those that cannot be stored, whatever the reason.

        Raises `StaleStream` if others never leave us a turn, and what is wrong with the database.
        """
        left = dict(enumerate(batch))
        try:
            self._take(left)
        except Exception as wrong:
            if not lies_in_the_values(wrong):
                raise
            return self._take_apart(list(left.values()), wrong)
        return []

    def _take_apart(self, batch: Sequence[HandRead], wrong: Exception) -> list[Rejected]:
        """Half by half, until what is wrong with it is wrong with one hand."""
        if len(batch) == 1:
            return [_rejected(batch[0], wrong)]
        half = len(batch) // 2
        return [*self.take(batch[:half]), *self.take(batch[half:])]

    def _take(self, left: dict[int, HandRead]) -> None:
        """Store what is left of a batch; what is counted leaves it."""
        told = self._told(left)
        for _ in range(MOST_TRIES):
            places = self._places(told)
            stale = self._store([place for place in places if place.is_new])
            for place in places:
                if place.stream not in stale:
                    self._count(place)
                    del left[place.told.place]
            told = [place.told for place in places if place.stream in stale]
            if not told:
                return
        raise StaleStream("somebody else is importing the same hands: try again")

    # -- who is who ----------------------------------------------------------------------------

    def _told(self, batch: Mapping[int, HandRead]) -> list[Told]:
        names: dict[str, set[str]] = defaultdict(set)
        for read in batch.values():
            names[_started(read).site].update(taken.player for taken in _started(read).seats)
        ids = {site: self._ids(site, printed) for site, printed in names.items()}
        return [_told(n, read, ids[_started(read).site]) for n, read in batch.items()]

    def _ids(self, site: str, names: Collection[str]) -> dict[str, str]:
        if not self._dry_run:
            return self._room.players.resolve(site, names)
        # Nobody is given an id by looking: whoever is unknown is told apart by his name alone.
        unknown = {name: str(uuid5(NAMESPACE_OID, f"{site}\n{name}")) for name in names}
        return unknown | self._room.players.find(site, names)

    # -- same, other, or new -------------------------------------------------------------------

    def _places(self, told: Sequence[Told]) -> list[Place]:
        streams = {stream for one in told for stream in (one.id, _other_id(one))}
        taken = {
            stream: Known(digest=self._would_be_stored[stream])
            for stream in streams & self._would_be_stored.keys()
        }
        for stream, found in self._room.store.load_many(streams).items():
            if found[0].type not in HAND_TYPES:
                raise NotAHand("its id is that of something in this room that is no hand")
            events = tuple(e.decode(recorded.state) for recorded in found)
            taken[stream] = _known(events)
        return [self._place(one, taken) for one in told]

    def _place(self, told: Told, taken: dict[UUID, Known]) -> Place:
        """The first of the hand's two streams that is free or tells the same."""
        if told.id not in taken:
            taken[told.id] = _new(told)
            return Place(told=told, stream=told.id, is_new=True)
        if self._same(told, taken[told.id]):
            return _duplicate(told, told.id, taken[told.id])
        other = _other_id(told)
        if other in taken:
            return _duplicate(told, other, taken[other])
        taken[other] = _new(told)
        return Place(told=told, stream=other, is_new=True, first=told.id)

    def _same(self, told: Told, known: Known) -> bool:
        """Whether both tell the same; whose name was erased cannot be compared."""
        if known.digest == told.digest:
            return True
        erased = self._erased(known.events) if known.events else frozenset()
        return bool(erased) and (
            public_facts(known.events, anonymous=erased)
            == public_facts(told.events, anonymous=erased)
        )

    def _erased(self, events: Events) -> frozenset[Seat]:
        assert isinstance(events[0], e.HandStarted)
        seats = events[0].seats
        names = self._room.players.names([taken.player for taken in seats])
        return frozenset(taken.seat for taken in seats if taken.player not in names)

    # -- into the log --------------------------------------------------------------------------

    def _store(self, places: Sequence[Place]) -> frozenset[UUID]:
        """Append new hands in one commit; the streams that somebody else was faster with."""
        if self._dry_run:
            self._would_be_stored |= {place.stream: place.told.digest for place in places}
            return frozenset()
        answers = self._room.store.append([_append(place) for place in places])
        return frozenset(answer.stream for answer in answers if answer.status == "stale")

    def _count(self, place: Place) -> None:
        if place.shows_more and not self._dry_run:
            self._room.texts.add(place.stream, place.told.text)
        if not place.is_new:
            self._result.duplicates += 1
        elif place.first is None:
            self._result.imported += 1
        else:
            number = place.told.started.number
            self._result.add_conflict(number, place.first, place.stream)


def _rejected(read: HandRead, wrong: Exception) -> Rejected:
    return Rejected(
        file=read.file,
        line=read.line,
        reason=str(wrong) if isinstance(wrong, NotAHand) else unexpected(wrong),
        text=read.text,
        begins=read.line,
        reader=_started(read).source.format or "",
    )


def _started(read: HandRead) -> e.HandStarted:
    started = read.events[0]
    assert isinstance(started, e.HandStarted), "every reader begins with the start"
    return started


def _told(place: int, read: HandRead, ids: dict[str, str]) -> Told:
    started = _started(read)
    seats = tuple(replace(taken, player=ids[taken.player]) for taken in started.seats)
    started = replace(started, seats=seats)
    events = (started, *read.events[1:])
    digest = public_facts(events)
    return Told(
        place=place,
        id=id_of(read, started, digest),
        digest=digest,
        started=started,
        events=events,
        text=Text(
            body=read.text.encode(),
            format=started.source.format or "",
            file=read.file,
            line=read.line,
        ),
    )


def _other_id(told: Told) -> UUID:
    return conflicting_id(told.id, told.digest)


def _known(events: Events) -> Known:
    return Known(digest=public_facts(events), cards=known_cards(events), events=events)


def _new(told: Told) -> Known:
    """A hand of this batch, for those after it."""
    return Known(digest=told.digest, cards=known_cards(told.events))


def _duplicate(told: Told, stream: UUID, known: Known) -> Place:
    more = known_cards(told.events) - known.cards
    return Place(told=told, stream=stream, is_new=False, shows_more=bool(more))


def _append(place: Place) -> Append:
    events = place.told.events
    if place.first is not None:
        text = f"Another record of hand {place.told.started.number} tells it differently: "
        events += (e.IncidentNoted(kind="conflict", text=f"{text}{place.first}."),)
    return Append(
        stream=place.stream,
        expected=0,
        facts=facts(events),
        actor=ACTOR,
        texts=(place.told.text,),
        secret=True,
    )
