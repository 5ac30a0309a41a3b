"""Halves, equal shares and the chips that do not divide: how much and to whom (P4-P7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product

import msgspec

from domain.cards import LOW_RANK, RANK, RANK_WORDS, SUIT, all_known
from domain.events import Compared, Share
from domain.hand import Hand
from domain.units import Card, Chips, Half, Seat

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
PLACES = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip


class OddChips(msgspec.Struct, frozen=True, kw_only=True):
    """Who is first for odd chips among tied seats, and why.

    `groups` come in order; the seats within one group are interchangeable, because the room lets
    the record decide or because the record does not show what would decide: `hidden` says which.
    """

    rule: str
    groups: tuple[tuple[Seat, ...], ...]
    compared: tuple[Compared, ...]
    hidden: bool

    @property
    def order(self) -> tuple[Seat, ...]:
        """All tied seats, first claim first; an open choice goes clockwise from the dealer."""
        return tuple(seat for group in self.groups for seat in group)

    def orders(self) -> Iterator[tuple[Seat, ...]]:
        """Every order the rules leave possible, the usual one first."""
        for choice in product(*(permutations(group) for group in self.groups)):
            yield tuple(seat for group in choice for seat in group)


def halves(pot: Chips, *, chip: Chips) -> tuple[Chips, Chips]:
    """High and low half of a pot, in minor units: the odd chip and the dust are high's (P4, P7).

    >>> halves(1225, chip=50)
    (625, 600)
    """
    low_chips, _ = divmod(pot, 2 * chip)
    low = low_chips * chip
    return pot - low, low


def divide(amount: Chips, order: tuple[Seat, ...], *, chip: Chips) -> tuple[Share, ...]:
    """Share `amount` in whole chips; odd chips go one each in `order` (P5-P7).

    What is less than a chip stays with the first. `amount` and `chip` in minor units.

    >>> [(share.seat, share.amount, share.odd) for share in divide(101, (5, 1), chip=1)]
    [(5, 51, 1), (1, 50, 0)]
    """
    assert order, "somebody wins"
    assert chip > 0, "a chip is worth something"
    chips, dust = divmod(amount, chip)
    each, odd = divmod(chips, len(order))
    if len(order) == 1:
        return (Share(seat=order[0], amount=amount, odd=0),)
    extras = [chip] * odd + [0] * (len(order) - odd)
    extras[0] += dust
    shares = tuple(
        Share(seat=seat, amount=each * chip + extra, odd=extra)
        for seat, extra in zip(order, extras, strict=True)
    )
    assert sum([share.amount for share in shares]) == amount, "chips are neither made nor lost"
    return shares


def divides(amount: Chips, ways: int, *, chip: Chips) -> bool:
    """Whether `ways` seats can share `amount` with no odd chip and no dust."""
    return amount % (ways * chip) == 0


def odd_chip_order(
    hand: Hand, tied: tuple[Seat, ...], half: Half, cards: Mapping[Seat, tuple[Card, ...]]
) -> OddChips:
    """Who of the seats that tie for `half` is first for its odd chips (P5, P6).

    `tied` clockwise from the dealer. `cards[s]` are those among which seat `s`'s one deciding
    card is looked for; the room's policy says which (`odd_chip_cards`).
    """
    rules, stud = hand.started.house_rules, hand.started.game == "stud"
    rule = "P5" if stud else "P6"
    policy = rules.stud_odd_chip if stud else rules.hi_lo_odd_chip
    if policy == "any":
        return OddChips(rule=rule, groups=(tied,), compared=(), hidden=False)
    if policy == "left_of_dealer":
        compared = _by_position(hand, tied, rule)
        return _with_position(hand, rule, (tied,), compared)
    if not all(all_known(cards[seat]) for seat in tied):
        return OddChips(rule=rule, groups=(tied,), compared=(), hidden=True)
    return _by_card(hand, rule, half, {seat: cards[seat] for seat in tied})


def _by_card(hand: Hand, rule: str, half: Half, cards: Mapping[Seat, tuple[Card, ...]]) -> OddChips:
    """Order by one card each: the highest for the high half, the lowest for the low one (P6)."""
    suits = hand.started.house_rules.odd_chip_tie == "suit"
    claim = _low_claim if half == "low" else _high_claim
    deciding = {seat: min(held, key=claim) for seat, held in cards.items()}
    claims: dict[int, list[Seat]] = {}
    for seat, card in deciding.items():
        claims.setdefault(claim(card) if suits else claim(card) // 4, []).append(seat)
    groups = tuple(tuple(claims[key]) for key in sorted(claims))
    compared = tuple(
        Compared(seat=seat, rule="P6", cards=(deciding[seat],), words=card_words(deciding[seat]))
        for group in groups
        for seat in group
    )
    level = tuple(seat for group in groups if len(group) > 1 for seat in group)
    return _with_position(hand, rule, groups, (*compared, *_by_position(hand, level, "P6")))


def _high_claim(card: Card) -> int:
    """Smaller is higher; ranks are four apart, so that the suit fits between, spades first (P6)."""
    return (14 - RANK[card]) * 4 + 3 - SUIT[card]


def _low_claim(card: Card) -> int:
    """Smaller is lower, the ace lowest; clubs first (P6)."""
    return LOW_RANK[card] * 4 + SUIT[card]


def _with_position(
    hand: Hand, rule: str, groups: tuple[tuple[Seat, ...], ...], compared: tuple[Compared, ...]
) -> OddChips:
    """Let position decide within each group, where the dealer is known (P5)."""
    if hand.started.dealer is None:
        level = any(len(group) > 1 for group in groups)
        return OddChips(rule=rule, groups=groups, compared=compared, hidden=level)
    alone = tuple((seat,) for group in groups for seat in group)
    return OddChips(rule=rule, groups=alone, compared=compared, hidden=False)


def _by_position(hand: Hand, tied: tuple[Seat, ...], rule: str) -> tuple[Compared, ...]:
    """Where tied seats sit, as the floor would count it."""
    if hand.started.dealer is None:
        return tuple(
            Compared(seat=seat, rule=rule, cards=(), words="the dealer's seat is not recorded")
            for seat in tied
        )
    seats = tuple(player.seat for player in hand.clockwise())
    return tuple(
        Compared(
            seat=seat,
            rule=rule,
            cards=(),
            words=f"{PLACES[seats.index(seat)]} clockwise from the dealer",
        )
        for seat in tied
    )


def card_words(card: Card) -> str:
    """A card as the floor calls it.

    >>> card_words("Qh")
    'queen of hearts'
    """
    return f"{RANK_WORDS[RANK[card] - 2]} of {SUIT_WORDS[SUIT[card]]}"
