"""What a room may choose: every policy of the rulebook, and the named presets."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.units import AttributionMethod, Game

ALL_GAMES: tuple[Game, ...] = ("stud", "stud8", "stud_hilo")


class Clock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a turn lasts, in seconds (C1)."""

    turn: int = 10
    countdown: int = 20
    disconnected: int = 20


Remedy = Literal["all_in_protection", "check_or_fold", "refund_and_void", "roll_back"]
"""Ways of rooms with a hand that went wrong: for who timed out, and for everybody (C2, C4, D4)."""


class HouseRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every choice the rulebook leaves to the room; stored whole with each hand.

    `open_pair_double_bet` lists the games in which an open pair on fourth street allows the big
    bet (B4). `clock` is null where there is none or the record's own clock counts. `rake` says
    whether the named schedule decides the rake or the recorded rake is taken as a fact.
    `incident_remedy` is what becomes of a hand that went wrong through nobody's fault (D4); what
    rules were stored without it leave it to the floor.
    """

    name: str
    version: int
    bring_in_floor: Literal["half", "none"]
    bring_in_tie: Literal["left_of_dealer", "suit"]
    open_pair_double_bet: tuple[Game, ...]
    cap_exempt_heads_up: bool
    stud_odd_chip: Literal["left_of_dealer", "card", "any"]
    hi_lo_odd_chip: Literal["card", "any"]
    odd_chip_cards: Literal["all_seven", "five"]
    odd_chip_tie: Literal["left_of_dealer", "suit"]
    burn_cards: bool
    clock: Clock | None
    timeout_outcome: Literal["all_in", "check_or_fold"]
    unmatched_ante: Literal["stays", "returned"]
    rake: Literal["schedule", "as_recorded"]
    rake_third_street: bool
    rake_attribution: AttributionMethod
    incident_remedy: Literal["floor", "refund_and_void", "roll_back"] = "floor"


TOPSPOKER = HouseRules(
    name="topspoker",
    version=1,
    bring_in_floor="half",
    bring_in_tie="left_of_dealer",
    open_pair_double_bet=ALL_GAMES,
    cap_exempt_heads_up=False,
    stud_odd_chip="left_of_dealer",
    hi_lo_odd_chip="card",
    odd_chip_cards="all_seven",
    odd_chip_tie="left_of_dealer",
    burn_cards=False,
    clock=Clock(),
    timeout_outcome="all_in",
    unmatched_ante="stays",
    rake="schedule",
    rake_third_street=False,
    rake_attribution="weighted",
)
CARDROOM = msgspec.structs.replace(TOPSPOKER, name="cardroom")
POKERSTARS = msgspec.structs.replace(
    TOPSPOKER,
    name="pokerstars",
    bring_in_floor="none",
    bring_in_tie="suit",
    open_pair_double_bet=("stud",),
    stud_odd_chip="any",
    hi_lo_odd_chip="any",
    clock=None,
    timeout_outcome="check_or_fold",
    rake="as_recorded",
)
FULLTILT = msgspec.structs.replace(POKERSTARS, name="fulltilt", unmatched_ante="returned")
BOVADA = msgspec.structs.replace(POKERSTARS, name="bovada")
ROBERTS = msgspec.structs.replace(
    POKERSTARS,
    name="roberts",
    cap_exempt_heads_up=True,
    stud_odd_chip="card",
    hi_lo_odd_chip="card",
    odd_chip_tie="suit",
    burn_cards=True,
)
PHH = msgspec.structs.replace(ROBERTS, name="phh", cap_exempt_heads_up=False)

PRESETS: dict[str, HouseRules] = {
    rules.name: rules for rules in (TOPSPOKER, CARDROOM, POKERSTARS, FULLTILT, BOVADA, ROBERTS, PHH)
}

DEFAULT_BY_GAME: dict[Game, HouseRules] = {
    "stud": TOPSPOKER,
    "stud8": TOPSPOKER,
    "stud_hilo": CARDROOM,
}
"""The preset a dealt table uses when it names none."""
