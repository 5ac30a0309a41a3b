"""Money a ruling moves outside any hand: facts of a player's ledger, and their stream.

An adjustment is paid out of the house's account to the player's adjustment account, never to
chips at a table: no later hand is touched (P9). Stored for ever, as all facts are.
"""

from __future__ import annotations

from datetime import date, datetime
from uuid import UUID, uuid5

import msgspec

from domain.decoding import decoder
from domain.discreet import Discreet
from domain.events import Money
from domain.units import ChipsMoved

_STREAMS = UUID("0c6b7b9e-52f4-5d0c-8a63-9b0d6f3c7e41")
"""The namespace of players' ledgers; changing it would begin every one anew."""

HOUSE_GOODWILL = "House:Goodwill"


class AccountMove(Discreet, frozen=True, kw_only=True, gc=False):
    """Onto (+) or off (-) one account, in minor units."""

    account: str
    amount: ChipsMoved


class AdjustmentPosted(
    Discreet, frozen=True, kw_only=True, omit_defaults=True, gc=False,
    tag_field="type", tag="adjustment_posted.v1",
):  # fmt: skip
    """A ruling's postings to accounts of one player and the house; they sum to zero.

    `value_date` is the day of the hand, `at` when it was posted: a closed day stays closed.
    """

    at: datetime | None = None
    case: UUID
    ruling: UUID
    hand: UUID
    player: str
    money: Money
    value_date: date
    postings: tuple[AccountMove, ...]


TAG = str(AdjustmentPosted.__struct_config__.tag)

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = decoder(AdjustmentPosted)
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def ledger_stream(player: str) -> UUID:
    """The stream of what was posted for a player outside his hands."""
    return uuid5(_STREAMS, f"player {player}")


def adjustment_account(player: str) -> str:
    """Where rulings put a player's money once a hand is over; chips at tables stay as they are."""
    return f"Player:{player}:Adjustment"


def table_account(player: str) -> str:
    """His chips at the table, which only play moves."""
    return f"Player:{player}:Table"
