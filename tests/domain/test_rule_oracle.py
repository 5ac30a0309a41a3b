"""Deep hands side by side with another engine: who acts, what it costs, what it comes to."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pokerkit import Automation, FixedLimitSevenCardStud

from domain import commands as c
from domain import events as e
from domain.cards import DECK
from domain.consequences import cards_due
from domain.legal import LegalAction, legal_actions
from domain.ranking import board_score
from tests.support.bdd import Table, chosen, started

SMALL, ANTE, BRING_IN, DEEP = 20, 5, 10, 100_000
THEIR_BUSINESS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class BothEngines:
    """The same cards and acts for both; seat 1 is the other's player 0, left of the dealer."""

    def __init__(self, players: int, dice: random.Random) -> None:
        seats = dict.fromkeys(range(1, players + 1), DEEP)
        about: dict[str, Any] = {"open_pair_double_bet": (), "bring_in_tie": "suit"}
        self.ours = Table(started(seats, dealer=players, ante=ANTE, **about))
        self.theirs = FixedLimitSevenCardStud.create_state(
            THEIR_BUSINESS, True, ANTE, BRING_IN, SMALL, 2 * SMALL, DEEP, players
        )
        self.deck = dice.sample(DECK, len(DECK))

    def deal(self) -> None:
        due = cards_due(self.ours.now)
        assert due is not None
        cards = tuple(self.deck.pop() for _ in range(due.cards))
        if self.theirs.can_burn_card("??"):
            self.theirs.burn_card("??")
        for card in cards:
            self.theirs.deal_hole(card)
        self.ours.issue(c.Deal(cards=cards))

    @property
    def boards_tie(self) -> bool:
        """Whether position decides who opens, where the two have different rules."""
        hand = self.ours.now
        scores = sorted(board_score(p.up) for p in hand.still_in)
        return hand.betting.street > 3 and scores[-1] == scores[-2]

    def agree(self) -> tuple[LegalAction, ...]:
        """The choices of the seat to act, which the other engine sees alike."""
        choices = legal_actions(self.ours.now)
        assert self.theirs.actor_index == choices[0].seat - 1
        costs = {choice.action: choice.amount for choice in choices}
        staying = costs.get("check", costs.get("call"))
        if "bring_in" in costs:
            assert self.theirs.can_post_bring_in()
        else:
            assert self.theirs.checking_or_calling_amount == staying
        wagers = [choice.to for choice in choices if choice.size]
        assert self.theirs.can_complete_bet_or_raise_to() is bool(wagers)
        assert wagers in ([], [self.theirs.min_completion_betting_or_raising_to_amount])
        return choices

    def act(self, choice: LegalAction) -> None:
        self.ours.issue(chosen(choice))
        match choice.action:
            case "bring_in":
                self.theirs.post_bring_in()
            case "fold":
                self.theirs.fold()
            case "check" | "call":
                self.theirs.check_or_call()
            case _:
                self.theirs.complete_bet_or_raise_to(choice.to)


def play(seed: int) -> bool:
    """Play one hand on both; whether it came to the end without a tie that positions decide."""
    dice = random.Random(seed)
    both = BothEngines(dice.randint(2, 6), dice)
    while not both.ours.now.completed:
        if cards_due(both.ours.now) is not None:
            both.deal()
            continue
        if both.boards_tie:
            return False
        # Checking is free: who folds then is asked no more by the other engine.
        wise = [choice for choice in both.agree() if choice.action != "fold" or dice.random() < 0.2]
        free = {choice.action for choice in wise} & {"check", "bring_in"}
        both.act(dice.choice([choice for choice in wise if not free or choice.action != "fold"]))
    if not any(share.odd for award in both.ours.of(e.PotAwarded) for share in award.shares):
        assert list(both.ours.stacks().values()) == list(both.theirs.stacks)
    return True


@pytest.mark.filterwarnings("ignore::UserWarning:pokerkit")
def test_betting_and_payout_are_those_of_another_engine() -> None:
    finished = sum(play(seed) for seed in range(60))
    assert finished > 30


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning:pokerkit")
def test_many_more_hands_are_those_of_another_engine() -> None:
    assert sum(play(seed) for seed in range(60, 1000)) > 500
