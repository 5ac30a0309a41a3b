"""Our own JSON Lines as a format to be read: the same hand again, or a reason at its line."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from domain import events as e
from domain.house_rules import TOPSPOKER
from services.readers.reading import read_lines
from services.readers.record import HandRead
from services.readers.strict import UnknownField, event_of
from services.replaying import PUBLIC
from services.writers import seen_hand
from services.writers.jsonl import lines_of
from tests.support.hand_texts import STUD, outcomes, read, rejected

HAND = UUID("00000000-0000-4000-8000-000000000001")


def told(hand: UUID = HAND, text: str = STUD) -> list[dict[str, Any]]:
    """The lines of a hand, to be changed."""
    events = read(text).events
    lines = lines_of(seen_hand(hand, events, {}, PUBLIC))
    return [msgspec.json.decode(line) for line in lines]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def test_a_hand_is_read_again_under_its_id_and_with_its_names() -> None:
    hand = read(text_of(told()))
    assert hand.hand == HAND
    start = hand.events[0]
    assert isinstance(start, e.HandStarted)
    assert [taken.player for taken in start.seats] == ["anna", "bert", "cleo"]
    assert hand.lines == tuple(range(1, len(hand.events) + 1))


def test_it_reaches_the_log_by_an_import_whatever_it_was_before() -> None:
    start = read(text_of(told())).events[0]
    assert isinstance(start, e.HandStarted)
    assert (start.source.kind, start.source.format) == ("imported", "jsonl")


def test_house_rules_are_those_of_the_hand_unless_others_are_chosen() -> None:
    text = text_of(told())
    own = read(text).events[0]
    [chosen] = read_lines("x", io.StringIO(text), None, TOPSPOKER)
    assert isinstance(own, e.HandStarted)
    assert own.house_rules.name == "pokerstars"
    assert isinstance(chosen, HandRead)
    assert isinstance(chosen.events[0], e.HandStarted)
    assert chosen.events[0].house_rules == TOPSPOKER


def test_many_hands_of_one_file_are_told_apart_by_their_ids() -> None:
    ids = [uuid4(), uuid4()]
    found = outcomes("\n".join(text_of(told(one)) for one in ids))
    assert [one.hand for one in found if isinstance(one, HandRead)] == ids


def test_an_event_stamped_with_when_it_was_recorded_is_the_same_event() -> None:
    lines = told()
    for line in lines:
        line["recorded_at"] = "2024-03-01T23:30:00Z"
    assert read(text_of(lines)).events[1:] == read(text_of(told())).events[1:]


# -- the edge --------------------------------------------------------------------------------------


def test_an_unknown_field_of_a_line_is_refused() -> None:
    lines = told()
    lines[2]["mood"] = "good"
    wrong = rejected(text_of(lines))
    assert (wrong.line, "mood" in wrong.reason) == (3, True)


@pytest.mark.parametrize("inside", [("event",), ("event", "stakes"), ("event", "seats", 1)])
def test_an_unknown_field_anywhere_in_an_event_is_refused(inside: tuple[Any, ...]) -> None:
    lines = told()
    place: Any = lines[0]
    for step in inside:
        place = place[step]
    place["mood"] = "good"
    wrong = rejected(text_of(lines))
    assert (wrong.line, "`mood`" in wrong.reason) == (1, True)


def test_a_known_event_passes_the_edge_as_it_is() -> None:
    checked = e.Checked(seat=3)
    assert event_of(e.encode(checked)) == checked
    with pytest.raises(UnknownField, match="`also`"):
        event_of(b'{"type":"checked.v1","seat":3,"also":1}')
    with pytest.raises(msgspec.ValidationError):
        event_of(b'{"type":"checked.v1","seat":11}')


def test_a_file_cut_off_in_a_line_is_rejected_there() -> None:
    text = text_of(told())
    wrong = rejected(text[:-40])
    assert wrong.line == len(told())


def test_a_file_cut_off_between_lines_is_rejected() -> None:
    wrong = rejected(text_of(told()[:-1]))
    assert "breaks off" in wrong.reason


def test_a_missing_line_is_missed() -> None:
    lines = told()
    del lines[4]
    wrong = rejected(text_of(lines))
    assert (wrong.line, wrong.reason) == (5, "event 5 of the hand is missing: here is 6")


def test_a_hand_that_begins_in_the_middle_is_rejected() -> None:
    lines = told()[1:]
    for n, line in enumerate(lines, 1):
        line["n"] = n
    assert "does not begin" in rejected(text_of(lines)).reason


def test_what_cannot_have_happened_is_rejected_at_its_line() -> None:
    lines = told()
    place = next(n for n, line in enumerate(lines) if line["event"]["type"] == "called.v1")
    lines[place]["event"]["amount"] = 999_999
    wrong = rejected(text_of(lines))
    assert (wrong.line, "but has" in wrong.reason) == (place + 1, True)


def test_a_name_that_steers_a_terminal_is_refused() -> None:
    lines = told()
    lines[0]["event"]["seats"][0]["player"] = "\x1b[2J"
    assert "that can be printed" in rejected(text_of(lines)).reason


def test_one_hand_that_is_wrong_leaves_its_neighbours_alone() -> None:
    broken = told(uuid4())
    broken[3]["event"]["seat"] = 9
    text = text_of(told()) + text_of(broken) + text_of(told(uuid4()))
    assert [type(one).__name__ for one in outcomes(text)] == ["HandRead", "Rejected", "HandRead"]


# -- what could be told and not be kept ------------------------------------------------------------

PLACES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "currency": ("hand_started.v1", ("money", "currency")),
    "table": ("hand_started.v1", ("table", "id")),
    "rules": ("hand_started.v1", ("house_rules", "name")),
    "exponent": ("hand_started.v1", ("money", "exponent")),
    "played_at": ("hand_started.v1", ("played_at",)),
    "row": ("rake_taken.v1", ("row",)),
    "step": ("rake_taken.v1", ("step",)),
    "shares": ("rake_taken.v1", ("attribution", "shares")),
    "borne": ("rake_taken.v1", ("pots",)),
    "pot": ("pot_awarded.v1", ("pot",)),
    "rule": ("pot_awarded.v1", ("reason", "rule")),
    "at": ("folded.v1", ("at",)),
}


def with_(place: str, value: object) -> str:
    """The hand with one value of one event as an attacker wants it."""
    kind, path = PLACES[place]
    lines = told()
    inside: Any = next(line["event"] for line in lines if line["event"]["type"] == kind)
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return text_of(lines)


@pytest.mark.parametrize("value", ["U\0D", "\x1b[2J", "x" * 501])
@pytest.mark.parametrize("place", ["currency", "table", "rules", "row", "step", "rule"])
def test_a_text_no_column_takes_is_refused_wherever_it_stands(place: str, value: str) -> None:
    reason = rejected(with_(place, value)).reason
    assert "Expected `str`" in reason
    assert PLACES[place][1][-1] in reason


@pytest.mark.parametrize(
    ("place", "value"),
    [("pot", 2**40), ("pot", 10), ("pot", -1), ("exponent", 10**9), ("exponent", -3)],
)
def test_a_number_that_would_fill_the_memory_is_refused(place: str, value: int) -> None:
    assert "Expected `int` from 0 to" in rejected(with_(place, value)).reason


def test_a_list_longer_than_any_is_refused() -> None:
    assert "Expected `array`" in rejected(with_("borne", [0] * 101)).reason


def test_rake_borne_by_a_seat_nobody_sat_in_is_refused() -> None:
    shares = [{"seat": 1, "amount": 60}, {"seat": 10, "amount": 0}]
    assert "nobody was dealt in at seat 10" in rejected(with_("shares", shares)).reason


@pytest.mark.parametrize("place", ["played_at", "at"])
@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_is_none_in_utc_is_refused(place: str, time: str) -> None:
    assert "a time of the years 1900 to 2200" in rejected(with_(place, time)).reason


@pytest.mark.parametrize("time", ["2020-01-01T12:00:00", "2020-01-01T07:00:00-05:00"])
def test_a_time_is_kept_in_utc_and_is_so_where_it_does_not_say(time: str) -> None:
    utc = datetime(2020, 1, 1, 12, tzinfo=UTC)
    start = read(with_("played_at", time)).events[0]
    assert isinstance(start, e.HandStarted)
    assert b'"played_at":"2020-01-01T12:00:00Z"' in e.encode(start)
    assert start.played_at == utc
    [folded] = [x for x in read(with_("at", time)).events if isinstance(x, e.Folded)]
    assert folded.at == utc


def test_what_people_write_may_have_several_lines() -> None:
    noted = e.IncidentNoted(kind="floor", text="A card was exposed.\nIt plays.")
    assert event_of(e.encode(noted)) == noted
