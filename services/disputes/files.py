"""What was put with cases: notes, attachments and evidence, outside the log, to be erased.

The bytes are stored before the fact that names them, so no fact is ever without its bytes; what
was stored for a fact that was then refused is taken away again.
"""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Literal
from uuid import UUID, uuid4, uuid5

from domain.discreet import Discreet
from domain.disputes import commands as q
from domain.disputes.decide import require_media_type
from domain.disputes.events import EvidenceKind
from domain.errors import IllegalAmount, StudError
from services.disputes.errors import OnHold, UnknownFile
from services.disputes.handling import InCase, handle
from services.disputes.loading import load_case
from services.errors import ServiceError
from services.live import By, KeyReused
from services.replaying.seating import printable
from services.store.room import Room

SALT_BYTES = 16
MOST_BYTES = 10_000_000
"""The largest attachment: a photograph, some pages."""
MOST_NAME = 200
"""Letters of a file's name; of a longer one the end is kept, which says what it is."""
TEXT = "text/plain; charset=utf-8"
JSON = "application/json"

Kind = Literal["note", "attachment", "evidence"]

KEEP = (
    b"insert into case_files (id, dispute, kind, media_type, name, salt, body)"
    b" values (%s, %s, %s, %s, %s, %s, %s) on conflict (id) do nothing"
)
OF_CASE = (
    b"select id, kind, media_type, name, salt, body, kept_at from case_files"
    b" where dispute = %s order by kept_at, id"
)
ONE = (
    b"select id, kind, media_type, name, salt, body, kept_at from case_files"
    b" where dispute = %s and id = %s"
)
THERE = b"select from case_files where dispute = %s and id = %s"
ERASE = b"delete from case_files where dispute = %s and id = %s"


class CaseFile(Discreet, frozen=True, kw_only=True):
    """Something kept with a case, as it was put there."""

    id: UUID
    kind: Kind
    media_type: str
    name: str | None
    salt: bytes
    body: bytes
    kept_at: datetime

    @property
    def digest(self) -> str:
        """What the log knows it by."""
        return sha256(self.salt + self.body).hexdigest()


def add_note(room: Room, case: UUID, text: str, by: By, *, at: datetime | None = None) -> InCase:
    """Write something down; what is no text is written as its codes. Raises what `handle` does."""
    body = text.encode("utf-8", "backslashreplace")
    return _kept(room, case, by, "note", TEXT, body, at=at)


def add_attachment(
    room: Room,
    case: UUID,
    body: bytes,
    media_type: str,
    by: By,
    *,
    name: str | None = None,
    at: datetime | None = None,
) -> InCase:
    """Put a file with the case, under a name without folders. Raises what `handle` does.

    The same file twice is kept twice, each time as whoever brought it called it.
    """
    require_media_type(media_type)
    name = file_name(name)
    return _kept(room, case, by, "attachment", media_type, body, name=name, at=at)


def keep_evidence(
    room: Room,
    case: UUID,
    body: bytes,
    kind: EvidenceKind,
    asked: str,
    by: By,
    *,
    at: datetime | None = None,
) -> InCase:
    """Put with the case what was worked out from the record. Raises what `handle` does."""
    return _kept(room, case, by, "evidence", JSON, body, asked=asked, evidence=kind, at=at)


def file_name(called: str | None) -> str | None:
    r"""What a file was called, as it may be shown and written again: in one line, of no folder.

    >>> file_name("../../etc/passwd"), file_name("C:\\mail\\letter.pdf"), file_name("..")
    ('passwd', 'letter.pdf', None)
    """
    *_, last = re.split(r"[/\\]", called or "")
    name = printable(last).strip()
    return None if name in ("", ".", "..") else name[-MOST_NAME:]


def files_of(room: Room, case: UUID) -> tuple[CaseFile, ...]:
    """All that is still kept of a case, in the order it came."""
    return tuple(_rows(room, OF_CASE, (case,)))


def file_of(room: Room, case: UUID, kept: UUID) -> CaseFile:
    """One of them. Raises `UnknownFile`, also for what is erased on record, and `UnknownCase`."""
    state = load_case(room.store, case).case
    found = _rows(room, ONE, (case, kept))
    if not found or (state.has(kept) and not state.still_has(kept)):
        raise UnknownFile("nothing of this id is kept with the case")
    return found[0]


def erase(
    room: Room, case: UUID, kept: UUID, reason: str, by: By, *, at: datetime | None = None
) -> InCase:
    """Erase the bytes and what they were called; the log keeps their digest, and who did it, why.

    That it is done is on record before: what was interrupted is erased when it is asked again.
    Whoever erases for somebody asks `services.privacy.case_files`, which knows all holds. Raises
    `OnHold`, `UnknownFile` and what `handle` does.
    """
    loaded = load_case(room.store, case)
    still = loaded.case.still_has(kept)
    command = q.EraseKept(kept=kept, reason=reason, by=by.actor, at=at)
    if not _has_bytes(room, case, kept):
        if still or not loaded.case.has(kept):
            raise UnknownFile("nothing of this id is kept with the case")
        return handle(room.store, case, command, by)
    if loaded.case.on_hold:
        raise OnHold("the case is on legal hold: nothing of it is erased")
    done = handle(room.store, case, command, by) if still else InCase(loaded=loaded, repeated=True)
    _delete(room, case, kept)
    return done


def _kept(
    room: Room, case: UUID, by: By, kind: Kind, media_type: str, body: bytes, *,
    name: str | None = None, asked: str = "", evidence: EvidenceKind = "other",
    at: datetime | None = None,
) -> InCase:  # fmt: skip
    """Bytes first, then the fact that names them; a repeated request finds its own bytes."""
    if len(body) > MOST_BYTES:
        raise IllegalAmount(f"what is kept has at most {MOST_BYTES} bytes", rule="D5")
    kept = uuid4() if by.command_id is None else uuid5(by.command_id, "kept")
    if load_case(room.store, case).case.has(kept) and not _has_bytes(room, case, kept):
        raise KeyReused("what was kept under this idempotency key was erased since")
    salt = b"" if kind == "attachment" else secrets.token_bytes(SALT_BYTES)
    with room.connect() as connection:
        values = (kept, case, kind, media_type, name, salt, body)
        new = connection.execute(KEEP, values).rowcount == 1
    if not new:
        salt = file_of(room, case, kept).salt
    digest = sha256(salt + body).hexdigest()
    command = _command(kind, kept, digest, len(body), by.actor, media_type, asked, evidence, at)
    try:
        return handle(room.store, case, command, by)
    except (StudError, ServiceError):
        if new and not load_case(room.store, case).case.has(kept):
            _delete(room, case, kept)
        raise


def _command(
    kind: Kind, kept: UUID, digest: str, size: int, by: str, media_type: str, asked: str,
    evidence: EvidenceKind, at: datetime | None,
) -> q.CaseCommand:  # fmt: skip
    if kind == "note":
        return q.AddNote(kept=kept, salted_sha256=digest, size=size, by=by, at=at)
    if kind == "attachment":
        return q.AddAttachment(
            kept=kept, sha256=digest, size=size, media_type=media_type, by=by, at=at
        )
    return q.KeepEvidence(
        kept=kept, kind=evidence, asked=asked, salted_sha256=digest, size=size, by=by, at=at
    )


def _delete(room: Room, case: UUID, kept: UUID) -> None:
    with room.connect() as connection:
        connection.execute(ERASE, (case, kept))


def _has_bytes(room: Room, case: UUID, kept: UUID) -> bool:
    with room.connect() as connection:
        return connection.execute(THERE, (case, kept)).rowcount == 1


def _rows(room: Room, query: bytes, values: tuple[UUID, ...]) -> list[CaseFile]:
    with room.connect() as connection:
        rows = connection.execute(query, values).fetchall()
    fields = CaseFile.__struct_fields__
    return [CaseFile(**dict(zip(fields, row, strict=True))) for row in rows]
