"""Every id the rulebook has; a refusal, finding or reason may cite no other."""

from __future__ import annotations

COUNTS = {
    "G": (1, 8),
    "S": (1, 7),
    "B": (1, 10),
    "C": (1, 5),
    "P": (0, 9),
    "R": (1, 6),
    "D": (1, 6),
}

RULE_IDS = frozenset(
    f"{group}{number}"
    for group, (first, last) in COUNTS.items()
    for number in range(first, last + 1)
)
