"""Whether stacks go on from hand to hand: nobody sits down to the next one with less (B6).

Records do not tell of chips bought or taken away between hands. More than the hand before left
may have been bought; less may not have been taken away.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

import msgspec
from psycopg import Connection

from domain.amounts import amount_words
from domain.errors import CorruptHistory
from domain.events import HandStarted, Money, decode
from domain.ruled import Ruled, as_ruled
from domain.rules.disc import next_dealer
from services.hand_finding import HandFinding
from services.store.port import Recorded
from services.store.room import Room

LESS_THAN_BEFORE = b"""
select h.hand, h.number, b.hand, b.number, p.player, p.seat, p.start_stack, q.stack_after,
       q.seat
  from hands h
 cross join lateral (
       select b.hand, b.number, b.status
         from hands b
        where b.happened_at between h.played_at - interval '30 minutes' and h.played_at
          and b.played_at < h.played_at
          and (b.site, b.table_id, b.money_kind, b.currency, b.exponent)
            = (h.site, h.table_id, h.money_kind, h.currency, h.exponent)
          and b.hand <> h.hand
        order by b.played_at desc, b.number desc
        limit 1) b
  join hand_players p on p.hand = h.hand
  join hand_players q on q.hand = b.hand and q.player = p.player
 where h.hand = any(%s) and b.status <> 'in_progress'
   and p.start_stack < greatest(q.stack_after, q.stack_after - q.corrected)
 order by h.played_at, h.number, p.seat
"""
"""Stacks below what the last hand of the table, of the half hour before, left the same player.

What was ruled on the hand before moved nobody's stack: those are looked at one by one.
"""

AT_ONCE = timedelta(minutes=5)
"""How soon the next hand begins if nothing lies between."""

_SEAT_FOR_A_NAME = re.compile(r"seat\W*\d+", re.IGNORECASE)


class _Less(msgspec.Struct, frozen=True):
    """A stack that is less than what the hand before left, in minor units."""

    hand: UUID
    number: str
    before: UUID
    number_before: str
    player: str
    seat: int
    stack: int
    left: int
    seat_before: int


def broken_stacks(
    room: Room, connection: Connection, hands: Collection[UUID]
) -> Iterator[HandFinding]:
    """A finding for every player of `hands` who has less than the hand before left him (B6).

    Only where the disc moved on as it does from one hand to the next or, where it is not known, the
    one followed the other at once: otherwise hands between them, perhaps of another game, may not
    be on record.
    """
    less = [_Less(*row) for row in connection.execute(LESS_THAN_BEFORE, (list(hands),))]
    if not less:
        return
    facts = room.store.load_many({hand for one in less for hand in (one.hand, one.before)})
    starts = dict(_starts(facts))
    less = list(_as_played(less, facts))
    names = room.players.names({one.player for one in less})
    for one in less:
        start = starts.get(one.hand)
        if start is None or not _neighbours(starts.get(one.before), start):
            continue
        # Where a site names only seats, somebody else may sit there now.
        if not _SEAT_FOR_A_NAME.fullmatch(names.get(one.player, "")):
            yield _finding(one, start.money)


def _starts(
    loaded: Mapping[UUID, Sequence[Recorded]],
) -> Iterator[tuple[UUID, HandStarted]]:
    """The first fact of each hand that can be read."""
    for hand, facts in loaded.items():
        try:
            start = decode(facts[0].state)
        except msgspec.MsgspecError:
            continue
        if isinstance(start, HandStarted):
            yield hand, start


def _as_played(less: Iterable[_Less], loaded: Mapping[UUID, Sequence[Recorded]]) -> Iterator[_Less]:
    """Those that have less than the hand before left them when it was over, before any ruling."""
    ruled: dict[UUID, Ruled | None] = {}
    for one in less:
        if one.before not in ruled:
            ruled[one.before] = _rulings(loaded.get(one.before, ()))
        rulings = ruled[one.before]
        left = one.left
        if rulings is not None:
            left = next(seat.left_with for seat in rulings.seats if seat.seat == one.seat_before)
        if one.stack < left:
            yield msgspec.structs.replace(one, left=left)


def _rulings(facts: Sequence[Recorded]) -> Ruled | None:
    try:
        return as_ruled([decode(fact.state) for fact in facts])
    except (CorruptHistory, msgspec.MsgspecError):
        return None  # What is wrong with it is told elsewhere.


def _neighbours(before: HandStarted | None, after: HandStarted) -> bool:
    """Whether nothing can have been played between the two, as far as the record tells."""
    if before is None or before.played_at is None or after.played_at is None:
        return False
    if before.dealer is None or after.dealer is None:
        return after.played_at - before.played_at <= AT_ONCE
    return after.dealer == next_dealer(before.dealer, [taken.seat for taken in after.seats])


def _finding(less: _Less, money: Money) -> HandFinding:
    left, has = amount_words(less.left, money), amount_words(less.stack, money)
    return HandFinding(
        hand=less.hand,
        number=less.number,
        step=1,
        rule="B6",
        expected=f"at least {left}",
        recorded=has,
        text=(
            f"Seat {less.seat} begins with {has}; the hand before, {less.number_before}, "
            f"left the same player {left}."
        ),
    )
