"""Full Tilt text: one hand of Stud Hi or Stud H/L from its lines."""

from __future__ import annotations

import re

from msgspec.structs import replace

from domain.house_rules import FULLTILT
from services.readers.amounts import small_number
from services.readers.fulltilt_header import FirstLine, header_of, is_header
from services.readers.fulltilt_lines import CANCELLED, Lines
from services.readers.reader import Reader
from services.readers.record import OtherGame, Record
from services.readers.site_text import Layout, Numbered, dealt_in, opening, record_from
from services.readers.splitting import HandText

SITE = "Full Tilt"

LAYOUT = Layout(
    is_header=is_header,
    seat=re.compile(r"Seat (?P<seat>\d+): (?P<name>.+) \((?P<stack>[^()]+)\)(?:, is sitting out)?"),
    total=re.compile(r"Total pot .*?(?:\| Rake (?P<rake>[^|]+?)(?: ?\|.*)?)?"),
    listed=re.compile(r"Seat (\d+): "),
    cancelled=CANCELLED,
)

_BUTTON = re.compile(r"The button is in seat #(\d+)")


def record_of(hand: HandText) -> Record | OtherGame | None:
    """One hand's record; None for text before the first hand. Raises `Unreadable`."""
    lines = LAYOUT.lines_of(hand)
    if not lines:
        return None
    number, first = lines[0]
    told = header_of(first, number)
    return told if isinstance(told, OtherGame) else _record(told, *LAYOUT.cut(lines))


def _record(first: FirstLine, body: Numbered, summary: Numbered) -> Record:
    header = first.header
    exponent = header.money.exponent
    seats = LAYOUT.seats(body, exponent)
    lines = Lines(seats.names, exponent)
    facts = [fact for number, line in LAYOUT.acts(body) for fact in lines.facts(number, line)]
    LAYOUT.refuse_broken_off(summary, dealt_in(facts, seats))
    facts += [f for number, line in summary for f in lines.facts_of_summary(number, line)]
    button = next((m for _, line in opening(body) if (m := _BUTTON.fullmatch(line))), None)
    record = record_from(
        header,
        "fulltilt",
        SITE,
        table=first.table,
        dealer=small_number(button[1]) if button else None,
        seats=seats,
        facts=facts,
        rake=LAYOUT.rake(summary, exponent),
    )
    if first.ante is None:
        return record
    return replace(record, stakes=replace(record.stakes, ante=first.ante))


READER = Reader(
    name="fulltilt",
    title="Full Tilt text",
    house_rules=FULLTILT,
    recognises=is_header,
    split=LAYOUT.hands_of,
    record=record_of,
)
