"""The rulebook's chapter on rake (R1 to R6) in whole hands; the chart itself has its own tests."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.errors import BadTable
from domain.house_rules import POKERSTARS
from tests.support.bdd import DOLLARS, PLAY, Table, doors, started

HANDS = {1: "Ah As Ad 9c 8h 3c 2d", 2: "Kh Ks Kd 9d 8c 4c 2h", 3: "Qh Qs 7d 9h 8s 5c Jc"}
EUROS = e.Money(kind="real", currency="EUR", exponent=2)
CHIPS = e.Money(kind="tournament", currency="chips", exponent=0)


def two_four(**about: object) -> Table:
    """$2/$4, ante .25, bring-in 1, three players of $100."""
    about = {"small": 200, "ante": 25, "bring_in": 100, "money": DOLLARS} | about
    stacks = dict.fromkeys(HANDS, 100_00)
    return Table(started(stacks, **about), HANDS)  # type: ignore[arg-type]


def called_down(**about: object) -> Table:
    """Bets on every street, seat 3 calls the first and folds to the second: 25.75 in the pot."""
    table = two_four(**about).passively(4)
    table.street("1 bet", "2 call", "3 call").street("1 bet", "2 call", "3 fold")
    table.street("1 bet", "2 call")
    return table.passively()


def rake(table: Table) -> e.RakeTaken:
    (taken,) = table.of(e.RakeTaken)
    return taken


def test_r1_real_money_is_raked() -> None:
    table = called_down()
    assert rake(table).total == 100
    assert table.of(e.PotAwarded)[0].amount == 2575 - 100


@pytest.mark.parametrize("money", [PLAY, CHIPS])
def test_r1_play_money_and_tournaments_never_are(money: e.Money) -> None:
    table = called_down(money=money)
    assert not table.of(e.RakeTaken)
    assert table.of(e.PotAwarded)[0].amount == 2575


def test_r1_a_real_hand_without_rake_says_so() -> None:
    taken = rake(two_four().passively())
    assert (taken.total, taken.pots) == (0, (0,))
    assert taken.step == "pot under $20.00: $0.00"


def test_r2_the_chart_names_its_row_and_step() -> None:
    taken = rake(called_down())
    assert taken.row == "$2/$4 to $10/$20, 2-3 players"
    assert taken.step == "pot of $20.00 or more: $1.00"


def test_r2_antes_and_folded_money_count_and_returned_bets_do_not() -> None:
    # $1/$2: .75 of antes, 3 brought in, called and folded, 2.00 bets; 2.00 of it uncalled.
    table = two_four(small=100, bring_in=50).passively(4)
    table.street("1 bet", "2 call", "3 call").street("1 bet", "2 fold", "3 fold")
    assert table.of(e.UncalledReturned) == [e.UncalledReturned(seat=1, amount=200)]
    assert sum(p.paid for p in table.now.seats) == 75 + 150 + 300
    assert rake(table).total == 50, "5.25 is matched"


def test_r2_players_are_those_dealt_in() -> None:
    stacks = dict.fromkeys(range(1, 7), 100_00)
    start = started(stacks, small=200, ante=25, bring_in=100, money=DOLLARS)
    table = Table(start, HANDS).passively(4)
    table.deal()
    opener = table.legal()[0]
    table.act(f"{opener} bet 200" if "bet 400" in table.legal() else f"{opener} bet")
    assert rake(table.passively()).row == "$2/$4 to $10/$20, 6-10 players"


@pytest.mark.parametrize(
    ("small", "money"), [(150, DOLLARS), (1200, DOLLARS), (5000, DOLLARS), (200, EUROS)]
)
def test_r3_a_raked_table_outside_every_band_is_refused(small: int, money: e.Money) -> None:
    with pytest.raises(BadTable) as refusal:
        two_four(small=small, bring_in=small // 2, ante=0, money=money)
    assert refusal.value.rule == "R3"


@pytest.mark.parametrize(
    ("schedule", "rule"), [(None, "R2"), (e.ScheduleRef(id="topspoker", version=99), "R3")]
)
def test_r3_a_raked_table_names_a_published_schedule(
    schedule: e.ScheduleRef | None, rule: str
) -> None:
    start = replace(two_four().now.started, rake_schedule=schedule)
    with pytest.raises(BadTable) as refusal:
        Table(start)
    assert refusal.value.rule == rule


def test_r1_real_money_has_a_currency() -> None:
    with pytest.raises(BadTable) as refusal:
        two_four(money=e.Money(kind="real", currency="", exponent=2))
    assert refusal.value.rule == "R1"


def test_r3_without_rake_any_stakes_will_do() -> None:
    assert two_four(small=150, bring_in=75, money=PLAY)


def test_r2_a_hand_is_not_dealt_for_a_rake_somebody_else_records() -> None:
    with pytest.raises(BadTable) as refusal:
        two_four(house=POKERSTARS)
    assert refusal.value.rule == "R2"


@pytest.mark.parametrize(("policy", "total"), [(False, 0), (True, 50)])
def test_r4_no_rake_before_fourth_street_unless_the_room_says_so(policy: bool, total: int) -> None:
    table = two_four(small=100, bring_in=50, rake_third_street=policy)
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 complete", "1 raise", "2 raise", "3 fold", "1 fold")
    # .75 of antes, 1 and 2 folded, 2 of 3 matched.
    assert sum(p.paid for p in table.now.seats) == 575
    assert rake(table).total == total


def test_r4_it_is_due_once_fourth_street_is_dealt() -> None:
    table = two_four(small=100, bring_in=50)
    table.street("3 bring_in", "1 complete", "2 raise", "3 call", "1 call").deal()
    seat = int(table.legal()[0])
    table.act(f"{seat} bet 100")
    for other in table.now.clockwise(seat)[:-1]:
        table.act(f"{other.seat} fold")
    assert rake(table).total == 50


def test_r5_each_pot_bears_what_its_money_adds() -> None:
    stacks = {1: 100_00, 2: 100_00, 3: 3_25}
    start = started(stacks, small=200, ante=25, bring_in=100, money=DOLLARS)
    table = Table(start, HANDS).passively(4).street("1 bet", "2 call", "3 call")
    table.street("1 bet", "2 raise", "1 call").passively()
    # Main pot 3 x 3.25, side pot 2 x 8: the first 20 dollars are reached with the side pot only.
    taken = rake(table)
    assert (taken.total, taken.pots) == (100, (0, 100))
    assert [award.amount for award in table.of(e.PotAwarded)] == [975, 1500]


def test_r5_a_pot_with_one_claimant_is_raked_as_well() -> None:
    stacks = {1: 100_00, 2: 100_00, 3: 3_25}
    start = started(stacks, small=200, ante=25, bring_in=100, money=DOLLARS)
    table = Table(start, HANDS).passively(4).street("1 bet", "2 call", "3 call")
    table.street("1 bet", "2 raise", "1 raise", "2 call").street("1 bet", "2 fold").passively()
    side = table.of(e.PotAwarded)[1]
    assert (side.reason.rule, side.amount) == ("P1", 2400 - 100)
    assert rake(table).pots == (0, 100)


@pytest.mark.parametrize(
    ("method", "shares"),
    [
        # In the pot are 11.25, 11.25 and 3.25; the dealer's left is seat 1.
        ("weighted", (44, 44, 12)),
        ("dealt", (34, 33, 33)),
        ("contributed", (34, 33, 33)),
        ("winner", (100, 0, 0)),
    ],
)
def test_r6_attribution_is_a_named_method_and_sums_exactly(
    method: str, shares: tuple[int, ...]
) -> None:
    attribution = rake(called_down(rake_attribution=method)).attribution
    assert (attribution.method, attribution.version) == (method, 1)
    assert tuple(share.amount for share in attribution.shares) == shares


def test_r6_contributed_are_those_with_chips_in_after_what_went_back() -> None:
    start = two_four(ante=0, rake_attribution="contributed").now.started
    table = Table(start)
    table.deal(doors(s1="Kd", s2="2c", s3="9h"))
    table.act("2 bring_in", "3 fold", "1 complete", "2 call").passively(4)
    table.aggressively()
    shares = {share.seat: share.amount for share in rake(table).attribution.shares}
    assert shares == {1: 50, 2: 50, 3: 0}


def test_r6_the_method_is_stored_with_the_hand() -> None:
    table = called_down(rake_attribution="dealt")
    assert table.now.started.house_rules.rake_attribution == "dealt"
    assert table.now.started.rake_schedule == e.ScheduleRef(id="topspoker", version=1)
