"""Real hand histories of ../shared/corpus: what is read equals the texts' own figures."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from domain import events as e
from domain.evolve import evolve
from domain.hand import Hand
from domain.verdict import judge
from services.readers.reading import read_file
from services.readers.record import HandRead, Skipped
from tests.support.hand_texts import CORPUS, kinds, needs_corpus, started, won

pytestmark = needs_corpus

POKERSTARS = sorted((CORPUS / "pokerstars").glob("*.txt"))
PHH = sorted((CORPUS / "phh").glob("*.phh"))
FULLTILT = sorted((CORPUS / "fulltilt").glob("*.txt"))
BOVADA = sorted((CORPUS / "bovada").glob("*.txt"))
SITES = [*POKERSTARS, *FULLTILT, *BOVADA]
_AMOUNT = r"\$(\d+)(?:\.(\d\d))?"


def cents(match: re.Match[str]) -> int:
    return int(match[1]) * 100 + int(match[2] or 0)


def hands(path: Path) -> list[HandRead]:
    outcomes = list(read_file(path))
    assert all(isinstance(outcome, HandRead | Skipped) for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, HandRead)]


def all_hands() -> Iterator[HandRead]:
    for path in (*SITES, *PHH):
        yield from hands(path)


def before_payout(hand: HandRead) -> Hand:
    state: Hand | None = None
    for event in hand.events:
        if isinstance(event, e.RakeTaken | e.PotAwarded):
            break
        state = evolve(state, event)
    assert state is not None
    return state


def printed(hand: HandRead, pattern: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, hand.text, re.MULTILINE))


def test_every_hand_of_the_three_games_is_read() -> None:
    counts = [sum(len(hands(p)) for p in paths) for paths in (POKERSTARS, PHH, FULLTILT, BOVADA)]
    assert counts == [20, 10, 20, 21]


def test_the_hands_of_other_games_are_skipped_and_counted() -> None:
    skipped = [one for path in FULLTILT for one in read_file(path) if isinstance(one, Skipped)]
    assert len(skipped) == 64


@pytest.mark.parametrize("path", POKERSTARS, ids=lambda path: path.stem)
def test_contributions_awards_and_rake_equal_the_texts_own_figures(path: Path) -> None:
    for hand in hands(path):
        [total] = printed(hand, rf"^Total pot {_AMOUNT}")
        [rake] = printed(hand, rf"\| Rake {_AMOUNT}")
        seats = {taken.player: taken.seat for taken in started(hand).seats}
        collected: dict[int, int] = {}
        for line in printed(hand, rf"^(?P<who>.+) collected {_AMOUNT} from"):
            seat = seats[line["who"]]
            amount = int(line[2]) * 100 + int(line[3] or 0)
            collected[seat] = collected.get(seat, 0) + amount
        assert sum(player.paid for player in before_payout(hand).seats) == cents(total)
        assert [taken.total for taken in kinds(hand, e.RakeTaken)] == [cents(rake)]
        assert won(hand) == collected


@pytest.mark.parametrize("path", FULLTILT, ids=lambda path: path.stem)
def test_full_tilt_says_the_same_of_pot_rake_and_winners(path: Path) -> None:
    for hand in hands(path):
        [total] = printed(hand, rf"^Total pot {_AMOUNT}")
        [rake] = printed(hand, rf"\| Rake {_AMOUNT}")
        assert sum(player.paid for player in before_payout(hand).seats) == cents(total)
        assert [taken.total for taken in kinds(hand, e.RakeTaken)] == [cents(rake)]
        seats = {taken.player: taken.seat for taken in started(hand).seats}
        collected: dict[int, int] = {}
        for line in printed(hand, rf"^(?P<who>\S+) wins the .*pot \({_AMOUNT}\)"):
            amount = int(line[2]) * 100 + int(line[3] or 0)
            collected[seats[line["who"]]] = collected.get(seats[line["who"]], 0) + amount
        assert won(hand) == collected


@pytest.mark.parametrize("path", BOVADA, ids=lambda path: path.stem)
def test_bovada_says_the_same_of_pot_and_winners(path: Path) -> None:
    for hand in hands(path):
        unit = 100 if started(hand).money.exponent == 2 else 1
        [total] = printed(hand, r"^Total Pot\(\$?([\d.]+)\)")
        assert sum(player.paid for player in before_payout(hand).seats) == Decimal(total[1]) * unit
        results = printed(hand, r"^Seat\+(\d+).* : Hand [Rr]esult \$?([\d.]+)")
        assert won(hand) == {int(line[1]): Decimal(line[2]) * unit for line in results}


def test_bovada_prints_every_card_so_every_verdict_is_a_whole_one() -> None:
    verdicts = {judge(hand.events).verdict for path in BOVADA for hand in hands(path)}
    assert verdicts == {"clean"}


@pytest.mark.parametrize("path", [*POKERSTARS, *BOVADA], ids=lambda path: path.stem)
def test_stacks_after_a_hand_are_those_before_the_next(path: Path) -> None:
    for hand, following in pairwise(hands(path)):
        after = {s.seat: s.stack for s in kinds(hand, e.HandCompleted)[0].stacks}
        names = {taken.player: taken.seat for taken in started(hand).seats}
        for taken in started(following).seats:
            if taken.player in names:
                assert after[names[taken.player]] == taken.stack


def test_each_pot_bears_the_rake_it_adds() -> None:
    [hand] = hands(CORPUS / "pokerstars" / "stud-double-bet-side-pot.txt")
    assert kinds(hand, e.RakeTaken)[0].pots == (2, 3)
    assert [(award.pot, award.amount) for award in kinds(hand, e.PotAwarded)] == [(0, 42), (1, 61)]


def test_the_odd_chip_of_a_split_is_in_the_high_half() -> None:
    awards = [
        {award.half: award.amount for award in kinds(hand, e.PotAwarded)}
        for hand in hands(CORPUS / "pokerstars" / "stud8-0.04-0.08.txt")
    ]
    assert {"high": 37, "low": 36} in awards


@pytest.mark.parametrize("path", PHH, ids=lambda path: path.stem)
def test_stacks_after_the_hand_equal_the_finishing_stacks(path: Path) -> None:
    [hand] = hands(path)
    finishing = tomllib.loads(path.read_text())["finishing_stacks"]
    state = before_payout(hand)
    paid = won(hand)
    assert [player.stack + paid.get(player.seat, 0) for player in state.seats] == finishing
    assert [s.stack for s in kinds(hand, e.HandCompleted)[0].stacks] == finishing


def test_chips_are_conserved_at_every_event_of_every_hand() -> None:
    for hand in all_hands():
        brought = sum(taken.stack for taken in started(hand).seats)
        state: Hand | None = None
        for event in hand.events:
            state = evolve(state, event)
            assert sum(p.stack for p in state.seats) + state.pot + state.rake == brought


def test_verification_finds_nothing_in_them() -> None:
    findings = {f"{hand.file}:{hand.line}": judge(hand.events).findings for hand in all_hands()}
    assert {where: found for where, found in findings.items() if found} == {}


def test_every_award_of_a_showdown_that_could_be_judged_says_which_hands_were_compared() -> None:
    for hand in all_hands():
        contested = [
            award
            for award in kinds(hand, e.PotAwarded)
            if len(before_payout(hand).still_in) - len(kinds(hand, e.Mucked)) > 1
        ]
        assert all(award.reason.compared for award in contested)
