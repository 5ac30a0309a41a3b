"""What is asked of tables: opened, seats taken, chips, leaving, closed; each answered once."""

from services.seating.handling import AtTable, handle
from services.seating.opening import open_table
from services.seating.people import SITE, UnknownPlayer, player_id
from services.seating.terms import BadTerms, TableWanted, terms

__all__ = [
    "SITE",
    "AtTable",
    "BadTerms",
    "TableWanted",
    "UnknownPlayer",
    "handle",
    "open_table",
    "player_id",
    "terms",
]
