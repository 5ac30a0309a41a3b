"""The result of a hand as a page: every chip, the verdict, its proof, and what if beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from uuid import UUID

import pytest

from domain import events as e
from services.embedded import Server
from services.log.checkpoints import Checkpoints
from services.replaying.pot_ledger import pot_ledger
from tests.support.browsing import Visitor, problem_of, visitor
from tests.support.service import Served, served


class Room(NamedTuple):
    service: Served
    floor: Visitor

    @property
    def hand(self) -> UUID:
        return self.service.hand

    @property
    def events(self) -> tuple[e.HandEvent, ...]:
        return self.service.events(self.hand)

    def result(self, query: str = "", status: int = 200) -> str:
        return self.floor.get(f"/hands/{self.hand}/result{query}", status)


@pytest.fixture(scope="module")
def room(server: Server) -> Iterator[Room]:
    with served(server, 8) as service:
        yield Room(service, visitor(service, "floor"))


def decision(room: Room, kind: type[e.HandEvent]) -> int:
    """The last step at which somebody decided so."""
    return max(n for n, event in enumerate(room.events, 1) if isinstance(event, kind))


def cells(page: str) -> str:
    """The words of a page, without its tags."""
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_every_amount_of_the_ledger_leads_to_its_events(room: Room) -> None:
    page, ledger = room.result(), pot_ledger(room.events)
    steps = {step for row in ledger.rows for cell in row.cells for step in cell.steps}
    assert steps
    for step in steps:
        assert f'href="/hands/{room.hand}/replay?step={step}"' in page
    assert "odd chip" in page
    assert all(row.name in unescape(page) for row in ledger.rows)


def test_the_verdict_is_told_with_its_findings(room: Room) -> None:
    assert "agree with the rules" in room.result()
    events = room.events
    opened = next(n for n, event in enumerate(events) if isinstance(event, e.BettingOpened))
    seats = {taken.seat for taken in room.service.started(room.hand).seats}
    out_of_turn = e.Checked(seat=(seats - {events[opened].opener}).pop())  # type: ignore[union-attr]
    wrong = (*events[: opened + 1], out_of_turn, *events[opened + 1 :])
    page = room.floor.get(f"/hands/{room.service.store(wrong)}/result")
    assert re.search(r'<a href="/hands/[^"]+/replay\?step=\d+">Step \d+</a>: ', page)


def test_a_hand_is_proven_once_a_checkpoint_has_it(room: Room) -> None:
    Checkpoints(room.service.room).sign()
    told = cells(room.result())
    assert "is leaf" in told
    assert "what is stored is what was sealed, and it is in that tree" in told


def test_what_if_stands_beside_as_played(room: Room) -> None:
    step = decision(room, e.Called)
    told = cells(room.result(f"?step={step}&instead=fold"))
    assert "As played What if Difference" in told
    assert f"Step {step}, as played" in told
    assert "folds." in told


def test_at_a_decision_the_legal_alternatives_are_a_click_away(room: Room) -> None:
    step = decision(room, e.Called)
    page = room.result(f"?step={step}")
    assert f"At step {step} he could" in page
    asked = re.search(rf'href="(/hands/[^"]+step={step}&amp;instead=fold)', page)
    assert asked is not None
    assert "What follows" in room.floor.get(unescape(asked[1]))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?step=9999&instead=fold", "step"),
        ("?instead=fold", "a decision needs both step and instead"),
        ("?step=x", "write the number of a step"),
        ("?step=1&instead=juggle", "is no decision"),
        ("?policy=odd_chip_tie%3Dcoin", "policy"),
    ],
)
def test_what_cannot_be_asked_is_told_beside_its_field(room: Room, query: str, words: str) -> None:
    page = room.result(query, 422)
    assert 'aria-invalid="true"' in page
    assert words in unescape(page)


def test_a_house_rule_can_be_another(room: Room) -> None:
    told = cells(room.result("?policy=odd_chip_tie%3Dsuit"))
    assert "Policy odd_chip_tie: suit instead of left_of_dealer" in told


def test_fields_left_empty_stay_out_of_the_address(room: Room) -> None:
    answer = room.floor.client.get(f"/hands/{room.hand}/result?step=&instead=&policy=&schedule=")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/hands/{room.hand}/result"


def test_a_ruling_stands_beside_what_was_played(room: Room) -> None:
    seats = [taken.seat for taken in room.service.started(room.hand).seats]
    moves = (e.SeatMove(seat=seats[0], amount=-100), e.SeatMove(seat=seats[1], amount=100))
    ruling = e.AwardCorrected(moves=moves, rake=0, reason="misread", ruling="r1")
    hand = room.service.store((*room.events, ruling))
    told = cells(room.floor.get(f"/hands/{hand}/result"))
    assert "As played As ruled Difference" in told
    assert "-$1.00 +$1.00 $0.00" in told


def test_a_hand_that_goes_on_is_told_so_far_and_as_the_table_sees_it(room: Room) -> None:
    hand = room.service.store(room.events[:30])
    told = cells(room.floor.get(f"/hands/{hand}/result"))
    assert "still being played" in told
    assert "So far" in told
    replay = room.floor.get(f"/hands/{hand}/replay")
    assert "Step 30 of 30" in replay
    assert "All cards" not in replay
    live = room.floor.get(f"/hands/{hand}/replay?view=all&why=x", 403)
    assert problem_of(live) == "hand-still-live"


def test_a_void_hand_gives_everything_back(room: Room) -> None:
    paid = {seat: -amount for seat, amount in _given(room.events[:30]).items()}
    moves = tuple(e.SeatMove(seat=seat, amount=amount) for seat, amount in paid.items())
    void = e.HandVoided(moves=moves, rake=0, reason="fouled deck", ruling=None)
    told = cells(room.floor.get(f"/hands/{room.service.store((*room.events[:30], void))}/result"))
    assert "Won or lost $0.00 $0.00 $0.00 $0.00 $0.00 $0.00 $0.00" in told


def _given(events: tuple[e.HandEvent, ...]) -> dict[int, int]:
    """What every seat has put in so far."""
    ledger = pot_ledger(events)
    pairs = zip(ledger.accounts, ledger.totals, strict=True)
    return {account: total for account, total in pairs if isinstance(account, int) and total}


def test_whoever_may_not_see_all_is_refused_and_whoever_may_is_asked_why(room: Room) -> None:
    refused = visitor(room.service, "dealer").get(f"/hands/{room.hand}/result?view=all", 403)
    assert problem_of(refused) == "view-not-allowed"
    assert "What do you look at them for?" in room.result("?view=all")
