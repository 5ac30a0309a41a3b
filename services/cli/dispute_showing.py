"""Cases, their evidence and the register, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.ruled import Ruled
from services.cli.amounts import money
from services.cli.exits import USAGE, Stop
from services.cli.output import (
    Format,
    counted,
    emit_csv,
    emit_json,
    emit_lines,
    emit_table,
    note,
    say,
    show,
)
from services.disputes import CaseEvidence, CaseFound, CaseSheet, CasesPage
from services.disputes.sheet import RulingSheet
from services.explaining.explanation import sections_text
from services.replaying import draw

COLUMNS = tuple(name for name in CaseFound.__struct_fields__ if name not in ("version", "position"))


def show_register(page: CasesPage, form: Format) -> None:
    """Cases, one a line."""
    if form is Format.JSON:
        emit_json(page)
    elif form is Format.JSONL:
        emit_lines(page.disputes)
    elif form is Format.CSV:
        emit_csv(COLUMNS, [_cells(one) for one in page.disputes])
    else:
        _tell_register(page)


def _cells(one: CaseFound) -> list[Any]:
    """One line of the register: nothing is an empty cell."""
    plain = msgspec.to_builtins(one)
    return ["" if plain[name] is None else plain[name] for name in COLUMNS]


def _tell_register(page: CasesPage) -> None:
    if not page.disputes:
        note("no case is like that")
        return
    columns = ("submitted", "category", "status", "due", "ruling", "id")
    rows = [
        (
            f"{one.submitted_at:%Y-%m-%d}",
            one.category,
            one.status.replace("_", " ") + (", on hold" if one.on_hold else ""),
            f"{one.due_at:%Y-%m-%d}",
            f"{one.ruling} {one.stage}".replace("_", " ") if one.ruling else "",
            str(one.id),
        )
        for one in page.disputes
    ]
    emit_table(columns, rows, flow=("status", "ruling"), spare=("due", "category"))
    note(f"complete up to event {page.complete_to}")
    if page.next is not None:
        note(f"more with --after '{page.next}'")


# -- a case ----------------------------------------------------------------------------------------


def show_case(sheet: CaseSheet, form: Format) -> None:
    """A case as it stands."""
    if form is Format.CSV:
        raise Stop("a case has the formats table, json and jsonl; the register has csv", USAGE)
    if form is Format.JSONL:
        emit_lines(sheet.events)
    elif form is Format.JSON:
        emit_json(sheet)
    else:
        _draw_case(sheet)


def _draw_case(sheet: CaseSheet) -> None:
    at = "" if sheet.step is None else f", step {sheet.step}"
    about = f"hand {sheet.number}{at}: {sheet.category}, by {sheet.channel}"
    say(f"Dispute about {about}; {sheet.status.replace('_', ' ')}.")
    say(f"Case {sheet.id}, to be answered by {sheet.due_at:%Y-%m-%d}.")
    for ruling in sheet.rulings:
        say(_ruling_words(sheet, ruling))
        for line in _amounts(sheet, ruling):
            say(f"  {line}")
    if sheet.ruled is not None:
        _draw_ruled(sheet, sheet.ruled)
    if sheet.kept:
        say(f"{counted(len(sheet.kept), 'thing')} kept: {_kept_words(sheet)}.")
    if sheet.on_hold:
        say("On legal hold: nothing of it is erased.")


def _ruling_words(sheet: CaseSheet, ruling: RulingSheet) -> str:
    kind = ruling.kind.replace("_", " ")
    way = f", {ruling.remedy.replace('_', ' ')}" if ruling.remedy else ""
    rules = f"{ruling.policy.name} {ruling.policy.version}"
    return f"Ruling, {ruling.stage}: {kind}{way} ({ruling.rule}, {rules}). {ruling.reason}"


def _amounts(sheet: CaseSheet, ruling: RulingSheet) -> Iterator[str]:
    for move in ruling.moves:
        yield f"seat {move.seat} {_signed(sheet, move.amount)}"
    for who, amount in (("rake", ruling.rake), ("house", ruling.house)):
        if amount:
            yield f"{who} {_signed(sheet, amount)}"


def _signed(sheet: CaseSheet, amount: int) -> str:
    words = money(abs(amount), sheet.currency, sheet.exponent)
    return f"{'-' if amount < 0 else '+'}{words}" if amount else words


def _draw_ruled(sheet: CaseSheet, ruled: Ruled) -> None:
    """As played, as ruled, and the difference."""
    rows = [
        (f"seat {one.seat}", *(_signed(sheet, n) for n in (one.played, one.ruled, one.difference)))
        for one in ruled.seats
    ]
    of_rake = (ruled.rake_played, ruled.rake_ruled, ruled.rake_difference)
    rows.append(("rake", *(_signed(sheet, amount) for amount in of_rake)))
    columns = ("", "as played", "as ruled", "difference")
    emit_table(columns, rows, right=columns[1:])


def _kept_words(sheet: CaseSheet) -> str:
    return ", ".join(
        f"{one.kind} {one.id}{'' if one.media_type else ' (erased)'}" for one in sheet.kept
    )


# -- evidence --------------------------------------------------------------------------------------


def show_evidence(found: CaseEvidence, form: Format) -> None:
    """What the record says of a step."""
    if form is Format.JSON:
        emit_json(found)
        return
    if form is not Format.TABLE:
        raise Stop("evidence has the formats table and json", USAGE)
    show(draw(found.frame))
    say()
    say(sections_text(f"Step {found.step}, view {found.view}", found.decided).rstrip())
    for line in _around(found):
        say(line)


def _around(found: CaseEvidence) -> Iterator[str]:
    """The clock, what was asked in vain, the neighbours, what is kept, who looked."""
    turn = found.clock.turn
    if turn is not None:
        began, ends = (f"{at:%H:%M:%S}" for at in (turn.started_at, turn.deadline))
        yield f"Turn of seat {turn.seat}: began {began}, deadline {ends}."
    for contact in found.clock.contacts:
        seat = "" if contact.seat is None else f" (seat {contact.seat})"
        yield f"Step {contact.step}: {contact.what}{seat}."
    for attempt in found.clock.attempts:
        yield f"Asked in vain after step {attempt.step}: {attempt.command}; {attempt.reason}."
    for neighbour in found.neighbours:
        yield f"Hand {neighbour.place}: {neighbour.number}, {neighbour.happened_at:%Y-%m-%d %H:%M}."
    for kept in found.kept:
        yield f"Kept: {kept.asked} ({kept.id})."
    for looked in found.looked:
        yield f"Seen by {looked.actor}: {looked.view}, {looked.purpose}."
