"""A frame is the table at a step: what its JSON holds, and that its figures are the hand's."""

from __future__ import annotations

import typing
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from domain import commands as c
from domain import events as e
from domain.events import HandEvent
from domain.evolve import replay
from services.replaying import ALL, NoSuchStep, parse_view, replay_frames, replay_step
from services.replaying.notes import note
from services.replaying.seating import seating
from tests.support.bdd import Table, doors, started
from tests.support.hand_texts import PHH, STUD, read
from tests.support.played import played_hands
from tests.support.told_hands import correction, quiet_hand, side_pot_hand, void

NAMES = {"anna": "anna", "bert": "bert", "cleo": "cleo"}


def as_json(*args: Any, **kwargs: Any) -> dict[str, Any]:
    frame: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(replay_step(*args, **kwargs)))
    return frame


def test_a_frame_is_the_table_in_json() -> None:
    frame = as_json("h1", read(STUD).events, 9, parse_view("public"), NAMES)
    promised = [
        "hand",
        "number",
        "step",
        "steps",
        "street",
        "to_act",
        "pot",
        "pots",
        "seats",
        "event",
        "note",
    ]
    assert set(promised) <= set(frame)
    assert [frame[key] for key in ("hand", "number", "step", "street")] == ["h1", "7001", 9, 3]
    assert (frame["currency"], frame["exponent"]) == ("USD", 2)
    assert frame["event"] == {
        "type": "completed.v1", "seat": 4, "to": 100, "size": "small", "all_in": False,
    }  # fmt: skip
    assert frame["note"] == "cleo (seat 4) completes to $1.00."
    assert (frame["to_act"], frame["pot"]) == (1, 180)
    assert frame["seats"][2] == {
        "seat": 4, "player": "cleo", "stack": 1890, "committed": 110, "street_total": 100,
        "won": 0, "status": "active", "mucked": False, "down": ["??", "??"], "up": ["Qs"],
    }  # fmt: skip


def test_a_player_without_a_known_name_is_called_by_his_seat() -> None:
    frame = replay_step("h", read(STUD).events, 9)
    assert frame.seats[2].player == "seat 4"
    assert frame.note == "Seat 4 completes to $1.00."


def test_the_steps_are_those_of_the_events_and_the_last_is_shown_if_none_is_named() -> None:
    events = read(STUD).events
    assert replay_step("h", events).step == len(events)
    for step in (0, -1, len(events) + 1):
        with pytest.raises(NoSuchStep, match=f"the hand has steps 1 to {len(events)}"):
            replay_step("h", events, step)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(played_hands())
def test_at_every_step_pots_make_the_pot_and_chips_are_conserved(
    events: tuple[e.HandEvent, ...],
) -> None:
    brought = sum(p.started_with for p in replay(events).seats)
    frames = tuple(replay_frames("h", events))
    assert [frame.step for frame in frames] == list(range(1, len(events) + 1))
    for frame in frames:
        assert sum(pot.amount for pot in frame.pots) == frame.pot
        assert sum(seat.stack for seat in frame.seats) + frame.pot + frame.rake == brought
        assert frame.to_act is None or frame.legal
    assert frames[len(frames) // 2] == replay_step("h", events, len(frames) // 2 + 1)


def test_a_bet_yet_to_be_matched_makes_no_side_pot_but_an_all_in_does() -> None:
    table = Table(started({1: 1000, 2: 12, 3: 1000}))
    table.deal(doors(s1="2c", s2="Kd", s3="9h"))
    table.act("1 bring_in", "2 call", "3 complete", "1 call", "2 call")
    assert [(pot.amount, pot.claimants) for pot in replay_step("h", table.log).pots] == [
        (36, (1, 2, 3)),
        (16, (1, 3)),
    ]
    table.deal({1: "3c", 3: "4c"})
    table.act("3 bet")
    pots = replay_step("h", table.log).pots
    assert [(pot.name, pot.amount, pot.claimants) for pot in pots] == [
        ("main pot", 36, (1, 2, 3)),
        ("side pot 1", 36, (1, 3)),
    ]


def test_pots_shrink_by_rake_and_awards_until_nothing_is_left() -> None:
    events = side_pot_hand()
    taken = next(n for n, event in enumerate(events, 1) if isinstance(event, e.RakeTaken))
    assert [pot.amount for pot in replay_step("h", events, taken).pots] == [3160, 1964]
    assert [pot.amount for pot in replay_step("h", events, taken + 1).pots] == [1580, 1964]
    last = replay_step("h", events)
    assert (last.pot, last.pots) == (0, ())
    assert [seat.won for seat in last.seats] == [790 + 491, 1580, 790 + 982 + 491, 0]


def test_a_record_whose_rake_fits_no_pot_still_has_pots_that_make_the_pot() -> None:
    odd = tuple(
        msgspec.structs.replace(event, pots=(0, 200)) if isinstance(event, e.RakeTaken)
        else msgspec.structs.replace(event, pot=7) if isinstance(event, e.PotAwarded)
        else event
        for event in side_pot_hand()
    )  # fmt: skip
    for frame in replay_frames("h", odd):
        assert sum(pot.amount for pot in frame.pots) == frame.pot


def test_a_void_hand_has_nothing_in_the_middle_and_nobody_committed() -> None:
    table = Table(started())
    table.deal(doors(s1="2c", s2="Kd", s3="9h"))
    table.act("1 bring_in", "2 complete")
    table.issue(c.Void(reason="misdeal"))
    frame = replay_step("h", table.log)
    assert (frame.pot, frame.pots, frame.to_act) == (0, (), None)
    assert [(seat.stack, seat.committed) for seat in frame.seats] == [(1000, 0)] * 3
    assert frame.note == "The hand is void, seat 1 +10, seat 2 +20: misdeal."


def test_every_kind_of_fact_has_one_sentence() -> None:
    told = (
        *side_pot_hand(), *quiet_hand(), void({1: 5, 2: -5}), correction({1: 5, 2: -5}, rake=0),
        *read(PHH).events,
    )  # fmt: skip
    kinds = {type(event) for event in told}
    assert kinds == set(typing.get_args(HandEvent))
    after = replay(side_pot_hand())
    words = seating(after.started, {})
    for event in told:
        sentence = note(words, event, after)
        assert sentence[0] == sentence[0].upper()
        assert sentence == sentence.strip()
        assert "\n" not in sentence


def test_a_name_cannot_steer_the_terminal() -> None:
    events = read(STUD).events
    frame = replay_step("h", events, 9, ALL, {"cleo": "c\x1b[2Jl\neo"})
    assert (
        frame.note == "c\N{REPLACEMENT CHARACTER}[2Jl\N{REPLACEMENT CHARACTER}eo (seat 4) "
        "completes to $1.00."
    )
