"""What the rules object to in returns, rake, awards, stacks and voids: one fact is changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import commands as c
from domain import events as e
from domain.errors import CorruptHistory
from domain.verdict import judge
from tests.support.bdd import DOLLARS, PLAY, Table, doors, started
from tests.support.records import Record, assert_only, objections

LOW = "2c 6c 4d Ah 7h 9c Td"
HIGH = "Kh Ks 2d 9d 8c 4c Kd"
NOTHING = "Qc Js 9h Tc 7s 5c 2s"
HANDS = {1: LOW, 2: HIGH, 3: NOTHING}


def played(**about: object) -> Record:
    """Stud 8 at $2/$4, ante .25: 25.75 matched, 1.00 rake; high to seat 2, low to seat 1."""
    about = {"game": "stud8", "small": 200, "ante": 25, "bring_in": 100, "money": DOLLARS} | about
    table = Table(started(dict.fromkeys(HANDS, 100_00), **about), HANDS)  # type: ignore[arg-type]
    table.passively(4).street("1 bet", "2 call", "3 call").street("1 bet", "2 call", "3 fold")
    return Record(table.street("1 bet", "2 call").passively())


def end(record: Record, n: int, *facts: e.HandEvent) -> list[tuple[int, str]]:
    """Step and rule of all objections if these facts come in place of the one at `n`."""
    found = objections([*record.log[:n], *facts, *record.log[n + 1 :]])
    return [(finding.step, finding.rule) for finding in found]


# -- B8: returns ---------------------------------------------------------------------------------


def uncalled() -> Record:
    """Seat 1 bets 20 on fourth street and nobody calls."""
    table = Table(started(dict.fromkeys(HANDS, 1000), ante=5), HANDS).passively(4)
    return Record(table.street("1 bet", "2 fold", "3 fold"))


def test_an_unmatched_bet_that_never_went_back() -> None:
    record = uncalled()
    n = record.find(e.UncalledReturned)
    award = record.log[n + 1]
    finding = assert_only(record.instead(n, award), n, "B8")
    assert finding.expected == "20 to seat 1"


def test_it_is_missed_before_the_next_street_too() -> None:
    table = Table(started({1: 1000, 2: 23}), {1: LOW, 2: HIGH}).passively(4)
    record = Record(table.street("1 bet", "2 call").passively())
    n = record.find(e.UncalledReturned)
    assert_only(record.without(n), n, "B8")


@pytest.mark.parametrize(("seat", "amount"), [(1, 10), (1, 30), (2, 5)])
def test_another_amount_or_seat_gets_it_back(seat: int, amount: int) -> None:
    record = uncalled()
    n = record.find(e.UncalledReturned)
    assert_only(record.changed(n, seat=seat, amount=amount), n, "B8")


def test_a_return_that_comes_twice() -> None:
    record = uncalled()
    n = record.find(e.UncalledReturned)
    again = replace(record.log[n], amount=5)
    assert_only(record.before(n + 1, again), n + 1, "B8")


def test_a_return_while_somebody_may_still_call() -> None:
    record = uncalled()
    n = record.find(e.Folded)
    assert_only(record.before(n, e.UncalledReturned(seat=1, amount=20)), n, "B8")


# -- R1, R2, R4, R5, R6: rake --------------------------------------------------------------------


def test_another_rake_than_the_schedule_gives() -> None:
    record = played()
    n = record.find(e.RakeTaken)
    shares = (e.SeatAmount(seat=1, amount=50),)
    attribution = replace(record.log[n].attribution, shares=shares)
    found = record.changed(n, total=50, pots=(50,), attribution=attribution)
    assert found[0].rule == "R2"
    assert (found[0].expected, found[0].recorded) == ("$1.00", "$0.50")


def test_a_rake_borne_by_other_pots_than_it_should() -> None:
    record = played()
    n = record.find(e.RakeTaken)
    assert_only(record.changed(n, pots=(50, 50)), n, "R5")
    assert {finding.rule for finding in record.changed(n, pots=(90,))} == {"R5"}


@pytest.mark.parametrize("field", ["row", "step"])
def test_another_row_or_step_than_the_one_that_applies(field: str) -> None:
    record = played()
    n = record.find(e.RakeTaken)
    assert_only(record.changed(n, **{field: "something else"}), n, "R2")


def test_a_rake_attributed_otherwise_than_its_method_says() -> None:
    record = played()
    n = record.find(e.RakeTaken)
    attribution = record.log[n].attribution
    assert_only(record.changed(n, attribution=replace(attribution, method="dealt")), n, "R6")
    one = (e.SeatAmount(seat=1, amount=100),)
    assert_only(record.changed(n, attribution=replace(attribution, shares=one)), n, "R6")


@pytest.mark.parametrize("method", ["dealt", "contributed", "weighted", "winner"])
def test_every_method_attributes_to_nobody_else(method: str) -> None:
    record = played(rake_attribution=method)
    n = record.find(e.RakeTaken)
    attribution = record.log[n].attribution
    assert attribution.method == method
    other = (e.SeatAmount(seat=3, amount=100),)
    assert_only(record.changed(n, attribution=replace(attribution, shares=other)), n, "R6")


def test_without_a_dealer_equal_remainders_may_be_anybodys() -> None:
    record = played(rake_attribution="dealt")
    n = record.find(e.RakeTaken)
    record.log[0] = replace(record.log[0], dealer=None)
    for shares in ((34, 33, 33), (33, 34, 33), (33, 33, 34)):
        each = tuple(e.SeatAmount(seat=s, amount=a) for s, a in enumerate(shares, 1))
        attribution = replace(record.log[n].attribution, shares=each)
        assert not record.changed(n, attribution=attribution)
    for shares in ((34, 34, 32), (35, 33, 32), (33, 33, 33)):
        each = tuple(e.SeatAmount(seat=s, amount=a) for s, a in enumerate(shares, 1))
        attribution = replace(record.log[n].attribution, shares=each)
        assert_only(record.changed(n, attribution=attribution), n, "R6")


def test_rake_from_play_money() -> None:
    record = played(money=PLAY)
    n = record.find(e.PotAwarded)
    shares = (e.SeatAmount(seat=1, amount=45), e.SeatAmount(seat=2, amount=44))
    rake = e.RakeTaken(
        total=100,
        pots=(100,),
        row=None,
        step=None,
        attribution=e.Attribution(
            method="weighted",
            version=1,
            shares=(*shares, e.SeatAmount(seat=3, amount=11)),
        ),
    )
    assert record.before(n, rake)[0].rule == "R1"


def test_rake_from_a_hand_that_ended_on_third_street() -> None:
    stacks = dict.fromkeys(HANDS, 100_00)
    table = Table(started(stacks, small=200, ante=25, bring_in=100, money=DOLLARS))
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    record = Record(table.act("2 bring_in", "3 complete", "1 fold", "2 fold"))
    n = record.find(e.RakeTaken)
    assert record.changed(n, total=50, pots=(50,))[0].rule == "R4"


def test_rake_while_the_hand_goes_on() -> None:
    record = played()
    n = record.find(e.CardsDealt, street=6)
    assert record.before(n, record.log[record.find(e.RakeTaken)])[0].rule == "B9"


# -- P1 to P6, G1 to G3, B9: awards --------------------------------------------------------------


def award(record: Record, nth: int) -> tuple[int, e.PotAwarded]:
    n = record.find(e.PotAwarded, nth)
    event = record.log[n]
    assert isinstance(event, e.PotAwarded)
    return n, event


def to(seat: int, event: e.PotAwarded) -> e.PotAwarded:
    return replace(event, shares=(e.Share(seat=seat, amount=event.amount, odd=0),))


def test_the_halves_are_what_they_should_be() -> None:
    record = played()
    (_, high), (_, low) = award(record, 0), award(record, 1)
    assert [(high.half, high.amount), (low.half, low.amount)] == [("high", 1238), ("low", 1237)]


@pytest.mark.parametrize(("nth", "seat", "rule"), [(0, 1, "G1"), (1, 2, "G2"), (0, 3, "P1")])
def test_a_half_that_went_to_somebody_else(nth: int, seat: int, rule: str) -> None:
    record = played()
    n, event = award(record, nth)
    assert (n + 1, rule) in end(record, n, to(seat, event))


def test_an_award_of_the_wrong_amount() -> None:
    record = played()
    n, event = award(record, 0)
    less = replace(event, amount=1237, shares=(e.Share(seat=2, amount=1237, odd=0),))
    assert end(record, n, less)[0] == (n + 1, "P4")


def test_a_half_that_nobody_was_paid() -> None:
    record = played()
    n, _ = award(record, 1)
    assert [rule for _, rule in end(record, n)] == ["P2"]


def test_a_low_where_none_qualifies() -> None:
    table = Table(started({1: 1000, 2: 1000}, game="stud8"), {1: "Kh Ks 2d 9d 8c 4c Kd"})
    record = Record(table.passively())
    n, event = award(record, 0)
    assert event.half == "whole"
    half = replace(event, half="low")
    assert "G2" in {rule for _, rule in end(record, n, half)}


@pytest.mark.parametrize(("game", "rule"), [("stud", "P5"), ("stud8", "P6")])
def test_an_odd_chip_to_the_wrong_player(game: str, rule: str) -> None:
    hands = {1: "As Ac Kd Qs Jh 3c 2d", 3: "Kh Kc 2s 9h 8s 5c 7d", 5: "Ah Ad Ks Qc Jd 4c 5d"}
    start = started({1: 100, 3: 5, 5: 100}, game=game, ante=5, dealer=3)  # type: ignore[arg-type]
    record = Record(Table(start, hands).passively())
    n, event = award(record, 0)
    first, second = event.shares
    swapped = (
        replace(first, amount=second.amount, odd=0),
        replace(second, amount=first.amount, odd=1),
    )
    found = end(record, n, replace(event, shares=swapped))
    assert found[0] == (n + 1, rule)


def test_the_last_player_in_takes_the_pot_and_nobody_else() -> None:
    record = uncalled()
    n, event = award(record, 0)
    assert end(record, n, to(2, event))[0] == (n + 1, "B9")


def test_a_pot_the_money_does_not_make() -> None:
    record = uncalled()
    n, event = award(record, 0)
    assert (n + 1, "P1") in end(record, n, replace(event, pot=1))


def test_an_award_while_the_hand_goes_on() -> None:
    record = uncalled()
    n = record.find(e.Folded)
    early = replace(award(record, 0)[1], amount=5, shares=(e.Share(seat=1, amount=5, odd=0),))
    assert record.before(n, early)[0].rule == "B9"


def test_a_mucked_hand_that_would_have_won() -> None:
    table = Table(started({1: 1000, 2: 1000}), {1: LOW, 2: HIGH})
    record = Record(table.passively())
    n = record.find(e.CardsShown, seat=2)
    (_, event) = award(record, 0)
    given = [*record.log[:n], e.Mucked(seat=2), to(1, event)]
    stacks = (e.SeatStack(seat=1, stack=1010), e.SeatStack(seat=2, stack=990))
    found = objections([*given, e.HandCompleted(stacks=stacks)])
    assert {finding.rule for finding in found} == {"P0"}


def test_more_paid_out_than_was_put_in_is_no_hand() -> None:
    record = uncalled()
    n, event = award(record, 0)
    twice = replace(event, amount=2 * event.amount)
    with pytest.raises(CorruptHistory, match="do not add up"):
        record.instead(n, twice)
    with pytest.raises(CorruptHistory, match="paid twice"):
        record.before(n + 1, event)


# -- P8, P9 and the end --------------------------------------------------------------------------


def test_a_stack_the_chips_do_not_add_up_to() -> None:
    record = played()
    n = record.find(e.HandCompleted)
    stacks = list(record.log[n].stacks)
    stacks[0] = replace(stacks[0], stack=stacks[0].stack + 1)
    assert_only(record.changed(n, stacks=tuple(stacks)), n, "P8")
    assert_only(record.changed(n, stacks=tuple(stacks[1:])), n, "P8")


def test_a_void_that_does_not_give_everybody_his_own() -> None:
    table = Table(started(dict.fromkeys(HANDS, 1000), ante=5), HANDS).passively(4)
    table.issue(c.Void(reason="misdeal"))
    record = Record(table)
    n = record.find(e.HandVoided)
    moves = record.log[n].moves
    other = (replace(moves[0], amount=moves[0].amount + 1),)
    other += (replace(moves[1], amount=moves[1].amount - 1), *moves[2:])
    assert_only(record.changed(n, moves=other), n, "P9")
    assert_only(
        record.before(n + 1, e.HandVoided(moves=(), rake=0, reason="?", ruling=None)), n + 1, "P9"
    )


def test_anything_after_the_end() -> None:
    record = played()
    end_of_it = len(record.log)
    assert_only(record.before(end_of_it, e.ClockPaused(reason="?")), end_of_it, "B9")
    assert not record.before(end_of_it, e.IncidentNoted(kind="note", text="?"))


def test_a_record_that_stops_in_the_middle_has_no_finding() -> None:
    record = played()
    for length in range(1, len(record.log)):
        assert judge(record.log[:length]).verdict == "clean"
