"""Nonsense is refused in words or does no harm; every target of `targets.py`, many times over."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.dice import BytesDice
from tests.fuzz.targets import TARGETS

LONGEST = timedelta(seconds=10)
"""No input may take longer; usual ones take a hundredth of it."""

ROUNDS = {
    "readers": 300,
    "files": 250,
    "event_bytes": 1500,
    "commands": 1500,
    "histories": 150,
    "mistakes": 80,
    "bundles": 200,
}
PATIENT = settings(
    deadline=LONGEST,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
SEEDS = st.integers(0, 2**64)


@pytest.mark.parametrize("target", TARGETS)
def test_nonsense_does_no_harm(target: str) -> None:
    @settings(PATIENT, max_examples=ROUNDS[target])
    @given(seed=SEEDS)
    def run(seed: int) -> None:
        TARGETS[target](random.Random(seed))

    run()


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_very_much_nonsense_does_no_harm(target: str) -> None:
    @settings(PATIENT, max_examples=20 * ROUNDS[target], derandomize=False)
    @given(seed=SEEDS)
    def run(seed: int) -> None:
        TARGETS[target](random.Random(seed))

    run()


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_does_as_well_with_the_bytes_of_a_coverage_guided_fuzzer(target: str) -> None:
    for data in (b"", b"\0" * 64, bytes(range(256)), b"\xff" * 4096):
        TARGETS[target](BytesDice(data))
