"""Who may ask for what: subjects and their keys, roles, and the record of cards that were seen."""

from services.access.events import COMMAND_LINE, CardsSeen, KeyIssued, KeyRevoked
from services.access.keys import BadKey, Holder, IssuedKey, Keys, KeyWanted, UnknownKey
from services.access.pages import OPEN_PAGES, PAGES
from services.access.roles import ROLES, Role
from services.access.rules import OPEN, TABLE, Entry, Sight, sights_of
from services.access.sessions import Lasting, Session, Sessions
from services.access.sightings import PurposeMissing, Sighting, record_sighting, record_sightings

__all__ = [
    "COMMAND_LINE",
    "OPEN",
    "OPEN_PAGES",
    "PAGES",
    "ROLES",
    "TABLE",
    "BadKey",
    "CardsSeen",
    "Entry",
    "Holder",
    "IssuedKey",
    "KeyIssued",
    "KeyRevoked",
    "KeyWanted",
    "Keys",
    "Lasting",
    "PurposeMissing",
    "Role",
    "Session",
    "Sessions",
    "Sight",
    "Sighting",
    "UnknownKey",
    "record_sighting",
    "record_sightings",
    "sights_of",
]
