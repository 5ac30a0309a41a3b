"""What a request wants: its body, who sends it, under which key, and which turn it answers."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
from asgi_correlation_id import correlation_id
from fastapi import Depends, Header, Request
from pydantic import Field

from domain.decoding import decoder
from services.api import problems
from services.api.asking import said
from services.api.describing import REF
from services.api.guard import caller_of, route_of
from services.live import By, Idempotency

T = TypeVar("T", bound=msgspec.Struct)

_PRINTABLE = r"^[\x20-\x7e]+$"


def body_of(shape: type[T]) -> Callable[[Request], Awaitable[T]]:
    """A dependency that reads the body as this. Raises a problem that names what is wrong."""
    understood = understanding(shape)

    async def read(request: Request) -> T:
        return understood(await request.body())

    return read


def understanding(shape: type[T]) -> Callable[[bytes], T]:
    """What reads a body as this. Raises a problem that names what is wrong."""
    decode = decoder(shape)

    def understood(body: bytes) -> T:
        try:
            return decode(body)
        except msgspec.DecodeError as wrong:
            raise problems.bad_parameter("body", str(wrong)) from None

    return understood


def describes(shape: type[msgspec.Struct], example: dict[str, Any]) -> dict[str, Any]:
    """How a route is declared that reads such a body."""
    content = {"schema": {"$ref": REF.format(name=shape.__name__)}, "example": example}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


IdempotencyKey = Annotated[
    Annotated[str, Field(min_length=1, max_length=200, pattern=_PRINTABLE)] | None,
    said("write 1 to 200 printable characters", "a random UUID"),
    Header(
        alias="Idempotency-Key",
        description="The same for every time this request is sent: it is done once, and answered"
        " the same each time.",
    ),
]
IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", description="The turn that is answered: the ETag of the last answer."),
]


async def asker(request: Request, key: IdempotencyKey = None) -> By:
    """Whose request it is, and the key under which it may come again."""
    return asked_by(request, key, b"" if key is None else await request.body())


def asked_by(request: Request, key: str | None, body: bytes) -> By:
    """As `asker`, of a body that has been read."""
    caller = caller_of(request)
    return By(
        actor=caller.actor,
        role=caller.holder.role,
        player=caller.player,
        key=None if key is None else Idempotency(key, _digest(request, body)),
        request_id=correlation_id.get(),
    )


def _digest(request: Request, body: bytes) -> str:
    """Of what is asked: the route and the body."""
    return hashlib.sha256(route_of(request).encode() + b"\n" + body).hexdigest()


Asker = Annotated[By, Depends(asker)]


async def turn_answered(if_match: IfMatch = None) -> str:
    """The turn the request answers. Raises a problem where it names none."""
    named = (if_match or "").strip()
    if named in ("", "*"):
        raise problems.TurnRequired("send If-Match with the ETag of the turn that is answered")
    return named.strip('"')


TurnAnswered = Annotated[str, Depends(turn_answered)]
