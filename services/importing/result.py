"""What an import came to, and the exit code that says so."""

from __future__ import annotations

from uuid import UUID

import msgspec

OK = 0
NOTHING_RECOGNISED = 1
SOME_REJECTED = 4

MOST_LISTED = 10_000
"""Rejected records named one by one; a file of a gigabyte may hold a million."""


class Conflict(msgspec.Struct, kw_only=True):
    """Records that tell different public facts under one number, each a hand of its own."""

    number: str
    hands: list[UUID]


class RejectedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record that was not taken in, where it went wrong, and why."""

    file: str
    line: int
    reason: str


class ImportResult(msgspec.Struct, kw_only=True):
    """Every record is counted once: as imported, duplicate, skipped, conflicting or rejected.

    A conflicting record is stored, as a hand of its own. `hands` counts the records in which a
    hand was recognised, whatever became of it; `kept` those put into quarantine; `unlisted` the
    rejected ones after the first `MOST_LISTED`.
    """

    imported: int = 0
    duplicates: int = 0
    skipped: int = 0
    conflicts: list[Conflict] = []
    rejected: list[RejectedRecord] = []
    hands: int = 0
    kept: int = 0
    unlisted: int = 0
    _by_number: dict[tuple[str, UUID], Conflict] = {}

    def add_conflict(self, number: str, first: UUID, other: UUID) -> None:
        """A record of its own under a number that is taken."""
        conflict = self._by_number.get((number, first))
        if conflict is None:
            conflict = self._by_number[number, first] = Conflict(number=number, hands=[first])
            self.conflicts.append(conflict)
        conflict.hands.append(other)

    def reject(self, rejected: RejectedRecord) -> None:
        """One more record that was not taken in."""
        if len(self.rejected) < MOST_LISTED:
            self.rejected.append(rejected)
        else:
            self.unlisted += 1

    @property
    def not_taken_in(self) -> int:
        """How many records were rejected, listed or not."""
        return len(self.rejected) + self.unlisted

    def exit_code(self) -> int:
        """1 where nothing was recognised, 4 where something needs a look, else 0."""
        if not self.hands:
            return NOTHING_RECOGNISED if self.rejected else OK
        return SOME_REJECTED if self.rejected or self.conflicts else OK

    def as_json(self) -> dict[str, object]:
        """The fields of the command's JSON; `unlisted` only where the list had to end."""
        fields = ("imported", "duplicates", "skipped", "conflicts", "rejected")
        unlisted = {"unlisted": self.unlisted} if self.unlisted else {}
        return {name: getattr(self, name) for name in fields} | unlisted
