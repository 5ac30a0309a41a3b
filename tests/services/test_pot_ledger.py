"""The pot ledger: from ante to payout, adding up to nothing, each amount from its events."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain import events as e
from domain.evolve import replay
from services.demo.arranged import arranged_hands
from services.replaying.pot_ledger import LedgerRow, PotLedger, pot_ledger
from tests.support import disputes as s

ARRANGED = [hand.events for hand in arranged_hands()]


def row(ledger: PotLedger, name: str) -> LedgerRow:
    return next(one for one in ledger.rows if one.name == name)


@pytest.mark.parametrize("events", [*ARRANGED, s.RAKED.log])
def test_p8_every_row_and_the_whole_add_up_to_nothing(events: Sequence[e.HandEvent]) -> None:
    ledger, hand = pot_ledger(events), replay(events)
    assert all(sum(cell.amount for cell in one.cells) == 0 for one in ledger.rows)
    won = [player.stack - player.started_with for player in hand.seats]
    assert list(ledger.totals) == [*won, hand.pot, hand.rake]


@pytest.mark.parametrize("events", ARRANGED)
def test_a_hand_cut_short_adds_up_as_well(events: Sequence[e.HandEvent]) -> None:
    for step in range(1, len(events)):
        assert sum(pot_ledger(events[:step]).totals) == 0


def test_every_amount_names_the_events_it_comes_from() -> None:
    ledger, events = pot_ledger(s.RAKED.log), s.RAKED.log
    for one in ledger.rows:
        for account, cell in zip(ledger.accounts, one.cells, strict=True):
            assert bool(cell.steps) == bool(cell.amount) or one.about in {"street", "ruling"}
            if isinstance(account, int) and one.about in {"ante", "street", "returned"}:
                assert {getattr(events[step - 1], "seat", None) for step in cell.steps} <= {account}
    antes = row(ledger, "Antes")
    assert [cell.amount for cell in antes.cells] == [-25, -25, -25, 75, 0]
    assert all(isinstance(events[step - 1], e.AntePosted) for step in antes.cells[3].steps)
    assert [cell.amount for cell in row(ledger, "Rake, main pot").cells][-2:] == [-100, 100]


def test_odd_chips_stand_beside_the_half_they_belong_to() -> None:
    odd = [one for events in ARRANGED for one in pot_ledger(events).rows if one.about == "odd_chip"]
    assert odd
    for one in odd:
        assert one.name.endswith(": odd chip")
        assert 0 < -one.cells[-2].amount < len(one.cells)


def test_a_correction_is_a_row_of_its_own() -> None:
    moves = s.moves(s1=-500, s2=500)
    ruled = e.AwardCorrected(moves=moves, rake=0, reason="misread", ruling=str(s.RULING))
    ledger = pot_ledger((*s.RAKED.log, ruled))
    correction = row(ledger, "Correction")
    assert [cell.amount for cell in correction.cells] == [-500, 500, 0, 0, 0]
    assert correction.cells[0].steps == (len(s.RAKED.log) + 1,)
