"""Who has the best hand among those who may win a pot, as far as the cards are known (P0, P2)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.cards import LOW_RANK, all_known, known
from domain.events import Compared
from domain.games import GAMES, HalfSpec
from domain.hand import Hand, Player
from domain.units import Card, Seat

CARDS_OF_A_HAND = 7
CARDS_THAT_PLAY = 5
HIGHEST_LOW_CARD = 8


class Ranked(msgspec.Struct, frozen=True):
    """The hands of a showdown by one way of judging: `scores[s]`, larger is better.

    A seat in neither has no hand that qualifies; the cards of `hidden` seats do not tell.
    """

    rule: str
    scores: dict[Seat, int]
    hidden: frozenset[Seat]

    def best(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """The best known hand among `seats`, several if they tie; none if none qualifies."""
        scores = {seat: self.scores[seat] for seat in seats if seat in self.scores}
        top = max(scores.values(), default=0)
        return tuple([seat for seat, score in scores.items() if score == top])

    def unseen(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Those of `seats` whose hands cannot be judged."""
        return tuple([seat for seat in seats if seat in self.hidden]) if self.hidden else ()


class Rankings(msgspec.Struct, frozen=True):
    """Every way a game judges a showdown; `low` only where the pot may be split."""

    high: Ranked
    low: Ranked | None


def own_cards(player: Player) -> tuple[Card, ...]:
    """A player's own cards: those dealt as far as seen, or what he turned up if that is more."""
    dealt, shown = player.cards, player.shown
    if not shown or shown == dealt:
        return dealt
    return shown if len(known(shown)) > len(known(dealt)) else dealt


def cards_of(hand: Hand, player: Player) -> tuple[Card, ...]:
    """The seven cards a player's hand is made from, the community card last (G6)."""
    own = own_cards(player)
    return own if hand.community is None else (*own, hand.community)


def is_known(cards: tuple[Card, ...]) -> bool:
    """Whether these are all seven cards of a hand, each of them seen."""
    return len(cards) >= CARDS_OF_A_HAND and all_known(cards)


def rank_hands(hand: Hand, players: Iterable[Player]) -> Rankings:
    """Judge these players' hands by every half of the game (P2)."""
    spec = GAMES[hand.started.game]
    held = {player.seat: cards_of(hand, player) for player in players}
    return Rankings(_rank(spec.high, held), _rank(spec.low, held) if spec.low else None)


def _rank(half: HalfSpec, held: dict[Seat, tuple[Card, ...]]) -> Ranked:
    scores: dict[Seat, int] = {}
    hidden: set[Seat] = set()
    for seat, cards in held.items():
        if is_known(cards):
            score = half.score(cards)
            if score is not None:
                scores[seat] = score
        elif half.rule != "G2" or may_qualify(cards):
            hidden.add(seat)
    return Ranked(half.rule, scores, frozenset(hidden))


def may_qualify(cards: tuple[Card, ...]) -> bool:
    """Whether unseen cards could still make these an eight-or-better low (G2)."""
    seen = known(cards)
    low_ranks = {LOW_RANK[card] for card in seen if LOW_RANK[card] <= HIGHEST_LOW_CARD}
    unseen = CARDS_OF_A_HAND - len(seen)
    return len(low_ranks) + unseen >= CARDS_THAT_PLAY


def compare(hand: Hand, half: HalfSpec, ranked: Ranked, seats: Iterable[Seat]) -> list[Compared]:
    """The hands of `seats` in words, best first, those that do not qualify last."""
    order = sorted(seats, key=lambda seat: -ranked.scores.get(seat, 0))
    return [in_words(hand, half, seat) for seat in order]


def in_words(hand: Hand, half: HalfSpec, seat: Seat) -> Compared:
    """One seat's hand for this half as the floor would call it."""
    cards = cards_of(hand, hand.player(seat))
    if not is_known(cards):
        return Compared(seat=seat, rule=half.rule, cards=cards, words="not all cards seen")
    judged = half.judge(cards)
    if judged is None:
        return Compared(seat=seat, rule=half.rule, cards=(), words="no low")
    return Compared(seat=seat, rule=half.rule, cards=judged.cards, words=judged.words)


def playing_cards(hand: Hand, half: HalfSpec, seat: Seat) -> tuple[Card, ...]:
    """The five cards that play for `seat`; none if the hand cannot be judged."""
    cards = cards_of(hand, hand.player(seat))
    judged = half.judge(cards) if is_known(cards) else None
    return judged.cards if judged else ()
