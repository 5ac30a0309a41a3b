"""What a rake schedule must be like before anybody is raked by it (R3), and its stored fact."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.events import ScheduleRef
from domain.publishing import (
    TAG,
    BadSchedule,
    SchedulePublished,
    decode,
    encode,
    require_publishable,
    require_sound,
    schedule_stream,
)
from domain.schedules import (
    SCHEDULES,
    TOPSPOKER_CHART,
    Band,
    Row,
    Schedule,
    StakesRange,
    Step,
    consulting,
    consulting_everywhere,
    require_band,
    schedule_for,
)
from services.log.leaf import leaf_hash, public_form
from services.projecting.folding import HAND_TYPES
from services.store.port import Recorded
from tests.support.tables import DOLLARS, player, started

GOLDEN = Path(__file__).parents[1] / "golden"
HOUSE = Schedule(
    id="house",
    version=1,
    currency="USD",
    exponent=2,
    bands=(
        Band(
            "small",
            (StakesRange((200, 400), (400, 800)),),
            (Row(2, 4, (Step(1000, 50),)), Row(5, 10, (Step(1000, 50), Step(2000, 100)))),
        ),
        Band("big", (StakesRange((500, 1000), (500, 1000)),), (Row(2, 8, (Step(5000, 200),)),)),
    ),
)


def faults(schedule: Schedule) -> tuple[str, ...]:
    with pytest.raises(BadSchedule) as refusal:
        require_sound(schedule)
    return refusal.value.faults


def with_rows(*rows: Row) -> Schedule:
    return replace(HOUSE, bands=(replace(HOUSE.bands[0], rows=rows), HOUSE.bands[1]))


@pytest.mark.parametrize("schedule", [HOUSE, *SCHEDULES.values()], ids=lambda one: one.id)
def test_a_schedule_that_says_everything_once_is_sound(schedule: Schedule) -> None:
    require_sound(schedule)


@pytest.mark.parametrize(
    "highest", [(500, 1000), (900, 1600)], ids=["touching the next band", "across the next band"]
)
def test_bands_do_not_overlap(highest: tuple[int, int]) -> None:
    wide = replace(HOUSE.bands[0], stakes=(StakesRange((200, 400), highest),))
    assert faults(replace(HOUSE, bands=(wide, HOUSE.bands[1]))) == (
        "stakes of small and big overlap",
    )


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        (((1000, 50), (1000, 60)), "the step at $10.00 does not rise above that at $10.00"),
        (((1000, 50), (900, 60)), "the step at $9.00 does not rise above that at $10.00"),
        (((1000, 50), (2000, 50)), "the step at $20.00 does not rise above that at $10.00"),
        (((100, 101),), "the rake of $1.01 is more than the pot of $1.00"),
        ((), "there is no step"),
    ],
)
def test_steps_rise_and_take_no_more_than_the_pot(
    steps: tuple[tuple[int, int], ...], fault: str
) -> None:
    row = Row(2, 8, tuple(Step(*step) for step in steps))
    assert faults(with_rows(row)) == (f"small: 2-8 players: {fault}",)


@pytest.mark.parametrize(
    ("spans", "fault"),
    [
        (((2, 4), (4, 8)), "2 rows are for 4 players"),
        (((2, 4), (6, 8)), "no row is for 5 players"),
        (((2, 7),), "no row is for 8 players"),
        (((1, 8),), "no row is for 1-8 players"),
    ],
)
def test_every_number_of_players_has_one_row(
    spans: tuple[tuple[int, int], ...], fault: str
) -> None:
    assert fault in "".join(faults(with_rows(*(Row(*span, (Step(100, 1),)) for span in spans))))


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ""},
        {"id": "A:1"},
        {"version": 0},
        {"currency": "dollars"},
        {"exponent": 16},
        {"bands": ()},
        {"bands": (HOUSE.bands[0], replace(HOUSE.bands[1], name="small"))},
        {"bands": (replace(HOUSE.bands[0], stakes=()), HOUSE.bands[1])},
        {"bands": (replace(HOUSE.bands[0], stakes=(StakesRange((4, 2), (4, 2)),)),)},
        {"bands": (replace(HOUSE.bands[0], stakes=(StakesRange((4, 8), (2, 4)),)),)},
    ],
    ids=str,
)
def test_what_names_nothing_or_holds_nothing_is_not_published(changes: dict[str, object]) -> None:
    assert len(faults(replace(HOUSE, **changes))) == 1  # type: ignore[arg-type]


# -- looked up ------------------------------------------------------------------------------------

NAMING = replace(
    started([player(seat, 0) for seat in (1, 2, 3)], bets=(400, 800), money=DOLLARS),
    rake_schedule=ScheduleRef(id="house", version=1),
)


def test_a_hand_finds_its_schedule_among_those_consulted() -> None:
    with consulting({("house", 1): HOUSE}):
        assert schedule_for(NAMING) is HOUSE
        assert require_band(NAMING) is HOUSE.bands[0]


def test_a_rooms_schedules_are_consulted_in_every_thread_and_a_bundles_where_it_is_judged() -> None:
    found: list[Schedule | None] = []
    other = replace(HOUSE, currency="EUR")
    with consulting_everywhere({("house", 1): HOUSE}), consulting({("house", 1): other}):
        found.append(schedule_for(NAMING))
        thread = Thread(target=lambda: found.append(schedule_for(NAMING)))
        thread.start()
        thread.join()
    assert found == [other, HOUSE]


# -- stored ---------------------------------------------------------------------------------------


def golden() -> bytes:
    return (GOLDEN / "schedules" / f"{TAG}.json").read_bytes().removesuffix(b"\n")


def test_the_golden_line_decodes_and_encodes_to_the_same_bytes() -> None:
    event = SchedulePublished(
        at=datetime(2026, 3, 9, 20, 17, 3, tzinfo=UTC), actor="command line", schedule=HOUSE
    )
    assert encode(event) == golden()
    assert decode(golden()) == event
    assert msgspec.json.decode(golden()).keys() == {"type", "at", "actor", "schedule"}


def test_a_field_a_later_version_adds_is_tolerated_when_reading() -> None:
    later = golden().removesuffix(b"}") + b',"added_later":{"x":[1]}}'
    assert decode(later) == decode(golden())


def test_the_leaf_hash_stays_and_needs_no_secret() -> None:
    stored = Recorded(
        position=7,
        stream=UUID(int=7),
        n=1,
        type=TAG,
        state=golden(),
        recorded_at=datetime(2026, 3, 9, 20, 17, 3, tzinfo=UTC),
        actor="command line",
        request_id=None,
        causation=None,
        command_id=None,
    )
    leaves = msgspec.json.decode((GOLDEN / "schedule_leaves.json").read_bytes())
    assert leaves == {TAG: leaf_hash(public_form("main", stored, None)).hex()}


def test_all_versions_of_a_schedule_share_a_stream_that_is_no_hands() -> None:
    assert schedule_stream("house") == UUID("43d4bc3b-974a-5ad3-b12a-ab6fcd466579")
    assert TAG not in HAND_TYPES


def test_the_sources_chart_is_in_force_from_the_start() -> None:
    assert SCHEDULES[TOPSPOKER_CHART.id, 1] is TOPSPOKER_CHART


def test_nobody_publishes_more_than_a_chart_holds_and_what_is_in_force_stays_sound() -> None:
    rows = (Row(2, 10, (Step(1000, 100),)),)
    bands = tuple(
        Band(f"band {bet}", (StakesRange((bet, 2 * bet), (bet, 2 * bet)),), rows)
        for bet in range(1, 5002)
    )
    many = Schedule(id="many", version=1, currency="USD", exponent=2, bands=bands)
    require_sound(many)
    with pytest.raises(BadSchedule) as refused:
        require_publishable(many)
    assert refused.value.faults == (
        "a schedule has at most 100 bands, not 5001",
        "a schedule has at most 1000 stakes in all its bands, not 5001",
    )
    require_publishable(replace(many, bands=bands[:100]))


def test_a_row_holds_a_hundred_steps_and_a_band_a_row_for_each_number_of_players() -> None:
    steps = tuple(Step(100 * pot, pot) for pot in range(1, 102))
    band = Band("x" * 101, (StakesRange((1, 2), (1, 2)),), (Row(2, 10, steps),) * 10)
    with pytest.raises(BadSchedule) as refused:
        require_publishable(
            Schedule(id="long", version=1, currency="USD", exponent=2, bands=(band,))
        )
    assert refused.value.faults == (
        "band 1: a name has at most 100 characters",
        "band 1: a band has at most 9 rows, not 10",
        "band 1: a row has at most 100 steps, not 101",
    )
