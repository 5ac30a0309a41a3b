"""A table: who may sit, what counts when, which hand begins with what and leaves what."""

from __future__ import annotations

from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.errors import CorruptHistory, Refused
from domain.events import Money, SeatStack, SeatTaken, Stakes
from domain.house_rules import POKERSTARS, TOPSPOKER
from domain.schedules import DEFAULT_SCHEDULE
from domain.tables import commands as c
from domain.tables import events as t
from domain.tables.decide import decide
from domain.tables.table import Table, evolve, replay
from domain.units import MOST_CHIPS

HAND = UUID(int=1)
OPENED = t.TableOpened(
    name="A",
    game="stud8",
    stakes=Stakes(small_bet=200, big_bet=400, ante=25, bring_in=100, chip_unit=1),
    money=Money(kind="real", currency="USD", exponent=2),
    house_rules=TOPSPOKER,
    rake_schedule=DEFAULT_SCHEDULE,
    max_seats=6,
    site="studledger",
)
FOR_FUN = replace(OPENED, money=Money(kind="play", currency="chips", exponent=0))
ANNA = t.PlayerSeated(seat=1, player="anna", stack=1000)
BENO = t.PlayerSeated(seat=3, player="beno", stack=2000)
CARL = t.PlayerSeated(seat=6, player="carl", stack=3000)
ANNA_AND_BENO = (
    SeatTaken(seat=1, player="anna", stack=1000),
    SeatTaken(seat=3, player="beno", stack=2000),
)
BEGUN = t.HandBegun(hand=HAND, number="T1-1", dealer=3, seats=ANNA_AND_BENO)
IN_A_HAND = (OPENED, ANNA, BENO, BEGUN)


def stacks(**left: int) -> tuple[SeatStack, ...]:
    return tuple(SeatStack(seat=int(seat[1:]), stack=stack) for seat, stack in left.items())


ENDED = t.HandEnded(hand=HAND, stacks=stacks(s1=950, s3=2025), voided=False)
BEGIN = c.BeginHand(hand=HAND, number="T1-1")


class given:  # noqa: N801 - it reads as a sentence
    def __init__(self, *events: t.TableEvent) -> None:
        self.table: Table | None = replay(events) if events else None

    def when(self, command: c.TableCommand) -> Asked:
        return Asked(self.table, command)


class Asked:
    def __init__(self, table: Table | None, command: c.TableCommand) -> None:
        self.table, self.command = table, command

    def then(self, *expected: t.TableEvent) -> Table:
        events = decide(self.table, self.command)
        assert events == expected
        table = self.table
        for event in events:
            table = evolve(table, event)
        assert table is not None
        return table

    def then_refused(self, rule: str, says: str) -> None:
        with pytest.raises(Refused, match=says) as refused:
            decide(self.table, self.command)
        assert refused.value.rule == rule


# -- opening -------------------------------------------------------------------------------------


def test_a_table_opens_with_exactly_the_facts_asked_for() -> None:
    table = given().when(c.OpenTable(table=OPENED)).then(OPENED)
    assert (table.seats, table.disc, table.playing, table.hands_begun) == ((), None, None, 0)


def test_r3_a_raked_table_outside_every_band_is_not_opened() -> None:
    stakes = Stakes(small_bet=300_000, big_bet=600_000, ante=0, bring_in=150_000, chip_unit=1)
    given().when(c.OpenTable(table=replace(OPENED, stakes=stakes))).then_refused("R3", "no band")
    euros = replace(OPENED, money=Money(kind="real", currency="EUR", exponent=2))
    given().when(c.OpenTable(table=euros)).then_refused("R3", "no band")
    given().when(c.OpenTable(table=replace(FOR_FUN, stakes=stakes))).then(
        replace(FOR_FUN, stakes=stakes)
    )


def test_r2_real_money_is_dealt_for_only_under_a_schedule() -> None:
    table = replace(OPENED, rake_schedule=None)
    given().when(c.OpenTable(table=table)).then_refused("R2", "rake schedule")
    table = replace(OPENED, house_rules=POKERSTARS)
    given().when(c.OpenTable(table=table)).then_refused("R2", "rake schedule")


@pytest.mark.parametrize(
    ("rule", "stakes"),
    [
        ("S6", {"big_bet": 300}),
        ("S6", {"chip_unit": 3}),
        ("S4", {"bring_in": 99}),
        ("S4", {"bring_in": 201}),
        ("P7", {"chip_unit": 0}),
    ],
)
def test_no_table_opens_with_stakes_nothing_is_dealt_at(rule: str, stakes: dict[str, int]) -> None:
    table = replace(OPENED, stakes=replace(OPENED.stakes, **stakes))
    given().when(c.OpenTable(table=table)).then_refused(rule, ".")


@pytest.mark.parametrize("max_seats", [0, 1, 9])
def test_g4_a_table_has_two_to_eight_seats(max_seats: int) -> None:
    table = replace(OPENED, max_seats=max_seats)
    given().when(c.OpenTable(table=table)).then_refused("G4", "2 to 8 seats")


def test_p8_an_amount_has_a_countable_number_of_decimals() -> None:
    table = replace(FOR_FUN, money=Money(kind="play", currency="chips", exponent=16))
    given().when(c.OpenTable(table=table)).then_refused("P8", "decimals")


def test_a_table_is_opened_once_and_first() -> None:
    given(OPENED).when(c.OpenTable(table=OPENED)).then_refused("G4", "open already")
    given().when(c.Leave(seat=1)).then_refused("G4", "not open")


# -- seats and chips -----------------------------------------------------------------------------


def test_a_player_sits_down_with_his_chips() -> None:
    table = given(OPENED).when(c.TakeSeat(seat=1, player="anna", stack=1000)).then(ANNA)
    assert table.ready() == ANNA_AND_BENO[:1]


def test_g4_a_taken_seat_is_not_given_again() -> None:
    given(OPENED, ANNA).when(c.TakeSeat(seat=1, player="beno", stack=1)).then_refused("G4", "taken")


def test_g4_nobody_sits_twice() -> None:
    again = c.TakeSeat(seat=2, player="anna", stack=1)
    given(OPENED, ANNA).when(again).then_refused("G4", "sits here already")


@pytest.mark.parametrize("seat", [0, 7])
def test_g4_a_seat_is_one_of_the_tables(seat: int) -> None:
    given(OPENED).when(c.TakeSeat(seat=seat, player="a", stack=1)).then_refused("G4", "1 to 6")


def test_b6_nobody_sits_down_or_adds_without_chips() -> None:
    given(OPENED).when(c.TakeSeat(seat=1, player="a", stack=0)).then_refused("B6", "without chips")
    given(OPENED, ANNA).when(c.AddChips(seat=1, amount=0)).then_refused("B6", "without chips")


def test_p8_no_table_holds_more_chips_than_can_be_counted() -> None:
    too_many = c.TakeSeat(seat=2, player="beno", stack=MOST_CHIPS - 999)
    given(OPENED, ANNA).when(too_many).then_refused("P8", "more than")


def test_chips_added_between_hands_count_at_once() -> None:
    table = (
        given(OPENED, ANNA).when(c.AddChips(seat=1, amount=5)).then(t.ChipsAdded(seat=1, amount=5))
    )
    assert table.ready()[0].stack == 1005


def test_b6_chips_added_in_a_hand_count_from_the_next() -> None:
    added = t.ChipsAdded(seat=1, amount=500)
    table = given(*IN_A_HAND).when(c.AddChips(seat=1, amount=500)).then(added)
    assert [s.stack for s in table.seats] == [1000, 2000]
    assert [s.stack for s in evolve(table, ENDED).ready()] == [1450, 2025]


def test_chips_of_who_is_in_no_hand_count_at_once() -> None:
    table = replay([*IN_A_HAND, CARL, t.ChipsAdded(seat=6, amount=7)])
    assert [s.stack for s in evolve(table, ENDED).ready()] == [950, 2025, 3007]


def test_nothing_is_done_at_an_empty_seat() -> None:
    for command in (c.AddChips(seat=2, amount=1), c.Leave(seat=2), c.SitOut(seat=2)):
        given(OPENED, ANNA).when(command).then_refused("G4", "nobody sits")


def test_b6_nobody_comes_back_to_the_next_hand_with_less() -> None:
    left = (OPENED, ANNA, BENO, CARL, t.PlayerLeft(seat=1, stack=1000))
    back = c.TakeSeat(seat=2, player="anna", stack=999)
    given(*left).when(back).then_refused("B6", "with less")
    given(*left).when(replace(back, stack=1000)).then(replace(ANNA, seat=2))
    one_later = replace(BEGUN, seats=(ANNA_AND_BENO[1],), dealer=6)
    given(*left, one_later).when(back).then(t.PlayerSeated(seat=2, player="anna", stack=999))


# -- leaving and sitting out -----------------------------------------------------------------------


def test_who_is_in_no_hand_leaves_at_once_with_all_his_chips() -> None:
    table = given(OPENED, ANNA, BENO).when(c.Leave(seat=1)).then(t.PlayerLeft(seat=1, stack=1000))
    assert [s.seat for s in table.seats] == [3]


def test_who_is_in_a_hand_leaves_when_it_ends_with_what_it_left_him() -> None:
    table = given(*IN_A_HAND).when(c.Leave(seat=1)).then(t.PlayerLeaving(seat=1))
    assert table.in_hand(1)
    given(*IN_A_HAND, t.ChipsAdded(seat=1, amount=5), t.PlayerLeaving(seat=1)).when(
        c.EndHand(hand=HAND, stacks=ENDED.stacks)
    ).then(ENDED, t.PlayerLeft(seat=1, stack=955))


def test_who_is_leaving_does_nothing_more_at_the_table() -> None:
    for command in (c.Leave(seat=1), c.AddChips(seat=1, amount=1), c.SitOut(seat=1)):
        given(*IN_A_HAND, t.PlayerLeaving(seat=1)).when(command).then_refused("G4", "leaves when")


def test_who_sits_out_keeps_his_seat_and_is_not_dealt_in() -> None:
    table = given(OPENED, ANNA, BENO, CARL).when(c.SitOut(seat=3)).then(t.SatOut(seat=3))
    assert [taken.seat for taken in table.ready()] == [1, 6]
    table = given(OPENED, ANNA, BENO, t.SatOut(seat=3)).when(c.SitIn(seat=3)).then(t.SatIn(seat=3))
    assert table.ready() == ANNA_AND_BENO


def test_nobody_sits_out_twice() -> None:
    given(OPENED, ANNA, t.SatOut(seat=1)).when(c.SitOut(seat=1)).then_refused("G4", "sits out")
    given(OPENED, ANNA).when(c.SitIn(seat=1)).then_refused("G4", "plays")


# -- hands ---------------------------------------------------------------------------------------


def test_a_hand_begins_with_exactly_the_stacks_at_the_table() -> None:
    table = given(OPENED, ANNA, BENO).when(replace(BEGIN, dealer=3)).then(BEGUN)
    assert table.playing is not None
    assert (table.playing.hand, table.disc, table.hands_begun) == (HAND, 3, 1)


def test_g5_the_disc_moves_one_seat_that_is_dealt_in() -> None:
    first = given(OPENED, ANNA, BENO).when(BEGIN).then(replace(BEGUN, dealer=1))
    assert first.disc == 1
    table = given(*IN_A_HAND, ENDED, CARL, t.SatOut(seat=6)).when(BEGIN)
    assert [e.dealer for e in decide(table.table, BEGIN) if isinstance(e, t.HandBegun)] == [1]


def test_g5_the_dealers_seat_may_be_empty_but_is_one_of_the_tables() -> None:
    given(OPENED, ANNA, BENO).when(replace(BEGIN, dealer=5)).then(replace(BEGUN, dealer=5))
    given(OPENED, ANNA, BENO).when(replace(BEGIN, dealer=7)).then_refused("G5", "1 to 6")


def test_g4_a_hand_needs_two_players_with_chips() -> None:
    broke = t.HandEnded(hand=HAND, stacks=stacks(s1=0, s3=3000), voided=False)
    given(OPENED, ANNA).when(BEGIN).then_refused("G4", "2 players")
    given(OPENED, ANNA, BENO, t.SatOut(seat=1)).when(BEGIN).then_refused("G4", "2 players")
    given(*IN_A_HAND, broke).when(BEGIN).then_refused("G4", "2 players")
    rebuy = t.ChipsAdded(seat=1, amount=10)
    assert len(replay([*IN_A_HAND, broke, rebuy]).ready()) == 2


def test_g4_one_hand_is_played_at_a_time() -> None:
    given(*IN_A_HAND).when(BEGIN).then_refused("G4", "T1-1 is being played")


def test_a_hand_ends_with_the_stacks_it_leaves_less_the_rake() -> None:
    table = given(*IN_A_HAND).when(c.EndHand(hand=HAND, stacks=ENDED.stacks)).then(ENDED)
    assert table.playing is None
    assert [s.stack for s in table.seats] == [950, 2025]


@pytest.mark.parametrize(
    ("left", "rule"),
    [
        (stacks(s1=1000, s3=2001), "P8"),
        (stacks(s1=3000), "P8"),
        (stacks(s1=1000, s6=2000), "P8"),
        (stacks(s1=500, s3=2000) + stacks(s1=500), "P8"),
    ],
)
def test_p8_a_hand_makes_no_chips(left: tuple[SeatStack, ...], rule: str) -> None:
    given(*IN_A_HAND).when(c.EndHand(hand=HAND, stacks=left)).then_refused(rule, ".")


def test_r1_a_hand_for_play_money_loses_no_chips() -> None:
    end = c.EndHand(hand=HAND, stacks=ENDED.stacks)
    given(FOR_FUN, ANNA, BENO, BEGUN).when(end).then_refused("P8", "less the rake")


def test_p9_a_void_gives_everyone_back_what_he_began_with() -> None:
    end = c.EndHand(hand=HAND, stacks=stacks(s1=1000, s3=2000), voided=True)
    given(*IN_A_HAND).when(end).then(t.HandEnded(hand=HAND, stacks=end.stacks, voided=True))
    given(*IN_A_HAND).when(replace(end, stacks=ENDED.stacks)).then_refused("P9", "void")


def test_only_the_hand_being_played_ends() -> None:
    end = c.EndHand(hand=UUID(int=2), stacks=ENDED.stacks)
    given(*IN_A_HAND).when(end).then_refused("G4", "not being played")
    given(*IN_A_HAND, ENDED).when(replace(end, hand=HAND)).then_refused("G4", "not being played")


# -- closing -------------------------------------------------------------------------------------


def test_a_closing_table_sends_everybody_home_with_his_chips() -> None:
    given(*IN_A_HAND, ENDED).when(c.CloseTable()).then(
        t.PlayerLeft(seat=1, stack=950), t.PlayerLeft(seat=3, stack=2025), t.TableClosed()
    )


def test_no_table_closes_while_a_hand_is_played() -> None:
    given(*IN_A_HAND).when(c.CloseTable()).then_refused("G4", "is being played")


def test_nothing_happens_at_a_closed_table() -> None:
    for command in (c.TakeSeat(seat=1, player="a", stack=1), BEGIN, c.CloseTable()):
        given(OPENED, t.TableClosed()).when(command).then_refused("G4", "closed")


@pytest.mark.parametrize(
    "events",
    [
        (),
        (ANNA,),
        (OPENED, OPENED),
        (OPENED, ANNA, ANNA),
        (OPENED, t.SatOut(seat=1)),
        (OPENED, ANNA, BEGUN),
        (*IN_A_HAND, BEGUN),
        (OPENED, ANNA, BENO, ENDED),
        (*IN_A_HAND, replace(ENDED, stacks=stacks(s1=3000))),
        (OPENED, t.TableClosed(), ANNA),
    ],
)
def test_facts_that_cannot_be_are_corruption(events: tuple[t.TableEvent, ...]) -> None:
    with pytest.raises(CorruptHistory):
        replay(events)


def test_a_player_is_in_no_printed_form_of_a_table() -> None:
    assert "anna" not in repr(replay(IN_A_HAND)) + repr(ANNA) + repr(BEGUN)
