"""Closing gaming days: the fact that a day's books are done, its stream, and when one may be.

A closed day is never opened again. What comes later for one of its hands is booked to the day that
is open then, with the hand's day as its value date.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

import msgspec

from domain.decoding import decoder
from domain.errors import StudError
from domain.units import ChipsMoved

DAYS = UUID("5a9d2f1c-7b43-5e0a-9c1e-3d6f8b2a4c70")
"""The stream of a room's closed days."""

DAY = timedelta(days=1)


class CannotClose(StudError):
    """The day stays open; `hands` are those that keep it open, where it is they."""

    def __init__(self, message: str, hands: tuple[UUID, ...] = ()) -> None:
        self.hands = hands
        super().__init__(message)


class AccountTotal(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of account over a day, in minor units: opening + movements + late = closing.

    `movements` are of the day's own hands and tables, `late` of days closed before. Players'
    accounts are taken together, and so are pots: `Player:Table`, `Player:Adjustment`, `Pot`.
    """

    account: str
    money_kind: str
    currency: str
    exponent: int
    opening: ChipsMoved
    movements: ChipsMoved
    late: ChipsMoved
    closing: ChipsMoved


class DayClosed(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True,
    tag_field="type", tag="day_closed.v1",
):  # fmt: skip
    """A gaming day from `since` to `until` is done, as far as the log went up to `position`.

    `day_start` is when days begin on the clocks of `time_zone`. `previous` is the position of the
    close before, null in the first. `report_sha256` is of the day's report as canonical JSON.
    """

    at: datetime | None = None
    by: str
    day: date
    time_zone: str
    day_start: str
    since: datetime
    until: datetime
    position: int
    previous: int | None
    hands: int
    totals: tuple[AccountTotal, ...]
    report_sha256: str


TAG = str(DayClosed.__struct_config__.tag)

encode = msgspec.json.Encoder().encode
"""Event to its stored JSON bytes."""

decode = decoder(DayClosed)
"""Stored JSON bytes to the event; unknown fields are tolerated, wrong values are not."""


def closed_as(closed: Sequence[DayClosed], day: date) -> DayClosed | None:
    """The close of this day, if it is closed."""
    return next((one for one in closed if one.day == day), None)


def next_day(closed: Sequence[DayClosed]) -> date | None:
    """The day that is closed next; None if none was yet: then it may be any."""
    return closed[-1].day + DAY if closed else None


def require_closable(
    closed: Sequence[DayClosed], day: date, *, until: datetime, now: datetime
) -> None:
    """Raise `CannotClose` unless the day is over and the one before it is closed.

    The first day a room closes may be any: what was before is brought forward. A day before that
    one is in its opening balance and is never closed by itself.
    """
    if now < until:
        raise CannotClose(f"{day} is not over: it ends at {until:%Y-%m-%d %H:%M} UTC")
    due = next_day(closed)
    if due is None or day == due:
        return
    if day < due:
        raise CannotClose(f"{day} is brought forward in {closed[0].day}, the first day closed")
    raise CannotClose(f"{due} is still open: days are closed in order")


def require_same_days(closed: Sequence[DayClosed], time_zone: str, day_start: str) -> None:
    """Raise `CannotClose` for days other than those closed before: none may overlap."""
    if not closed:
        return
    known = closed[-1]
    if (known.time_zone, known.day_start) != (time_zone, day_start):
        raise CannotClose(
            f"the days of this room begin at {known.day_start} {known.time_zone}, not at"
            f" {day_start} {time_zone}: no moment may be in two days, or in none"
        )


def require_settled(in_progress: Sequence[tuple[UUID, str]]) -> None:
    """Raise `CannotClose` naming the hands of the day that are still being played."""
    if in_progress:
        numbers = ", ".join(number for _, number in in_progress)
        raise CannotClose(
            f"hands of this day are still in progress: {numbers}",
            tuple(hand for hand, _ in in_progress),
        )
