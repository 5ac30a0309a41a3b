"""Ruling on a hand whose record paid part of its pots to nobody (D3)."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from domain import events as e
from domain.disputes.applying import Applied, effects
from domain.evolve import evolve as evolve_hand
from domain.evolve import replay as replay_hand
from tests.support import disputes as s
from tests.support.disputes import moves, opened, proposing

APPLIED = Applied(case=UUID(int=9), hand=s.HAND, value_date=date(2026, 1, 9), at=s.NOON)


def test_d3_a_void_gives_back_what_a_record_paid_to_nobody_out_of_what_the_house_holds() -> None:
    unpaid = replay_hand(one for one in s.RAKED.log if not isinstance(one, e.PotAwarded))
    voiding = proposing("void", moves=())
    quarrel = opened(unpaid).ask(voiding)
    (ruling,) = quarrel.now.rulings
    assert ruling.proposed.moves == moves(s1=725, s2=725, s3=725)
    assert (ruling.proposed.rake, ruling.proposed.house) == (-100, 100 - 3 * 725)
    voided = effects(quarrel.hand, ruling.proposed, APPLIED).of_hand
    assert voided is not None
    after = evolve_hand(unpaid, voided)
    assert (after.pot, after.rake) == (0, 0)
    assert {player.stack for player in after.seats} == {10000}
