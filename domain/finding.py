"""What the rules object to in a record."""

from __future__ import annotations

from domain.discreet import Discreet


class Finding(Discreet, frozen=True, kw_only=True):
    """One fault of a record: at `step` (1 = the first event), by `rule`, in one sentence."""

    step: int
    rule: str
    expected: str
    recorded: str
    text: str
