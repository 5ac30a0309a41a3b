"""The facts of a record played through: every line becomes the event it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from domain import events as e
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.hand import Hand
from domain.rules.betting import size_of, uncalled
from domain.units import Chips, Seat, TimeoutOutcome
from services.readers.cards import Holdings
from services.readers.record import Fact, Record, Unreadable

Timeable = e.Folded | e.Checked | e.BringInPosted
_OUTCOME: dict[type[e.HandEvent], TimeoutOutcome] = {
    e.Folded: "fold",
    e.Checked: "check",
    e.BringInPosted: "bring_in",
}


class Play:
    """Events and their lines as the facts come, with the state so far to understand them by.

    Cards shown later fill the deals they came from in `dealt_in_full`. Every method raises
    `Unreadable` for a fact that cannot be applied, with its line.
    """

    def __init__(self, started: e.HandStarted, record: Record) -> None:
        self.events: list[e.HandEvent] = []
        self.lines: list[int] = []
        self.hand: Hand = _evolved(None, started, record.line)
        self.events.append(started)
        self.lines.append(record.line)
        self.collected: list[Fact] = []
        self._holdings = Holdings(seat.seat for seat in started.seats)
        self._street = 2
        self._undealt_line = 0
        self._timed_out: dict[Seat, int] = {}
        self._returns_printed = any(fact.kind == "returned" for fact in record.facts)
        self.cancelled: Fact | None = None

    def take(self, fact: Fact) -> None:
        """Whatever this fact means at this moment."""
        if fact.kind not in _CARD_FACTS:
            self._deal()
        _TAKE[fact.kind](self, fact)

    def close(self, line: int) -> None:
        """No more betting: what nobody matched goes back, where no line says so (B8)."""
        self._deal()
        if self._returns_printed or self.cancelled:
            return
        back = uncalled(self.hand)
        if back:
            seat, amount = back
            self._happen(e.UncalledReturned(seat=seat, amount=amount), line)

    def dealt_in_full(self) -> None:
        """Put every card the record shows anywhere into the deal it came with."""
        for place, event in enumerate(self.events):
            if isinstance(event, e.CardsDealt):
                self.events[place] = self._holdings.dealt(event.seat, event.street)
        self.hand = replayed(self.events, self.lines)

    def pay_out(self, events: tuple[e.HandEvent, ...], line: int) -> None:
        """Rake, awards and stacks, at the line where the record says so."""
        for event in events:
            self._happen(event, line)

    # -- cards ---------------------------------------------------------------------------------

    def _begin_street(self, fact: Fact) -> None:
        self.close(fact.line)
        if fact.amount != self._street + 1:
            raise Unreadable(fact.line, f"street {fact.amount} follows street {self._street}")
        self._street += 1
        self._undealt_line = fact.line

    def _learn(self, fact: Fact) -> None:
        self._holdings.learn(self._seat(fact), fact.slot, fact.cards, fact.line)

    def _learn_hand(self, fact: Fact) -> None:
        held = len(self.hand.player(self._seat(fact)).cards)
        self._holdings.learn_hand(fact.seat, fact.cards, held, fact.line)

    def _deal(self) -> None:
        """Everyone still in has his cards of this street by now, seen or not."""
        line, self._undealt_line = self._undealt_line, 0
        if line:
            for player in self.hand.clockwise():
                if player.still_in:
                    self._happen(self._holdings.dealt(player.seat, self._street), line)

    def _community(self, fact: Fact) -> None:
        self._undealt_line = 0
        self._happen(e.CommunityCardDealt(card=fact.cards[0], position=None), fact.line)

    # -- chips ---------------------------------------------------------------------------------

    def _ante(self, fact: Fact) -> None:
        amount = self._amount(fact)
        self._happen(
            e.AntePosted(seat=fact.seat, amount=amount, all_in=self._is_all_in(fact, amount)),
            fact.line,
        )

    def _bring_in(self, fact: Fact) -> None:
        owed = min(self.hand.started.stakes.bring_in, self._stack(fact))
        amount = owed if fact.amount is None else fact.amount
        all_in = self._is_all_in(fact, amount)
        self._act(e.BringInPosted(seat=fact.seat, amount=amount, all_in=all_in), fact)

    def _wager(self, fact: Fact) -> None:
        betting, to = self.hand.betting, self._total_after(fact)
        before = self._street_total(fact)
        if to < before:
            raise Unreadable(fact.line, f"seat {fact.seat} wagers to {to} with {before} in already")
        if to <= betting.price:
            self._call(replace(fact, amount=to - before))
            return
        kind: type[e.Completed | e.BetPlaced | e.Raised] = e.Raised
        if betting.price == 0:
            kind = e.BetPlaced
        elif betting.street == 3 and betting.bets == 0:
            kind = e.Completed if to <= self.hand.started.stakes.small_bet else e.Raised
        size, _ = size_of(self.hand, to)
        all_in = self._is_all_in(fact, to - before)
        self._act(kind(seat=fact.seat, to=to, size=size, all_in=all_in), fact)

    def _total_after(self, fact: Fact) -> Chips:
        """The street total of a wager; an all-in for less may print what was added instead."""
        to, stack, total = self._amount(fact), self._stack(fact), self._street_total(fact)
        return total + stack if fact.all_in and to == stack and to - total != stack else to

    def _call(self, fact: Fact) -> None:
        owed = max(self.hand.betting.price - self._street_total(fact), 0)
        amount = min(owed, self._stack(fact)) if fact.amount is None else fact.amount
        if fact.amount is None and not owed:
            self._check(fact)
            return
        all_in = self._is_all_in(fact, amount)
        self._act(e.Called(seat=fact.seat, amount=amount, all_in=all_in), fact)

    def _check(self, fact: Fact) -> None:
        self._act(e.Checked(seat=fact.seat), fact)

    def _fold(self, fact: Fact) -> None:
        self._act(e.Folded(seat=fact.seat), fact)

    def _returned(self, fact: Fact) -> None:
        self._happen(e.UncalledReturned(seat=fact.seat, amount=self._amount(fact)), fact.line)

    # -- showdown and notes --------------------------------------------------------------------

    def _shows(self, fact: Fact) -> None:
        """A hand turned up; without cards it is what is known of it already."""
        self._learn_hand(fact)
        self.close(fact.line)
        cards = fact.cards or self.hand.player(fact.seat).cards
        event = e.CardsShown(seat=fact.seat, cards=cards)
        if event not in self.events:
            self._happen(event, fact.line)

    def _mucks(self, fact: Fact) -> None:
        self.close(fact.line)
        self._happen(e.Mucked(seat=fact.seat), fact.line)

    def _collects(self, fact: Fact) -> None:
        self._seat(fact)
        self.collected.append(fact)

    def _disconnected(self, fact: Fact) -> None:
        self._happen(e.PlayerDisconnected(seat=fact.seat), fact.line)

    def _reconnected(self, fact: Fact) -> None:
        self._happen(e.PlayerReconnected(seat=fact.seat), fact.line)

    def _note(self, fact: Fact) -> None:
        self._happen(e.IncidentNoted(kind="record", text=fact.text), fact.line)

    def _cancels(self, fact: Fact) -> None:
        self.cancelled = fact

    def _times_out(self, fact: Fact) -> None:
        """Named before or after the action it caused; nothing if he had no turn to lose."""
        last = self.events[-1]
        if isinstance(last, Timeable) and last.seat == fact.seat:
            self._insert(_timed_out(last), fact.line)
        else:
            self._timed_out[fact.seat] = fact.line

    def _insert(self, event: e.HandEvent, line: int) -> None:
        """Before the last event; only for facts that move nothing."""
        self.events.insert(-1, event)
        self.lines.insert(-1, line)

    # -- small things --------------------------------------------------------------------------

    def _act(self, event: e.HandEvent, fact: Fact) -> None:
        """A player's action, after the time-out that caused it, if one did."""
        line = self._timed_out.pop(fact.seat, None)
        if line is not None and isinstance(event, Timeable):
            self._happen(_timed_out(event), line)
        self._happen(event, fact.line)

    def _happen(self, event: e.HandEvent, line: int) -> None:
        self.hand = _evolved(self.hand, event, line)
        self.events.append(event)
        self.lines.append(line)

    def _is_all_in(self, fact: Fact, amount: Chips) -> bool:
        return fact.all_in or 0 < amount == self._stack(fact)

    def _stack(self, fact: Fact) -> Chips:
        return self.hand.player(self._seat(fact)).stack

    def _street_total(self, fact: Fact) -> Chips:
        return self.hand.player(self._seat(fact)).street_total

    def _seat(self, fact: Fact) -> Seat:
        if all(player.seat != fact.seat for player in self.hand.seats):
            raise Unreadable(fact.line, f"nobody was dealt in at seat {fact.seat}")
        return fact.seat

    @staticmethod
    def _amount(fact: Fact) -> Chips:
        assert fact.amount is not None, "every reader gives these facts an amount"
        return fact.amount


def _timed_out(event: Timeable) -> e.TimedOut:
    return e.TimedOut(
        seat=event.seat,
        turn_started_at=None,
        deadline=None,
        disconnected_at=None,
        outcome=_OUTCOME[type(event)],
    )


def replayed(events: Sequence[e.HandEvent], lines: Sequence[int]) -> Hand:
    """The state after all events. Raises `Unreadable` at the line of one that cannot be applied."""
    hand: Hand | None = None
    for event, line in zip(events, lines, strict=True):
        hand = _evolved(hand, event, line)
    assert hand is not None, "a hand has at least its start"
    return hand


def _evolved(hand: Hand | None, event: e.HandEvent, line: int) -> Hand:
    try:
        return evolve(hand, event)
    except CorruptHistory as wrong:
        # The file's line is worth more to its reader than the step in a hand that never was.
        raise Unreadable(line, str(wrong).partition(": ")[2]) from None


_CARD_FACTS = frozenset({"dealt", "community"})
"""What may be said of a street's cards before anybody acts on them."""

_TAKE: dict[str, Callable[[Play, Fact], None]] = {
    "ante": Play._ante,
    "street": Play._begin_street,
    "dealt": Play._learn,
    "community": Play._community,
    "bring_in": Play._bring_in,
    "wager": Play._wager,
    "call": Play._call,
    "check": Play._check,
    "fold": Play._fold,
    "timed_out": Play._times_out,
    "disconnected": Play._disconnected,
    "reconnected": Play._reconnected,
    "returned": Play._returned,
    "shows": Play._shows,
    "holds": Play._learn_hand,
    "mucks": Play._mucks,
    "collected": Play._collects,
    "note": Play._note,
    "cancelled": Play._cancels,
}
