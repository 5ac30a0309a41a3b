"""Questions to the projections: SQL beside them, rows as structs, and how complete they are."""

from services.reports.hands import BadCursor, HandFound, HandsPage, HandsWanted, find_hands
from services.reports.rake import (
    PostingFound,
    RakeLine,
    RakeReport,
    postings_of_hand,
    rake_report,
)
from services.reports.rake_wanted import (
    DIMENSIONS,
    BadRakeQuestion,
    Dimension,
    RakeWanted,
    dimensions,
    gaming_day_start,
)
from services.reports.tables import TableFound, TablesPage, TablesWanted, find_tables

__all__ = [
    "DIMENSIONS",
    "BadCursor",
    "BadRakeQuestion",
    "Dimension",
    "HandFound",
    "HandsPage",
    "HandsWanted",
    "PostingFound",
    "RakeLine",
    "RakeReport",
    "RakeWanted",
    "TableFound",
    "TablesPage",
    "TablesWanted",
    "dimensions",
    "find_hands",
    "find_tables",
    "gaming_day_start",
    "postings_of_hand",
    "rake_report",
]
