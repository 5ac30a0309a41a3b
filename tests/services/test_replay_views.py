"""Nobody is shown a card he may not see: not in a frame, a drawing, a note or an explanation."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from domain import events as e
from domain.evolve import replay
from services.explaining import as_text, explain
from services.replaying import (
    ALL,
    PUBLIC,
    BadView,
    View,
    draw,
    parse_view,
    replay_step,
    seen_by,
)
from tests.support.bdd import Table, doors, started
from tests.support.hand_texts import STUD, read
from tests.support.played import cards_in, played_hands, seen_at_the_table

MUCKED = "cleo mucked [Js Tc Qs 7s 2h 5d 6c]"
FLUSH_MUCKED = "cleo mucked [Js 9s Qs 7s 2h 5d 6s]"


def everything_said(events: tuple[e.HandEvent, ...], step: int, view: View) -> str:
    """Frame, drawing and explanations of one step and of the hand up to it, in one text."""
    frame = replay_step("h", events, step, view)
    paper = io.StringIO()
    Console(file=paper, width=80, legacy_windows=False).print(draw(frame))
    explained = (explain("h", events, step, view), explain("h", events[:step], None, view))
    return "\n".join(
        (
            msgspec.json.encode(frame).decode(),
            paper.getvalue(),
            *(as_text(explanation) for explanation in explained),
            *(msgspec.json.encode(explanation).decode() for explanation in explained),
        )
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(played_hands(), st.data())
def test_the_public_reads_of_no_card_that_was_not_shown(
    events: tuple[e.HandEvent, ...], data: st.DataObject
) -> None:
    step = data.draw(st.integers(1, len(events)))
    said = everything_said(events[:step], step, PUBLIC)
    assert cards_in(said) <= seen_at_the_table(events[:step])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(played_hands(), st.data())
def test_a_player_reads_of_his_own_cards_and_of_no_other_that_was_not_shown(
    events: tuple[e.HandEvent, ...], data: st.DataObject
) -> None:
    step = data.draw(st.integers(1, len(events)))
    seat = data.draw(st.sampled_from([p.seat for p in replay(events).seats]))
    said = everything_said(events[:step], step, View("seat", seat))
    assert cards_in(said) <= seen_at_the_table(events[:step], seat)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(played_hands())
def test_masking_changes_cards_and_words_of_reasons_but_no_chips_and_no_step(
    events: tuple[e.HandEvent, ...],
) -> None:
    seen, real = replay(seen_by(PUBLIC, events)), replay(events)
    assert [(p.stack, p.paid, p.status, p.up) for p in seen.seats] == [
        (p.stack, p.paid, p.status, p.up) for p in real.seats
    ]
    assert (seen.step, seen.pot, seen.rake) == (real.step, real.pot, real.rake)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(played_hands())
def test_the_view_of_all_is_the_record_itself(events: tuple[e.HandEvent, ...]) -> None:
    assert tuple(seen_by(ALL, events)) == events


@pytest.mark.parametrize(
    ("text", "view"),
    [("public", PUBLIC), ("all", ALL), ("seat:3", View("seat", 3)), ("seat:10", View("seat", 10))],
)
def test_a_view_is_written_as_it_is_read(text: str, view: View) -> None:
    assert parse_view(text) == view
    assert str(view) == text


@pytest.mark.parametrize("text", ["", "seat", "seat:0", "seat:11", "seat:x", "Public", "seat:3 "])
def test_what_is_no_view_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(BadView, match="say public, all or seat:N"):
        parse_view(text)


def test_a_seat_without_a_player_has_no_view() -> None:
    with pytest.raises(BadView, match="nobody was dealt in at seat 5: the seats are 1, 2, 4"):
        replay_step("h", read(STUD).events, view=View("seat", 5))


def test_a_live_hand_shows_all_its_cards_to_nobody() -> None:
    table = Table(started())
    table.deal(doors(s1="2c", s2="Kd", s3="9h"))
    for ask in (replay_step, explain):
        with pytest.raises(BadView, match="still being played"):
            ask("h", table.log, view=ALL)
    own = replay_step("h", table.log, view=View("seat", 1)).seats
    assert [seat.down[0] == "??" for seat in own] == [False, True, True]


def test_before_the_showdown_others_cards_are_hidden_and_after_it_only_those_not_shown() -> None:
    events = read(STUD).events
    shown_at = next(n for n, event in enumerate(events, 1) if isinstance(event, e.CardsShown))
    before = replay_step("h", events, shown_at - 1).seats
    assert [seat.down for seat in before] == [("??",) * 3, ("??",) * 2, ("??",) * 3]
    after = replay_step("h", events, shown_at).seats
    assert [seat.down for seat in after] == [("Ah", "Kd", "As"), ("??",) * 2, ("??",) * 3]


def test_a_mucked_hand_that_is_on_record_is_for_its_owner_and_the_view_of_all() -> None:
    events = read(STUD).events
    owner, everybody = (
        replay_step("h", events, view=view).seats[2].down for view in (View("seat", 4), ALL)
    )
    assert owner == everybody == ("Js", "Tc", "6c")


def test_a_reason_that_rests_on_a_hidden_hand_says_only_that_it_was_not_shown() -> None:
    events = read(STUD).events
    low = e.Compared(seat=4, rule="G2", cards=(), words="no low")
    high = e.Compared(seat=1, rule="G1", cards=("As", "Ah", "Kd"), words="pair of aces")
    place = e.Compared(seat=4, rule="P6", cards=(), words="first clockwise from the dealer")
    told = tuple(
        msgspec.structs.replace(event, reason=e.Reason(rule="G1", compared=(low, high, place)))
        if isinstance(event, e.PotAwarded)
        else event
        for event in events
    )
    [award] = [event for event in seen_by(PUBLIC, told) if isinstance(event, e.PotAwarded)]
    assert [one.words for one in award.reason.compared] == [
        "not shown",
        "pair of aces",
        "first clockwise from the dealer",
    ]


def test_a_finding_about_a_mucked_hand_is_told_to_the_public_without_the_hand() -> None:
    events = read(STUD, (MUCKED, FLUSH_MUCKED)).events
    public, everything = explain("h", events), explain("h", events, view=ALL)
    assert public.verdict == everything.verdict == "findings"
    [hidden], [told] = public.findings, everything.findings
    assert (hidden.step, hidden.rule) == (told.step, told.rule)
    assert "flush" in told.text
    assert "flush" not in as_text(public)
    assert hidden.expected == hidden.recorded == "not shown"
