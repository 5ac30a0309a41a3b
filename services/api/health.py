"""Routes about the service itself: whether it lives, whether it can work, its description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from services import migrations
from services.api.answers import answer
from services.api.bodies import Alive, Readiness, ReadyCheck
from services.api.describing import answers
from services.api.parts import InService, Parts
from services.diagnosis import refused_by_the_books
from services.driver_errors import in_our_words
from services.errors import DatabaseBusy, DatabaseUnreachable
from services.log.sealing import sealer_of

PATIENCE = 2.0  # Seconds; who asks whether we are ready has little more himself.
CLOCK_LATE = 10.0  # Seconds; clocks are looked at five times in one.

router = APIRouter(tags=["service"])


@router.get("/healthz", summary="Whether the service lives", **answers(Alive))
async def healthz() -> Response:
    """Whether the process answers at all."""
    return answer(Alive(status="ok"))


@router.get(
    "/readyz", summary="Whether the service can work", **answers(Readiness, also={503: Readiness})
)
def readyz(parts: InService) -> Response:
    """Whether the service can work: database, schema, projections, books, log, live clocks."""
    checks = _checks(parts)
    ready = all(check.ok for check in checks)
    return answer(Readiness(ready=ready, checks=checks), status=200 if ready else 503)


@router.get("/openapi.json", summary="This description", **answers(dict[str, Any]))
async def description(request: Request) -> Response:
    """This description, in OpenAPI."""
    return JSONResponse(request.app.openapi())


def _checks(parts: Parts) -> tuple[ReadyCheck, ...]:
    """One check after the other; what cannot be asked for want of a database is left out."""
    try:
        with in_our_words(), parts.room.pool.connection(timeout=PATIENCE) as connection:
            connection.execute("select 1")
        reached = ReadyCheck(name="database", ok=True, text="answers")
        looks = (_schema, _projections, _books, _log, _clock)
        return reached, *(look(parts) for look in looks)
    except (DatabaseUnreachable, DatabaseBusy):
        return (ReadyCheck(name="database", ok=False, text="does not answer"),)


def _schema(parts: Parts) -> ReadyCheck:
    room = parts.room
    name = room.settings.room
    state = migrations.schema_state(room.database.in_room(name), name)
    current = not (state.pending or state.unknown or state.edited)
    text = f"version {state.version}" + ("" if current else ", not this program's")
    return ReadyCheck(name="schema", ok=current, text=text)


def _log(parts: Parts) -> ReadyCheck:
    """A log that cannot go on is no reason to stop at once: at the lag it is."""
    sealed = sealer_of(parts.room).status()
    if not parts.background.seals:
        return ReadyCheck(name="log", ok=False, text=f"stopped, {sealed.behind} events behind")
    ok = sealed.behind <= parts.settings.ready_lag
    why = f"; {sealed.stopped}" if sealed.stopped else ""
    text = f"{sealed.size} leaves, {sealed.behind} events behind{why}"
    return ReadyCheck(name="log", ok=ok, text=text)


def _projections(parts: Parts) -> ReadyCheck:
    behind = max((progress.behind for progress in parts.projector.status()), default=0)
    if not parts.background.runs:
        return ReadyCheck(name="projections", ok=False, text=f"stopped, {behind} events behind")
    ok = behind <= parts.settings.ready_lag
    # A hand nobody can fold stays set aside until somebody looks: the others are served.
    aside = len(parts.projector.set_aside())
    told = f", {aside} set aside: `studledger doctor`" if aside else ""
    return ReadyCheck(name="projections", ok=ok, text=f"{behind} events behind{told}")


def _books(parts: Parts) -> ReadyCheck:
    """An entry that would not balance was not posted: the others were, and are served."""
    refused = refused_by_the_books(parts.room)
    return ReadyCheck(name="books", ok=True, text=refused or "every entry balances")


def _clock(parts: Parts) -> ReadyCheck:
    ok = parts.background.clock_behind < CLOCK_LATE
    return ReadyCheck(name="clock", ok=ok, text="kept" if ok else "not kept: no turn runs out")
