"""The private PostgreSQL: shared while it is needed, gone afterwards, and nobody's door opened."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from services import data_directory
from services.embedded import Server, pg_version
from services.errors import DatabaseUnreachable, DataDirectoryUnusable
from services.migrations import APP_ROLE
from tests.support.doomed import start_and_stop
from tests.support.faults import Doomed, until

ROOT = Path(__file__).parents[2]
FAST = {"fsync": "off"}

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs it as another user")
as_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")

OWNER = """\
import sys
from pathlib import Path
from services.embedded import Server

with Server(Path(sys.argv[1]), tuning={"fsync": "off"}):
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A short place of our own that others may pass."""
    with short_place() as place:
        yield place


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A data directory whose cluster the tests of this file share; no server runs between them."""
    with short_place() as place:
        with Server(place / "data", FAST):
            pass
        yield place / "data"


@contextlib.contextmanager
def short_place() -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="sl-", dir="/tmp"))
    place.chmod(0o755)
    yield place
    shutil.rmtree(place)


def copied(home: Path, to: Path) -> Path:
    """A copy of the cluster, because making one takes its time; root's copy is root's."""
    shutil.copytree(home, to)
    return to


def owner(home: Path) -> subprocess.Popen[str]:
    """Another process that owns the server until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


ADOPTING = """\
import ctypes, os, signal, sys
from pathlib import Path
from services.embedded import Server

assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0  # Orphans become ours, as the first process's.
with Server(Path(sys.argv[1]), tuning={"fsync": "off"}) as server:
    os.kill(int((server.pgdata / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    while server.answers():
        os.sched_yield()
    assert server.ensure_running()
    assert server.answers()
"""


def leave(process: subprocess.Popen[str]) -> None:
    process.communicate()
    assert process.returncode == 0


def who(server: Server) -> str:
    with psycopg.connect(server.conninfo(APP_ROLE)) as connection:
        (role,) = connection.execute("select current_user").fetchone() or ("",)
        return str(role)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_server_runs_while_it_is_needed_and_keeps_what_it_was_told(place: Path) -> None:
    with Server(place, FAST) as server, psycopg.connect(server.conninfo("postgres")) as connection:
        connection.execute("create table kept (x int)")
    assert not server.answers()
    with Server(place, FAST) as server, psycopg.connect(server.conninfo("postgres")) as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (0,)
    assert not server.answers()


def test_the_last_of_several_owners_stops_it(home: Path) -> None:
    with Server(home, FAST) as first:
        with Server(home, FAST) as second:
            assert who(second) == APP_ROLE
        assert who(first) == APP_ROLE
    assert not first.answers()


def test_another_process_joins_and_outlives_the_first(home: Path) -> None:
    with Server(home, FAST) as server:
        other = owner(home)
    assert server.answers()
    leave(other)
    assert not server.answers()


def test_an_owner_that_was_killed_does_not_keep_it_running(home: Path) -> None:
    killed = owner(home)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    with Server(home, FAST) as server:
        assert who(server) == APP_ROLE
    assert not server.answers()


@pytest.mark.parametrize("times", [6, pytest.param(100, id="many", marks=pytest.mark.slow)])
def test_a_server_whose_owner_was_killed_is_joined_or_started_by_the_next(
    home: Path, times: int
) -> None:
    dice = random.Random(20_260_110)
    for turn in range(times):
        with Doomed(start_and_stop, home) as killed:
            killed.reports_until(("stopped", "started")[turn % 2], 1)
            killed.kill(dice.uniform(0, 0.3))
        with Server(home, FAST) as server:
            assert who(server) == APP_ROLE
        assert not server.answers()


def test_a_server_that_crashed_is_started_again(home: Path) -> None:
    with Server(home, FAST) as server:
        note = server.pgdata / "postmaster.pid"
        os.kill(int(note.read_text().splitlines()[0]), signal.SIGQUIT)
        while note.exists():
            os.sched_yield()
        with Server(home, FAST):
            assert who(server) == APP_ROLE
    assert not server.answers()


def shoot(server: Server) -> None:
    """Kill the server without a word, and wait until it is gone."""
    os.kill(int((server.pgdata / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
    until(lambda: not server.answers(), "the server to be gone")


def test_a_server_that_was_shot_is_started_again_by_one_of_its_owners(home: Path) -> None:
    with Server(home, FAST) as first, Server(home, FAST) as second:
        assert not first.ensure_running()
        shoot(first)
        with ThreadPoolExecutor(4) as owners:
            started = list(owners.map(Server.ensure_running, (first, second) * 2))
        assert any(started)
        assert who(first) == who(second) == APP_ROLE
    assert not first.answers()


def test_a_dead_server_one_must_wait_for_does_not_pass_for_alive(home: Path) -> None:
    subprocess.run([sys.executable, "-c", ADOPTING, str(home)], cwd=ROOT, check=True, timeout=120)
    assert not Server(home).answers()


def test_a_database_that_is_gone_is_not_made_anew_behind_its_owners(
    home: Path, place: Path
) -> None:
    with Server(copied(home, place / "data"), FAST) as server:
        shoot(server)
        shutil.rmtree(server.pgdata)
        with pytest.raises(DataDirectoryUnusable, match="is gone"):
            server.ensure_running()
        shutil.rmtree(server.home)
        with pytest.raises(DataDirectoryUnusable, match="cannot be used"):
            server.ensure_running()
        server.home.mkdir()


def test_several_may_start_at_once(place: Path) -> None:
    def start_and_ask(_: int) -> str:
        with Server(place, FAST) as server:
            return who(server)

    with ThreadPoolExecutor(4) as starters:
        assert list(starters.map(start_and_ask, range(4))) == [APP_ROLE] * 4
    assert not Server(place).answers()


def test_a_cluster_that_was_half_made_is_made_anew(place: Path) -> None:
    half = place / "postgres.new"
    with Doomed(start_and_stop, place) as maker:
        until((half / "PG_VERSION").exists, "half a cluster")
        maker.kill(0)  # But not what it had begun to run.
    with Server(place, FAST) as server:
        assert who(server) == APP_ROLE
    assert not half.exists()


def test_the_users_own_postgres_variables_do_not_matter(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PGDATA": "/nowhere", "PGHOST": "db", "PGPORT": "1", "PGUSER": "x"}.items():
        monkeypatch.setenv(name, value)
    with Server(home, FAST) as server:
        assert who(server) == APP_ROLE


@pytest.mark.parametrize("name", ["d" * 90, "it's a space"])
def test_a_path_a_socket_cannot_have_gets_a_short_private_one(
    home: Path, place: Path, name: str
) -> None:
    there = copied(home, place / name)
    with Server(there, FAST) as server:
        assert who(server) == APP_ROLE
        place_of_socket, _ = server.listens_at()
        assert place_of_socket != server.pgdata
        assert mode(place_of_socket) == 0o700
        with Server(there, FAST) as second:
            assert who(second) == APP_ROLE
    place_of_socket.rmdir()


@pytest.mark.parametrize("character", ['"', "$", "`", "\\", "\n"])
def test_a_path_no_server_can_be_started_from_is_refused(place: Path, character: str) -> None:
    with pytest.raises(DataDirectoryUnusable, match="STUDLEDGER_DATA_DIR"):
        Server(place / f"a{character}b").__enter__()
    assert list(place.iterdir()) == []


def test_a_strangers_directory_is_never_taken_for_the_sockets_place(place: Path) -> None:
    pgdata = place / ("d" * 90) / "postgres"
    ours = data_directory.socket_dir(pgdata, None)
    ours.chmod(0o755)
    with pytest.raises(DataDirectoryUnusable, match="not a private directory of ours"):
        data_directory.socket_dir(pgdata, None)
    ours.rmdir()


def test_data_of_another_major_version_is_left_alone(home: Path) -> None:
    with Server(home, FAST) as server:
        pass
    version = server.pgdata / "PG_VERSION"
    version.write_text("17\n")
    with pytest.raises(DataDirectoryUnusable, match=r"made by PostgreSQL 17.* brings 18.*pg_dump"):
        Server(home, FAST).__enter__()
    assert pg_version(server.pgdata) == 17
    version.write_text("18\n")
    with Server(home, FAST):
        assert who(server) == APP_ROLE


def test_a_file_in_the_way_is_named(place: Path) -> None:
    (place / "data").write_text("not a directory")
    with pytest.raises(DataDirectoryUnusable, match="STUDLEDGER_DATA_DIR"):
        Server(place / "data" / "deeper").__enter__()


def test_names_in_a_broken_constraint_do_not_reach_the_servers_log(home: Path) -> None:
    with Server(home, FAST) as server:
        with psycopg.connect(server.conninfo("postgres"), autocommit=True) as connection:
            connection.execute("create table names (name text unique)")
            connection.execute("insert into names values ('annabella')")
            with pytest.raises(psycopg.errors.UniqueViolation):
                connection.execute("insert into names values ('annabella')")
        log = (server.pgdata / "server.log").read_text()
    assert "duplicate key" in log
    assert "annabella" not in log


@as_root
def test_a_closed_directory_above_stops_root_and_stays_closed(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(DataDirectoryUnusable, match=rf"{closed} is closed .*chmod o\+x {closed}"):
        Server(closed / "sub" / "data").__enter__()
    assert mode(closed) == 0o700
    assert list(closed.iterdir()) == []


@as_root
def test_a_directory_others_may_only_pass_stays_as_it_is(home: Path, place: Path) -> None:
    passable = place / "passable"
    passable.mkdir()
    passable.chmod(0o711)
    with Server(copied(home, passable / "data"), FAST) as server:
        assert who(server) == APP_ROLE
    assert mode(passable) == 0o711
    assert passable.stat().st_uid == 0


@as_root
@pytest.mark.parametrize("closed", [0o700, 0o000])
def test_the_data_directory_itself_is_given_to_the_servers_user(
    home: Path, place: Path, closed: int
) -> None:
    data = copied(home, place / "data")
    data.chmod(closed)
    with Server(data, FAST) as server:
        assert who(server) == APP_ROLE
    assert data.stat().st_uid == server.pgdata.stat().st_uid != 0


@as_root
def test_a_closed_umask_makes_no_closed_directory_above(place: Path) -> None:
    before = os.umask(0o077)
    try:
        with Server(place / "new" / "deep" / "data", FAST) as server:
            assert who(server) == APP_ROLE
    finally:
        os.umask(before)
    assert mode(place / "new") == mode(place / "new" / "deep") == 0o755


@as_root
def test_programs_behind_a_closed_directory_are_run_from_a_copy(
    home: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reachable = data_directory.programs(place, None)
    closed = place / "closed"
    shutil.copytree(reachable, closed / data_directory.WHEEL / reachable.name)
    (closed / data_directory.WHEEL / "__init__.py").touch()
    libraries = reachable.parent.parent / data_directory.LIBRARIES
    if libraries.exists():
        shutil.copytree(libraries, closed / data_directory.LIBRARIES)
    closed.chmod(0o700)
    monkeypatch.syspath_prepend(closed)
    copied(home, place / "data")
    for _ in range(2):
        with Server(place / "data", FAST) as server:
            assert who(server) == APP_ROLE
    assert mode(closed) == 0o700
    assert [copy.name for copy in (place / "data").glob("pixeltable*")] != []


@as_user
def test_a_directory_one_may_not_write_to_is_named(place: Path) -> None:
    place.chmod(0o500)
    with pytest.raises(DatabaseUnreachable, match=f"{place}.*STUDLEDGER_DATA_DIR"):
        Server(place / "data").__enter__()
    with pytest.raises(DatabaseUnreachable, match=f"{place}.*STUDLEDGER_DATA_DIR"):
        Server(place).__enter__()
    place.chmod(0o700)
