"""The report of a dispute: the same bytes from the same record, whatever people are called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest
from msgspec import json
from msgspec.structs import replace

from domain import events as e
from domain.disputes import commands as q
from domain.disputes.events import ReportMade
from services.access import Sighting, record_sighting
from services.disputes import add_note, case_sheet, gather, handle, load_case, open_case
from services.disputes.clock import ClockFacts, TurnFacts
from services.disputes.report import dated, make_report, typeset, typesetter
from services.disputes.report_contents import Part, ReportContents, report_contents
from services.replaying import PUBLIC, View, parse_view
from services.store.room import Room
from tests.support import disputes as s
from tests.support.bdd import Table
from tests.support.cases import APPIA, FLORA, approve, complaint, opened, proposed, told

HOSTILE = (
    '#panic("run")',
    "$x^2$ *bold* @label <b>",
    '"] #eval("1+1")\\',
    "</title></svg><script>alert(1)</script>",
    "A\x00\x1b[31m\u202ered\ud7ff\n= Heading",
    "名前 🂡 مرحبا",
    "W" * 300,
)


@pytest.fixture
def case(room: Room) -> UUID:
    """A correction of five dollars by two people."""
    case = opened(room, told(room))
    approve(room, case, proposed(room, case, reason="seat 2 had the low"))
    return case


def contents(room: Room, case: UUID, view: View = PUBLIC) -> ReportContents:
    loaded = load_case(room.store, case)
    sheet, found = case_sheet(room, loaded), gather(room, loaded, view)
    return report_contents(sheet, found, dated(loaded))


def part(of: ReportContents, heading: str) -> Part:
    return next(one for one in of.parts if one.heading.startswith(heading))


def cells(of: ReportContents, heading: str) -> dict[str, Any]:
    grid = part(of, heading).grid
    assert grid is not None
    return {row[0]: row[1:] for row in grid.rows}


def reports(room: Room, case: UUID) -> list[ReportMade]:
    return [one for one in load_case(room.store, case).events if isinstance(one, ReportMade)]


def test_a_report_made_twice_is_the_same_bytes_and_noted_once(room: Room, case: UUID) -> None:
    first = make_report(room, case, FLORA)
    assert first.pdf.startswith(b"%PDF-")
    assert b"/StructTreeRoot" in first.pdf
    assert first.sha256 == sha256(first.pdf).hexdigest()
    record_sighting(room.store, Sighting(hand=hand_of(room, case), view="all", purpose="later"))
    assert make_report(room, case, APPIA) == first
    (noted,) = reports(room, case)
    assert (noted.sha256, noted.size, noted.by) == (first.sha256, len(first.pdf), FLORA.actor)


def hand_of(room: Room, case: UUID) -> UUID:
    return load_case(room.store, case).case.opened.hand


def test_a_new_fact_of_the_case_makes_another_report(room: Room, case: UUID) -> None:
    first = make_report(room, case, FLORA)
    add_note(room, case, "he says it was seat 3", FLORA, at=s.NOON + timedelta(days=1))
    second = make_report(room, case, FLORA)
    assert [one.sha256 for one in reports(room, case)] == [first.sha256, second.sha256]
    assert first.sha256 != second.sha256


def test_a_closed_case_has_its_report_still(room: Room, case: UUID) -> None:
    for command in (q.AnswerCase(by=FLORA.actor), q.CloseCase(by=FLORA.actor)):
        handle(room.store, case, command, FLORA)
    made = make_report(room, case, FLORA)
    assert load_case(room.store, case).case.reports == (made.sha256,)


def test_a_report_has_the_dates_the_ruling_both_people_and_the_money(
    room: Room, case: UUID
) -> None:
    told_ = contents(room, case)
    about = cells(told_, "The case")
    assert about["Submitted"] == ("2026-03-02 12:00:00 UTC",)
    assert about["Answer due"] == ("2026-04-27 12:00:00 UTC",)
    assert about["Acknowledged"] == ("not yet",)
    ruling = cells(told_, "Ruling: corrected award, approved")
    assert part(told_, "Ruling").lines == ("seat 2 had the low",)
    assert ruling["Proposed by"][0].startswith(FLORA.actor)
    assert ruling["Approved by"][0].startswith(APPIA.actor)
    assert ruling["seat 1"] == ("-$5.00",)
    money = cells(told_, "As played, as ruled")
    assert [row[2] for row in money.values()] == ["-$5.00", "+$5.00", "$0.00", "$0.00"]


def test_a_report_has_the_alternatives_and_the_clock_of_its_step(room: Room) -> None:
    step = len(s.RAKED.log) // 2
    case = open_case(room.store, complaint(told(room), step=step), FLORA).loaded.id
    told_ = contents(room, case)
    assert part(told_, f"The table at step {step} of").picture is not None
    assert part(told_, "What could have been done").lines[0].startswith("Just before it was legal")
    assert part(told_, "Clock and connections").lines


def test_what_came_just_after_the_deadline_is_told_from_what_came_just_before(
    room: Room, case: UUID
) -> None:
    loaded = load_case(room.store, case)
    sheet, found = case_sheet(room, loaded), gather(room, loaded)
    deadline, little = s.NOON + timedelta(seconds=30), timedelta(microseconds=250_000)
    turn = TurnFacts(
        seat=2,
        started_at=s.NOON,
        countdown_at=s.NOON + timedelta(seconds=10),
        deadline=deadline,
        disconnected_at=None,
        answered_at=deadline + little,
        left_seconds=-1,
        outcome="all_in",
    )
    late, in_time = (
        report_contents(
            sheet,
            replace(found, clock=ClockFacts(turn=one, attempts=(), contacts=())),
            dated(loaded),
        )
        for one in (turn, replace(turn, answered_at=deadline - little, outcome=None))
    )
    ran_out = "the turn ended 0.250 s after the deadline: time ran out (all in)"
    assert cells(late, "Clock")["2026-03-02 12:00:30.250 UTC"][2] == ran_out
    ended = "the turn ended 0.250 s before the deadline"
    assert cells(in_time, "Clock")["2026-03-02 12:00:29.750 UTC"][2] == ended


def test_a_public_report_shows_no_card_that_was_not_shown(room: Room) -> None:
    case = open_case(room.store, complaint(told(room), step=20), FLORA).loaded.id
    public, everything = contents(room, case), contents(room, case, parse_view("all"))
    hidden = b"face down Ah As"
    assert hidden in json.encode(everything)
    assert hidden not in json.encode(public)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_people_write_is_shown_and_never_run(name: str) -> None:
    """A name that were markup would stop the typesetter or leave another document."""
    plain = ReportContents(title=name, about=name, parts=(Part(heading=name, lines=(name,)),))
    when = datetime(2026, 3, 2, tzinfo=UTC)
    pdf = typeset(plain, when)
    assert pdf == typeset(plain, when)
    assert b"%PDF-" in pdf


def test_players_notes_and_reasons_may_be_called_anything(room: Room) -> None:
    first, *rest = s.RAKED.log
    assert isinstance(first, e.HandStarted)
    ids = list(room.players.resolve(first.site, HOSTILE[:3]).values())
    seats = tuple(replace(one, player=ids[n]) for n, one in enumerate(first.seats))
    case = opened(room, told(room, Table.of_facts([replace(first, seats=seats), *rest])))
    approve(room, case, proposed(room, case, reason=HOSTILE[0]))
    for text in HOSTILE:
        add_note(room, case, text, FLORA, at=s.NOON)
    made = contents(room, case)
    assert part(made, "Ruling").lines == (HOSTILE[0],)
    assert {f"seat {n} {name}" for n, name in enumerate(names(room, ids), 1)} < set(
        cells(made, "As played, as ruled")
    )
    assert make_report(room, case, FLORA).pdf.startswith(b"%PDF-")


def names(room: Room, ids: list[str]) -> list[str]:
    known = room.players.names(ids)
    return [known[player] for player in ids]


def test_a_report_passes_the_checks_of_accessible_pdf(room: Room, case: UUID) -> None:
    made = typesetter(contents(room, case)).compile(
        format="pdf", timestamp=0, pdf_standards=["ua-1"]
    )
    assert isinstance(made, bytes)
    assert b"pdfuaid" in made
