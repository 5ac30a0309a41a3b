"""Tables of a room: loading one, and the facts with which hands begin and end at it."""

from services.tables.hands import begun, ended, hand_at, hand_number, hand_of
from services.tables.loading import LoadedTable, UnknownTable, appending, load_table
from services.tables.sheet import HandAtTable, SeatAtTable, TableSheet, table_sheet

__all__ = [
    "HandAtTable",
    "LoadedTable",
    "SeatAtTable",
    "TableSheet",
    "UnknownTable",
    "appending",
    "begun",
    "ended",
    "hand_at",
    "hand_number",
    "hand_of",
    "load_table",
    "table_sheet",
]
