"""What a report of a case says, section by section, as plain words and tables. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

import msgspec

from domain.amounts import amount_words
from domain.disputes import events as d
from domain.events import Money
from domain.ruled import Ruled
from domain.units import ChipsMoved, Seat
from domain.words import actions
from services.disputes.clock import Attempt, Contact, TurnFacts
from services.disputes.evidence import CaseEvidence
from services.disputes.sheet import CaseSheet, KeptSheet, RulingSheet
from services.replaying.seating import printable
from services.replaying.svg import described, draw_svg

Row = tuple[str, ...]


class Grid(msgspec.Struct, frozen=True):
    """A table: `right` are the places of the columns of figures."""

    columns: Row
    rows: tuple[Row, ...]
    right: tuple[int, ...] = ()


class Picture(msgspec.Struct, frozen=True):
    """An SVG, and the same in words."""

    svg: str
    words: str


class Part(msgspec.Struct, frozen=True):
    """A section; `lines` are paragraphs."""

    heading: str
    lines: tuple[str, ...] = ()
    grid: Grid | None = None
    picture: Picture | None = None


class ReportContents(msgspec.Struct, frozen=True):
    """All a template needs to know; every string is text to be shown, never markup."""

    title: str
    about: str
    parts: tuple[Part, ...]


def report_contents(sheet: CaseSheet, found: CaseEvidence, as_of: datetime) -> ReportContents:
    """The report of a case as its record stood at `as_of`, with this evidence of its hand."""
    return ReportContents(
        title=f"Dispute about hand {printable(sheet.number)}",
        about=f"Case {sheet.id}, as the record stood at {moment(as_of)}",
        parts=tuple(
            part
            for part in (
                _case(sheet),
                _table(found),
                *reasons(found),
                clock_part(found, as_of),
                *_rulings(sheet, found),
                _money_moved(sheet, found),
                *_kept(sheet),
                _others(found, as_of),
                _looked(found, as_of),
                _history(sheet),
            )
            if part.lines or part.grid or part.picture
        ),
    )


def moment(at: datetime | None) -> str:
    """A time of the record, in UTC to the second: `2026-01-09 12:00:00 UTC`."""
    return "not recorded" if at is None else f"{at:%Y-%m-%d %H:%M:%S} UTC"


def instant(at: datetime | None) -> str:
    """A time that a deadline may turn on, to the millisecond: `2026-01-09 12:00:00.250 UTC`."""
    if at is None:
        return "not recorded"
    return f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d} UTC"


def _case(sheet: CaseSheet) -> Part:
    rows = (
        ("Hand", f"{printable(sheet.number)} ({sheet.hand})"),
        ("Site", printable(sheet.site) or "none recorded"),
        ("Step", "the hand as a whole" if sheet.step is None else str(sheet.step)),
        ("Category", _spaced(sheet.category)),
        ("Complainant", printable(sheet.complainant)),
        ("Channel", sheet.channel),
        ("Status", _spaced(sheet.status) + (", on legal hold" if sheet.on_hold else "")),
        ("Submitted", moment(sheet.submitted_at)),
        ("Taken up", moment(sheet.opened_at)),
        ("Acknowledged", _done(sheet.acknowledged_at)),
        ("Answer due", moment(sheet.due_at)),
        ("Answered", _done(sheet.answered_at)),
    )
    return Part("The case", grid=Grid(("", ""), rows))


def _done(at: datetime | None) -> str:
    return "not yet" if at is None else moment(at)


def _table(found: CaseEvidence) -> Part:
    frame = found.frame
    view = {"public": "as everybody at the table saw it", "all": "with all cards"}
    seen = view.get(found.view, f"as {found.view.replace(':', ' ')} saw it")
    return Part(
        f"The table at step {found.step} of {frame.steps}, {seen}",
        lines=(frame.note,),
        picture=Picture(draw_svg(frame), described(frame)),
    )


# -- evidence --------------------------------------------------------------------------------------


def reasons(found: CaseEvidence) -> Iterator[Part]:
    """The alternatives just before the step, the rules that decided it, and what is wrong."""
    if found.legal:
        choices = actions(_of(found), found.legal)
        yield Part("What could have been done", (f"Just before it was legal to {choices}.",))
    for section in found.decided:
        lines = (line.text + _cited(line.rules) for line in section.lines)
        yield Part(f"Why: {section.heading}", _shown(lines))
    rows = tuple((str(one.step), one.rule, printable(one.text)) for one in found.findings)
    if rows:
        yield Part("Findings", grid=Grid(("step", "rule", "finding"), rows))


def _cited(rules: Sequence[str]) -> str:
    return f" ({', '.join(rules)})" if rules else ""


def clock_part(found: CaseEvidence, as_of: datetime) -> Part:
    """The turn of the step, what was refused, and who was away, as it was known at `as_of`."""
    clock = found.clock
    attempts = [one for one in clock.attempts if one.arrived_at <= as_of]
    contacts = [one for one in clock.contacts if one.at is None or one.at <= as_of]
    rows = (
        *(() if clock.turn is None else _turn(clock.turn)),
        *map(_attempt, attempts),
        *map(_contact, contacts),
    )
    if not rows:
        return Part("Clock and connections", ("The record has nothing of a clock here.",))
    return Part("Clock and connections", grid=Grid(("at", "step", "seat", "what"), rows))


def _turn(turn: TurnFacts) -> Iterator[Row]:
    seat = str(turn.seat)
    yield instant(turn.started_at), "", seat, "the turn began"
    yield instant(turn.countdown_at), "", seat, "the countdown was to begin"
    if turn.disconnected_at is not None:
        yield instant(turn.disconnected_at), "", seat, "the connection was lost"
    yield instant(turn.deadline), "", seat, "the deadline"
    if turn.answered_at is not None:
        ran_out = "" if turn.outcome is None else f": time ran out ({_spaced(turn.outcome)})"
        when = _left(turn.deadline - turn.answered_at)
        yield instant(turn.answered_at), "", seat, f"the turn ended {when}{ran_out}"


def _left(left: timedelta) -> str:
    """How long before or after a deadline something came, to the millisecond."""
    seconds, thousandths = divmod(abs(left) // timedelta(milliseconds=1), 1000)
    side = "after" if left < timedelta(0) else "before"
    return f"{seconds}.{thousandths:03d} s {side} the deadline"


def _attempt(one: Attempt) -> Row:
    seat = "" if one.seat is None else str(one.seat)
    wanted = _spaced(one.command)
    words = f"{wanted} arrived and was refused{_cited([one.rule] if one.rule else [])}"
    return instant(one.arrived_at), str(one.step), seat, printable(f"{words}: {one.reason}")


def _contact(one: Contact) -> Row:
    return instant(one.at), str(one.step), "" if one.seat is None else str(one.seat), one.what


def _others(found: CaseEvidence, as_of: datetime) -> Part:
    rows = tuple(
        (moment(one.happened_at), printable(one.number), one.place)
        for one in found.neighbours
        if one.happened_at <= as_of
    )
    columns = ("at", "hand", "before or after")
    return Part("Neighbouring hands at the table", grid=Grid(columns, rows) if rows else None)


def _looked(found: CaseEvidence, as_of: datetime) -> Part:
    rows = tuple(
        (moment(one.at), one.actor, one.role or "", one.view, printable(one.purpose))
        for one in found.looked
        if one.at is None or one.at <= as_of
    )
    columns = ("at", "who", "as", "view", "what for")
    heading = "Who had seen cards that were not shown"
    return Part(heading, grid=Grid(columns, rows)) if rows else Part(heading, ("Nobody.",))


# -- rulings ---------------------------------------------------------------------------------------


def _rulings(sheet: CaseSheet, found: CaseEvidence) -> Iterator[Part]:
    if not sheet.rulings:
        yield Part("Ruling", ("Nothing was ruled yet.",))
    for ruling in sheet.rulings:
        yield Part(
            f"Ruling: {_spaced(ruling.kind)}, {ruling.stage}",
            lines=_shown((ruling.reason,)),
            grid=Grid(("", ""), (*_ruling(ruling), *_amounts(ruling, found))),
        )


def _ruling(ruling: RulingSheet) -> Iterator[Row]:
    yield "Id", str(ruling.id)
    yield "Rule", printable(ruling.rule)
    yield "House rules", f"{printable(ruling.policy.name)} {ruling.policy.version}"
    if ruling.remedy is not None:
        yield "Way of the room", _spaced(ruling.remedy)
    if ruling.step is not None:
        yield "Step that still counts", str(ruling.step)
    if ruling.evidence is not None:
        yield "Amounts from", f"evidence {ruling.evidence}"
    yield "Proposed by", f"{printable(ruling.proposed_by)}, {moment(ruling.proposed_at)}"
    if ruling.approved_by is not None:
        yield "Approved by", f"{printable(ruling.approved_by)}, {moment(ruling.approved_at)}"


def _amounts(ruling: RulingSheet, found: CaseEvidence) -> Iterator[Row]:
    for move in ruling.moves:
        yield _player(found, move.seat), _signed(found, move.amount)
    for who, amount in (("Rake", ruling.rake), ("House", ruling.house)):
        if amount:
            yield who, _signed(found, amount)


def _money_moved(sheet: CaseSheet, found: CaseEvidence) -> Part:
    heading = "As played, as ruled"
    if sheet.ruled is None:
        return Part(heading, ("No ruling moved money of this hand: it stands as played.",))
    ruled = sheet.ruled
    rows = (*_by_seat(ruled, found), _of_rake(ruled, found))
    columns = ("", "as played", "as ruled", "difference")
    return Part(heading, grid=Grid(columns, rows, right=(1, 2, 3)))


def _by_seat(ruled: Ruled, found: CaseEvidence) -> Iterator[Row]:
    for one in ruled.seats:
        amounts = (one.played, one.ruled, one.difference)
        yield _player(found, one.seat), *(_signed(found, amount) for amount in amounts)


def _of_rake(ruled: Ruled, found: CaseEvidence) -> Row:
    amounts = (ruled.rake_played, ruled.rake_ruled, ruled.rake_difference)
    return "rake", *(_signed(found, amount) for amount in amounts)


# -- the file of the case --------------------------------------------------------------------------


def _kept(sheet: CaseSheet) -> Iterator[Part]:
    """What was put with the case, each by its digest, notes with their text."""
    rows = tuple((one.kind, _called(one), one.sha256) for one in sheet.kept)
    if rows:
        yield Part("Kept with the case", grid=Grid(("what", "name", "SHA-256"), rows))
    for number, note in enumerate((one for one in sheet.kept if one.text is not None), 1):
        yield Part(f"Note {number}", _shown((note.text or "").splitlines()))


def _called(one: KeptSheet) -> str:
    erased = "" if one.media_type else " (erased)"
    return f"{printable(one.name or str(one.id))}, {one.size} bytes{erased}"


def _history(sheet: CaseSheet) -> Part:
    rows = tuple(
        (str(n), moment(event.at), d.tag_of(event), _by(event))
        for n, event in enumerate(sheet.events, 1)
        if not isinstance(event, d.ReportMade)
    )
    return Part("Every fact of the case", grid=Grid(("", "at", "fact", "by"), rows))


def _by(event: d.CaseEvent) -> str:
    for name in ("by", "proposed_by", "approved_by"):
        if (who := getattr(event, name, None)) is not None:
            return printable(who)
    return ""


# -- small things ----------------------------------------------------------------------------------


def _of(found: CaseEvidence) -> Money:
    # What kind of money it is does not matter to how an amount is written.
    return Money(kind="play", currency=found.frame.currency, exponent=found.frame.exponent)


def _signed(found: CaseEvidence, amount: ChipsMoved) -> str:
    words = amount_words(amount, _of(found))
    return f"+{words}" if amount > 0 else words


def _player(found: CaseEvidence, seat: Seat) -> str:
    name = next((one.player for one in found.frame.seats if one.seat == seat), "")
    return f"seat {seat}" if name in ("", f"seat {seat}") else f"seat {seat} {printable(name)}"


def _shown(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(printable(line) for line in lines if line.strip())


def _spaced(word: str) -> str:
    return printable(word).replace("_", " ")
