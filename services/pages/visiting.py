"""Who looks at a page, and what he may open."""

from __future__ import annotations

import contextlib

import msgspec
from fastapi import Request

from services.access import PAGES, Role, Session, sights_of
from services.api.guard import Caller, caller_of, cookie_of, session_of
from services.api.parts import parts_of
from services.errors import ServiceError

SAME_SITE = frozenset({"same-origin", "none"})


class Visitor(msgspec.Struct, frozen=True):
    """Whoever is signed in; `csrf` is what his forms carry."""

    caller: Caller
    name: str
    csrf: str

    @property
    def role(self) -> Role:
        """The role of the key he signed in with."""
        return self.caller.holder.role

    def may(self, route: str) -> bool:
        """Whether his role may open a page, such as `GET /rake`, or send a form."""
        return sights_of(self.role, route, PAGES) is not None


def visitor_of(request: Request) -> Visitor:
    """Who is signed in at a page that the guard let him open."""
    session = session_of(request)
    return Visitor(caller_of(request), session.holder.name, session.csrf)


def visitor_if_any(request: Request) -> Visitor | None:
    """The same where the guard let nobody in: whoever is signed in, allowed or not, or None."""
    session: Session | None = getattr(request.state, "session", None)
    if session is None:
        return None
    caller = getattr(request.state, "caller", Caller(session.holder, frozenset()))
    return Visitor(caller, session.holder.name, session.csrf)


def led_here(request: Request) -> bool:
    """Whether another site led the visitor here, who may not know what is asked in his name."""
    return request.headers.get("Sec-Fetch-Site", "none") not in SAME_SITE


def look_who_it_is(request: Request) -> None:
    """Find out who asks for what is no page, so that he is shown where he may go instead."""
    token = request.cookies.get(cookie_of(request))
    if token and not hasattr(request.state, "session"):
        # What is told is that there is no page: who asks, and whether we know him, comes second.
        with contextlib.suppress(ServiceError):
            request.state.session = parts_of(request).sessions.of(token)
