"""Rake as finance asks for it; every sum is one of the ledger's."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Literal, get_args
from uuid import UUID

import msgspec

from services.reports.queries import Connect, ask, complete_to, named_queries, one_moment

Dimension = Literal["day", "table", "game", "stakes", "player", "currency"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
"""What a rake report can be broken down by; currencies are never added up in any case."""


class RakeLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a rake report; amounts in minor units, a day is a UTC day.

    What the report is not broken down by is None. `hands` are finished, real-money hands, `pot`
    is what was matched in them. By player, they are the hands he was dealt in, `pot` is what he
    put in and `rake` what he bears; a line without a player is rake that a ruling moved.
    """

    day: date | None
    table: str | None
    game: str | None
    small_bet: int | None
    big_bet: int | None
    player: str | None
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class RakeReport(msgspec.Struct, frozen=True, kw_only=True):
    """`complete_to` is the position of the last event the report takes in."""

    lines: tuple[RakeLine, ...]
    complete_to: int


class PostingFound(msgspec.Struct, frozen=True, kw_only=True):
    """One posting of a hand's books, in minor units; `day` is its value date."""

    step: int
    line: int
    account: str
    amount: int
    memo: str
    bearer: str | None
    day: date
    currency: str
    exponent: int


def rake_report(
    connect: Connect,
    by: Collection[Dimension] = (),
    from_day: date | None = None,
    to_day: date | None = None,
) -> RakeReport:
    """Hands, matched pot and rake of real-money hands, days included, broken down by `by`."""
    query = "rake_by_players" if "player" in by else "rake_by_hands"
    parameters = {"by": list(by), "from_day": from_day, "to_day": to_day}
    with one_moment(connect) as connection:
        lines = ask(connection, named_queries("rake_ledger.sql")[query], parameters, RakeLine)
        reached = complete_to(connection, ("hands", "hand_players", "rake_ledger"))
    return RakeReport(lines=lines, complete_to=reached)


def postings_of_hand(connect: Connect, hand: UUID) -> tuple[PostingFound, ...]:
    """The books of one hand, in order."""
    query = named_queries("rake_ledger.sql")["postings_of_hand"]
    with one_moment(connect) as connection:
        return ask(connection, query, {"hand": hand}, PostingFound)
