"""Takes a page in: all of it at once, or hand by hand where one of them cannot be taken in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from psycopg import Connection

from services.driver_errors import lies_in_the_values
from services.projecting import aside
from services.projecting.folding import Folder
from services.projecting.summing import Sums
from services.projecting.writing import take_out, write
from services.store.port import Recorded

Keep = Callable[[Connection, Sums], None]
"""What is done with the sums of a page, as the last part of taking it in."""

Facts = Sequence[Recorded]


def take_in(connection: Connection, folder: Folder, page: Facts, keep: Keep) -> None:
    """Store what the hands of a page come to now, in the transaction that is open.

    A hand that cannot be folded or stored is set aside with all its rows, and so is what is told
    of it later; the others are none the worse. What is wrong with the database raises.
    """
    told = _known_good(connection, folder, folder.by_stream(page), keep)
    try:
        _take(connection, folder, told, keep)
    except Exception as wrong:
        if not lies_in_the_values(wrong):
            raise
        for facts in told.values():
            _take_or_set_aside(connection, folder, facts, keep)


def _take(connection: Connection, folder: Folder, told: Mapping[UUID, Facts], keep: Keep) -> None:
    with connection.transaction():
        folds, sums = folder.fold_streams(told), Sums(folder)
        write(connection, folder, folds)
        sums.gather(folds)
        keep(connection, sums)


def _known_good(
    connection: Connection, folder: Folder, told: dict[UUID, list[Recorded]], keep: Keep
) -> dict[UUID, list[Recorded]]:
    """What is told of hands that are not set aside; what one projection lacks, all lack."""
    found = aside.among(connection, folder.names, told.keys())
    for hand, (by, reason) in found.items():
        others = folder.without(by)
        if others.projections:
            _set_aside(connection, others, told[hand], reason, keep)
    return {hand: facts for hand, facts in told.items() if hand not in found}


def _take_or_set_aside(connection: Connection, folder: Folder, facts: Facts, keep: Keep) -> None:
    try:
        _take(connection, folder, {facts[0].stream: facts}, keep)
    except Exception as wrong:
        if not lies_in_the_values(wrong):
            raise
        _set_aside(connection, folder, facts, type(wrong).__name__, keep)


def _set_aside(
    connection: Connection, folder: Folder, facts: Facts, reason: str, keep: Keep
) -> None:
    """Take out what pages before this one told of the hand, and name it."""
    hand, position = facts[0].stream, facts[-1].position
    if facts[0].n > 1:
        with connection.transaction():
            sums = Sums(folder)
            sums.withdraw(folder.before(facts[0]))
            take_out(connection, folder, hand)
            keep(connection, sums)
    aside.note(connection, folder.names, hand, position, reason)
