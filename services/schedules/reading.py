"""A rake schedule as people write it: a TOML file with amounts as they are said, `20.00`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec

from domain.publishing import BadSchedule, require_publishable
from domain.schedules import Band, Row, Schedule, StakesRange, Step
from domain.units import MOST_CHIPS, MOST_DECIMALS, Chips
from services.errors import ServiceError

MOST_BYTES = 1 << 20
_AMOUNT = re.compile(r"(\d{1,16})(?:\.(\d{1,15}))?")
_STAKES = re.compile(r"([0-9.]+)/([0-9.]+)(?: to ([0-9.]+)/([0-9.]+))?")
_PLAYERS = re.compile(r"(\d{1,2})(?:-(\d{1,2}))?")


class BadScheduleFile(ServiceError):
    """The file is no schedule that can be published; the sentence says what is wrong where."""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    pass


class _StepText(_File):
    pot: str | int
    rake: str | int


class _RowText(_File):
    players: str | int
    steps: list[_StepText]


class _BandText(_File):
    name: str
    stakes: list[str]
    rows: list[_RowText]


class _ScheduleText(_File):
    id: str
    version: int
    currency: str
    bands: list[_BandText]
    exponent: int = 2


def read_schedule(path: Path) -> Schedule:
    """The schedule of a TOML file, sound enough to be published. Raises `BadScheduleFile`."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as refused:
        raise BadScheduleFile(f"{path} cannot be read: {refused.strerror}") from None
    if len(text) > MOST_BYTES:
        raise BadScheduleFile(f"{path} is too large to be a schedule")
    try:
        return schedule_of(text.decode())
    except (UnicodeDecodeError, RecursionError):
        raise BadScheduleFile(f"{path} is no text in TOML") from None
    except (BadScheduleFile, BadSchedule) as wrong:
        raise BadScheduleFile(f"{path}: {wrong}") from None


def schedule_of(text: str) -> Schedule:
    """The schedule a TOML text says. Raises `BadScheduleFile`, and `BadSchedule` as published."""
    try:
        # A figure such as 20.00 is taken as it is written, and is never a float.
        told = msgspec.convert(tomllib.loads(text, parse_float=str), _ScheduleText)
    except tomllib.TOMLDecodeError as wrong:
        raise BadScheduleFile(f"this is no TOML: {wrong}") from None
    except msgspec.ValidationError as wrong:
        raise BadScheduleFile(str(wrong)) from None
    except ValueError:  # The text can be read, but Python makes no number of so many digits.
        raise BadScheduleFile("a number has too many digits") from None
    if not 0 <= told.exponent <= MOST_DECIMALS:
        raise BadScheduleFile(f"exponent {told.exponent}: possible are 0 to {MOST_DECIMALS}")
    schedule = Schedule(
        id=told.id,
        version=told.version,
        currency=told.currency,
        exponent=told.exponent,
        bands=tuple(_band(band, told.exponent) for band in told.bands),
    )
    require_publishable(schedule)
    return schedule


def _band(told: _BandText, exponent: int) -> Band:
    return Band(
        told.name,
        tuple(_stakes(text, exponent) for text in told.stakes),
        tuple(_row(row, exponent) for row in told.rows),
    )


def _stakes(text: str, exponent: int) -> StakesRange:
    match = _STAKES.fullmatch(text)
    if match is None:
        raise BadScheduleFile(f"stakes '{text}': write 5/10, or 2/4 to 10/20")
    low_small, low_big, high_small, high_big = (
        None if bet is None else _amount(bet, exponent) for bet in match.groups()
    )
    assert low_small is not None
    assert low_big is not None
    if high_small is None or high_big is None:
        return StakesRange((low_small, low_big), (low_small, low_big))
    return StakesRange((low_small, low_big), (high_small, high_big))


def _row(told: _RowText, exponent: int) -> Row:
    match = _PLAYERS.fullmatch(str(told.players))
    if match is None:
        raise BadScheduleFile(f"players '{told.players}': write 2-3, or 2")
    steps = tuple(
        Step(_amount(step.pot, exponent), _amount(step.rake, exponent)) for step in told.steps
    )
    return Row(int(match[1]), int(match[2] or match[1]), steps)


def _amount(told: str | int, exponent: int) -> Chips:
    """Whole units and decimals in minor units: `20` and `20.00` are twenty dollars."""
    match = _AMOUNT.fullmatch(str(told))
    decimals = (match and match[2]) or ""
    if match is None or len(decimals) > exponent:
        raise BadScheduleFile(f"'{told}' is no amount with at most {exponent} decimals")
    amount = int(match[1] + decimals.ljust(exponent, "0"))
    if amount > MOST_CHIPS:
        raise BadScheduleFile(f"'{told}' is more than any pot can hold")
    return amount
