"""Sessions: buy-ins, what play did, and what was taken home; by the table and by the books."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

import msgspec

from services.ledger.accounts import READS, asked
from services.reports.queries import Connect, complete_to, one_moment
from services.reports.rake import head_of

MOST = 1_000


class SessionsWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which sessions; what is None is not asked for. `called` is a table, by name or id.

    `players` are opaque ids; days are UTC days on which the player sat there. `only_wrong` leaves
    out those that reconcile.
    """

    called: str | None = None
    players: tuple[str, ...] | None = None
    from_day: date | None = None
    to_day: date | None = None
    limit: int = MOST
    only_wrong: bool = False


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """A session as it is stored, and what the ledgers of its hands have of the player."""

    table: UUID
    table_name: str
    n: int
    left_n: int | None
    seat: int
    player: str
    seated_at: datetime
    left_at: datetime | None
    hands: int
    bought_in: int
    won: int
    cashed_out: int | None
    stack: int
    in_hand: UUID | None
    money_kind: str
    currency: str
    exponent: int
    posted: int


class SessionFound(Posted, frozen=True, kw_only=True):
    """One session, from fact `n` of its table until `left_n`, if he has left. Minor units.

    `won` is what the table's stacks say, `posted` what the ledgers of its hands say; a hand in
    progress, `in_hand`, is in neither. `difference` is `bought_in` + `posted` less what he took
    home (`cashed_out`) or still has (`stack`): nothing, unless something is wrong.
    """

    difference: int

    @property
    def reconciles(self) -> bool:
        """Whether table and books agree to the last chip."""
        return self.difference == 0 and self.won == self.posted


class SessionsFound(msgspec.Struct, frozen=True, kw_only=True):
    """Sessions in the order they began, at most so many; complete up to event `complete_to`."""

    sessions: tuple[SessionFound, ...]
    complete_to: int
    log_at: int


def sessions(connect: Connect, wanted: SessionsWanted) -> SessionsFound:
    """The sessions wanted, each reconciled."""
    parameters = {
        "called": wanted.called,
        "players": None if wanted.players is None else list(wanted.players),
        "since": _midnight(wanted.from_day) or "-infinity",
        "until": _midnight(wanted.to_day, 1) or "infinity",
        "limit": wanted.limit,
        "only_wrong": wanted.only_wrong,
    }
    with one_moment(connect) as connection:
        found = asked(connection, "sessions", parameters, Posted)
        reached, head = complete_to(connection, READS), head_of(connection)
    reconciled = tuple(map(_reconciled, found))
    return SessionsFound(sessions=reconciled, complete_to=reached, log_at=head)


def _reconciled(found: Posted) -> SessionFound:
    left = found.stack if found.cashed_out is None else found.cashed_out
    difference = found.bought_in + found.posted - left
    return SessionFound(**msgspec.structs.asdict(found), difference=difference)


def _midnight(day: date | None, later: int = 0) -> datetime | None:
    if day is None or day > date.max - timedelta(days=1):
        return None
    return datetime.combine(day + timedelta(days=later), time(0), UTC)
