"""What keeps the log from signing or proving something. Messages say what to do.

ServiceError
├── LogKeyUnusable       the key that should sign is missing, damaged or not the log's
├── NotSealed            there is no such event or tree in the log
├── Altered              an event is not the one that was sealed
├── NoCheckpoint         nothing was signed yet
├── Contradiction        to sign would contradict what was signed or published before
└── NothingContradicts   a new epoch was asked for, and the log goes on without one
"""

from __future__ import annotations

from services.errors import ServiceError


class LogKeyUnusable(ServiceError):
    """The key that should sign is missing, damaged or not the log's."""


class NotSealed(ServiceError):
    """There is no such event or tree in the log."""


class Altered(ServiceError):
    """What is stored is not what was sealed: somebody changed or removed it."""


class NoCheckpoint(ServiceError):
    """Nothing was signed yet, or not of this size."""


class Contradiction(ServiceError):
    """To sign would contradict what was signed or published before."""


class NothingContradicts(ServiceError):
    """A new epoch was asked for, and the log goes on without one."""
