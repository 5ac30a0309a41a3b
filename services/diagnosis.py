"""Whether everything is well: settings, database, schema, projections, books, key."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import msgspec

from services.errors import DatabaseUnreachable, NotMigrated, ServiceError
from services.log.checkpoints import Checkpoints
from services.log.sealing import sealer_of
from services.projecting import projector_of, set_aside
from services.settings import Settings
from services.store.room import Room, open_room

UNBALANCED = b"""
select (select count(*) from (
          select from rake_ledger group by hand, step having sum(amount) <> 0) as hands)
     + (select count(*) from (
          select from table_postings group by table_id, n having sum(amount) <> 0) as tables)
     + (select count(*) from (
          select from adjustments group by ledger, n having sum(amount) <> 0) as rulings)
"""
OPEN_POTS = b"""
select count(*) from (
    select l.hand from rake_ledger l join hands h using (hand)
     where h.status <> 'in_progress' and l.account like 'Pot:%'
     group by l.hand, l.account having sum(l.amount) <> 0) as wrong
"""
BOOKS = frozenset({"rake_ledger", "table_ledger", "adjustments"})
"""The projections that post."""

MOST_NAMED = 10  # Hands named in a text.
VERSION = b"select current_setting('server_version')"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing looked at; `text` says what was seen and, if not `ok`, what to do."""

    name: str
    ok: bool
    text: str


def diagnose(settings: Settings) -> tuple[Check, ...]:
    """Every check that can be made. Nothing is repaired, nothing raises."""
    return (*_settings(settings), *_opened(settings))


def _settings(settings: Settings) -> Iterator[Check]:
    where = (
        f"embedded, in {settings.data_dir}"
        if settings.database_url is None
        else "given by STUDLEDGER_DATABASE_URL"
    )
    text = f"room {settings.room}, database {where}"
    yield Check(name="settings", ok=True, text=text)


def _opened(settings: Settings) -> Iterator[Check]:
    with contextlib.ExitStack() as stack:
        try:
            room = stack.enter_context(open_room(settings))
        except NotMigrated as wrong:
            yield Check(name="schema", ok=False, text=str(wrong))
            return
        except DatabaseUnreachable as gone:
            yield Check(name="database", ok=False, text=str(gone))
            return
        except ServiceError as wrong:
            yield Check(name="room", ok=False, text=str(wrong))
            return
        for look in (_database, _projections, _books, _key, _log):
            yield _safely(look, room)


def _safely(look: Callable[[Room], Check], room: Room) -> Check:
    try:
        return look(room)
    except ServiceError as wrong:
        return Check(name=look.__name__.removeprefix("_"), ok=False, text=str(wrong))


def _database(room: Room) -> Check:
    version = _one(room, VERSION)
    head = room.store.head()
    return Check(
        name="database", ok=True, text=f"PostgreSQL {version}, schema current, last event {head}"
    )


def _projections(room: Room) -> Check:
    projector = projector_of(room)
    aside = projector.set_aside()
    if aside:
        hands = ", ".join(str(one.hand) for one in aside[:MOST_NAMED])
        more = f" and {len(aside) - MOST_NAMED} more" if len(aside) > MOST_NAMED else ""
        text = f"{len(aside)} set aside, in no report: {hands}{more}. They cannot be taken in by"
        text += " this program; a newer one may: `studledger projections rebuild` tries again"
        return Check(name="projections", ok=False, text=text)
    behind = max((p.behind for p in projector.status()), default=0)
    text = "up to date" if behind == 0 else f"{behind} events behind: run `studledger hands`"
    # Being behind is how a read model lives while events arrive; it is no fault.
    return Check(name="projections", ok=True, text=text)


def _books(room: Room) -> Check:
    wrong = int(_one(room, UNBALANCED)) + int(_one(room, OPEN_POTS))
    if wrong:
        text = f"{wrong} entries do not balance: run `studledger verify --all`"
        return Check(name="books", ok=False, text=text)
    if text := refused_by_the_books(room):
        return Check(name="books", ok=False, text=text)
    return Check(name="books", ok=True, text="every entry balances, every pot returns to zero")


def refused_by_the_books(room: Room) -> str:
    """The hands and tables whose postings would not balance or cannot be made; none if empty."""
    with room.connect() as connection:
        aside = [one for one in set_aside(connection) if not BOOKS.isdisjoint(one.projections)]
    if not aside:
        return ""
    named = ", ".join(f"{one.hand} ({one.reason})" for one in aside[:MOST_NAMED])
    more = f" and {len(aside) - MOST_NAMED} more" if len(aside) > MOST_NAMED else ""
    return f"{len(aside)} not posted, in no book: {named}{more}"


def _key(room: Room) -> Check:
    key = room.secrets.key_of_the_room()
    if key is None:
        return Check(name="key", ok=True, text="none is needed yet: the first hand makes it")
    return Check(name="key", ok=True, text=f"{room.settings.key_path} holds the room's key {key}")


def _log(room: Room) -> Check:
    sealed = sealer_of(room).status()
    if sealed.stopped is not None:
        text = f"{sealed.stopped}; {sealed.behind} events are not sealed"
        return Check(name="log", ok=False, text=text)
    what_was_signed = Checkpoints(room).examine()
    text = f"{sealed.size} leaves in epoch {sealed.epoch}, {sealed.behind} events behind"
    return Check(name="log", ok=True, text=f"{text}; {what_was_signed}")


def _one(room: Room, query: bytes) -> str:
    with room.connect() as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return str(row[0])
