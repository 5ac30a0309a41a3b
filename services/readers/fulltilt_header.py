"""The first line of a Full Tilt hand: number, table, stakes, game, time."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from domain.events import Money, TableRef
from domain.units import Chips
from services.readers.amounts import CENTS, currency_of, small_number
from services.readers.record import OtherGame, Unreadable
from services.readers.site_text import MOST_ECHOED, Header, amount_at
from services.readers.times import in_utc

_HEADER = re.compile(r"Full ?Tilt ?Poker(?:\.\w+)? (?:Game|Hand) #(\d{1,30}): *(.+)")
_STAKES = re.compile(r"(\S+?) ?/ ?(\S+)(?: Ante (\S+))?")
_STUD = re.compile(r"(No Limit|Pot Limit|Limit)?\s*(?:7 Card )?Stud (Hi|H/L|Hi/Lo)", re.I)
_OTHER = re.compile(
    r"Razz|Hold'?em|Omaha|Courchevel|Badugi|Draw\b|2-7|A-5|5 Card Stud|Irish|Card\b", re.I
)
_TIME = re.compile(r"(\d\d?:\d\d:\d\d) ([A-Za-z]+) - (\d{4}/\d\d?/\d\d?)")
_TOURNAMENT = re.compile(r"(.+ \(\d+\)), ((?:Table|Match) .+)")
_SEATS = re.compile(r" \((?:(\d+) max|heads up)?[^()]*\)$")
_USUAL_SEATS = 8


class FirstLine(NamedTuple):
    """A header, with the table and the ante it names."""

    header: Header
    table: TableRef
    ante: Chips | None


def is_header(line: str) -> bool:
    """Whether a hand starts with this line."""
    return _HEADER.fullmatch(line) is not None


def header_of(first: str, line: int) -> FirstLine | OtherGame:
    """The header of a stud hand, or the other game it names. Raises `Unreadable`."""
    match = _HEADER.fullmatch(first)
    assert match, "only headers are read as such"
    parts = match[2].split(" - ")
    for place, part in enumerate(parts):
        stud = _STUD.fullmatch(part)
        if stud:
            if (stud[1] or "Limit").lower() != "limit":
                raise Unreadable(line, f"{part}: only limit stud is one of the three games")
            return _first_line(line, match[1], parts, place)
    return _other_game(parts, line)


def _other_game(parts: list[str], line: int) -> OtherGame:
    for part in parts[1:]:
        other = _OTHER.search(part)
        if other:
            return OtherGame(part)
    named = " - ".join(parts)[:MOST_ECHOED]
    raise Unreadable(line, f"the header names no game that is known: '{named}'")


def _first_line(line: int, number: str, parts: list[str], place: int) -> FirstLine:
    """The parts before the game are a name that may hold ` - `, then the stakes."""
    if "(partial)" in parts[-1]:
        raise Unreadable(line, "the record is marked as partial: it does not hold the whole hand")
    stakes = next((i for i in range(place - 1, 0, -1) if _STAKES.fullmatch(parts[i])), None)
    match = _STAKES.fullmatch(parts[stakes]) if stakes is not None else None
    if not match:
        raise Unreadable(line, f"the header names no stakes: '{parts[0][:MOST_ECHOED]}'")
    name = " - ".join(parts[:stakes])
    money = _money(name, match[1])
    small, big = (amount_at(bet, money.exponent, line) for bet in match.groups()[:2])
    if not 0 < small <= big:
        raise Unreadable(line, f"'{match[0][:MOST_ECHOED]}' are no stakes")
    header = Header(
        line=line,
        number=number,
        game="stud" if parts[place].lower().endswith("stud hi") else "stud8",
        small_bet=small,
        big_bet=big,
        money=money,
        played_at=_played_at(" - ".join(parts[place + 1 :])),
    )
    ante = amount_at(match[3], money.exponent, line) if match[3] else None
    return FirstLine(header, _table(name), ante)


def _money(name: str, bet: str) -> Money:
    """Tournaments are named by their number in brackets; a bet without a sign is play money."""
    currency = currency_of(bet)
    if _TOURNAMENT.fullmatch(name):
        return Money(kind="tournament", currency="chips", exponent=0)
    if currency is None:
        return Money(kind="play", currency="chips", exponent=0)
    return Money(kind="real", currency=currency, exponent=CENTS)


def _table(name: str) -> TableRef:
    """`Table Aquila (6 max)`; of a tournament its name, number and table together."""
    seats = _SEATS.search(name)
    bare = _SEATS.sub("", name)
    most = small_number(seats[1]) if seats and seats[1] else _USUAL_SEATS
    if not _TOURNAMENT.fullmatch(name):
        bare = bare.removeprefix("Table ")
        return TableRef(id=bare, name=bare, max_seats=most)
    return TableRef(id=name, name=name, max_seats=_USUAL_SEATS)


def _played_at(times: str) -> datetime | None:
    """The time in brackets where there is one: always Eastern, whatever the player's own."""
    printed = _TIME.findall(times)
    if not printed:
        return None
    clock, zone, day = printed[-1]
    try:
        local = datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M:%S")
    except ValueError:
        return None
    return in_utc(local, zone)
