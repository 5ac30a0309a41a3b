"""Signing in with an API key or an address that works once, and signing out."""

from __future__ import annotations

import contextlib
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from services.access import BadKey, Holder
from services.api import problems
from services.api.asking import Short
from services.api.guard import LOCKED_OUT, address_of, cookie_of
from services.api.parts import InService, Parts
from services.pages.errors import LONGEST_WAY_BACK
from services.pages.forms import Form, FormError, OpenForm, SentForm
from services.pages.rendering import page, see_other

router = APIRouter(include_in_schema=False)

FIRST_PAGE = "/hands"
NEAR = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
"""Hosts to which nothing leaves this machine."""

Next = Annotated[str | None, Query(max_length=LONGEST_WAY_BACK)]


@router.get("/")
async def first() -> Response:
    """Where somebody begins."""
    return see_other(FIRST_PAGE)


@router.get("/sign-in")
async def sign_in_page(request: Request, next: Next = None) -> Response:  # noqa: A002
    """Asks for a key."""
    return _asking(request, Form({"next": inside(next)}))


@router.post("/sign-in")
def sign_in(request: Request, parts: InService, form: OpenForm) -> Response:
    """Begins a session with a key."""
    _require_safe(request)
    if seconds := parts.limiter.locked_out(address_of(request)):
        raise problems.wait(seconds, LOCKED_OUT)
    try:
        holder = _holder(parts, request, form)
    except FormError as wrong:
        return _asking(request, wrong.form, 422)
    return _signed_in(request, parts, holder, inside(form.value("next")))


@router.get("/sign-in/{token}")
def sign_in_once(request: Request, parts: InService, token: Short) -> Response:
    """Begins a session at an address that does so once."""
    _require_safe(request)
    if seconds := parts.limiter.locked_out(address_of(request)):
        raise problems.wait(seconds, LOCKED_OUT)
    try:
        holder = parts.sessions.taken(token)
    except BadKey as used:
        if _is_in(request, parts):  # The browser looked there before he did, or he clicked twice.
            return see_other(FIRST_PAGE)
        parts.limiter.count_failure(address_of(request))
        form = Form({"next": FIRST_PAGE})
        form.errors["key"] = f"{used}; a key signs in as well"
        return _asking(request, form, 410)
    return _signed_in(request, parts, holder, FIRST_PAGE, "address")


@router.post("/sign-out")
def sign_out(request: Request, parts: InService, form: SentForm) -> Response:
    """Ends the session, here and wherever else its token is."""
    name = cookie_of(request)
    parts.sessions.end(request.cookies[name])
    answer = see_other("/sign-in")
    answer.delete_cookie(
        name, path="/", secure=request.url.scheme == "https", httponly=True, samesite="lax"
    )
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


def inside(path: str | None) -> str:
    """Where to go after signing in: a page of ours, whatever somebody wrote into the address."""
    if not path or len(path) > LONGEST_WAY_BACK or not path.isprintable():
        return FIRST_PAGE
    ours = path.startswith("/") and not path.startswith(("//", "/\\", "/sign-"))
    return path if ours else FIRST_PAGE


def _asking(request: Request, form: Form, status: int = 200) -> Response:
    return page(request, "sign_in.html", status, form=form, safe=_is_safe(request))


def _holder(parts: Parts, request: Request, form: Form) -> Holder:
    """Whose key was typed; the key itself is never shown again."""
    key = form.text("key", required=True)
    form.forget("key")
    try:
        return parts.keys.holder(key)
    except BadKey as wrong:
        parts.limiter.count_failure(address_of(request))
        raise FormError(form, "key", str(wrong)) from None


def _signed_in(
    request: Request, parts: Parts, holder: Holder, to: str, by: Literal["key", "address"] = "key"
) -> Response:
    """On to a page under a new token; one the browser had before opens nothing any more."""
    name = cookie_of(request)
    if before := request.cookies.get(name):
        parts.sessions.end(before)
    answer = see_other(to)
    answer.set_cookie(
        name,
        parts.sessions.begin(holder, by),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
    return answer


def _is_in(request: Request, parts: Parts) -> bool:
    """Whether the browser has a session already."""
    with contextlib.suppress(BadKey):
        parts.sessions.of(request.cookies.get(cookie_of(request), ""))
        return True
    return False


def _is_safe(request: Request) -> bool:
    """Whether a key can be sent here without others reading it."""
    return request.url.scheme == "https" or request.url.hostname in NEAR


def _require_safe(request: Request) -> None:
    if not _is_safe(request):
        raise problems.NotOverTls("whoever is on the way could read what is sent: use https://")
