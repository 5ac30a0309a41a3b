"""Bovada, Bodog and Ignition text: 7 Card and 7 Card Hi/Lo, every hole card printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from domain.events import Money, TableRef
from domain.house_rules import BOVADA
from domain.units import Half, Seat
from services.readers.amounts import CENTS, currency_of, small_number
from services.readers.bovada_lines import CANCELLED, Lines
from services.readers.reader import Reader
from services.readers.record import Fact, OtherGame, Record, Unreadable
from services.readers.site_text import (
    MOST_ECHOED,
    Header,
    Layout,
    Numbered,
    amount_at,
    dealt_in,
    opening,
    record_from,
)
from services.readers.splitting import HandText

SITE = "Bovada"

_HEADER = re.compile(
    r"(?:Bovada|Bodog(?:\.\w+|88| \w+)?|Ignition) Hand #C?(?P<number>\d{1,30}):? +(?P<what>.+?)"
    r"(?: - (?P<day>\d{4}-\d\d?-\d\d?)[ -]+(?P<clock>\d\d?:\d\d:\d\d).*)?"
)
_STUD = re.compile(r"\b7 ?CARD(?P<split>(?:_| )(?:HL|HiLo|Hi/Lo))?(?:ZonePoker)?\b", re.I)
_OTHER = re.compile(r"HOLDEM|OMAHA|RAZZ|\d ?CARD", re.I)
_TABLE = re.compile(r"\bTBL#(\S+?),?(?: |$)|\bZone Poker ID#(\S+)")
_TOURNAMENT = re.compile(r"\bTournament #(\S+)")
_UNLIMITED = re.compile(r"\b(No Limit|Pot Limit)\b", re.I)
_MOST_SEATS = 8
_HALF = re.compile(r"\b(?P<half>HI|LOW?) (?P<amount>[$€£]?\d[\d.,]*)")


def is_header(line: str) -> bool:
    """Whether a hand starts with this line."""
    return _HEADER.fullmatch(line) is not None


LAYOUT = Layout(
    is_header=is_header,
    seat=re.compile(
        r"Seat[+ ](?P<seat>\d+) ?(?:\[ME\])? ?: (?:(?P<name>[^()]+?) *(?:\[ME\] *)?\()?"
        r"(?P<stack>\S+(?: \d+)*) in chips\)?"
    ),
    nameless="Seat+{seat}",
    total=re.compile(r"Total Pot ?\([^()]*\)(?: \| Rake ?\((?P<rake>[^()]+)\))?(?: .*)?", re.I),
    listed=re.compile(r"Seat[ +](\d+):"),
    cancelled=CANCELLED,
)


def record_of(hand: HandText) -> Record | OtherGame | None:
    """One hand's record; None for text before the first hand. Raises `Unreadable`."""
    lines = LAYOUT.lines_of(hand)
    if not lines:
        return None
    number, first = lines[0]
    match = _HEADER.fullmatch(first)
    assert match, "a hand's first line is its header"
    stud = _STUD.search(match["what"])
    if not stud:
        return _other_game(match["what"], number)
    unlimited = _UNLIMITED.search(match["what"])
    if unlimited:
        raise Unreadable(number, f"{unlimited[0]}: only limit stud is one of the three games")
    return _record(number, match, *LAYOUT.cut(lines))


def _other_game(what: str, line: int) -> OtherGame:
    other = _OTHER.search(what)
    if not other:
        raise Unreadable(line, f"the header names no game that is known: '{what[:MOST_ECHOED]}'")
    return OtherGame(other[0])


def _record(line: int, first: re.Match[str], body: Numbered, summary: Numbered) -> Record:
    money = _money(first["what"], body)
    seats = LAYOUT.seats(body, money.exponent)
    lines = Lines(seats.names, money.exponent)
    facts = [fact for number, said in LAYOUT.acts(body) for fact in lines.facts(number, said)]
    LAYOUT.refuse_broken_off(summary, dealt_in(facts, seats))
    small, big = lines.bets.stakes(facts)
    split = bool((_STUD.search(first["what"]) or {"split": None})["split"])
    header = Header(
        line=line,
        number=first["number"],
        game="stud8" if split else "stud",
        small_bet=small,
        big_bet=big,
        money=money,
        played_at=_played_at(first),
    )
    return record_from(
        header,
        "bovada",
        SITE,
        table=_table(first["what"]),
        seats=seats,
        facts=_with_halves(facts, summary, money.exponent),
        rake=LAYOUT.rake(summary, money.exponent),
    )


def _money(what: str, body: Numbered) -> Money:
    """Only amounts say which money it is: a sign is real money, none is play money."""
    if _TOURNAMENT.search(what):
        return Money(kind="tournament", currency="chips", exponent=0)
    matches = (LAYOUT.seat.fullmatch(line) for _, line in opening(body))
    currency = next((currency_of(match["stack"]) for match in matches if match), None)
    if currency is None:
        return Money(kind="play", currency="chips", exponent=0)
    return Money(kind="real", currency=currency, exponent=CENTS)


def _table(what: str) -> TableRef:
    """A table's number; of a tournament the tournament's too."""
    table, tournament = _TABLE.search(what), _TOURNAMENT.search(what)
    name = (table[1] or table[2]) if table else ""
    if tournament:
        name = f"Tournament {tournament[1]} table {name}"
    return TableRef(id=name, name=name, max_seats=_MOST_SEATS)


def _played_at(first: re.Match[str]) -> datetime | None:
    """The header's time, read as UTC: it names no zone."""
    if not first["day"]:
        return None
    try:
        printed = f"{first['day']} {first['clock']}"
        return datetime.strptime(printed, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _with_halves(facts: Sequence[Fact], summary: Numbered, exponent: int) -> Sequence[Fact]:
    """The body says what a seat got, only the summary for which half; where both agree, it does.

    With side pots the summary adds up what the body tells apart.
    """
    halves = [half for number, line in summary for half in _halves(number, line, exponent)]
    paid = [fact for fact in facts if fact.kind == "collected"]
    if not halves or any(fact.pot for fact in paid) or _sums(halves) != _sums(paid):
        return facts
    return [*(fact for fact in facts if fact.kind != "collected"), *halves]


def _halves(number: int, line: str, exponent: int) -> list[Fact]:
    listed = LAYOUT.listed.match(line)
    if not listed:
        return []
    seat = small_number(listed[1])
    found = [(m["half"].upper(), m["amount"]) for m in _HALF.finditer(line)]
    return [
        Fact(number, "collected", seat, amount_at(amount, exponent, number), half=_half(which))
        for which, amount in found
    ]


def _half(which: str) -> Half:
    return "high" if which == "HI" else "low"


def _sums(facts: Sequence[Fact]) -> dict[Seat, int]:
    sums: dict[Seat, int] = {}
    for fact in facts:
        sums[fact.seat] = sums.get(fact.seat, 0) + (fact.amount or 0)
    return sums


READER = Reader(
    name="bovada",
    title="Bovada, Bodog and Ignition text",
    house_rules=BOVADA,
    recognises=is_header,
    split=LAYOUT.hands_of,
    record=record_of,
)
