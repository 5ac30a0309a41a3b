"""Which cards are due to whom: two down and one up, then one a street (G5, G6)."""

from __future__ import annotations

import msgspec

from domain.hand import Hand, Player
from domain.memory import remembers_last
from domain.units import Seat

DECK_SIZE = 52
LAST_STREET = 7


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of one street still to deal: `seats` in dealing order, each gets `down` and `up`.

    `community` means one face-up card for all instead (G6).
    """

    street: int
    seats: tuple[Seat, ...] = ()
    down: int = 0
    up: int = 0
    community: bool = False

    @property
    def cards(self) -> int:
        """How many cards that is."""
        return 1 if self.community else len(self.seats) * (self.down + self.up)


HELD = {3: (2, 1), 4: (2, 2), 5: (2, 3), 6: (2, 4), 7: (3, 4)}
"""Down and up cards a player holds once a street is dealt to him, without community card."""

DEALT = {3: (2, 1), 4: (0, 1), 5: (0, 1), 6: (0, 1), 7: (1, 0)}
"""Down and up cards a player gets on a street, without community card."""


def lacks_cards(hand: Hand, player: Player, street: int) -> bool:
    """Whether this player still in has not got his cards of `street`."""
    down, up = HELD[street]
    if len(player.down) >= down and len(player.up) >= up:
        return False
    down, up = _held(hand, street)
    return len(player.down) < down or len(player.up) < up


def _held(hand: Hand, street: int) -> tuple[int, int]:
    """Down and up cards whoever is still in holds once `street` is dealt to him."""
    down, up = HELD[street]
    community = street == LAST_STREET and hand.community is not None
    return (down - 1, up) if community else (down, up)


@remembers_last
def undealt(hand: Hand) -> tuple[Player, ...]:
    """Players still in who lack cards of the street now in play, clockwise."""
    street = hand.betting.street
    if street == 0:
        return ()
    down, up = _held(hand, street)
    lacking = [
        player.seat
        for player in hand.seats
        if (len(player.down) < down or len(player.up) < up) and player.status != "folded"
    ]
    # Mostly none do, and nobody need ask where the dealer sits.
    return tuple([p for p in hand.clockwise() if p.seat in lacking]) if lacking else ()


def still_dealing(hand: Hand) -> bool:
    """Whether cards of the street in play are still to come; once somebody acted, none are."""
    return not hand.betting.spoken and bool(undealt(hand))


def cards_left(hand: Hand) -> int:
    """Cards in the deck before the street after the one in play is dealt, burns counted (G6)."""
    burns = max(hand.betting.street - 3, 0) if hand.started.house_rules.burn_cards else 0
    return DECK_SIZE - hand.dealt - burns


def community_card_due(hand: Hand) -> bool:
    """Whether seventh street is one card for all: fewer cards left than players still in (G6).

    Asked before seventh street is dealt. A burn that alone stands in the way is left out.
    """
    return cards_left(hand) < len(hand.still_in)


def due_on(hand: Hand, street: int) -> Due:
    """The whole deal of `street`, asked before its first card."""
    if street == LAST_STREET and community_card_due(hand):
        return Due(street=street, community=True)
    seats = tuple(p.seat for p in hand.clockwise() if p.still_in)
    down, up = DEALT[street]
    return Due(street=street, seats=seats, down=down, up=up)
