"""What can go wrong around the rules, as a tree. Messages are for the person at the keyboard.

ServiceError
├── BadSettings              a setting is missing or malformed
├── WrongKey                 the key file is not the one the hand secrets were sealed with
├── DeckMissing              the deck a hand committed to is not in this room
├── StaleStream              somebody else was faster; nothing was stored
├── MigrationFailed          a migration was refused; the room is as it was before
├── DatabaseBusy             a lock or a statement took longer than it may
└── DatabaseUnreachable      no database to work with; the message says what to check
    ├── DataDirectoryUnusable    the embedded database cannot live there
    └── NotMigrated              the room's tables are missing or of another version
"""

from __future__ import annotations


class ServiceError(Exception):
    """Base of every error of the services; its text is fit to be printed as it is."""


class BadSettings(ServiceError):
    """A setting is missing or malformed."""


class WrongKey(ServiceError):
    """The key file is unusable, or not the one the hand secrets were sealed with."""


class DeckMissing(ServiceError):
    """The deck a hand committed to is not in this room: the hand cannot go on by itself."""


class StaleStream(ServiceError):
    """A stream is not as long as expected any more; nothing of the batch was stored."""


class MigrationFailed(ServiceError):
    """A migration was refused; the room is as it was before."""


class DatabaseBusy(ServiceError):
    """A lock or a statement took longer than it may; nothing of it was stored."""


class DatabaseUnreachable(ServiceError):
    """No database to work with; the message says what to check."""


class DataDirectoryUnusable(DatabaseUnreachable):
    """The embedded database cannot live in this directory; the message says why."""


class NotMigrated(DatabaseUnreachable):
    """The room's tables are missing or of another version than this program's."""
