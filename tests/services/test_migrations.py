"""Migrations: once each, in order, under a lock, all or nothing, and by the owner only."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from services.embedded import OWNER_ROLE, Server
from services.errors import DatabaseUnreachable, MigrationFailed, NotMigrated
from services.migrations import (
    APP_ROLE,
    Migration,
    all_migrations,
    migrate,
    require_current,
    schema_state,
)
from services.settings import Settings
from services.store.room import open_room

SCHEMAS = itertools.count(1)

ONE = Migration(1, "pre", "0001_pre_one.sql", "create table one (x int)")
TWO = Migration(2, "post", "0002_post_two.sql", "alter table one add column y int")
THREE = Migration(3, "pre", "0003_pre_three.sql", "create table three (x int)")


@pytest.fixture
def schema() -> str:
    return f"migrated{next(SCHEMAS)}"


@pytest.fixture
def owner(server: Server) -> str:
    return server.conninfo(OWNER_ROLE)


def columns(owner: str, schema: str) -> list[tuple[str, ...]]:
    """Everything a schema consists of, for comparing two of them."""
    with psycopg.connect(owner) as connection:
        rows = connection.execute(
            "select table_name, column_name, data_type, column_default, is_nullable"
            " from information_schema.columns where table_schema = %s order by 1, 2",
            (schema,),
        ).fetchall()
        rows += connection.execute(
            "select tablename, indexname, replace(indexdef, schemaname || '.', ''), '', ''"
            " from pg_indexes where schemaname = %s order by 1, 2",
            (schema,),
        ).fetchall()
        rows += connection.execute(
            "select table_name, grantee, privilege_type, '', ''"
            " from information_schema.role_table_grants where table_schema = %s order by 1, 2, 3",
            (schema,),
        ).fetchall()
    return rows


def names_of(program: tuple[Migration, ...]) -> tuple[str, ...]:
    return tuple(migration.name for migration in program)


def test_migrating_applies_everything_once_and_says_what(owner: str, schema: str) -> None:
    assert migrate(owner, schema) == names_of(all_migrations())
    assert migrate(owner, schema) == ()
    state = schema_state(owner, schema)
    assert state.applied == names_of(all_migrations())
    assert state.version == f"{all_migrations()[-1].number:04}"
    require_current(state, schema)


def test_several_at_once_apply_each_migration_once(owner: str, schema: str) -> None:
    with ThreadPoolExecutor(4) as starters:
        done = list(starters.map(lambda _: migrate(owner, schema), range(4)))
    assert sorted(done) == [(), (), (), names_of(all_migrations())]


def test_all_before_and_then_all_after_builds_the_same_as_one_by_one(
    owner: str, schema: str
) -> None:
    program = (ONE, TWO, THREE)
    together, apart = f"{schema}_together", f"{schema}_apart"
    assert migrate(owner, together, program=program) == names_of(program)
    assert migrate(owner, apart, "pre", program) == names_of((ONE, THREE))
    assert migrate(owner, apart, "post", program) == names_of((TWO,))
    assert columns(owner, together) == columns(owner, apart)


def test_the_programs_own_migrations_build_the_same_both_ways(owner: str, schema: str) -> None:
    together, apart = f"{schema}_together", f"{schema}_apart"
    migrate(owner, together)
    migrate(owner, apart, "pre")
    migrate(owner, apart, "post")
    assert len(columns(owner, together)) > 50
    assert columns(owner, together) == columns(owner, apart)


def test_a_failing_migration_leaves_nothing_behind(owner: str, schema: str) -> None:
    broken = Migration(2, "pre", "0002_pre_broken.sql", "create table broken (x no_such_type)")
    with pytest.raises(MigrationFailed, match=r'0002_pre_broken.* "no_such_type"'):
        migrate(owner, schema, program=(ONE, broken))
    assert schema_state(owner, schema, (ONE, broken)).applied == ()
    assert columns(owner, schema) == []


def test_a_room_of_a_newer_program_is_left_alone(owner: str, schema: str) -> None:
    migrate(owner, schema, program=(ONE, TWO))
    with pytest.raises(NotMigrated, match=r"newer program .*0002_post_two"):
        migrate(owner, schema, program=(ONE,))


def test_an_applied_migration_is_never_edited(owner: str, schema: str) -> None:
    migrate(owner, schema, program=(ONE,))
    edited = ONE._replace(sql="create table one (x bigint)")
    with pytest.raises(NotMigrated, match="another edition of 0001_pre_one"):
        migrate(owner, schema, program=(edited,))


def test_what_is_missing_is_named_with_the_remedy(owner: str, schema: str) -> None:
    state = schema_state(owner, schema)
    assert state.applied == ()
    assert state.version == "0000"
    with pytest.raises(NotMigrated, match=r"0001_pre_events.*studledger migrate"):
        require_current(state, schema)


def test_numbers_are_unique_and_names_say_when_they_run() -> None:
    numbers = [migration.number for migration in all_migrations()]
    assert numbers == sorted(set(numbers))
    assert {migration.phase for migration in all_migrations()} <= {"pre", "post"}


def test_the_application_cannot_migrate(server: Server, schema: str) -> None:
    with pytest.raises(MigrationFailed, match="permission denied"):
        migrate(server.conninfo(APP_ROLE), schema)


@pytest.fixture
def elsewhere(server: Server) -> Iterator[str]:
    """A database of somebody's own, as a URL of its superuser."""
    name = f"elsewhere{next(SCHEMAS)}"
    with psycopg.connect(server.conninfo("postgres", "postgres"), autocommit=True) as connection:
        connection.execute(SQL("create database {}").format(Identifier(name)))
        yield f"postgresql://postgres@/{name}?host={server.pgdata}"
        connection.execute(SQL("drop database {} with (force)").format(Identifier(name)))


def test_a_database_of_ones_own_is_migrated_by_command_only(elsewhere: str) -> None:
    settings = Settings(database_url=elsewhere, owner_url=None, room="main")
    with pytest.raises(NotMigrated, match="studledger migrate"), open_room(settings):
        pass
    migrate(elsewhere, "main")
    with open_room(settings) as room, room.connect() as connection:
        (role,) = connection.execute("select current_user").fetchone() or ("",)
        assert role == APP_ROLE
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("delete from events")


def test_a_login_outside_the_applications_role_is_told_so(server: Server, elsewhere: str) -> None:
    migrate(elsewhere, "main")
    with psycopg.connect(server.conninfo("postgres", "postgres")) as connection:
        connection.execute("create role stranger login")
    settings = Settings(database_url=elsewhere.replace("postgres@", "stranger@"), owner_url=None)
    with pytest.raises(NotMigrated, match="must be a member"), open_room(settings):
        pass


def test_a_database_that_is_not_there_is_unreachable_with_what_to_check() -> None:
    nowhere = "postgresql://ann:secret@/main?host=/nonexistent"
    settings = Settings(database_url=nowhere, owner_url=None)
    unreachable = pytest.raises(DatabaseUnreachable, match="STUDLEDGER_DATABASE_URL")
    with unreachable as raised, open_room(settings):
        pass
    assert "secret" not in str(raised.value)
