"""Double entry of every hand: from the players through the pots to the winners and the house.

Chips enter the books when the pots are formed, which is when the first of rake, award or end is
recorded: what comes back unmatched (B8) was never in a pot. Every step that moves chips makes
one entry, whose postings add up to zero. Nothing is ever taken back: a void and a correction are
entries of their own, with the day of the hand as their value date. What a ruling moves when the
hand is over goes to adjustment accounts: chips at the table belong to the hands that follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import ClassVar, Literal

import msgspec

from domain import events as e
from domain.disputes.adjustments import adjustment_account, table_account
from domain.hand import Hand
from domain.units import Chips, ChipsMoved, Seat
from projections.pots import pots_of
from projections.shape import EntryRow, Followed, Projection, Told, follow

HOUSE_RAKE = "House:Rake"
HOUSE_SUSPENSE = "House:Suspense"

Memo = Literal["paid in", "rake", "award", "left over", "void", "correction"]
PaidIn = dict[tuple[Seat, int], ChipsMoved]
Stands = tuple[tuple[Chips, bool], ...]
"""What pots follow from: by seat in order, the chips paid in, and whether it is still in."""


class Posting(msgspec.Struct, frozen=True, gc=False):
    """Chips onto (+) or off (-) one account at one step, in minor units.

    `pot` is set on accounts of pots only, which get their full name with the hand's id. `bearer`
    is the player whose part of the rake it is (R6): on `House:Rake` only, null where a ruling
    moved rake without saying whose.
    """

    step: int
    account: str
    amount: ChipsMoved
    memo: Memo
    pot: int | None = None
    bearer: str | None = None


class Row(Followed, frozen=True, gc=False):
    """The hand so far, what each seat has posted to each pot, and all postings in order.

    `stood` is what the pots followed from when they were last worked out.
    """

    paid_in: PaidIn = msgspec.field(default_factory=dict)
    postings: tuple[Posting, ...] = ()
    stood: Stands = ()


class PostingRow(EntryRow, frozen=True, kw_only=True, gc=False):
    """One posting; `line` counts those of a step from 1, `day` is the value date."""

    table: ClassVar[str] = "rake_ledger"

    line: int
    account: str
    amount: int
    memo: str
    bearer: str | None
    day: date
    money_kind: str
    currency: str
    exponent: int


def project(row: Row | None, event: e.HandEvent) -> Row:
    """Fold one fact. Pure."""
    if row is None:
        return Row(follow(None, event))
    hand = follow(row.hand, event)
    match event:
        case e.RakeTaken():
            row = _pots_formed(row, hand)
            return _posted(row, hand, _rake(hand, event))
        case e.PotAwarded():
            row = _pots_formed(row, hand)
            return _posted(row, hand, _award(hand, event))
        case e.HandCompleted():
            row = _pots_formed(row, hand)
            return _posted(row, hand, _left_over(row, hand.step))
        case e.HandVoided():
            row = _pots_formed(row, hand)
            return _posted(row, hand, _void(row, hand, event))
        case e.AwardCorrected():
            return _posted(row, hand, _correction(hand, event))
        case (
            e.CardsDealt() | e.Checked() | e.Called() | e.Folded() | e.BettingOpened()
            | e.AntePosted() | e.Raised() | e.BetPlaced() | e.Completed() | e.BringInPosted()
            | e.CardsShown() | e.Mucked() | e.CommunityCardDealt() | e.UncalledReturned()
            | e.TimedOut() | e.PlayerDisconnected() | e.PlayerReconnected() | e.ClockPaused()
            | e.ClockResumed() | e.IncidentNoted() | e.HandStarted()
        ):  # fmt: skip
            return Row(hand, row.paid_in, row.postings, row.stood)


def _posted(row: Row, hand: Hand, entry: Iterable[Posting]) -> Row:
    """`row` with one more entry. Postings of nothing are left out; the rest must balance."""
    moved = tuple(posting for posting in entry if posting.amount)
    assert sum(posting.amount for posting in moved) == 0, "an entry adds up to zero"
    return Row(hand, row.paid_in, row.postings + moved, row.stood)


def _pots_formed(row: Row, hand: Hand) -> Row:
    """Bring the books of the pots up to what is in them now: all of it the first time (P1)."""
    stands = tuple([(player.paid, player.status != "folded") for player in hand.seats])
    if stands == row.stood:
        return row
    paid_in: PaidIn = {
        (seat, n): chips
        for n, pot in enumerate(pots_of(hand))
        for seat, chips in pot.paid.items()
        if chips
    }
    if paid_in == row.paid_in:
        return row
    more = {
        key: paid_in.get(key, 0) - row.paid_in.get(key, 0)
        for key in sorted(paid_in.keys() | row.paid_in.keys())
    }
    step = hand.step
    entry = [Posting(step, _at(hand, seat), -chips, "paid in") for (seat, _), chips in more.items()]
    for n in sorted({pot for _, pot in more}):
        into = sum(chips for (_, pot), chips in more.items() if pot == n)
        entry.append(_in_pot(step, n, into, "paid in"))
    return _posted(Row(hand, paid_in, row.postings, stands), hand, entry)


def _rake(hand: Hand, event: e.RakeTaken) -> list[Posting]:
    """Out of the pots that bear it, to the house: a line for each player who bears part of it."""
    borne = [_in_pot(hand.step, n, -chips, "rake") for n, chips in enumerate(event.pots)]
    shares = [
        Posting(hand.step, HOUSE_RAKE, part.amount, "rake", bearer=hand.player(part.seat).player)
        for part in event.attribution.shares
    ]
    unsaid = event.total - sum(posting.amount for posting in shares)
    unborne = event.total + sum(posting.amount for posting in borne)
    return [
        *borne,
        _in_pot(hand.step, 0, -unborne, "rake"),
        *shares,
        Posting(hand.step, HOUSE_RAKE, unsaid, "rake"),
    ]


def _award(hand: Hand, event: e.PotAwarded) -> list[Posting]:
    won = [Posting(hand.step, _at(hand, s.seat), s.amount, "award") for s in event.shares]
    return [_in_pot(hand.step, event.pot, -event.amount, "award"), *won]


def _left_over(row: Row, step: int) -> list[Posting]:
    """Bring every pot to zero at the end of the hand.

    A dealt hand leaves nothing. A record may pay from other pots than the money makes, which is
    evened out between them; what it never paid out at all goes to suspense.
    """
    left = _balances(row)
    emptied = [_in_pot(step, n, -chips, "left over") for n, chips in left.items()]
    return [*emptied, Posting(step, HOUSE_SUSPENSE, sum(left.values()), "left over")]


def _void(row: Row, hand: Hand, event: e.HandVoided) -> list[Posting]:
    """Everything back where it came from: pots, rake by bearer and suspense to zero (P9)."""
    step, borne, held = hand.step, dict[str | None, int](), 0
    for posting in row.postings:
        if posting.account == HOUSE_RAKE:
            borne[posting.bearer] = borne.get(posting.bearer, 0) + posting.amount
        held += posting.amount if posting.account == HOUSE_SUSPENSE else 0
    back = [Posting(step, HOUSE_RAKE, -chips, "void", bearer=who) for who, chips in borne.items()]
    unsaid = event.rake + sum(borne.values())
    return [
        *(_in_pot(step, n, -chips, "void") for n, chips in _balances(row).items()),
        *back,
        Posting(step, HOUSE_RAKE, unsaid, "void"),
        Posting(step, HOUSE_SUSPENSE, -held, "void"),
        *_to_players(hand, event, "void"),
    ]


def _correction(hand: Hand, event: e.AwardCorrected) -> list[Posting]:
    """Between seats and rake as ruled; whose rake it was, the ruling does not say (P9)."""
    moves = _to_players(hand, event, "correction")
    return [*moves, Posting(hand.step, HOUSE_RAKE, event.rake, "correction")]


def _to_players(hand: Hand, event: e.HandVoided | e.AwardCorrected, memo: Memo) -> list[Posting]:
    """Beside the table if it is a ruling on a hand that was over."""
    aside = hand.completed and event.ruling is not None
    account = adjustment_account if aside else table_account
    return [
        Posting(hand.step, account(hand.player(move.seat).player), move.amount, memo)
        for move in event.moves
    ]


def _balances(row: Row) -> dict[int, ChipsMoved]:
    """What is in each pot by the books."""
    left: dict[int, ChipsMoved] = {}
    for posting in row.postings:
        if posting.pot is not None:
            left[posting.pot] = left.get(posting.pot, 0) + posting.amount
    return left


def _at(hand: Hand, seat: Seat) -> str:
    return table_account(hand.player(seat).player)


def _in_pot(step: int, pot: int, amount: ChipsMoved, memo: Memo) -> Posting:
    return Posting(step, "Pot", amount, memo, pot=pot)


def rows(row: Row, told: Told) -> tuple[PostingRow, ...]:
    """One row per posting, numbered within its step."""
    started, lines, numbered = row.hand.started, 0, []
    day, money, step = told.day(started), started.money, 0
    pots = f"Pot:{told.stream}"
    for posting in row.postings:
        lines = lines + 1 if posting.step == step else 1
        step = posting.step
        numbered.append(
            PostingRow(
                hand=told.stream,
                step=step,
                line=lines,
                account=posting.account if posting.pot is None else f"{pots}:{posting.pot}",
                amount=posting.amount,
                memo=posting.memo,
                bearer=posting.bearer,
                day=day,
                money_kind=money.kind,
                currency=money.currency,
                exponent=money.exponent,
            )
        )
    return tuple(numbered)


RAKE_LEDGER = Projection(
    name="rake_ledger",
    project=project,
    heeds=frozenset({e.RakeTaken, e.PotAwarded, e.HandCompleted, e.HandVoided, e.AwardCorrected}),
    tables=(PostingRow,),
    rows=rows,
)
