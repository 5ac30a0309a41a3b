"""One command at a table: read, decide, append; the same request again is answered the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.discreet import Discreet
from domain.errors import Refused
from domain.tables.commands import Leave, SitIn, SitOut, TableCommand
from domain.tables.decide import decide
from domain.tables.events import TableEvent, decode
from domain.tables.table import evolve
from domain.tables.table import replay as replay_table
from services.errors import StaleStream
from services.live import By, Idempotency, KeyReused, Live, NotYourSeat
from services.store.port import Recorded
from services.tables import LoadedTable, appending, load_table

MOST_TRIES = 20


class AtTable(Discreet, frozen=True, kw_only=True):
    """The table after a command. A `repeated` one was done before: it is as it was then."""

    loaded: LoadedTable
    repeated: bool = False


def handle(live: Live, table: UUID, command: TableCommand, by: By) -> AtTable:
    """Run one command at a table; its events carry the command's `at`, now if it has none.

    Raises `Refused`, `UnknownTable`, `NotYourSeat` or `KeyReused`, and then nothing was done;
    StaleStream if others never leave it a place.
    """
    by = known_by(by, command)
    timed = command if command.at is not None else replace(command, at=live.now())
    for _ in range(MOST_TRIES):
        if (before := done_before(live, table, by)) is not None:
            return before
        loaded = load_table(live.store, table)
        try:
            _require_own_seat(loaded, command, by)
            events = decide(loaded.table, timed)
        except (Refused, NotYourSeat):
            # What stands in the way may be this very request, done meanwhile.
            if (before := done_before(live, table, by)) is not None:
                return before
            raise
        append = appending(
            loaded,
            events,
            by.actor,
            command_id=by.command_id,
            request_id=by.request_id,
            causation=by.causation,
        )
        (answer,) = live.store.append([append])
        if answer.status == "ok":
            return AtTable(loaded=_after(loaded, events))
    raise StaleStream("too many are changing this table: try again")


def known_by(by: By, content: msgspec.Struct) -> By:
    """The same asker, his request told from others by what it comes to rather than by its text.

    The digest stays in the log for ever, where that of a name could be guessed back to the name.
    """
    if by.key is None:
        return by
    meant = replace(content, at=None) if "at" in content.__struct_fields__ else content
    digest = hashlib.sha256(msgspec.json.encode(meant)).hexdigest()
    return replace(by, key=Idempotency(by.key.key, digest))


def done_before(live: Live, table: UUID, by: By) -> AtTable | None:
    """The table as it stood after this request, if it was done. Raises `KeyReused`."""
    if by.command_id is None:
        return None
    facts = live.store.load(table)
    known = [fact for fact in facts if fact.command_id == by.command_id]
    if not known:
        return None
    if known[0].causation != by.causation:
        raise KeyReused("this idempotency key stood for another request before")
    return AtTable(loaded=_replayed(table, facts[: known[-1].n]), repeated=True)


def _replayed(table: UUID, facts: Sequence[Recorded]) -> LoadedTable:
    state = replay_table(decode(fact.state) for fact in facts)
    return LoadedTable(id=table, table=state, version=len(facts))


def _after(loaded: LoadedTable, events: Sequence[TableEvent]) -> LoadedTable:
    table = loaded.table
    for event in events:
        table = evolve(table, event)
    return replace(loaded, table=table, version=loaded.version + len(events))


def _require_own_seat(loaded: LoadedTable, command: TableCommand, by: By) -> None:
    """A player asks for himself only."""
    if by.role != "player":
        return
    own = [s.seat for s in loaded.table.seats if s.player == str(by.player)]
    if not isinstance(command, Leave | SitIn | SitOut) or command.seat not in own:
        raise NotYourSeat("a player asks for his own seat only")
