"""Finding hands."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from math import ceil
from typing import Any
from uuid import UUID

import msgspec

from services.errors import ServiceError
from services.reports.queries import (
    Connect,
    ask,
    complete_to,
    named_queries,
    one_moment,
    only_asked,
)

EXPONENTS = range(10)
"""Decimals a whole unit of money may have; no currency has more than four."""

MOST_STORED = 2**63 - 1


class BadCursor(ServiceError):
    """The list does not go on from there: no such place was ever handed out."""


class HandsWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which hands; what is None is not asked for.

    `table` is its name or id, `players` are opaque ids of whom one must have been dealt in, days
    are UTC and both included, `since` and `until` are moments, the second not included.
    `min_pot` and `stakes` (small and big bet) are in whole units of the hand's own currency (20
    means $20.00), `findings` asks for hands with or without any, `disputed` for those with or
    without a case. `after` is a page's `next`.
    """

    hand: UUID | None = None
    number: str | None = None
    table: str | None = None
    players: tuple[str, ...] | None = None
    game: str | None = None
    from_day: date | None = None
    to_day: date | None = None
    since: datetime | None = None
    until: datetime | None = None
    stakes: tuple[Decimal, Decimal] | None = None
    min_pot: Decimal | None = None
    findings: bool | None = None
    disputed: bool | None = None
    limit: int = 50
    after: str | None = None


class HandFound(msgspec.Struct, frozen=True, kw_only=True):
    """One hand. Amounts in minor units; `players` is how many were dealt in.

    `conflicting` where two records of this number at this site contradict each other, `disputed`
    where there is a case about it. `verdict` is None until the hand is over. `happened_at` is when
    it was played or, where the record does not say, recorded.
    """

    hand: UUID
    number: str
    site: str
    game: str
    table: str
    small_bet: int
    big_bet: int
    money_kind: str
    currency: str
    exponent: int
    played_at: datetime | None
    happened_at: datetime
    players: int
    pot: int
    rake: int
    status: str
    verdict: str | None
    findings: int
    conflicting: bool
    disputed: bool


class HandsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Hands, newest first. `next` continues the list; None at its end.

    `complete_to` is the position of the last event the list takes in.
    """

    hands: tuple[HandFound, ...]
    next: str | None
    complete_to: int


def find_hands(connect: Connect, wanted: HandsWanted) -> HandsPage:
    """The hands wanted, newest first, at most `limit`. Raises BadCursor."""
    parameters = _parameters(wanted)
    query = only_asked(named_queries("hands.sql")["find_hands"], parameters)
    with one_moment(connect) as connection:
        found = ask(connection, query, parameters, HandFound)
        reached = complete_to(connection, ("hands", "hand_players", "findings", "disputes"))
    hands = found[: wanted.limit]
    return HandsPage(
        hands=hands,
        next=_cursor(hands[-1]) if len(found) > len(hands) and hands else None,
        complete_to=reached,
    )


def _parameters(wanted: HandsWanted) -> dict[str, Any]:
    before, before_hand = _place(wanted.after)
    parameters: dict[str, Any] = msgspec.structs.asdict(wanted)
    return parameters | {
        "players": None if wanted.players is None else list(wanted.players),
        "with_findings": wanted.findings or None,
        "without_findings": wanted.findings is False or None,
        "with_case": wanted.disputed or None,
        "without_case": wanted.disputed is False or None,
        "min_pots": _in_minor_units(wanted.min_pot),
        "small_bets": _in_minor_units(wanted.stakes[0] if wanted.stakes else None),
        "big_bets": _in_minor_units(wanted.stakes[1] if wanted.stakes else None),
        "before": before,
        "before_hand": before_hand,
        # One more than wanted tells whether the list goes on.
        "limit": wanted.limit + 1,
    }


def _in_minor_units(amount: Decimal | None) -> list[int] | None:
    """The least whole number of minor units that is not below an amount, by their exponent."""
    if amount is None:
        return None
    return [min(MOST_STORED, ceil(amount * 10**exponent)) for exponent in EXPONENTS]


def _cursor(last: HandFound) -> str:
    return f"{last.happened_at.isoformat()}~{last.hand}"


def _place(cursor: str | None) -> tuple[datetime | None, UUID | None]:
    if cursor is None:
        return None, None
    at, _, hand = cursor.partition("~")
    try:
        return datetime.fromisoformat(at), UUID(hand)
    except ValueError:
        raise BadCursor("this is no place in a list of hands") from None
