"""What an import came to, and the exit code that says so."""

from __future__ import annotations

from uuid import UUID

import msgspec

OK = 0
NOTHING_RECOGNISED = 1
SOME_REJECTED = 4


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
    hand was recognised, whatever became of it.
    """

    imported: int = 0
    duplicates: int = 0
    skipped: int = 0
    conflicts: list[Conflict] = []
    rejected: list[RejectedRecord] = []
    hands: int = 0

    def add_conflict(self, number: str, first: UUID, other: UUID) -> None:
        """A record of its own under a number that is taken."""
        for conflict in self.conflicts:
            if conflict.number == number and conflict.hands[0] == first:
                conflict.hands.append(other)
                return
        self.conflicts.append(Conflict(number=number, hands=[first, other]))

    def exit_code(self) -> int:
        """1 where nothing was recognised, 4 where something needs a look, else 0."""
        if not self.hands:
            return NOTHING_RECOGNISED if self.rejected else OK
        return SOME_REJECTED if self.rejected or self.conflicts else OK

    def as_json(self) -> dict[str, object]:
        """The fields of the command's JSON."""
        fields = ("imported", "duplicates", "skipped", "conflicts", "rejected")
        return {name: getattr(self, name) for name in fields}
