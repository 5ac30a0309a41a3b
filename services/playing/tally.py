"""What the bots have done and seen, counted table by table."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.units import Chips


class TableTally(msgspec.Struct, kw_only=True):
    """One table so far. Chips are minor units; `ended` what was there when the table closed.

    `refusals` are answers that a rule or a moved turn refused, `retries` requests sent again for
    want of an answer, `errors` answers no bot should ever get. `latencies` are seconds, of actions.
    """

    name: str
    table: str = ""
    hands: int = 0
    actions: int = 0
    time_outs: int = 0
    disconnects: int = 0
    refusals: int = 0
    retries: int = 0
    errors: int = 0
    bought_in: Chips = 0
    rake: Chips = 0
    ended: Chips = 0
    latencies: list[float] = msgspec.field(default_factory=list)

    @property
    def conserved(self) -> bool:
        """Whether all chips are accounted for: at the table, or taken as rake (P8)."""
        return self.ended + self.rake == self.bought_in


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """All tables of a run, which took so many `seconds`."""

    tables: tuple[TableTally, ...]
    seconds: float

    def total(self, what: str) -> int:
        """A count, or an amount, of all tables."""
        return sum(int(getattr(table, what)) for table in self.tables)

    @property
    def latencies(self) -> list[float]:
        """Seconds each action took, of all tables."""
        return [seconds for table in self.tables for seconds in table.latencies]

    @property
    def conserved(self) -> bool:
        """Whether all chips of all tables are accounted for."""
        return all(table.conserved for table in self.tables)


def part(seconds: Sequence[float], hundredth: int) -> float | None:
    """The time so many in a hundred did not exceed; null if there is none.

    >>> part([0.3, 0.1, 0.2], 50)
    0.2
    """
    return sorted(seconds)[(len(seconds) - 1) * hundredth // 100] if seconds else None
