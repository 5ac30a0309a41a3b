"""The database driver's errors in our words: what happened, and what to check."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import psycopg

from services.errors import DatabaseBusy, DatabaseUnreachable, NotMigrated, ServiceError

CHECK = (
    "if STUDLEDGER_DATABASE_URL is set, check it, that its server runs and that it lets you in;"
    " `studledger doctor` looks closer"
)


@contextlib.contextmanager
def in_our_words() -> Iterator[None]:
    """Turn the driver's errors that are nobody's bug into ours."""
    try:
        yield
    except LATE as late:
        raise DatabaseBusy(f"the database is busy, try again: {first_line(late)}") from None
    except MISSING as missing:
        raise NotMigrated(f"{first_line(missing)}: run `studledger migrate`") from None
    except (psycopg.OperationalError, psycopg.InterfaceError) as gone:
        raise DatabaseUnreachable(
            f"the database does not answer ({first_line(gone)}): {CHECK}"
        ) from None


LATE = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
    # A transaction of ours stood still for too long: the computer slept, or held the process.
    psycopg.errors.IdleInTransactionSessionTimeout,
)
MISSING = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedFunction)


def first_line(error: psycopg.Error) -> str:
    """The driver's message without details, which may hold values."""
    return (error.diag.message_primary or str(error)).strip().partition("\n")[0]


VALUES = (psycopg.DataError, psycopg.IntegrityError, psycopg.errors.ProgramLimitExceeded)
"""What the database refuses for what is in it, and would refuse again."""


def lies_in_the_values(error: Exception) -> bool:
    """Whether what was to be worked on or stored is to blame, and not a database or its schema."""
    return isinstance(error, VALUES) or not isinstance(error, psycopg.Error | ServiceError)
