"""Who opens a street: the lowest door card on third, the highest exposed hand after (S3, B1)."""

from __future__ import annotations

from collections.abc import Callable

from domain.cards import RANK, RANK_WORDS, SUIT, all_known
from domain.events import Compared, Reason
from domain.hand import Hand, Player
from domain.ranking import board_score, judge_board
from domain.units import Card, Seat


def leaders(hand: Hand) -> tuple[Seat, ...]:
    """The seats that may lead this street; more than one only where the record leaves it open.

    That is: an unknown exposed card, or a tie that position decides without a known dealer.
    The leader may be unable to act (B2).
    """
    if hand.betting.opened is not None:
        return (hand.betting.opened.opener,)
    if hand.betting.street == 3:
        return _lowest_door_cards(hand)
    return _highest_boards(hand)


def board(hand: Hand, player: Player) -> tuple[Card, ...]:
    """A player's exposed cards; a community card counts in every board (B1)."""
    return player.up if hand.community is None else (*player.up, hand.community)


def _lowest_door_cards(hand: Hand) -> tuple[Seat, ...]:
    players = tuple(p for p in hand.clockwise() if p.up)
    if not all(all_known(p.up[:1]) for p in players):
        return tuple(p.seat for p in players)
    if hand.started.house_rules.bring_in_tie == "suit":
        lowest = _all_least(players, lambda p: RANK[p.up[0]] * 4 + SUIT[p.up[0]])
    else:
        lowest = _all_least(players, lambda p: RANK[p.up[0]])
    return _first_from_dealer(hand, lowest)


def _highest_boards(hand: Hand) -> tuple[Seat, ...]:
    players = tuple(p for p in hand.clockwise() if p.still_in and p.up)
    if not all(all_known(p.up) for p in players):
        return tuple(p.seat for p in players)
    return _first_from_dealer(hand, _all_least(players, lambda p: -board_score(board(hand, p))))


def _all_least(players: tuple[Player, ...], key: Callable[[Player], int]) -> tuple[Player, ...]:
    least = min(map(key, players), default=0)
    return tuple(p for p in players if key(p) == least)


def _first_from_dealer(hand: Hand, tied: tuple[Player, ...]) -> tuple[Seat, ...]:
    """`tied` is already clockwise from the dealer, if there is one."""
    seats = tuple(p.seat for p in tied)
    return seats if hand.started.dealer is None else seats[:1]


def why_opens(hand: Hand) -> Reason:
    """What was compared to find the opener of this street, best claim first."""
    if hand.betting.street == 3:
        players = sorted((p for p in hand.clockwise() if p.up), key=_door_order)
        return Reason(rule="S3", compared=tuple(_compared_door(p) for p in players))
    players = sorted(
        (p for p in hand.clockwise() if p.still_in and p.up),
        key=lambda p: -board_score(board(hand, p)) if all_known(board(hand, p)) else 0,
    )
    return Reason(rule="B1", compared=tuple(_compared_board(hand, p) for p in players))


def _door_order(player: Player) -> int:
    return RANK.get(player.up[0], 0)


def _compared_door(player: Player) -> Compared:
    door = player.up[0]
    words = RANK_WORDS[RANK[door] - 2] if door in RANK else "unknown"
    return Compared(seat=player.seat, rule="S3", cards=(door,), words=words)


def _compared_board(hand: Hand, player: Player) -> Compared:
    cards = board(hand, player)
    words = judge_board(cards).words if all_known(cards) else "unknown"
    return Compared(seat=player.seat, rule="B1", cards=cards, words=words)
