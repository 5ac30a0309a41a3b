"""What was put with cases: notes, attachments and evidence, outside the log, to be erased.

The bytes are stored before the fact that names them, so no fact is ever without its bytes; what
was stored for a fact that was then refused is taken away again.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from hashlib import sha256
from typing import Literal
from uuid import UUID, uuid4, uuid5

from domain.discreet import Discreet
from domain.disputes import commands as q
from domain.disputes.events import EvidenceKind
from domain.errors import StudError
from services.disputes.errors import OnHold, UnknownFile
from services.disputes.handling import InCase, handle
from services.disputes.loading import load_case
from services.errors import ServiceError
from services.live import By
from services.store.room import Room

SALT_BYTES = 16
MOST_BYTES = 10_000_000
"""The largest attachment: a photograph, some pages."""
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
    """Write something down. Raises what `handle` does."""
    return _kept(room, case, by, "note", TEXT, text.encode(), at=at)


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
    """Put a file with the case. Raises what `handle` does."""
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


def files_of(room: Room, case: UUID) -> tuple[CaseFile, ...]:
    """All that is still kept of a case, in the order it came."""
    return tuple(_rows(room, OF_CASE, (case,)))


def file_of(room: Room, case: UUID, kept: UUID) -> CaseFile:
    """One of them. Raises `UnknownFile`."""
    found = _rows(room, ONE, (case, kept))
    if not found:
        raise UnknownFile("nothing of this id is kept with the case")
    return found[0]


def erase(room: Room, case: UUID, kept: UUID) -> None:
    """Erase it; the log keeps its digest. Raises `OnHold`, `UnknownCase` or `UnknownFile`."""
    if load_case(room.store, case).case.on_hold:
        raise OnHold("the case is on legal hold: nothing of it is erased")
    file_of(room, case, kept)
    _delete(room, case, kept)


def _kept(
    room: Room, case: UUID, by: By, kind: Kind, media_type: str, body: bytes, *,
    name: str | None = None, asked: str = "", evidence: EvidenceKind = "other",
    at: datetime | None = None,
) -> InCase:  # fmt: skip
    """Bytes first, then the fact that names them; a repeated request finds its own bytes."""
    load_case(room.store, case)
    kept = uuid4() if by.command_id is None else uuid5(by.command_id, "kept")
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


def _rows(room: Room, query: bytes, values: tuple[UUID, ...]) -> list[CaseFile]:
    with room.connect() as connection:
        rows = connection.execute(query, values).fetchall()
    fields = CaseFile.__struct_fields__
    return [CaseFile(**dict(zip(fields, row, strict=True))) for row in rows]
