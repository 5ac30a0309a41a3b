"""From a file to hands: the reader that fits it, then one hand after another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import msgspec
from msgspec.structs import replace

from domain import events as e
from domain.house_rules import HouseRules
from domain.schedules import DEFAULT_SCHEDULE
from domain.units import MOST_CHIPS
from services.readers import bovada, fulltilt, jsonl, phh, pokerstars
from services.readers.awards import paid_out
from services.readers.encoding import NotText, lines_of, printable
from services.readers.names import fit_to_show
from services.readers.play import Play, replayed
from services.readers.reader import Reader
from services.readers.record import (
    MOST_SEATS,
    EventsTold,
    HandRead,
    OtherGame,
    Record,
    Rejected,
    Skipped,
    Unreadable,
    unexpected,
)
from services.readers.site_text import MOST_ECHOED
from services.readers.splitting import HandText
from services.readers.strict import YEARS, require_fit

READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (pokerstars.READER, fulltilt.READER, bovada.READER, phh.READER, jsonl.READER)
}
"""Every format there is, by the name `--reader` takes."""

HEAD_LINES = 200
"""How many lines may stand before the first hand."""

Outcome = HandRead | Skipped | Rejected


def read_file(
    path: Path, reader: Reader | None = None, house_rules: HouseRules | None = None
) -> Iterator[Outcome]:
    """Every hand of a file in turn, held one at a time. Never raises for what the file holds.

    Without `reader` the first lines tell the format; without `house_rules` each reader's own.
    """
    file = printable(path)
    broken: list[Rejected] = []
    anything = False
    for outcome in read_lines(file, _readable(path, file, broken), reader, house_rules):
        anything = True
        yield outcome
    yield from broken
    if not anything and not broken:
        yield Rejected(file=file, line=1, reason="the file holds no hand")


def _readable(path: Path, file: str, broken: list[Rejected]) -> Iterator[str]:
    """The lines of a file up to where it can be read no further; why not is left in `broken`."""
    number = 0
    try:
        for line in lines_of(path):
            number += 1
            yield line
    except NotText as wrong:
        broken.append(Rejected(file=file, line=wrong.line, reason=str(wrong)))
    except OSError as wrong:
        reason = f"cannot be read: {wrong.strerror or 'unknown error'}"
        broken.append(Rejected(file=file, line=number + 1, reason=reason))


def read_lines(
    file: str,
    lines: Iterable[str],
    reader: Reader | None = None,
    house_rules: HouseRules | None = None,
) -> Iterator[Outcome]:
    """As `read_file`, from lines with their endings."""
    lines = iter(lines)
    head = list(islice(lines, HEAD_LINES))
    chosen = reader or recognised(head)
    if chosen is None:
        yield from [_unknown(file, head)] if head else ()
        return
    for hand in chosen.split(chain(head, lines)):
        fitting = chosen if reader else _reader_of(hand, chosen)
        outcome = _read_hand(file, hand, fitting, house_rules)
        if outcome is not None:
            yield outcome


def recognised(head: Iterable[str]) -> Reader | None:
    """The reader whose format the first of these lines is in that any reader knows."""
    stripped = (line.strip("\ufeff \t\r\n") for line in head)
    readers = (
        reader for line in stripped for reader in READERS.values() if reader.recognises(line)
    )
    return next(readers, None)


def _reader_of(hand: HandText, chosen: Reader) -> Reader:
    """Files put together from several sites: a hand is read by whom its first line belongs to."""
    first = next((line for _, line in hand.lines() if line), "")
    return chosen if chosen.recognises(first) else recognised([first]) or chosen


def _unknown(file: str, head: list[str]) -> Rejected:
    numbered = ((n, line.strip("\ufeff \t\r\n")) for n, line in enumerate(head, 1))
    line, first = next(((n, text) for n, text in numbered if text), (1, ""))
    known = ", ".join(READERS)
    begins = fit_to_show(first[:MOST_ECHOED], MOST_ECHOED)
    reason = f"no reader knows this format ({known}); it begins '{begins}'"
    return Rejected(file=file, line=line, reason=reason)


def _read_hand(
    file: str, hand: HandText, reader: Reader, house_rules: HouseRules | None
) -> Outcome | None:
    """What one text comes to; a reader it is too much for has not read it, and no more."""
    try:
        return _outcome(file, hand, reader, house_rules)
    except Unreadable as wrong:
        line, reason = wrong.line, wrong.reason
    except Exception as bug:
        line, reason = hand.line, unexpected(bug)
    return Rejected(
        file=file,
        line=line,
        reason=reason,
        text=hand.text,
        begins=hand.line,
        reader=reader.name,
    )


def _outcome(
    file: str, hand: HandText, reader: Reader, house_rules: HouseRules | None
) -> Outcome | None:
    record = reader.record(hand)
    if record is None:
        return None
    if isinstance(record, OtherGame):
        return Skipped(file=file, line=hand.line, game=record.game)
    if isinstance(record, EventsTold):
        return told_again(file, hand, record, house_rules)
    rules = house_rules or record.house_rules or reader.house_rules
    assert rules, "a reader of records has house rules for them"
    return hand_read(file, hand, record, rules)


def told_again(
    file: str, hand: HandText, told: EventsTold, house_rules: HouseRules | None
) -> HandRead:
    """The events of a record of ours. Raises `Unreadable` for one that cannot have happened."""
    start, *rest = told.events
    assert isinstance(start, e.HandStarted)
    _refuse_no_table(start.seats, told.line)
    if house_rules:
        start = replace(start, house_rules=house_rules)
    events = (start, *rest)
    replayed(events, told.lines)
    return HandRead(
        file=file,
        line=hand.line,
        text=hand.text,
        identity=start.number,
        hand=told.hand,
        events=events,
        lines=told.lines,
    )


def hand_read(file: str, hand: HandText, record: Record, house_rules: HouseRules) -> HandRead:
    """The events of a record. Raises `Unreadable` for one that cannot have happened."""
    text = hand.text
    _refuse_no_table(record.seats, record.line)
    play = Play(started(record, text, house_rules), record)
    for fact in record.facts:
        play.take(fact)
    last = hand.last_line
    play.close(last)
    play.dealt_in_full()
    play.pay_out(paid_out(play.hand, record, play.collected, last), last)
    return HandRead(
        file=file,
        line=hand.line,
        text=text,
        identity=record.identity,
        hand=record.hand,
        events=tuple(play.events),
        lines=tuple(play.lines),
    )


def _refuse_no_table(seats: Sequence[e.SeatTaken], line: int) -> None:
    if len({seat.player for seat in seats}) < len(seats):
        raise Unreadable(line, "a player sits twice")
    if sum(seat.stack for seat in seats) > MOST_CHIPS:
        raise Unreadable(line, "there are more chips at this table than can be counted")


def started(record: Record, text: str, house_rules: HouseRules) -> e.HandStarted:
    """The first event; a schedule is named only where the house rules decide the rake by it.

    Raises `Unreadable` where the record says more than an event can hold.
    """
    raked = house_rules.rake == "schedule" and record.money.kind == "real"
    played_at = record.played_at
    start = e.HandStarted(
        game=record.game,
        stakes=record.stakes,
        money=record.money,
        house_rules=house_rules,
        rake_schedule=DEFAULT_SCHEDULE if raked else None,
        site=record.site,
        number=record.number,
        table=replace(record.table, max_seats=min(record.table.max_seats, MOST_SEATS)),
        dealer=record.dealer,
        seats=record.seats,
        played_at=played_at if played_at and played_at.year in YEARS else None,
        deck=e.Deck(source="recorded", commitment=None),
        source=e.Source(
            kind="imported",
            format=record.format,
            text_sha256=hashlib.sha256(text.encode()).hexdigest(),
        ),
    )
    try:
        require_fit(start)
    except msgspec.ValidationError as wrong:
        raise Unreadable(record.line, f"more than can be kept: {wrong}") from None
    return start
