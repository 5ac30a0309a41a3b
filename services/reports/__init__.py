"""Questions to the projections: SQL beside them, rows as structs, and how complete they are."""

from services.reports.hands import BadCursor, HandFound, HandsPage, HandsWanted, find_hands
from services.reports.rake import (
    DIMENSIONS,
    Dimension,
    PostingFound,
    RakeLine,
    RakeReport,
    postings_of_hand,
    rake_report,
)

__all__ = [
    "DIMENSIONS",
    "BadCursor",
    "Dimension",
    "HandFound",
    "HandsPage",
    "HandsWanted",
    "PostingFound",
    "RakeLine",
    "RakeReport",
    "find_hands",
    "postings_of_hand",
    "rake_report",
]
