"""Tables of a room: loading one, and the facts with which hands begin and end at it."""

from services.tables.hands import begun, ended, hand_at, hand_number
from services.tables.loading import LoadedTable, UnknownTable, appending, load_table

__all__ = [
    "LoadedTable",
    "UnknownTable",
    "appending",
    "begun",
    "ended",
    "hand_at",
    "hand_number",
    "load_table",
]
