"""Who may ask for what: subjects and their keys, roles, and the record of cards that were seen."""

from services.access.events import COMMAND_LINE, CardsSeen, KeyIssued, KeyRevoked
from services.access.keys import BadKey, Holder, IssuedKey, Keys, KeyWanted, UnknownKey
from services.access.roles import ROLES, Role
from services.access.rules import OPEN, TABLE, Sight, sights_of
from services.access.sightings import PurposeMissing, Sighting, record_sighting, record_sightings

__all__ = [
    "COMMAND_LINE",
    "OPEN",
    "ROLES",
    "TABLE",
    "BadKey",
    "CardsSeen",
    "Holder",
    "IssuedKey",
    "KeyIssued",
    "KeyRevoked",
    "KeyWanted",
    "Keys",
    "PurposeMissing",
    "Role",
    "Sight",
    "Sighting",
    "UnknownKey",
    "record_sighting",
    "record_sightings",
    "sights_of",
]
