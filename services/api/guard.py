"""The door: every request passes here first, and what is not allowed is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, cast
from uuid import UUID

import msgspec
from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from services.access import (
    OPEN,
    OPEN_PAGES,
    PAGES,
    TABLE,
    BadKey,
    Entry,
    Holder,
    Session,
    Sight,
    sights_of,
)
from services.api import problems
from services.api.parts import Parts, parts_of

BEARER = HTTPBearer(
    auto_error=False, description="A key of `studledger token create`; see `docs/access.md`."
)
LOCKED_OUT = "this address failed to show a good key too often"
CHALLENGE = {"WWW-Authenticate": "Bearer"}

Given = Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)]


class Caller(msgspec.Struct, frozen=True):
    """Whose key it is, and the views his role may take on this route."""

    holder: Holder
    sights: frozenset[Sight]

    @property
    def actor(self) -> str:
        """The subject's id, as it stands in the log."""
        return str(self.holder.subject)

    @property
    def player(self) -> UUID | None:
        """Whose cards are his own."""
        return self.holder.player


def guard(request: Request, given: Given) -> None:
    """Let the request through or raise a problem. A route that no table names is refused.

    A route of the API is opened by a key alone, and a page by a session alone: so nothing a
    browser sends by itself ever opens the API.
    """
    route, parts = route_of(request), parts_of(request)
    if route in PAGES:
        session = request.state.session = _session(parts, request)
        request.state.caller = _caller(parts, session.holder, route, PAGES)
    elif route not in OPEN and route not in OPEN_PAGES:
        holder = _shown(parts, request, given)
        request.state.caller = _caller(parts, holder, route, TABLE)
    _require_known(parts.parameters.get(route, {}), request.query_params.multi_items())


def route_of(request: Request) -> str:
    """The route as the table of access writes it: `GET /v1/hands/{hand}`."""
    return f"{request.method} {request.scope['route'].path_format}"


def caller_of(request: Request) -> Caller:
    """Whom the guard let through."""
    return cast(Caller, request.state.caller)


def session_of(request: Request) -> Session:
    """Who is signed in at this page, whom the guard let through."""
    return cast(Session, request.state.session)


def cookie_of(request: Request) -> str:
    """What the cookie of a session is called. Over TLS no other host can set one of this name."""
    return "__Host-studledger" if request.url.scheme == "https" else "studledger"


def address_of(request: Request) -> str:
    """Where the request came from, for whom failures are counted."""
    return request.client.host if request.client else "unknown"


def _caller(parts: Parts, holder: Holder, route: str, table: Mapping[str, Entry]) -> Caller:
    if seconds := parts.limiter.count_request(holder.id, holder.role):
        raise problems.wait(seconds, "this key asks more than one key may")
    sights = sights_of(holder.role, route, table)
    if sights is None:
        raise problems.NotAllowed(_for_whom(holder, route, table))
    return Caller(holder, sights)


def _session(parts: Parts, request: Request) -> Session:
    token = request.cookies.get(cookie_of(request))
    if not token:
        raise problems.KeyRequired("sign in to see this page")
    try:
        return parts.sessions.of(token)
    except BadKey as ended:
        raise problems.KeyRefused(str(ended)) from None


def _shown(parts: Parts, request: Request, given: HTTPAuthorizationCredentials | None) -> Holder:
    """Whose key the request shows; an address that keeps showing none has to wait."""
    address = address_of(request)
    if seconds := parts.limiter.locked_out(address):
        raise problems.wait(seconds, LOCKED_OUT)
    try:
        return _holder(parts, given)
    except (problems.KeyRequired, problems.KeyRefused):
        parts.limiter.count_failure(address)
        raise


def _holder(parts: Parts, given: HTTPAuthorizationCredentials | None) -> Holder:
    if given is None or given.scheme.lower() != "bearer":
        raise problems.KeyRequired("send Authorization: Bearer KEY", headers=CHALLENGE)
    try:
        return parts.keys.holder(given.credentials)
    except BadKey as wrong:
        challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
        raise problems.KeyRefused(str(wrong), headers=challenge) from None


def _for_whom(holder: Holder, route: str, table: Mapping[str, Entry]) -> str:
    roles = ", ".join(sorted(table[route].roles)) if route in table else "nobody"
    if table is PAGES:
        return f"you are signed in as {holder.role}; this page is for {roles}"
    return f"this key has the role {holder.role}; this route is for {roles}"


def _require_known(known: Mapping[str, bool], given: list[tuple[str, str]]) -> None:
    """Every parameter is one the route has, and is given once where it is not `known` as a list."""
    counted = Counter(name for name, _ in given)
    unknown = "this route has no such parameter"
    wrong = [
        *(problems.wrong(one[:40], unknown, sorted(known)) for one in counted if one not in known),
        *(
            problems.wrong(one, "this parameter is given more than once", ("once",))
            for one, times in counted.items()
            if times > 1 and not known.get(one, True)
        ),
    ]
    if wrong:
        raise problems.bad_parameters(wrong)
