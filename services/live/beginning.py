"""A hand begins at a table: the table's fact and the hand's first events, both or neither."""

from __future__ import annotations

from datetime import datetime
from itertools import count
from uuid import UUID

from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.decide import decide
from domain.errors import Refused
from domain.tables.events import HandBegun
from domain.tables.events import decode as decode_table
from domain.tables.table import evolve
from domain.units import Seat
from services.dealing import DeckWish
from services.errors import StaleStream
from services.live.acted import Acted, acted
from services.live.dealing import dealt_on
from services.live.ending import leaves
from services.live.live import By, Live
from services.live.repeating import require_same
from services.live.standing import Standing, standing
from services.store.port import Append, facts
from services.tables import LoadedTable, appending, begun, hand_at, hand_of, load_table

MOST_TRIES = 20
AT_ONCE = 100


def begin_hand(
    live: Live,
    table_id: UUID,
    dealer: Seat | None,
    deck: DeckWish,
    by: By,
    *,
    at: datetime | None = None,
) -> Acted:
    """Begin the table's next hand with the stacks there, and deal third street if the deck is here.

    `at` is when it was asked for, now if not said. Raises `Refused`, `UnknownTable`, `KeyReused`;
    StaleStream if others never leave it a place.
    """
    stamp = at or live.now()
    for attempt in range(MOST_TRIES):
        if (repeated := _begun_before(live, table_id, by)) is not None:
            return repeated
        table = load_table(live.store, table_id)
        ordinal = _first_free(live, table) if attempt else None
        try:
            beginning = begun(table, dealer, stamp, ordinal)
        except Refused:
            # The hand that is being played may be this one, begun by the same request meanwhile.
            if (repeated := _begun_before(live, table_id, by)) is not None:
                return repeated
            raise
        answer = _stored(live, table, beginning, _first_street(live, table, beginning, deck), by)
        if answer is not None:
            return answer
    raise StaleStream("too many are changing this table: try again")


def _first_free(live: Live, table: LoadedTable) -> int:
    """The ordinal of the next hand: the log may have hands of the next ones from elsewhere.

    Such as those of a later day, read in again after a backup of an earlier one was restored.
    """
    for first in count(table.table.hands_begun + 1, AT_ONCE):
        hands = {hand_of(table, ordinal): ordinal for ordinal in range(first, first + AT_ONCE)}
        taken = live.store.existing(list(hands))
        free = [ordinal for hand, ordinal in hands.items() if hand not in taken]
        if free:
            return free[0]
    raise AssertionError("there is always a next number")


def _first_street(live: Live, table: LoadedTable, begun: HandBegun, deck: DeckWish) -> Standing:
    """The hand up to its first question. Its deck is kept before anybody knows a card of it."""
    prepared = live.decks.prepare(begun.hand, deck)
    live.decks.keep(begun.hand, prepared)
    dealt_from = e.Deck(source=prepared.source, commitment=prepared.commitment)
    start = c.StartHand(hand=hand_at(table, begun, dealt_from), at=begun.at)
    assert begun.at is not None, "every event of a live hand is stamped"
    return dealt_on(live.decks, Standing(begun.hand, decide(None, start)), begun.at)


def _stored(
    live: Live, table: LoadedTable, beginning: HandBegun, hand: Standing, by: By
) -> Acted | None:
    """The answer once both streams have it; None if the table changed meanwhile."""
    own = Append(
        stream=hand.hand_id,
        expected=0,
        facts=facts(hand.events),
        actor=by.actor,
        command_id=by.command_id,
        request_id=by.request_id,
        causation=by.causation,
        secret=True,
    )
    try:
        _, answer = live.store.append_together([_at_table(table, beginning, hand, by), own])
    except StaleStream:
        return None
    if answer.status != "ok":
        return None
    live.hands.keep(hand, own.facts[-1].state)
    return acted(hand, answer.positions)


def _at_table(table: LoadedTable, beginning: HandBegun, hand: Standing, by: By) -> Append:
    """That the hand begins; and what it left, if all were all-in and nobody is to be asked."""
    append = appending(
        table,
        [beginning],
        by.actor,
        command_id=by.command_id,
        request_id=by.request_id,
        causation=by.causation,
    )
    if not hand.over:
        return append
    playing = evolve(table.table, beginning)
    left = leaves(replace(table, table=playing, version=table.version + 1), hand, by)
    return replace(append, facts=append.facts + left.facts)


def _begun_before(live: Live, table_id: UUID, by: By) -> Acted | None:
    """The first answer, if this request has begun a hand already. Raises KeyReused."""
    if by.command_id is None:
        return None
    facts = [fact for fact in live.store.load(table_id) if fact.command_id == by.command_id]
    if not facts:
        return None
    require_same(facts[0], by)
    beginning = decode_table(facts[0].state)
    assert isinstance(beginning, HandBegun), "the digest is that of a beginning"
    stored = [f for f in live.store.load(beginning.hand) if f.command_id == by.command_id]
    then = standing(live.store, beginning.hand).after(len(stored))
    return acted(then, [fact.position for fact in stored], repeated=True)
