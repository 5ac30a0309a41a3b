"""The cap, the open pair, checks, calls and table stakes (B3 to B6), made to run."""

from __future__ import annotations

import pytest

from domain import events as e
from domain.errors import BadTable, IllegalAmount, NotAllowedNow
from domain.house_rules import POKERSTARS, ROBERTS
from domain.legal import legal_actions, limits
from tests.support.bdd import DOLLARS, Table, started

PAIR = {1: "2h 3d Kc Kd", 2: "4h 5d 9s Qc", 3: "6h 7d Tc Jh", 4: "8h 9d Qs Jd", 5: "2s 3c Th 8c"}
NO_PAIR = PAIR | {1: "2h 3d Kc Qd"}
FOURTH_STREET_ORDER = (1, 2, 3, 4, 5)


def fourth(hands: dict[int, str], players: int = 5, **about: object) -> Table:
    """Fourth street is dealt at $2/$4, seat 1 opens; everybody called the bring-in of $1."""
    seats = {seat: hand for seat, hand in hands.items() if seat <= players}
    stacks = dict.fromkeys(seats, 100_00)
    money = {"small": 200, "bring_in": 100, "money": DOLLARS}
    table = Table(started(stacks, **(money | about)), seats)  # type: ignore[arg-type]
    table.passively(4).deal()
    return table


def wager(table: Table, *amounts: int) -> Table:
    """One wager after the other, by the seats in turn, in dollars."""
    for place, amount in enumerate(amounts):
        name = "raise" if place else "bet"
        table.act(f"{FOURTH_STREET_ORDER[place % 5]} {name} {amount * 100}")
    return table


def wagers_left(table: Table) -> list[int]:
    """The totals the seat to act may wager to, in dollars."""
    return [a.to // 100 for a in legal_actions(table.now) if a.action in {"bet", "raise"}]


# -- B3: one bet and three raises ----------------------------------------------------------------


def test_b3_after_one_bet_and_three_raises_there_is_only_call_and_fold() -> None:
    table = wager(fourth(NO_PAIR), 2, 4, 6, 8)
    assert table.legal() == "5: fold, call 800"
    refusal = table.refused("5 raise 1000", NotAllowedNow, "B3")
    assert [choice.action for choice in refusal.legal] == ["fold", "call"]


def test_b3_the_cap_is_per_round_and_not_per_player() -> None:
    table = wager(fourth(NO_PAIR, 2), 2)
    table.act("2 raise", "1 raise", "2 raise")
    table.refused("1 raise", NotAllowedNow, "B3")


def test_b3_every_round_has_its_own() -> None:
    table = wager(fourth(NO_PAIR, 2), 2).act("2 raise", "1 raise", "2 raise", "1 call")
    table.deal()
    assert " bet 400" in table.legal()


@pytest.mark.parametrize(("exempt", "capped"), [(False, True), (True, False)])
def test_b3_a_round_that_starts_with_two_may_be_uncapped(exempt: bool, capped: bool) -> None:
    table = fourth(NO_PAIR, 2, cap_exempt_heads_up=exempt)
    table.act("1 bet", "2 raise", "1 raise", "2 raise")
    assert ("raise" not in table.legal()) is capped


def test_b3_the_exemption_is_for_rounds_that_start_with_two() -> None:
    table = fourth(NO_PAIR, 3, cap_exempt_heads_up=True)
    table.act("1 bet", "2 raise", "3 fold", "1 raise", "2 raise")
    table.refused("1 raise", NotAllowedNow, "B3")


def test_b3_an_all_in_player_does_not_count_among_the_two() -> None:
    hands = {seat: NO_PAIR[seat] for seat in (1, 2, 3)}
    stacks = {1: 1000, 2: 1000, 3: 10}
    table = Table(started(stacks, cap_exempt_heads_up=True), hands).passively(4)
    table.street("1 bet", "2 raise", "1 raise", "2 raise", "1 raise")
    assert table.legal() == "2: fold, call 100, raise 120"


def test_b3_what_limits_a_choice_is_told() -> None:
    table = wager(fourth(NO_PAIR), 2, 4, 6, 8)
    assert [rule for rule, _ in limits(table.now, 5)] == ["B3"]


# -- B4: an open pair on fourth street -----------------------------------------------------------

B4_TABLE = [
    ((), [2, 4]),
    ((2,), [4, 6]),
    ((4,), [8]),
    ((2, 4), [6, 8]),
    ((2, 6), [10]),
    ((2, 4, 6), [8, 10]),
    ((4, 8), [12]),
    ((2, 6, 10), [14]),
    ((2, 4, 6, 8), []),
]


@pytest.mark.parametrize(("wagered", "left"), B4_TABLE)
def test_b4_with_an_open_pair_small_or_big_until_somebody_goes_big(
    wagered: tuple[int, ...], left: list[int]
) -> None:
    assert wagers_left(wager(fourth(PAIR), *wagered)) == left


@pytest.mark.parametrize("wagered", [wagered for wagered, left in B4_TABLE if left])
def test_b4_every_other_amount_is_refused(wagered: tuple[int, ...]) -> None:
    table = wager(fourth(PAIR), *wagered)
    seat, legal = table.legal()[0], {dollars * 100 for dollars in wagers_left(table)}
    name = "raise" if wagered else "bet"
    for to in set(range(0, 2000, 50)) - legal:
        table.refused(f"{seat} {name} {to}", IllegalAmount, "B4")


def test_b4_where_there_is_a_choice_the_amount_must_be_named() -> None:
    fourth(PAIR).refused("1 bet", IllegalAmount, "B4")


def test_b4_the_opening_says_so_and_wagers_say_which() -> None:
    table = fourth(PAIR)
    opened = table.now.betting.opened
    assert opened is not None
    assert (opened.opener, opened.double_bet) == (1, True)
    table.when("1 bet 200").then(e.BetPlaced(seat=1, to=200, size="small", all_in=False))
    table.when("2 raise 600").then(e.Raised(seat=2, to=600, size="big", all_in=False))
    table.when("3 raise").then(e.Raised(seat=3, to=1000, size="big", all_in=False))


def test_b4_any_player_still_in_may_show_the_pair_and_everybody_may_bet_big() -> None:
    table = fourth({1: "2h 3d Ac Qd", 2: "4h 5d 9s 9c", 3: "6h 7d Tc Jh"}, 3)
    assert table.legal()[0] == "2"
    table.act("2 check")
    assert wagers_left(table) == [2, 4]


def test_b4_it_holds_for_the_whole_street_even_if_the_pair_folds() -> None:
    table = fourth(PAIR).act("1 fold")
    assert wagers_left(table) == [2, 4]


def test_b4_a_pair_of_an_all_in_player_counts() -> None:
    stacks = {1: 10, 2: 1000, 3: 1000}
    table = Table(started(stacks), {seat: PAIR[seat] for seat in stacks}).passively(4)
    table.deal()
    assert table.legal() == "2: fold, check, bet 20, bet 40"


def test_b4_without_a_pair_there_is_the_small_bet_only() -> None:
    table = fourth(NO_PAIR)
    assert wagers_left(table) == [2]
    table.refused("1 bet 400", IllegalAmount, "S6")


def test_b4_a_hidden_pair_is_no_open_pair() -> None:
    assert wagers_left(fourth(NO_PAIR | {1: "Kh 3d Kc Qd"})) == [2]


def test_b4_only_on_fourth_street() -> None:
    hands = {1: "2h 3d Kc Qd Ks", 2: "4h 5d 9s Ac 7c"}
    table = Table(started({1: 1000, 2: 1000}), hands).passively(5)
    table.deal()
    assert table.legal() == "1: fold, check, bet 40"


@pytest.mark.parametrize(
    ("game", "site", "sources"), [("stud", 2, 2), ("stud8", 1, 2), ("stud_hilo", 1, 2)]
)
def test_b4_sites_allow_it_in_stud_only(game: str, site: int, sources: int) -> None:
    at_a_site = fourth(PAIR, game=game, house=POKERSTARS, money=e.Money("play", "chips", 0))
    assert len(wagers_left(at_a_site)) == site
    assert len(wagers_left(fourth(PAIR, game=game))) == sources


# -- B5: check, call, fold -----------------------------------------------------------------------


def test_b5_check_when_nothing_is_owed_and_bet_when_nobody_has() -> None:
    table = fourth(NO_PAIR)
    assert table.legal() == "1: fold, check, bet 200"
    table.refused("1 call", NotAllowedNow, "B5")
    table.refused("1 raise 400", NotAllowedNow, "B5")
    table.when("1 check").then(e.Checked(seat=1))
    table.act("2 bet")
    table.refused("3 check", NotAllowedNow, "B5")
    table.refused("3 bet 200", NotAllowedNow, "B5")


def test_b5_a_player_may_fold_though_checking_is_free() -> None:
    fourth(NO_PAIR).when("1 fold").then(e.Folded(seat=1))


def test_b5_who_checked_may_still_call_or_raise() -> None:
    table = fourth(NO_PAIR, 2).act("1 check", "2 bet")
    assert table.legal() == "1: fold, call 200, raise 400"


def test_b5_a_round_checked_through_is_over() -> None:
    table = fourth(NO_PAIR).act(*(f"{seat} check" for seat in FOURTH_STREET_ORDER))
    assert table.legal() == "nobody"


def test_b5_a_call_for_more_than_he_has_is_a_call_for_all_he_has() -> None:
    hands = {1: "2h 3d Kc Qd", 2: "4h 5d 9s Ac", 3: "6h 7d Tc Jh"}
    table = Table(started({1: 1000, 2: 17, 3: 1000}), hands).passively(4)
    table.street("2 check", "3 bet", "1 call")
    assert table.legal() == "2: fold, call 7+"
    table.when("2 call").then(e.Called(seat=2, amount=7, all_in=True))


def test_b5_who_has_no_more_than_the_call_cannot_raise() -> None:
    hands = {1: "2h 3d Kc Qd", 2: "4h 5d 9s Ac", 3: "6h 7d Tc Jh"}
    table = Table(started({1: 1000, 2: 17, 3: 1000}), hands).passively(4)
    table.street("2 check", "3 bet", "1 call")
    table.refused("2 raise 40", NotAllowedNow, "B5")


def test_b5_a_refusal_names_the_legal_alternatives() -> None:
    refusal = fourth(NO_PAIR).refused("1 call", NotAllowedNow, "B5")
    assert [(one.action, one.to) for one in refusal.legal] == [
        ("fold", 0),
        ("check", 0),
        ("bet", 200),
    ]


# -- B6: table stakes ----------------------------------------------------------------------------


def test_b6_only_the_chips_at_the_table_when_the_hand_starts() -> None:
    table = Table(started({1: 30, 2: 1000}), {1: "2h 3d Kc Qd", 2: "4h 5d 9s Ac"}).passively()
    assert max(p.paid for p in table.now.seats) == 10
    table = Table(started({1: 30, 2: 1000}), {1: "2h 3d Kc Qd", 2: "4h 5d 9s Ac"}).passively(4)
    table.street("2 bet", "1 call")
    assert table.now.player(1).status == "all_in"
    assert {p.paid for p in table.now.seats} == {30}


def test_b6_nobody_is_dealt_in_without_chips() -> None:
    with pytest.raises(BadTable) as refusal:
        Table(started({1: 1000, 2: 0}))
    assert refusal.value.rule == "B6"


def test_a_live_room_uncaps_two_players() -> None:
    table = fourth(NO_PAIR, 2, house=ROBERTS, money=e.Money("play", "chips", 0))
    table.act("1 bet", "2 raise", "1 raise", "2 raise", "1 raise", "2 raise")
    assert "raise" in table.legal()
