"""Who wins how much of which pot: rake, halves, ties, in that order (P2-P6).

Integers alone, without a word of why: that is what checking a record needs. `settlement` adds
the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from domain.events import RakeTaken
from domain.games import GAMES, HalfSpec
from domain.hand import Hand
from domain.memory import remembers_last
from domain.rules.odd_chips import OddChips, divide, divides, halves, odd_chip_order
from domain.rules.pots import Pot, build_pots
from domain.rules.rake import Charge, expected_rake
from domain.rules.showdown import Ranked, Rankings, own_cards, playing_cards, rank_hands
from domain.units import Card, Chips, Half, Seat


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """A pot or half of a pot to be won, net of rake in minor units, and who wins it.

    `winners` have the best hand seen, first claim to odd chips first. Of the `hidden` seats the
    cards do not tell: the prize is decided only without any. `rule` is why it is won.
    """

    pot: int
    half: Half
    amount: Chips
    rule: str
    winners: tuple[Seat, ...]
    hidden: tuple[Seat, ...] = ()
    odd: OddChips | None = None

    @property
    def decided(self) -> bool:
        """Whether the cards seen say who wins."""
        return not self.hidden and bool(self.winners)

    @property
    def uncontested(self) -> bool:
        """Whether it is won without comparing hands (B9, P0, P1)."""
        return self.rule in ("B9", "P0", "P1")

    def orders(self) -> Iterator[tuple[Seat, ...]]:
        """Every order of the winners for odd chips that the rules leave possible."""
        return iter((self.winners,)) if self.odd is None else self.odd.orders()


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """One pot paid out: `amount` net of rake, the seats whose hands count, the prizes.

    A pot is split in a high and a low prize only where two or more hands compare and one has a
    low. Otherwise it is one whole prize: by rule G2 where no low qualifies, B9 where everybody
    else folded, P1 where nobody else has a claim, P0 where everybody else mucked.
    `split_open` where unseen cards may or may not make a low that qualifies: then `prizes` are
    the halves, and one prize of the whole pot is as possible (G2).
    """

    pot: Pot
    amount: Chips
    contenders: tuple[Seat, ...]
    prizes: tuple[Prize, ...]
    split_open: bool = False


class Payouts(msgspec.Struct, frozen=True, kw_only=True):
    """All pots of a hand, main first, what each bore of the rake, and how the hands rank."""

    payouts: tuple[Payout, ...]
    charge: Charge
    rankings: Rankings
    chip: Chips

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """Every prize, main pot first, high before low."""
        return tuple(prize for payout in self.payouts for prize in payout.prizes)


def payouts(hand: Hand, recorded: RakeTaken | None = None) -> Payouts:
    """Who wins how much of which pot, without a word of why (P1-P6, B9)."""
    live = [player for player in hand.clockwise() if player.status != "folded"]
    pots = _pots(hand)
    charge = expected_rake(hand, [pot.amount for pot in pots], recorded)
    comparing = tuple([player for player in live if not player.mucked])
    rankings = rank_hands(hand, comparing if len(live) > 1 else ())
    table = _Table(hand, rankings, len(live), frozenset([p.seat for p in comparing]))
    borne = zip(pots, charge.pots, strict=True)
    return Payouts(
        payouts=tuple(
            [table.pay(index, pot, pot.amount - rake) for index, (pot, rake) in enumerate(borne)]
        ),
        charge=charge,
        rankings=rankings,
        chip=table.chip,
    )


def pot_amounts(hand: Hand) -> tuple[Chips, ...]:
    """What is in each pot before rake, main pot first (P1)."""
    return tuple([pot.amount for pot in _pots(hand)])


def _pots(hand: Hand) -> tuple[Pot, ...]:
    clockwise = hand.clockwise()
    paid = {player.seat: player.paid for player in clockwise}
    return build_pots(paid, [p.seat for p in clockwise if p.status != "folded"])


@remembers_last
def recorded_payouts(hand: Hand) -> Payouts:
    """The payouts with the rake that was recorded, which a record's awards are judged by."""
    return payouts(hand, hand.rake_taken)


class _Table(msgspec.Struct, frozen=True):
    """What every pot of a hand is judged with."""

    hand: Hand
    rankings: Rankings
    still_in: int
    showing: frozenset[Seat]

    @property
    def chip(self) -> Chips:
        """The smallest chip of the table in minor units (P7)."""
        return self.hand.started.stakes.chip_unit or 1

    def pay(self, index: int, pot: Pot, amount: Chips) -> Payout:
        """One pot to its claimants whose hands count (P0, P2)."""
        contenders = tuple([seat for seat in pot.claimants if seat in self.showing])
        if len(pot.claimants) <= 1 or len(contenders) <= 1:
            prize = self._uncontested(index, pot, amount, contenders)
            return Payout(pot=pot, amount=amount, contenders=contenders, prizes=(prize,))
        prizes, split_open = self._contested(index, amount, contenders)
        return Payout(
            pot=pot, amount=amount, contenders=contenders, prizes=prizes, split_open=split_open
        )

    def _uncontested(
        self, index: int, pot: Pot, amount: Chips, contenders: tuple[Seat, ...]
    ) -> Prize:
        """The whole pot without comparing: nobody else has a claim, or all others mucked."""
        sole = pot.claimants if len(pot.claimants) == 1 else contenders
        rule = "P0" if len(pot.claimants) > 1 else "P1" if self.still_in > 1 else "B9"
        hidden = () if sole else pot.claimants
        return Prize(pot=index, half="whole", amount=amount, rule=rule, winners=sole, hidden=hidden)

    def _contested(
        self, index: int, amount: Chips, contenders: tuple[Seat, ...]
    ) -> tuple[tuple[Prize, ...], bool]:
        """The prizes of a pot that hands decide, and whether a split is open."""
        high, low = self.rankings.high, self.rankings.low
        if low is None:
            return (self._prize(index, "whole", amount, high, contenders),), False
        best_low = low.best(contenders)
        if not best_low and not low.unseen(contenders):
            whole = self._prize(index, "whole", amount, high, contenders)
            return (msgspec.structs.replace(whole, rule=low.rule),), False
        high_half, low_half = halves(amount, chip=self.chip)
        prizes = (
            self._prize(index, "high", high_half, high, contenders),
            self._prize(index, "low", low_half, low, contenders),
        )
        return prizes, not best_low

    def _prize(
        self, index: int, half: Half, amount: Chips, ranked: Ranked, contenders: tuple[Seat, ...]
    ) -> Prize:
        """One half to the best hand; ties share it, odd chips in their own order (P5, P6)."""
        best = ranked.best(contenders)
        odd = None
        if len(best) > 1 and not divides(amount, len(best), chip=self.chip):
            odd = odd_chip_order(self.hand, best, half, self._deciding_cards(half, best))
        return Prize(
            pot=index,
            half=half,
            amount=amount,
            rule=ranked.rule,
            winners=odd.order if odd else best,
            hidden=ranked.unseen(contenders),
            odd=odd,
        )

    def _deciding_cards(
        self, half: Half, tied: tuple[Seat, ...]
    ) -> Mapping[Seat, tuple[Card, ...]]:
        """Among which cards each tied seat's deciding card is looked for (P6)."""
        if self.hand.started.house_rules.odd_chip_cards == "all_seven":
            return {seat: own_cards(self.hand.player(seat)) for seat in tied}
        spec = half_spec(self.hand, half)
        return {seat: playing_cards(self.hand, spec, seat) for seat in tied}


def half_spec(hand: Hand, half: Half) -> HalfSpec:
    """How the game judges this half; the whole pot goes by the high hand."""
    game = GAMES[hand.started.game]
    if half != "low":
        return game.high
    assert game.low is not None, "only a split game has a low half"
    return game.low


def won(paid_out: Payouts) -> dict[Seat, Chips]:
    """What each seat wins altogether in the prizes that are decided, in minor units."""
    totals: dict[Seat, Chips] = {}
    for prize in paid_out.prizes:
        if prize.decided:
            for share in divide(prize.amount, prize.winners, chip=paid_out.chip):
                totals[share.seat] = totals.get(share.seat, 0) + share.amount
    return totals


def outcomes(prize: Prize, amount: Chips, *, chip: Chips) -> list[dict[Seat, Chips]]:
    """Every way the rules leave to share `amount` among the winners, the usual one first.

    More than one only where the odd chip is open. Seats that get nothing are left out.
    """
    ways: list[dict[Seat, Chips]] = []
    for order in prize.orders():
        shares = divide(amount, order, chip=chip)
        way = {share.seat: share.amount for share in shares if share.amount}
        if way not in ways:
            ways.append(way)
    return ways
