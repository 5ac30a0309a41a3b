"""The door: every request passes here first, and what is not allowed is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, cast
from uuid import UUID

import msgspec
from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from services.access import OPEN, TABLE, BadKey, Holder, Sight, sights_of
from services.api import problems
from services.api.parts import Parts, parts_of

BEARER = HTTPBearer(
    auto_error=False, description="A key of `studledger token create`; see `docs/access.md`."
)
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
    """Let the request through or raise a problem. A route that no table names is refused."""
    route = route_of(request)
    parts = parts_of(request)
    if route not in OPEN:
        caller = _caller(parts, request, given, route)
        request.state.caller = caller
    _require_known(parts.parameters.get(route, {}), request.query_params.multi_items())


def route_of(request: Request) -> str:
    """The route as the table of access writes it: `GET /v1/hands/{hand}`."""
    return f"{request.method} {request.scope['route'].path_format}"


def caller_of(request: Request) -> Caller:
    """Whom the guard let through."""
    return cast(Caller, request.state.caller)


def _caller(
    parts: Parts, request: Request, given: HTTPAuthorizationCredentials | None, route: str
) -> Caller:
    address = request.client.host if request.client else "unknown"
    if seconds := parts.limiter.locked_out(address):
        raise problems.wait(seconds, "this address failed to show a good key too often")
    try:
        holder = _holder(parts, given)
    except (problems.KeyRequired, problems.KeyRefused):
        parts.limiter.count_failure(address)
        raise
    if seconds := parts.limiter.count_request(holder.id):
        raise problems.wait(seconds, "this key asks more than one key may")
    sights = sights_of(holder.role, route)
    if sights is None:
        raise problems.NotAllowed(_for_whom(holder, route))
    return Caller(holder, sights)


def _holder(parts: Parts, given: HTTPAuthorizationCredentials | None) -> Holder:
    if given is None or given.scheme.lower() != "bearer":
        raise problems.KeyRequired("send Authorization: Bearer KEY", headers=CHALLENGE)
    try:
        return parts.keys.holder(given.credentials)
    except BadKey as wrong:
        challenge = {"WWW-Authenticate": 'Bearer error="invalid_token"'}
        raise problems.KeyRefused(str(wrong), headers=challenge) from None


def _for_whom(holder: Holder, route: str) -> str:
    entry = TABLE.get(route)
    roles = ", ".join(sorted(entry.roles)) if entry else "nobody"
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
