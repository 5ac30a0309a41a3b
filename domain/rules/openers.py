"""Who opens a street: the lowest door card on third, the highest exposed hand after (S3, B1)."""

from __future__ import annotations

from collections.abc import Collection

from domain.cards import RANK, RANK_WORDS, SUIT, all_known
from domain.events import Compared, Reason
from domain.hand import Hand, Player
from domain.ranking import board_score, judge_board
from domain.units import UNKNOWN, Card, Seat

MOST_UPCARDS = 4


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
    """A player's exposed cards; a community card counts in every board (B1).

    Four are dealt face up; what a record has beyond them is no part of a board.
    """
    up = player.up[:MOST_UPCARDS]
    return up if hand.community is None else (*up, hand.community)


def _lowest_door_cards(hand: Hand) -> tuple[Seat, ...]:
    doors = {p.seat: p.up[0] for p in hand.seats if p.up}
    if UNKNOWN in doors.values():
        return _from_dealer(hand, doors)
    if hand.started.house_rules.bring_in_tie == "suit":
        ranks = {seat: RANK[door] * 4 + SUIT[door] for seat, door in doors.items()}
    else:
        ranks = {seat: RANK[door] for seat, door in doors.items()}
    return _first_from_dealer(hand, ranks, min(ranks.values(), default=0))


def _highest_boards(hand: Hand) -> tuple[Seat, ...]:
    boards = {p.seat: board(hand, p) for p in hand.seats if p.up and p.status != "folded"}
    scores: dict[Seat, int] = {}
    for seat, shown in boards.items():
        if UNKNOWN in shown:
            return _from_dealer(hand, boards)
        scores[seat] = board_score(shown)
    return _first_from_dealer(hand, scores, max(scores.values(), default=0))


def _first_from_dealer(hand: Hand, claims: dict[Seat, int], best: int) -> tuple[Seat, ...]:
    """Whose claim is the `best`: of several the first, if the dealer's seat is known."""
    seats = tuple([seat for seat, claim in claims.items() if claim == best])
    if len(seats) < 2 or hand.started.dealer is None:
        return seats
    return _from_dealer(hand, seats)[:1]


def _from_dealer(hand: Hand, seats: Collection[Seat]) -> tuple[Seat, ...]:
    """These seats clockwise from the dealer's left."""
    return tuple([player.seat for player in hand.clockwise() if player.seat in seats])


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
