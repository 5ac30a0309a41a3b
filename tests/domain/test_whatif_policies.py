"""Policies as they are written in a what-if: field=value, or a preset for all."""

from __future__ import annotations

import pytest

from domain.house_rules import PRESETS
from domain.whatif.policies import BadPolicy, with_policies


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("bring_in_tie=suit", "bring_in_tie", "suit"),
        ("burn_cards=yes", "burn_cards", True),
        ("cap_exempt_heads_up = no", "cap_exempt_heads_up", False),
        ("open_pair_double_bet=stud,stud8", "open_pair_double_bet", ("stud", "stud8")),
        ("open_pair_double_bet=none", "open_pair_double_bet", ()),
        ("clock=none", "clock", None),
        ("preset=roberts", "burn_cards", True),
    ],
)
def test_a_policy_is_changed_as_it_is_written(change: str, field: str, value: object) -> None:
    assert getattr(with_policies(PRESETS["cardroom"], [change]), field) == value


@pytest.mark.parametrize("change", ["clock=15+30+60", "clock=15 30 60"])
def test_a_clock_is_written_in_seconds(change: str) -> None:
    clock = with_policies(PRESETS["cardroom"], [change]).clock
    assert clock is not None
    assert (clock.turn, clock.countdown, clock.disconnected) == (15, 30, 60)


@pytest.mark.parametrize(
    "change",
    [
        *("suit", "name=mine", "version=2", "no_such=1", "preset=nobody", "bring_in_tie=high"),
        *("burn_cards=perhaps", "open_pair_double_bet=omaha", "clock=soon", "clock=1+2"),
        *("clock=²+1+1", "clock=1+1+" + "9" * 30, "clock=-1+1+1", "clock=1++1+1", "rake="),
    ],
)
def test_no_other_policy_is_understood(change: str) -> None:
    with pytest.raises(BadPolicy) as bad:
        with_policies(PRESETS["cardroom"], [change])
    assert all(one in str(bad.value) for one in bad.value.possible)
    assert bad.value.possible


@pytest.mark.parametrize(
    ("change", "possible"),
    [
        ("preset=nobody", tuple(PRESETS)),
        ("bring_in_tie=high", ("left_of_dealer", "suit")),
        ("burn_cards=perhaps", ("yes", "no")),
        ("open_pair_double_bet=omaha", ("stud", "stud8", "stud_hilo", "all", "none")),
        ("clock=soon", ("none", "10+20+20")),
    ],
)
def test_what_a_policy_may_be_is_listed_as_it_is_written(
    change: str, possible: tuple[str, ...]
) -> None:
    with pytest.raises(BadPolicy) as bad:
        with_policies(PRESETS["cardroom"], [change])
    assert bad.value.possible == possible
