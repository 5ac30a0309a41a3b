"""Who looks at a page, and what he may open."""

from __future__ import annotations

import msgspec
from fastapi import Request

from services.access import PAGES, Role, sights_of
from services.api.guard import Caller, caller_of, session_of


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
    """The same, or None where nobody signed in or nobody looked."""
    signed_in = hasattr(request.state, "session") and hasattr(request.state, "caller")
    return visitor_of(request) if signed_in else None
