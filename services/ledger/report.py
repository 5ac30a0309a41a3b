"""The report of a gaming day as the log stood at a position: what a close takes the digest of.

It follows from the log alone, so anybody who has it comes to the same bytes, however much came
after that position.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace
from psycopg import Connection

from domain.closing import AccountTotal
from domain.events import decode
from projections.rollups import ROLLUPS, TableDayRow
from projections.shape import Told
from services.ledger.accounts import Balance, asked
from services.store.port import EventStore

TOPICS = (
    "rake_taken.v1", "pot_awarded.v1", "hand_completed.v1", "hand_voided.v1", "award_corrected.v1",
    "adjustment_posted.v1", "player_seated.v1", "chips_added.v1", "player_left.v1",
)  # fmt: skip
"""The facts that post anything."""

Account = tuple[str, str, str, int]
"""An account's kind, and what it is kept in: kind of money, currency, exponent."""

Amounts = dict[Account, int]


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day, and the part of the log that is booked to it.

    It reaches up to `position`; what came after `previous` for earlier days is booked to this one.
    `previous` is None before any day was closed: then nothing is late.
    """

    day: date
    time_zone: str
    day_start: str
    since: datetime
    until: datetime
    position: int
    previous: int | None

    @property
    def own(self) -> dict[str, Any]:
        """Which hands and facts are the day's own."""
        return {"since": self.since, "until": self.until, "position": self.position}


class TableRake(msgspec.Struct, frozen=True, kw_only=True):
    """Real-money hands of the day at a table: how many, what was matched in them, and the rake."""

    table_id: str
    table_name: str
    game: str
    small_bet: int
    big_bet: int
    currency: str
    exponent: int
    hands: int
    pot: int
    rake: int


class LateEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What a fact moved on an account for a day that was closed when it came.

    `happened_at` is the moment it is of, `stream` and `n` the fact.
    """

    happened_at: datetime
    stream: UUID
    n: int
    hand: UUID | None
    number: str | None
    memo: str
    account: str
    money_kind: str
    currency: str
    exponent: int
    amount: int


class DayReport(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to a day: rake by table, every kind of account, and what came late."""

    span: Span
    rake: tuple[TableRake, ...]
    accounts: tuple[AccountTotal, ...]
    late: tuple[LateEntry, ...]

    @property
    def hands(self) -> int:
        """Finished real-money hands of the day."""
        return sum(line.hands for line in self.rake)


_canonical = msgspec.json.Encoder(order="sorted").encode


def canonical(report: DayReport) -> bytes:
    """The report as RFC 8785 JSON: sorted names, integers, text."""
    return _canonical(report)


def digest(report: DayReport) -> str:
    """SHA-256 of the canonical report, in hexadecimal."""
    return hashlib.sha256(canonical(report)).hexdigest()


def day_report(
    connection: Connection,
    store: EventStore,
    span: Span,
    opening: Iterable[AccountTotal] | None = None,
) -> DayReport:
    """The report of a day. `opening` is what the day before was closed with, if it was.

    Without it everything before the day is added up, which takes as long as there are hands.
    """
    late = () if span.previous is None else late_entries(connection, span)
    before = (
        _brought_forward(connection, span)
        if opening is None
        else {_account(total): total.closing for total in opening}
    )
    moved = _amounts(asked(connection, "movements", span.own, Balance))
    return DayReport(
        span=span,
        rake=tuple(_raked(connection, store, span)),
        accounts=tuple(_totals(before, moved, _late_amounts(late))),
        late=late,
    )


def late_entries(connection: Connection, span: Span) -> tuple[LateEntry, ...]:
    """What came after `previous` for days before this one."""
    return entries_between(connection, span.previous or 0, span.position, "-infinity", span.since)


def entries_between(
    connection: Connection,
    previous: int,
    position: int,
    since: datetime | str,
    until: datetime | str,
) -> tuple[LateEntry, ...]:
    """What came into the log after one position, up to another, for a time."""
    asking = {
        "previous": previous,
        "position": position,
        "since": since,
        "until": until,
        "topics": list(TOPICS),
    }
    return asked(connection, "late", asking, LateEntry)


def _brought_forward(connection: Connection, span: Span) -> Amounts:
    before = span.own | {"since": "-infinity", "until": span.since}
    return _amounts(asked(connection, "movements", before, Balance))


def _amounts(balances: Iterable[Balance]) -> Amounts:
    return {(b.account, b.money_kind, b.currency, b.exponent): b.balance for b in balances}


def _late_amounts(late: Iterable[LateEntry]) -> Amounts:
    amounts: Counter[Account] = Counter()
    for entry in late:
        amounts[
            kind_of_account(entry.account), entry.money_kind, entry.currency, entry.exponent
        ] += entry.amount
    return amounts


def kind_of_account(account: str) -> str:
    """Players' accounts of a sort, and pots, have one name together; as the queries have it.

    >>> kind_of_account("Player:anna:Table"), kind_of_account("House:Rake")
    ('Player:Table', 'House:Rake')
    """
    match account.split(":"):
        case ["Player", *_, sort]:
            return f"Player:{sort}"
        case ["Pot", *_]:
            return "Pot"
    return account


def _account(total: AccountTotal) -> Account:
    return total.account, total.money_kind, total.currency, total.exponent


def _totals(before: Amounts, moved: Amounts, late: Amounts) -> Iterator[AccountTotal]:
    """A line for each account on which there is or was anything; each kind of money balances."""
    sums: Counter[tuple[str, str, int]] = Counter()
    for account in sorted(before.keys() | moved.keys() | late.keys()):
        name, money_kind, currency, exponent = account
        opening, movements = before.get(account, 0), moved.get(account, 0)
        belated = late.get(account, 0)
        closing = opening + movements + belated
        sums[money_kind, currency, exponent] += closing
        if opening or movements or belated:
            yield AccountTotal(
                account=name,
                money_kind=money_kind,
                currency=currency,
                exponent=exponent,
                opening=opening,
                movements=movements,
                late=belated,
                closing=closing,
            )
    assert not any(sums.values()), "every book adds up to zero"


def _raked(connection: Connection, store: EventStore, span: Span) -> Iterator[TableRake]:
    """Rake by table. Hands that went on after the position are told up to it, from their facts."""
    gone_on = [row.hand for row in asked(connection, "gone_on", span.own, _Hand)]
    lines = {
        _table(line): line
        for line in asked(connection, "raked", span.own | {"gone_on": gone_on}, TableRake)
    }
    for line in _as_they_stood(store, gone_on, span.position):
        known = lines.get(_table(line))
        lines[_table(line)] = line if known is None else _together(known, line)
    for _, line in sorted(lines.items()):
        if line.hands or line.pot or line.rake:
            yield line


class _Hand(msgspec.Struct):
    hand: UUID


def _table(line: TableRake) -> tuple[Any, ...]:
    return msgspec.structs.astuple(line)[:-3]


def _together(one: TableRake, other: TableRake) -> TableRake:
    return replace(
        one, hands=one.hands + other.hands, pot=one.pot + other.pot, rake=one.rake + other.rake
    )


def _as_they_stood(store: EventStore, hands: Iterable[UUID], position: int) -> Iterator[TableRake]:
    """What each of these hands adds to its table's rake, as the log stood at the position."""
    for hand, facts in store.load_many(list(hands)).items():
        row = None
        for fact in facts:
            if fact.position <= position:
                row = ROLLUPS.project(row, decode(fact.state))
        if row is None:
            continue
        for added in ROLLUPS.adds(row, Told(hand, facts[0].recorded_at)):
            if isinstance(added, TableDayRow):
                told = msgspec.structs.asdict(added)
                del told["day"]
                yield TableRake(**told)
