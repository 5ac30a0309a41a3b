"""What a check of a bundle found: what was changed, what could not be checked, and who signed."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_NAMED = 100


@dataclass
class Report:
    """Sentences for whoever checks, the first one first; of very many only so many are kept.

    `origin` and `leaves` are those of the checkpoint, `events` counts those told of, `live` the
    hands that have no end yet, `hidden` the leaves told as hashes only; `signed_by` is the verifier
    key that signed, if one did.
    """

    tampering: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    origin: str = ""
    leaves: int = 0
    events: int = 0
    live: int = 0
    hidden: int = 0
    signed_by: str | None = None

    def bad(self, text: str) -> None:
        """A check was made, and failed."""
        keep(self.tampering, text)

    def open(self, text: str) -> None:
        """A check could not be made."""
        keep(self.unchecked, text)


def keep(kept: list[str], text: str) -> None:
    """Add a sentence; after very many, only that there are more."""
    if len(kept) < MOST_NAMED:
        kept.append(text)
    elif len(kept) == MOST_NAMED:
        kept.append(f"and more than these {MOST_NAMED}, which are not listed")
