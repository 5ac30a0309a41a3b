"""The rules that the hands of a bundle name: each once, in the order they are first named."""

from __future__ import annotations

import msgspec

from domain.errors import BadTable
from domain.events import HandStarted
from domain.house_rules import HouseRules
from domain.schedules import Schedule, schedule_for


class NamedRules:
    """Gathers rake schedules and house rules, hand by hand."""

    def __init__(self) -> None:
        self._schedules: dict[tuple[str, int], Schedule] = {}
        self._house_rules: dict[bytes, HouseRules] = {}

    def remember(self, started: HandStarted) -> None:
        """What one hand names; a schedule that nobody published is a finding, and not among it."""
        rules = started.house_rules
        self._house_rules.setdefault(msgspec.json.encode(rules, order="sorted"), rules)
        try:
            schedule = schedule_for(started)
        except BadTable:
            return
        if schedule is not None:
            self._schedules.setdefault((schedule.id, schedule.version), schedule)

    @property
    def schedules(self) -> list[Schedule]:
        """Every schedule that was named."""
        return [*self._schedules.values()]

    @property
    def house_rules(self) -> list[HouseRules]:
        """Every set of house rules."""
        return [*self._house_rules.values()]
