"""Questions to the projections: SQL beside them, rows as structs, and how complete they are."""

from services.reports.hands import BadCursor, HandFound, HandsPage, HandsWanted, find_hands
from services.reports.rake import (
    PostingFound,
    RakeReport,
    postings_of_hand,
    rake_report,
)
from services.reports.rake_lines import RakeLine
from services.reports.rake_wanted import (
    DIMENSIONS,
    METHODS,
    PREVIOUS,
    BadRakeQuestion,
    Dimension,
    Period,
    RakeWanted,
    compared_with,
    dimensions,
    gaming_day_start,
    methods,
)
from services.reports.tables import TableFound, TablesPage, TablesWanted, find_tables

__all__ = [
    "DIMENSIONS",
    "METHODS",
    "PREVIOUS",
    "BadCursor",
    "BadRakeQuestion",
    "Dimension",
    "HandFound",
    "HandsPage",
    "HandsWanted",
    "Period",
    "PostingFound",
    "RakeLine",
    "RakeReport",
    "RakeWanted",
    "TableFound",
    "TablesPage",
    "TablesWanted",
    "compared_with",
    "dimensions",
    "find_hands",
    "find_tables",
    "gaming_day_start",
    "methods",
    "postings_of_hand",
    "rake_report",
]
