"""PokerStars text: one hand of 7 Card Stud or 7 Card Stud Hi/Lo from its lines."""

from __future__ import annotations

import re

from domain.events import TableRef
from domain.house_rules import POKERSTARS
from domain.units import Seat
from services.readers.amounts import small_number
from services.readers.pokerstars_header import header_of, is_header
from services.readers.pokerstars_lines import CANCELLED, Lines
from services.readers.reader import Reader
from services.readers.record import OtherGame, Record, Unreadable
from services.readers.site_text import Header, Layout, Numbered, dealt_in, opening, record_from
from services.readers.splitting import HandText

SITE = "PokerStars"

LAYOUT = Layout(
    is_header=is_header,
    seat=re.compile(
        r"Seat (?P<seat>\d+): (?P<name>.+) \((?P<stack>[^()]+?) in chips(?:, [^()]*)?\)(?: .*)?"
    ),
    total=re.compile(r"Total pot .*?\| Rake (?P<rake>[^|]+?)(?: ?\|.*)?"),
    listed=re.compile(r"Seat (\d+): "),
    cancelled=CANCELLED,
)

_TABLE = re.compile(r"Table '(.*)'(?: (\d+)-max)?(.*)")
_BUTTON = re.compile(r".*\bSeat #(\d+) is the button")
_USUAL_SEATS = 8


def record_of(hand: HandText) -> Record | OtherGame | None:
    """One hand's record; None for text before the first hand. Raises `Unreadable`."""
    lines = LAYOUT.lines_of(hand)
    if not lines:
        return None
    number, first = lines[0]
    header = header_of(first, number)
    return header if isinstance(header, OtherGame) else _record(header, *LAYOUT.cut(lines))


def _record(header: Header, body: Numbered, summary: Numbered) -> Record:
    exponent = header.money.exponent
    seats = LAYOUT.seats(body, exponent)
    table, dealer = _table(header, opening(body))
    lines = Lines(seats.names, exponent)
    facts = [fact for number, line in LAYOUT.acts(body) for fact in lines.facts(number, line)]
    LAYOUT.refuse_broken_off(summary, dealt_in(facts, seats))
    facts += [f for number, line in summary for f in lines.facts_of_summary(number, line)]
    return record_from(
        header,
        "pokerstars",
        SITE,
        table=table,
        dealer=dealer,
        seats=seats,
        facts=facts,
        rake=LAYOUT.rake(summary, exponent),
    )


def _table(header: Header, before: Numbered) -> tuple[TableRef, Seat | None]:
    """The table and the button's seat; cash stud prints no button."""
    for _, line in before:
        match = _TABLE.fullmatch(line)
        if match:
            button = _BUTTON.match(match[3])
            most = small_number(match[2]) if match[2] else _USUAL_SEATS
            table = TableRef(id=match[1], name=match[1], max_seats=most)
            return table, small_number(button[1]) if button else None
    raise Unreadable(header.line, "the hand names no table")


READER = Reader(
    name="pokerstars",
    title="PokerStars text",
    house_rules=POKERSTARS,
    recognises=is_header,
    split=LAYOUT.hands_of,
    record=record_of,
)
