"""What would have followed from another decision, house rule or rake schedule."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from domain import events as e
from domain.errors import BadTable, IllegalAmount, NotAllowedNow, OutOfTurn
from domain.house_rules import POKERSTARS
from domain.schedules import DEFAULT_SCHEDULE
from domain.whatif import Decision, Instead, NotADecision, WhatIf, whatif
from domain.whatif.policies import with_policies
from tests.support.bdd import DOLLARS, Table, started

HANDS = {
    1: "2h 2s Kh Kd 9c 8s 3d",
    2: "Ah 7d 2c 6c 4h 9d Tc",
    3: "Qc Js 9h Th 7s 5c 2d",
}
"""Seat 2 brings it in; seat 1 has the highest board on every later street, and the best hand."""

ROUND = ("1 bet", "2 call", "3 call")


def table(**about: Any) -> Table:
    """Three players, ante 5, the bring-in of 10 is called round; dealer seat 8."""
    about = {"ante": 5} | about
    return Table(started(about.pop("stacks", dict.fromkeys(HANDS, 1000)), **about), HANDS)


def step_of(played: Table, kind: type[e.Event], nth: int = 0, **fields: Any) -> int:
    """The step of the nth fact of this kind with these fields."""
    return [
        step
        for step, event in enumerate(played.log, 1)
        if isinstance(event, kind) and all(getattr(event, f) == v for f, v in fields.items())
    ][nth]


def asked(played: Table, step: int, action: Any, **decision: Any) -> WhatIf:
    return whatif(played.log, step, Instead(decision=Decision(action=action, **decision)))


def differences(found: WhatIf) -> dict[int, int | None]:
    return {one.seat: one.difference for one in found.players}


def questions(found: WhatIf) -> list[str]:
    return [question.about for question in found.open]


# -- what is certain -----------------------------------------------------------------------------


def test_a_call_on_the_last_street_that_had_been_a_fold() -> None:
    played = table().passively(7).street("1 bet", "2 call", "3 fold")
    found = asked(played, step_of(played, e.Called, seat=2, amount=40), "fold")
    assert found.outcome == "if_repeated"
    assert found.repeated == (step_of(played, e.Folded, seat=3),)
    assert differences(found) == {1: -40, 2: 40, 3: 0}
    assert found.hand.completed


def test_the_last_to_act_folds_and_nothing_is_assumed() -> None:
    played = table().passively(7).street(*ROUND)
    found = asked(played, step_of(played, e.Called, seat=3, amount=40), "fold")
    assert found.outcome == "certain"
    assert differences(found) == {1: -40, 2: 0, 3: 40}
    assert [type(event) for event in found.events[found.since :]] == [
        *(e.Folded, e.CardsShown, e.CardsShown),
        *(e.PotAwarded, e.HandCompleted),
    ]


def test_everybody_else_folds_and_the_last_one_takes_the_pot() -> None:
    played = table().passively(6).street("1 bet", "2 fold", "3 call").passively()
    found = asked(played, step_of(played, e.Called, seat=3, amount=40), "fold")
    assert found.outcome == "certain"
    assert [back.amount for back in found.events if isinstance(back, e.UncalledReturned)] == [40]
    assert differences(found) == {1: -40, 2: 0, 3: 40}


def test_what_was_played_changes_nothing() -> None:
    played = table().passively()
    for step, event in enumerate(played.log, 1):
        if isinstance(event, e.Checked):
            found = asked(played, step, "check")
            assert (found.outcome, found.events) == ("certain", tuple(played.log))
            assert set(differences(found).values()) == {0}


def test_another_odd_chip_policy_moves_the_chip() -> None:
    hands = {1: "Ah 9c Kd Qs Jh 3c 2d", 3: "4h 6d 2s 9h 8s 3d Th", 5: "As 9d Ks Qc Jd 4c 5d"}
    played = Table(started({1: 100, 3: 5, 5: 100}, ante=5, dealer=5), hands).passively()
    assert played.paid_out()[0] == (0, "whole", {1: 8, 5: 7})
    card = ["stud_odd_chip=card", "odd_chip_tie=suit"]
    house = with_policies(played.now.started.house_rules, card)
    found = whatif(played.log, None, Instead(house_rules=house))
    assert (found.outcome, found.repeated) == ("certain", ())
    assert differences(found) == {1: -1, 3: 0, 5: 1}


# -- what is assumed -----------------------------------------------------------------------------


def test_a_raise_instead_of_a_call_and_everybody_calls_as_he_did() -> None:
    played = table().passively(7).street("1 bet", "2 call", "3 raise", "1 call", "2 call")
    found = asked(played, step_of(played, e.Raised, seat=3), "call")
    assert found.outcome == "certain"
    assert differences(found) == {1: -80, 2: 40, 3: 40}


def test_a_call_is_a_call_and_a_raise_a_raise_whatever_it_costs() -> None:
    played = table().passively(7).street("1 bet", "2 call", "3 raise", "1 call", "2 call")
    found = asked(played, step_of(played, e.Called, seat=2, amount=40), "raise")
    assert found.outcome == "if_repeated"
    assert len(found.repeated) == 3
    assert differences(found) == {1: 80, 2: -40, 3: -40}


def test_who_folded_to_a_bet_is_not_assumed_to_fold_for_nothing() -> None:
    played = table().passively(7).street("1 bet", "2 fold", "3 call")
    found = asked(played, step_of(played, e.BetPlaced, seat=1), "check")
    [question] = found.open
    assert question.about == "decision"
    assert question.seats == (2,)
    assert [choice.action for choice in question.legal] == ["fold", "check", "bet"]
    assert "folded to a bet that nobody makes here" in question.text


# -- what stays open -----------------------------------------------------------------------------


def test_who_stays_in_moves_every_later_card() -> None:
    played = table().passively(5).street("1 bet", "2 fold", "3 call").passively()
    found = asked(played, step_of(played, e.Folded, seat=2), "call")
    assert questions(found) == ["cards"]
    assert found.open[0].seats == (1, 2, 3)
    assert found.repeated == (step_of(played, e.Called, seat=3, amount=40),)
    assert found.hand.pot == 3 * (5 + 10 + 40)
    assert set(differences(found).values()) == {None}


def test_a_bet_nobody_made_leaves_the_next_decision_open() -> None:
    played = table().passively()
    found = asked(played, step_of(played, e.Checked, seat=1, nth=3), "bet")
    [question] = found.open
    assert (question.about, question.seats) == ("decision", (2,))
    assert [(choice.action, choice.to) for choice in question.legal] == [
        *(("fold", 0), ("call", 40), ("raise", 80)),
    ]


def test_the_cards_of_streets_that_were_never_dealt_are_not_known() -> None:
    played = table().passively(5).street("1 bet", "2 fold", "3 fold")
    found = asked(played, step_of(played, e.Folded, seat=3), "call")
    assert questions(found) == ["cards"]
    assert found.open[0].text == "The cards of street 6 are not known: they were never dealt."


def test_a_hand_that_goes_on_is_open_where_it_stands() -> None:
    played = table().passively(5).street("1 bet")
    found = whatif(played.log, None, Instead(rake_schedule=None))
    assert questions(found) == ["decision"]
    assert found.open[0].seats == (2,)
    assert found.played is None


def test_hidden_cards_leave_the_pot_open() -> None:
    played = table().passively(7).street("1 bet", "2 call", "3 fold")
    log = [_hidden(event) for event in played.log]
    found = whatif(log, step_of(played, e.Folded, seat=3), Instead(decision=_call()))
    assert questions(found) == ["pot"]
    assert found.open[0].seats == (1, 3)


def _call() -> Decision:
    return Decision(action="call")


def _hidden(event: Any) -> Any:
    """Seat 3's down cards are not on record."""
    if isinstance(event, e.CardsDealt) and event.seat == 3:
        return replace(event, down=("??",) * len(event.down))
    return event


def test_who_beat_all_of_them_beats_some_of_them() -> None:
    played = table().passively(7).street(*ROUND)
    log = [_nothing_but_mucks(event) for event in played.log]
    found = whatif(log, step_of(played, e.Called, seat=3, amount=40), Instead(decision=_fold()))
    assert found.outcome == "certain"
    assert differences(found) == {1: -40, 2: 0, 3: 40}


def _fold() -> Decision:
    return Decision(action="fold")


def _nothing_but_mucks(event: Any) -> Any:
    """Nobody's cards are on record; only who was paid tells who had the best hand."""
    if isinstance(event, e.CardsDealt):
        return replace(event, down=("??",) * len(event.down))
    if isinstance(event, e.CardsShown):
        return replace(event, cards=("??",) * len(event.cards))
    return event


# -- what is refused -----------------------------------------------------------------------------


def test_what_nobody_may_do_is_refused_with_what_is_legal() -> None:
    played = table().passively(7).street(*ROUND)
    step = step_of(played, e.Called, seat=2, amount=40)
    with pytest.raises(NotAllowedNow) as refusal:
        asked(played, step, "check")
    assert refusal.value.rule == "B5"
    assert [choice.action for choice in refusal.value.legal] == ["fold", "call", "raise"]
    with pytest.raises(IllegalAmount):
        asked(played, step, "raise", to=60)
    with pytest.raises(OutOfTurn):
        asked(played, step, "call", seat=3)


@pytest.mark.parametrize("step", [0, 1, 2, 8, 999])
def test_only_a_decision_can_be_made_otherwise(step: int) -> None:
    played = table().passively()
    with pytest.raises(NotADecision) as wrong:
        asked(played, step, "fold")
    assert wrong.value.decisions[0] == step_of(played, e.BringInPosted)


def test_a_schedule_without_a_place_for_the_table_is_refused() -> None:
    played = table(money=DOLLARS, small=300, bring_in=150).passively()
    with pytest.raises(BadTable) as refusal:
        other = replace(DEFAULT_SCHEDULE, version=2)
        whatif(played.log, None, Instead(rake_schedule=other))
    assert refusal.value.rule == "R3"


# -- rake ----------------------------------------------------------------------------------------


def test_a_schedule_in_place_of_the_records_own_rake() -> None:
    played = table(money=DOLLARS, small=200, ante=25, bring_in=100, stacks=RICH)
    played.passively(6).street(*ROUND).street(*ROUND)
    log = [_as_recorded(event) for event in played.log]
    found = whatif(log, None, Instead(rake_schedule=DEFAULT_SCHEDULE))
    assert found.outcome == "certain"
    assert found.rake == (7, 100)
    assert sum(change or 0 for change in differences(found).values()) == -93


RICH = dict.fromkeys(HANDS, 100_00)


def _as_recorded(event: Any) -> Any:
    """The same hand at a site that took 7 cents."""
    if isinstance(event, e.HandStarted):
        return replace(event, house_rules=POKERSTARS, rake_schedule=None)
    if isinstance(event, e.RakeTaken):
        return replace(event, total=7, pots=(7,), row=None, step=None)
    if isinstance(event, e.PotAwarded):
        more = event.amount + 100 - 7
        return replace(event, amount=more, shares=(replace(event.shares[0], amount=more),))
    if isinstance(event, e.HandCompleted):
        best = max(event.stacks, key=lambda one: one.stack)
        stacks = tuple(
            replace(one, stack=one.stack + 93) if one is best else one for one in event.stacks
        )
        return replace(event, stacks=stacks)
    return event


def test_the_records_own_rake_of_another_pot_is_not_known() -> None:
    played = table(money=DOLLARS, small=200, ante=25, bring_in=100, stacks=RICH)
    played.passively(6).street(*ROUND).street(*ROUND)
    log = [_as_recorded(event) for event in played.log]
    found = whatif(log, step_of(played, e.Called, 1, seat=3, amount=400), Instead(decision=_fold()))
    assert questions(found) == ["rake"]
    assert found.rake == (7, None)
    assert found.hand.completed


# -- time-outs and policies ----------------------------------------------------------------------


def timed_out() -> Table:
    played = table().passively(6)
    played.street("1 bet", "2 time_out", "3 call")
    return played.passively()


def test_a_time_out_that_had_been_a_fold() -> None:
    played = timed_out()
    step = step_of(played, e.TimedOut)
    found = asked(played, step, "time_out", outcome="fold")
    assert questions(found) == ["cards"]
    kinds = [type(event) for event in found.events[found.since :]]
    assert kinds[:2] == [e.TimedOut, e.Folded]
    policy = with_policies(played.now.started.house_rules, ["timeout_outcome=check_or_fold"])
    by_policy = whatif(played.log, None, Instead(house_rules=policy))
    assert by_policy.open == found.open


def test_a_call_instead_of_a_time_out() -> None:
    played = table().passively(7).street("1 bet", "2 call", "3 time_out")
    found = asked(played, step_of(played, e.TimedOut), "call")
    assert found.outcome == "certain"
    # He plays for the last bets too, with the worst hand of the three.
    assert differences(found) == {1: 40, 2: 0, 3: -40}


def test_a_time_out_cannot_be_a_check_where_chips_are_owed() -> None:
    played = timed_out()
    with pytest.raises(NotAllowedNow) as refusal:
        asked(played, step_of(played, e.TimedOut), "time_out", outcome="check")
    assert refusal.value.rule == "C4"


def test_without_the_open_pair_the_big_bet_cannot_be_made() -> None:
    played = table().passively(4)
    played.street("1 bet 40", "2 call", "3 call").passively()
    none = with_policies(played.now.started.house_rules, ["open_pair_double_bet=none"])
    found = whatif(played.log, None, Instead(house_rules=none))
    [question] = found.open
    assert question.seats == (1,)
    assert "in the record he bet, which he cannot do here" in question.text
    assert [choice.to for choice in question.legal if choice.action == "bet"] == [20]


def test_another_tie_rule_gives_the_bring_in_to_another_seat() -> None:
    hands = {1: "Kh Ks 2d 9d 8c 4c Kd", 2: "3c 6c 2c Ah 7h 9c Td", 3: HANDS[3].replace("2d", "2s")}
    played = Table(started(dict.fromkeys(hands, 1000), ante=5), hands).passively()
    suit = with_policies(played.now.started.house_rules, ["bring_in_tie=suit"])
    found = whatif(played.log, None, Instead(house_rules=suit))
    [question] = found.open
    assert question.seats == (2,)


def test_burning_cards_moves_every_later_card() -> None:
    played = table().passively()
    burns = with_policies(played.now.started.house_rules, ["burn_cards=yes"])
    found = whatif(played.log, None, Instead(house_rules=burns))
    assert questions(found) == ["cards"]
    assert found.hand.betting.street == 3


def test_the_faults_of_the_record_are_not_laid_to_the_change() -> None:
    played = table().passively(7).street(*ROUND)
    log = list(played.log)
    place = step_of(played, e.PotAwarded) - 1
    award: Any = log[place]
    log[place] = replace(award, shares=(replace(award.shares[0], seat=2),))
    paid = {p.seat: p.stack for p in played.now.seats}
    stacks = tuple(
        e.SeatStack(
            seat=seat, stack=stack - award.amount * (seat == 1) + award.amount * (seat == 2)
        )
        for seat, stack in paid.items()
    )
    log[-1] = e.HandCompleted(stacks=stacks)
    dealt = with_policies(played.now.started.house_rules, ["cap_exempt_heads_up=yes"])
    found = whatif(log, None, Instead(house_rules=dealt))
    assert set(differences(found).values()) == {0}
