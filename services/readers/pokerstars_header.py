"""The first line of a PokerStars hand: number, game, stakes, kind of money, time."""

from __future__ import annotations

import re
from datetime import datetime

from domain.events import Money
from domain.units import Chips
from services.readers.amounts import CENTS, NotAnAmount, currency_of, minor_units
from services.readers.record import OtherGame, Unreadable
from services.readers.site_text import MOST_ECHOED, Header
from services.readers.times import in_utc

_HEADER = re.compile(r"PokerStars(?:\.\w+)?(?: [A-Z]\w*)*? (?:Hand|Game) #(\d{1,30}): *(.+)")
_CLUB = re.compile(r"\{.*\} *")
_TOURNAMENT = re.compile(r"Tournament #\d+,")
_STUD = re.compile(r"\b7 Card Stud( H(?:i)?[/-]L(?:o)?)?\b(?: (No Limit|Pot Limit|Limit))?", re.I)
_OTHER = re.compile(
    r"Razz|Hold'?em|Omaha|Courchevel|Badugi|Badacey|Baducey|Draw\b|2-7|A-5|5 Card Stud|Swap", re.I
)
_BRACKETS = re.compile(r"\(([^()]*)\)")
_TIME = re.compile(r"(\d{4}/\d\d?/\d\d?)(?: -)? (\d\d?:\d\d:\d\d) \(?([A-Za-z]+)\)?")
_FROM_TIME = re.compile(r" - \d{4}/\d\d?/\d\d? .*$")


def is_header(line: str) -> bool:
    """Whether a hand starts with this line."""
    return _HEADER.fullmatch(line) is not None


def header_of(first: str, line: int) -> Header | OtherGame:
    """The header of a stud hand, or the other game it names. Raises `Unreadable`."""
    match = _HEADER.fullmatch(first)
    assert match, "only headers are read as such"
    number, rest = match[1], _CLUB.sub("", match[2], count=1)
    what = _FROM_TIME.sub("", rest)
    stud = _STUD.search(what)
    if not stud:
        return _other_game(what, line)
    if (stud[2] or "").lower() != "limit":
        raise Unreadable(line, f"{stud[0]}: only limit stud is one of the three games")
    small, big, money = _stakes(what, line)
    return Header(
        line=line,
        number=number,
        game="stud8" if stud[1] else "stud",
        small_bet=small,
        big_bet=big,
        money=money,
        played_at=_played_at(rest[len(what) :]),
    )


def _other_game(what: str, line: int) -> OtherGame:
    other = _OTHER.search(what)
    if not other:
        raise Unreadable(line, f"the header names no game that is known: '{what[:MOST_ECHOED]}'")
    return OtherGame(other[0])


def _stakes(what: str, line: int) -> tuple[Chips, Chips, Money]:
    """The two bets in the last brackets, where a mixed game names the game first."""
    bracketed = _BRACKETS.findall(what)
    printed = bracketed[-1].rpartition(", ")[2] if bracketed else ""
    money = _money(what, printed)
    try:
        low, high = printed.split("/")
        small, big = (minor_units(bet, money.exponent) for bet in (low, high))
    except (NotAnAmount, ValueError):
        raise Unreadable(line, f"the header names no stakes: '{what[:MOST_ECHOED]}'") from None
    if not 0 < small <= big:
        raise Unreadable(line, f"'{printed}' are no stakes")
    return small, big, money


def _money(what: str, printed: str) -> Money:
    currency = currency_of(printed)
    if _TOURNAMENT.match(what):
        return Money(kind="tournament", currency="chips", exponent=0)
    if currency is None:
        return Money(kind="play", currency="chips", exponent=0)
    return Money(kind="real", currency=currency, exponent=CENTS)


def _played_at(times: str) -> datetime | None:
    """The time in brackets where there is one: always Eastern, whatever the player's own."""
    printed = _TIME.findall(times)
    if not printed:
        return None
    day, clock, zone = printed[-1]
    try:
        local = datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M:%S")
    except ValueError:
        return None
    return in_utc(local, zone)
