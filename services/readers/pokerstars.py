"""PokerStars text: one hand of 7 Card Stud or 7 Card Stud Hi/Lo from its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from domain.events import SeatTaken, Stakes, TableRef
from domain.house_rules import POKERSTARS
from domain.units import Chips, Seat
from services.readers.amounts import NotAnAmount, minor_units
from services.readers.names import Names
from services.readers.pokerstars_header import Header, header_of, is_header
from services.readers.pokerstars_lines import Lines
from services.readers.reader import Reader
from services.readers.record import MOST_SEATS, Fact, OtherGame, Record, Unreadable
from services.readers.splitting import HandText, split

SITE = "PokerStars"

Numbered = Sequence[tuple[int, str]]

_TABLE = re.compile(r"Table '(.*)'(?: (\d+)-max)?(.*)")
_BUTTON = re.compile(r".*\bSeat #(\d+) is the button")
_SEAT = re.compile(r"Seat (\d+): (.+) \(([^()]+?) in chips(?:, [^()]*)?\)(?: .*)?")
_LISTED = re.compile(r"Seat (\d+): ")
_RAKE = re.compile(r"Total pot .*?\| Rake ([^|]+?)(?: ?\|.*)?")
_LOOKS_LIKE_A_HEADER = re.compile(r"[^*\[\]]{0,60}#\d{4,}.*")
_USUAL_SEATS = 8
_TAKES_PART = frozenset({"ante", "dealt", "bring_in", "wager", "call", "check", "fold"})


def starts(line: str, after_blank: bool) -> bool:
    """Whether a hand begins here: by its header, or by one that is worded anew, after a gap."""
    return is_header(line) or (after_blank and bool(_LOOKS_LIKE_A_HEADER.fullmatch(line)))


def hands_of(lines: Iterable[str]) -> Iterator[HandText]:
    """The hands of a file, one at a time."""
    return split(lines, starts)


def record_of(hand: HandText) -> Record | OtherGame | None:
    """One hand's record; None for text before the first hand. Raises `Unreadable`."""
    lines = [(number, line) for number, line in hand.lines() if line]
    if not lines or not is_header(lines[0][1]):
        _refuse_headless(lines)
        return None
    number, first = lines[0]
    header = header_of(first, number)
    if isinstance(header, OtherGame):
        return header
    body, summary = _cut(lines[1:])
    return _record(header, body, summary)


def _refuse_headless(lines: Numbered) -> None:
    """A preface is nothing; lines of a hand without a known header are an error."""
    if any(line.startswith("*** ") or _SEAT.fullmatch(line) for _, line in lines):
        number, first = lines[0]
        raise Unreadable(number, f"a hand without a header that is known: '{first[:120]}'")


def _cut(lines: Numbered) -> tuple[Numbered, Numbered]:
    for place, (_, line) in enumerate(lines):
        if line == "*** SUMMARY ***" and any(_RAKE.fullmatch(later) for _, later in lines[place:]):
            return lines[:place], lines[place + 1 :]
    raise Unreadable(lines[-1][0] if lines else 1, "the hand breaks off before its summary")


def _record(header: Header, body: Numbered, summary: Numbered) -> Record:
    opening = next((i for i, (_, line) in enumerate(body) if line.startswith("***")), len(body))
    exponent = header.money.exponent
    seats = _seats(body[:opening], exponent)
    if not seats:
        raise Unreadable(header.line, "the hand has no seat list")
    table, dealer = _table(header, body[:opening])
    lines = Lines(Names({name: seat for seat, (name, _) in seats.items()}), exponent)
    said = ((number, line) for number, line in body if not _SEAT.fullmatch(line))
    facts = [fact for number, line in said for fact in lines.facts(number, line)]
    dealt_in = {fact.seat for fact in facts if fact.kind in _TAKES_PART}
    facts += [f for number, line in summary for f in lines.facts_of_summary(number, line)]
    _refuse_broken_off(summary, dealt_in)
    return Record(
        line=header.line,
        format="pokerstars",
        site=SITE,
        number=header.number,
        identity=header.number,
        game=header.game,
        stakes=_stakes(header, facts),
        money=header.money,
        table=table,
        dealer=dealer,
        seats=tuple(
            SeatTaken(seat=seat, player=name, stack=stack)
            for seat, (name, stack) in sorted(seats.items())
            if seat in dealt_in
        ),
        played_at=header.played_at,
        facts=tuple(fact for fact in facts if fact.seat in dealt_in or not fact.seat),
        rake=_rake(summary, exponent),
    )


def _refuse_broken_off(summary: Numbered, dealt_in: set[Seat]) -> None:
    """A summary that lists seats lists everyone dealt in."""
    listed = {int(match[1]) for _, line in summary if (match := _LISTED.match(line))}
    if listed and not dealt_in <= listed:
        raise Unreadable(summary[-1][0], "the hand breaks off in its summary")


def _table(header: Header, opening: Numbered) -> tuple[TableRef, Seat | None]:
    """The table and the button's seat; cash stud prints no button."""
    for _, line in opening:
        match = _TABLE.fullmatch(line)
        if match:
            button = _BUTTON.match(match[3])
            most = int(match[2]) if match[2] else _USUAL_SEATS
            table = TableRef(id=match[1], name=match[1], max_seats=most)
            return table, int(button[1]) if button else None
    raise Unreadable(header.line, "the hand names no table")


def _seats(opening: Numbered, exponent: int) -> dict[Seat, tuple[str, Chips]]:
    """Names and stacks by seat, as printed before the antes."""
    seats: dict[Seat, tuple[str, Chips]] = {}
    for number, line in opening:
        match = _SEAT.fullmatch(line)
        if match:
            seat, name = int(match[1]), match[2]
            if seat in seats or any(name == other for other, _ in seats.values()):
                raise Unreadable(number, "the seat list names a seat or a player twice")
            if not 1 <= seat <= MOST_SEATS:
                raise Unreadable(number, f"there is no seat {seat} at a table")
            seats[seat] = name, _amount(match[3], exponent, number)
    return seats


def _stakes(header: Header, facts: Sequence[Fact]) -> Stakes:
    """The header's bets, and the ante and the bring-in as the lines show them."""
    return Stakes(
        small_bet=header.small_bet,
        big_bet=header.big_bet,
        ante=_usual(fact for fact in facts if fact.kind == "ante"),
        bring_in=_bring_in(header, facts),
        chip_unit=1,
    )


def _usual(facts: Iterable[Fact]) -> Chips:
    """What is put in by who can afford it, else the most that anybody could."""
    paid = [(not fact.all_in, fact.amount or 0) for fact in facts]
    return max(paid, default=(True, 0))[1]


def _bring_in(header: Header, facts: Sequence[Fact]) -> Chips:
    """The bring-in printed; a short one leaves it to the first caller, none to the usual half."""
    half = -(-header.small_bet // 2)
    posted = next((fact for fact in facts if fact.kind == "bring_in"), None)
    if posted is None:
        return half
    short = posted.amount or 0
    if not posted.all_in:
        return short
    after = facts[facts.index(posted) :]
    caller = next((f for f in after if f.kind in ("call", "wager", "street")), posted)
    if caller.kind == "call" and not caller.all_in:
        return caller.amount or 0
    return max(short, half)


def _rake(summary: Numbered, exponent: int) -> Chips | None:
    for number, line in summary:
        match = _RAKE.fullmatch(line)
        if match:
            return _amount(match[1], exponent, number)
    return None


def _amount(printed: str, exponent: int, number: int) -> Chips:
    try:
        return minor_units(printed, exponent)
    except NotAnAmount as wrong:
        raise Unreadable(number, str(wrong)) from None


READER = Reader(
    name="pokerstars",
    title="PokerStars text",
    house_rules=POKERSTARS,
    recognises=is_header,
    split=hands_of,
    record=record_of,
)
