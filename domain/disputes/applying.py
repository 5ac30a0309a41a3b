"""What an approved ruling does: a fact for the hand, or money from the house, never chips later."""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID

import msgspec

from domain import commands as c
from domain import events as e
from domain.disputes.adjustments import (
    HOUSE_GOODWILL,
    AccountMove,
    AdjustmentPosted,
    adjustment_account,
)
from domain.disputes.events import RulingProposed
from domain.disputes.rulings import moves_by_seat
from domain.errors import NotAllowedNow
from domain.hand import Hand
from domain.rulings import correct, void

MOVES_THE_HAND = frozenset({"void", "corrected_award"})
"""The kinds of rulings that are a fact of the hand: two of them do not know of each other."""


class Effects(msgspec.Struct, frozen=True, kw_only=True):
    """What goes with the approval: at most one fact for the hand's stream, one per ledger."""

    of_hand: e.HandVoided | e.AwardCorrected | None = None
    adjustments: tuple[AdjustmentPosted, ...] = ()


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """Which case and hand it is about, and when; `value_date` is the day of the hand.

    `ruled_since`: another ruling moved the hand's money after this one was proposed.
    """

    case: UUID
    hand: UUID
    value_date: date
    at: datetime | None = None
    ruled_since: bool = False


def effects(hand: Hand, ruling: RulingProposed, applied: Applied) -> Effects:
    """What the ruling does to the hand as it stands now.

    Raises `Refused` if it cannot be done any more: the hand was ruled on otherwise meanwhile.
    """
    if applied.ruled_since and ruling.kind in MOVES_THE_HAND:
        raise NotAllowedNow("the hand was ruled on since: propose it anew", rule="D3")
    match ruling.kind:
        case "uphold":
            return Effects()
        case "goodwill":
            return Effects(adjustments=_gifts(hand, ruling, applied))
        case "void":
            return Effects(of_hand=_void(hand, ruling, applied))
        case "corrected_award":
            command = c.Correct(
                moves=ruling.moves,
                rake=ruling.rake,
                reason=ruling.reason,
                ruling=str(ruling.ruling),
            )
            return Effects(of_hand=msgspec.structs.replace(correct(hand, command), at=applied.at))


def _void(hand: Hand, ruling: RulingProposed, applied: Applied) -> e.HandVoided:
    voided = void(hand, c.Void(reason=ruling.reason, ruling=str(ruling.ruling)))
    if moves_by_seat(voided.moves) != moves_by_seat(ruling.moves) or voided.rake != ruling.rake:
        raise NotAllowedNow("the hand was corrected since: propose the void anew", rule="D3")
    return msgspec.structs.replace(voided, at=applied.at)


def _gifts(hand: Hand, ruling: RulingProposed, applied: Applied) -> tuple[AdjustmentPosted, ...]:
    """From the house to each player's adjustment account, player by player."""
    return tuple(
        AdjustmentPosted(
            at=applied.at,
            case=applied.case,
            ruling=ruling.ruling,
            hand=applied.hand,
            player=hand.player(move.seat).player,
            money=hand.started.money,
            value_date=applied.value_date,
            postings=(
                AccountMove(account=HOUSE_GOODWILL, amount=-move.amount),
                AccountMove(
                    account=adjustment_account(hand.player(move.seat).player), amount=move.amount
                ),
            ),
        )
        for move in ruling.moves
    )
