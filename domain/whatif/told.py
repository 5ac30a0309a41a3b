"""What the payouts of a record tell of hands whose cards nobody has seen (P0, P2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from domain.events import Share
from domain.games import GAMES
from domain.rules.award_faults import Given
from domain.rules.objections import recorded_awards
from domain.rules.payouts import Prize, recorded_payouts
from domain.units import Chips, Half, Seat
from domain.whatif.record import Record


class Told:
    """Who beat whom, as the record paid it: who wins among some wins among fewer of them."""

    def __init__(self, record: Record) -> None:
        self._end = record.end
        self._awards = (
            [
                (frozenset(paid_out.contenders), given)
                for given in recorded_awards(record.end)
                if 0 <= given.pot < len(recorded_payouts(record.end).payouts)
                for paid_out in [recorded_payouts(record.end).payouts[given.pot]]
            ]
            if record.end.completed
            else []
        )

    def _among(self, seats: Collection[Seat]) -> Iterator[Given]:
        """Awards that at least these seats contended for."""
        return (given for contenders, given in self._awards if contenders.issuperset(seats))

    def takes_all(self, seats: Collection[Seat]) -> Seat | None:
        """Who took a whole pot against all of these, high and low."""
        for given in self._among(seats):
            if given.half == "whole" and len(given.shares) == 1:
                (winner,) = given.shares
                if winner in seats:
                    return winner
        return None

    def winners(self, seats: Collection[Seat], half: Half) -> tuple[Seat, ...]:
        """Who of these won this half against all others of them; none if nobody can tell."""
        splits = GAMES[self._end.started.game].low is not None
        for given in self._among(seats):
            if given.half == half and not (half == "whole" and splits):
                won = tuple(player.seat for player in self._end.clockwise())
                return tuple(seat for seat in won if seat in given.shares and seat in seats)
        return ()

    def shares(self, seats: Collection[Seat], prize: Prize) -> dict[Seat, Chips] | None:
        """How a prize of this amount was shared among these seats."""
        for given in self._among(seats):
            if (given.half, given.amount) == (prize.half, prize.amount):
                return given.shares
        return None

    def as_shares(self, seats: Collection[Seat], prize: Prize) -> tuple[Share, ...]:
        """The same as facts, the odd chips first."""
        shares = self.shares(seats, prize) or {}
        least = min(shares.values(), default=0)
        return tuple(
            Share(seat=seat, amount=amount, odd=amount - least)
            for seat, amount in sorted(shares.items(), key=lambda share: (-share[1], share[0]))
        )
