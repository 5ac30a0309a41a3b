"""The pot ledger: every chip from ante to payout, each amount with the events it comes from.

Double entry over the seats, what lies in the pots, and the house: every row adds up to nothing,
so nothing is made or lost on the way (P8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from domain import events as e
from domain.discreet import Discreet
from domain.evolve import evolve
from domain.hand import Hand
from domain.units import ChipsMoved, Seat
from services.replaying.notes import prize_name, street_name
from services.replaying.pots import pot_name

Account = Seat | Literal["pots", "house"]
"""Whose chips they are: a seat's, those in the middle, or the house's."""

About = Literal["ante", "street", "returned", "rake", "award", "odd_chip", "ruling"]


class Cell(msgspec.Struct, frozen=True):
    """What an account got (positive) or gave in minor units, and the steps at which it did."""

    amount: ChipsMoved = 0
    steps: tuple[int, ...] = ()


class LedgerRow(Discreet, frozen=True, kw_only=True):
    """One kind of movement; `cells` stand in the order of the ledger's accounts."""

    about: About
    name: str
    cells: tuple[Cell, ...]


class PotLedger(Discreet, frozen=True, kw_only=True):
    """All rows in order, and what each account won or lost in all."""

    accounts: tuple[Account, ...]
    rows: tuple[LedgerRow, ...]
    totals: tuple[ChipsMoved, ...]


class _Moved(msgspec.Struct, frozen=True):
    """Chips of one fact, under the heading they belong to."""

    about: About
    name: str
    moves: dict[Account, ChipsMoved]


def pot_ledger(events: Sequence[e.HandEvent]) -> PotLedger:
    """The ledger of a hand so far. Raises `CorruptHistory` as `evolve` does."""
    hand = evolve(None, events[0])
    accounts: tuple[Account, ...] = (*(player.seat for player in hand.seats), "pots", "house")
    rows: dict[tuple[About, str], dict[Account, Cell]] = {}
    for event in events[1:]:
        before, hand = hand, evolve(hand, event)
        moved = [one for one in _moved(before, event, hand) if any(one.moves.values())]
        _require_told(before, hand, moved)
        for one in moved:
            _enter(rows.setdefault((one.about, one.name), {}), one, hand.step)
    lines = tuple(
        LedgerRow(about=about, name=name, cells=tuple(cells.get(one, Cell()) for one in accounts))
        for (about, name), cells in rows.items()
    )
    totals = tuple(sum(row.cells[place].amount for row in lines) for place in range(len(accounts)))
    assert sum(totals) == 0, "the ledger adds up to nothing"
    return PotLedger(accounts=accounts, rows=lines, totals=totals)


def _enter(cells: dict[Account, Cell], moved: _Moved, step: int) -> None:
    assert sum(moved.moves.values()) == 0, "every row adds up to nothing"
    for account, amount in moved.moves.items():
        if amount:
            cell = cells.get(account, Cell())
            cells[account] = Cell(cell.amount + amount, (*cell.steps, step))


def _require_told(before: Hand, after: Hand, moved: Sequence[_Moved]) -> None:
    """The movements are what the fact did to stacks, pots and rake, no chip more or less."""
    left = {account: amount for account, amount in _differences(before, after).items() if amount}
    told: dict[Account, ChipsMoved] = {}
    for one in moved:
        for account, amount in one.moves.items():
            told[account] = told.get(account, 0) + amount
    assert left == {one: amount for one, amount in told.items() if amount}, "every chip is told"


def _differences(before: Hand, after: Hand) -> dict[Account, ChipsMoved]:
    seats = zip(before.seats, after.seats, strict=True)
    stacks: dict[Account, ChipsMoved] = {old.seat: new.stack - old.stack for old, new in seats}
    return {**stacks, "pots": after.pot - before.pot, "house": after.rake - before.rake}


def _moved(before: Hand, event: e.HandEvent, after: Hand) -> Iterator[_Moved]:
    match event:
        case e.AntePosted():
            yield _Moved("ante", "Antes", _differences(before, after))
        case e.BringInPosted() | e.Called() | e.Completed() | e.BetPlaced() | e.Raised():
            street = street_name(before.betting.street).capitalize()
            yield _Moved("street", street, _differences(before, after))
        case e.UncalledReturned():
            yield _Moved("returned", "Unmatched, back", _differences(before, after))
        case e.RakeTaken():
            yield from _rake(event)
        case e.PotAwarded():
            yield from _award(event)
        case e.HandVoided():
            yield _Moved("ruling", "Void", _differences(before, after))
        case e.AwardCorrected():
            yield _Moved("ruling", "Correction", _differences(before, after))
        case _:
            pass  # Nothing else moves chips, and `_require_told` sees to it.


def _rake(event: e.RakeTaken) -> Iterator[_Moved]:
    """By pot, as far as the record's pots tell of it."""
    for pot, rake in enumerate(event.pots):
        yield _Moved("rake", f"Rake, {pot_name(pot)}", {"pots": -rake, "house": rake})
    rest = event.total - sum(event.pots)
    yield _Moved("rake", "Rake", {"pots": -rest, "house": rest})


def _award(event: e.PotAwarded) -> Iterator[_Moved]:
    """What divides, and the odd chips beside it (P5 to P7)."""
    prize = prize_name(event.pot, event.half).capitalize()
    odd: dict[Account, ChipsMoved] = {share.seat: share.odd for share in event.shares}
    even: dict[Account, ChipsMoved] = {
        share.seat: share.amount - share.odd for share in event.shares
    }
    yield _Moved("award", prize, {"pots": -sum(even.values()), **even})
    yield _Moved("odd_chip", f"{prize}: odd chip", {"pots": -sum(odd.values()), **odd})
