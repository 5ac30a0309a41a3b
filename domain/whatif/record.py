"""The record beside which another course runs: its states, decisions, cards and payouts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain import events as e
from domain.cards import known
from domain.errors import CorruptHistory
from domain.evolve import evolve
from domain.hand import Hand, Player

ACTS = (
    e.BringInPosted, e.Called, e.Completed, e.BetPlaced, e.Raised, e.Checked, e.Folded,
)  # fmt: skip
DECISIONS = (*ACTS, e.TimedOut)
RULINGS = (e.HandVoided, e.AwardCorrected)

DecisionEvent = (
    e.BringInPosted
    | e.Called
    | e.Completed
    | e.BetPlaced
    | e.Raised
    | e.Checked
    | e.Folded
    | e.TimedOut
)


class Record:
    """A hand as it was told; `before[i]` is the state before `events[i]`.

    `end` is the state before any ruling: when it was paid out, or as far as it went.
    """

    def __init__(self, events: Sequence[e.HandEvent]) -> None:
        self.events = tuple(events)
        states: list[Hand | None] = [None]
        for event in self.events:
            states.append(evolve(states[-1], event))
        if len(states) == 1:
            raise CorruptHistory("a hand without any event")
        self.before = tuple(states[:-1])
        ruled = next((i for i, x in enumerate(self.events) if isinstance(x, RULINGS)), None)
        end = states[-1] if ruled is None else states[ruled]
        assert end is not None, "a ruling is never the first fact"
        self.end = end

    @property
    def started(self) -> e.HandStarted:
        """The first fact."""
        return self.end.started

    @property
    def played(self) -> Hand | None:
        """The state when it was paid out; None if it was not."""
        return self.end if self.end.completed else None

    def at(self, place: int) -> Hand:
        """The state before the fact at this 0-based place, which is not the first."""
        hand = self.before[place]
        assert hand is not None, "only the first fact has nothing before it"
        return hand

    def decisions(self) -> tuple[int, ...]:
        """0-based places of everybody's decisions; what a time-out was made is part of it."""
        return tuple(
            place
            for place, event in enumerate(self.events)
            if isinstance(event, DECISIONS) and self.at(place).ran_out is None
        )

    def deals(self, street: int) -> tuple[e.CardsDealt, ...]:
        """The cards of one street, as they were dealt."""
        return tuple(x for x in self.events if isinstance(x, e.CardsDealt) and x.street == street)


def with_known_cards(hand: Hand, end: Hand) -> Hand:
    """The hand with every down card that came out by the end of the record.

    Cards are only taken from the record seat by seat, so what lies there is the same.
    """
    seats = tuple(_known(player, end.player(player.seat)) for player in hand.seats)
    cards = (card for player in seats for card in known(player.down))
    return replace(hand, seats=seats, seen=hand.seen.union(cards))


def _known(player: Player, end: Player) -> Player:
    return replace(player, down=end.down[: len(player.down)])
