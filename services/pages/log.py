"""The log: what was signed last and before, how far the projections are, and proofs of hands."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response

from services.api import asking, problems
from services.api.answers import PRIVATE
from services.api.files import on_file
from services.api.log import MOST
from services.api.parts import InService, Parts
from services.log.checkpoints import Checkpoints, Signed
from services.log.errors import NoCheckpoint
from services.lookup import AmbiguousHand, UnknownHand
from services.pages.fields import asked
from services.pages.forms import Form
from services.pages.proof_shown import NotProven, Proven, proven
from services.pages.rake_asked import address
from services.pages.rendering import page, see_other

router = APIRouter(include_in_schema=False)

LISTED = 20
"""Checkpoints a page lists; every other is where they are published."""

Number = Annotated[int, Path(ge=1, le=MOST)]
Typed = Annotated[str | None, Query()]


class Listed(msgspec.Struct, frozen=True):
    """A signed checkpoint, what its file is called, and whether that is published."""

    signed: Signed
    file: str
    published: bool


@router.get("/log")
def log_page(request: Request, parts: InService) -> Response:
    """The newest checkpoint, those before, and how far behind the projections are."""
    checkpoints = Checkpoints(parts.room)
    listed = [
        Listed(one, checkpoints.folder.name_of(told), checkpoints.folder.has(told))
        for one in checkpoints.latest(LISTED)
        if (told := one.checkpoint)
    ]
    return page(
        request,
        "log.html",
        listed=listed,
        newest=listed[0] if listed else None,
        keys=[str(key) for key in checkpoints.keys.known()],
        progress=parts.projector.status(),
        seconds=parts.settings.checkpoint_seconds,
        form=Form({}),
    )


@router.get("/log/checkpoints/{epoch}/{size}")
def checkpoint_file(parts: InService, epoch: Number, size: Number) -> Response:
    """A checkpoint as it was signed."""
    checkpoints = Checkpoints(parts.room)
    signed = checkpoints.of_tree(epoch, size)
    return _file(signed.note, checkpoints.folder.name_of(signed.checkpoint))


@router.get("/log/proof")
def proof_page(
    request: Request, parts: InService, hand: Typed = None, step: Typed = None
) -> Response:
    """That an event of a hand is in the signed log, checked here and told step by step."""
    if not all(request.query_params.values()):
        return see_other(address("/log/proof", dict(request.query_params)))
    form = Form({"hand": hand or "", "step": step or ""})
    found = None
    if hand is not None:
        found = _proven(parts, form)
    return page(
        request,
        "proof.html",
        422 if form.errors else 200,
        form=form,
        proven=found if isinstance(found, Proven) else None,
        refused=found if isinstance(found, NotProven) else None,
    )


@router.get("/log/proof/file")
def proof_file(parts: InService, hand: asking.Short, step: asking.Step = None) -> Response:
    """The proof itself, to be checked elsewhere."""
    file = on_file(parts.room, hand)
    at, last = step or len(file.facts), len(file.facts)
    if at > last:
        raise problems.bad_parameter("step", f"the hand has no step {at}", (f"1 to {last}",))
    found = proven(parts.room, file, at)
    if isinstance(found, NotProven):
        raise NoCheckpoint(found.words)
    number = re.sub(r"[^\w-]", "_", file.started.number, flags=re.ASCII)[:60]
    return _file(found.text, f"{number}-{at}.tlog-proof")


def _proven(parts: Parts, form: Form) -> Proven | NotProven | None:
    """What the form asks for; None where it is wrong, which is noted beside the field."""
    called = asked(form, "hand", asking.Short)
    step = asked(form, "step", asking.Step)
    if form.errors:
        return None
    try:
        file = on_file(parts.room, called)
    except (UnknownHand, AmbiguousHand) as wrong:
        form.errors["hand"] = str(wrong)
        return None
    if step is not None and step > len(file.facts):
        form.errors["step"] = f"the hand has steps 1 to {len(file.facts)}"
        return None
    return proven(parts.room, file, step or len(file.facts))


def _file(text: str, name: str) -> Response:
    headers = PRIVATE | {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type="text/plain; charset=utf-8")
