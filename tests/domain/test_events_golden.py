"""Stored events are for ever: one golden line per event version, and its fields, never change.

Nothing rewrites these files. A new version gets a new line; an old line stays and still decodes.
"""

from __future__ import annotations

import typing
from pathlib import Path

import msgspec
import pytest

from domain import events
from domain.events import HandEvent, decode, encode, tag_of
from domain.house_rules import Clock, HouseRules

GOLDEN = Path(__file__).parents[1] / "golden" / "events"

FROZEN_EVENTS = {
    "hand_started.v1": "game stakes money house_rules rake_schedule site number table dealer "
    "seats played_at deck source",
    "ante_posted.v1": "seat amount all_in",
    "bring_in_posted.v1": "seat amount all_in",
    "called.v1": "seat amount all_in",
    "completed.v1": "seat to size all_in",
    "bet_placed.v1": "seat to size all_in",
    "raised.v1": "seat to size all_in",
    "checked.v1": "seat",
    "folded.v1": "seat",
    "mucked.v1": "seat",
    "player_disconnected.v1": "seat",
    "player_reconnected.v1": "seat",
    "cards_dealt.v1": "seat street down up positions",
    "community_card_dealt.v1": "card position",
    "betting_opened.v1": "street opener reason double_bet",
    "timed_out.v1": "seat turn_started_at deadline disconnected_at outcome",
    "clock_paused.v1": "reason",
    "clock_resumed.v1": "reason",
    "incident_noted.v1": "kind text",
    "uncalled_returned.v1": "seat amount",
    "cards_shown.v1": "seat cards",
    "rake_taken.v1": "total pots row step attribution",
    "pot_awarded.v1": "pot half amount shares reason",
    "hand_completed.v1": "stacks",
    "hand_voided.v1": "moves rake reason ruling",
    "award_corrected.v1": "moves rake reason ruling",
}

FROZEN_PARTS: dict[type[msgspec.Struct], str] = {
    events.Stakes: "small_bet big_bet ante bring_in chip_unit",
    events.Money: "kind currency exponent",
    events.ScheduleRef: "id version",
    events.TableRef: "id name max_seats",
    events.SeatStack: "seat stack",
    events.SeatTaken: "seat player stack",
    events.Deck: "source commitment",
    events.Source: "kind format text_sha256",
    events.Compared: "seat rule cards words",
    events.Reason: "rule compared",
    events.Share: "seat amount odd",
    events.SeatAmount: "seat amount",
    events.SeatMove: "seat amount",
    events.Attribution: "method version shares",
    Clock: "turn countdown disconnected",
    HouseRules: "name version bring_in_floor bring_in_tie open_pair_double_bet "
    "cap_exempt_heads_up stud_odd_chip hi_lo_odd_chip odd_chip_cards odd_chip_tie burn_cards "
    "clock timeout_outcome unmatched_ante rake rake_third_street rake_attribution",
}

CLASS_OF = {str(kind.__struct_config__.tag): kind for kind in typing.get_args(HandEvent)}


def golden(tag: str) -> bytes:
    return (GOLDEN / f"{tag}.json").read_bytes().removesuffix(b"\n")


def fields_of(kind: type[msgspec.Struct]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind)}


def required_of(kind: type[msgspec.Struct]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(kind) if field.required}


def test_every_event_version_has_exactly_one_golden_line() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(CLASS_OF)
    assert all(b"\n" not in golden(tag) for tag in CLASS_OF)


def test_every_event_version_is_in_the_frozen_list() -> None:
    assert set(FROZEN_EVENTS) == set(CLASS_OF)


@pytest.mark.parametrize("tag", sorted(CLASS_OF))
def test_a_golden_line_decodes_and_encodes_to_the_same_bytes(tag: str) -> None:
    event = decode(golden(tag))
    assert tag_of(event) == tag
    assert encode(event) == golden(tag)


@pytest.mark.parametrize("tag", sorted(CLASS_OF))
def test_the_required_fields_of_an_event_are_frozen(tag: str) -> None:
    assert required_of(CLASS_OF[tag]) == set(FROZEN_EVENTS[tag].split())
    assert "at" in fields_of(CLASS_OF[tag])


@pytest.mark.parametrize("part", FROZEN_PARTS, ids=lambda part: part.__name__)
def test_the_fields_of_the_values_inside_events_are_frozen(part: type[msgspec.Struct]) -> None:
    frozen = set(FROZEN_PARTS[part].split())
    assert required_of(part) <= frozen <= fields_of(part)


def test_every_value_inside_events_is_in_the_frozen_list() -> None:
    assert set(events.Part.__subclasses__()) <= set(FROZEN_PARTS)


@pytest.mark.parametrize("tag", sorted(CLASS_OF))
def test_a_golden_line_spells_out_every_frozen_field(tag: str) -> None:
    spelled = msgspec.json.decode(golden(tag)).keys()
    assert spelled == {"type", "at", *FROZEN_EVENTS[tag].split()}


@pytest.mark.parametrize("tag", sorted(CLASS_OF))
def test_a_field_a_later_version_adds_is_tolerated_when_reading(tag: str) -> None:
    later = golden(tag).removesuffix(b"}") + b',"added_later":{"x":[1]}}'
    assert decode(later) == decode(golden(tag))


@pytest.mark.parametrize("tag", sorted(CLASS_OF))
def test_the_time_at_the_table_may_be_missing(tag: str) -> None:
    unstamped = msgspec.structs.replace(decode(golden(tag)), at=None)
    assert b'"at"' not in encode(unstamped)
    assert decode(encode(unstamped)) == unstamped


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"called.v1","seat":11,"amount":1,"all_in":false}',
        b'{"type":"called.v1","seat":1,"amount":-1,"all_in":false}',
        b'{"type":"called.v1","seat":1,"amount":9007199254740992,"all_in":false}',
        b'{"type":"called.v1","seat":1,"amount":1.5,"all_in":false}',
        b'{"type":"called.v1","seat":1,"amount":1}',
        b'{"type":"called.v2","seat":1,"amount":1,"all_in":false}',
        b'{"type":"community_card_dealt.v1","card":"1h","position":null}',
    ],
)
def test_a_stored_line_with_a_wrong_value_is_not_read(line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(line)
